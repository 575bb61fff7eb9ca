// The choice of an engine: offer only what the chosen engine can do, and announce its price and usual time, which
// editor.js shows.

const form = document.getElementById("edit");

function offer({ dataset }) {
  const counts = [...form.querySelectorAll("[name=outputs]")];
  for (const count of counts) count.parentElement.hidden = Number(count.value) > dataset.outputs;
  if (counts.find((count) => count.checked)?.parentElement.hidden) counts[dataset.outputs - 1].checked = true;
  const pens = form.querySelector(".pens");
  if (!pens) return;
  pens.hidden = !("regions" in dataset);
  for (const tool of pens.querySelectorAll("[data-tool]")) tool.hidden = !("points" in dataset);
}

form.addEventListener("change", ({ target }) => {
  if (target.name !== "engine") return;
  offer(target);
  const { left, usual } = target.dataset;
  const cost = target.parentElement.querySelector("span")?.textContent;
  form.dispatchEvent(new CustomEvent("cost", { detail: { cost, left, usual } }));
});
// The browser may have kept another choice when the page was reloaded.
const chosen = form.querySelector("[name=engine]:checked");
if (chosen) offer(chosen);
