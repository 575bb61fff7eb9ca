// The choice of an engine: offer only what the chosen engine can do, and show the price and the usual time
// of the edit in the dock.

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
  // The plan shows the price too, but there is none for a recipe. The dock of a batch shows the whole balance.
  const [price, after, time] = form.querySelectorAll(".cost dd");
  const { left, usual } = target.dataset;
  if (left && price) price.textContent = target.parentElement.querySelector("span").textContent;
  if (!left || !time) return;
  after.textContent = left.trim();
  time.textContent = usual.trim();
});
// The browser may have kept another choice when the page was reloaded.
const chosen = form.querySelector("[name=engine]:checked");
if (chosen) offer(chosen);
