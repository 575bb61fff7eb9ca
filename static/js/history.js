// Selecting edits beyond what plain checkboxes do, and days that two pages of the list share.

const form = document.getElementById("picked");
const boxes = () => [...document.querySelectorAll("[data-pick]")];
const say = (text) => document.dispatchEvent(new CustomEvent("say", { detail: text }));
const among = (day) => [...day.closest(".day").querySelectorAll("[data-pick]")];
let last = null;

function settle() {
  for (const day of document.querySelectorAll("[data-pick-day]")) {
    const of = among(day);
    day.checked = of.every((box) => box.checked);
    day.indeterminate = !day.checked && of.some((box) => box.checked);
  }
  say(`${boxes().filter((box) => box.checked).length} selected`);
}

// Shift takes all between the last one and this.
function pick(box, isRange) {
  const all = boxes();
  const from = all.indexOf(last);
  if (isRange && from >= 0) {
    const to = all.indexOf(box);
    for (const one of all.slice(Math.min(from, to), Math.max(from, to) + 1)) one.checked = box.checked;
  }
  last = box;
  settle();
}

document.addEventListener("click", (event) => {
  const box = event.target.closest("[data-pick]");
  const day = event.target.closest("[data-pick-day]");
  const link = event.target.closest(".tile__link");
  if (box) pick(box, event.shiftKey);
  if (day) {
    for (const one of among(day)) one.checked = day.checked;
    settle();
  }
  if (link && event.shiftKey) {
    event.preventDefault();
    const own = link.parentElement.querySelector("[data-pick]");
    own.checked = true;
    pick(own, true);
  }
});

// While some are picked, Ctrl+A takes all that are shown, and Escape none.
document.addEventListener("keydown", (event) => {
  const isAll = event.key === "a" && (event.ctrlKey || event.metaKey);
  const isWriting = event.target.matches("input:not([type=checkbox]), textarea");
  if (isWriting || !boxes().some((box) => box.checked)) return;
  if (isAll) {
    event.preventDefault();
    for (const box of boxes()) box.checked = true;
    settle();
  } else if (event.key === "Escape") form.reset();
});
form?.addEventListener("reset", () => setTimeout(settle));

// A menu closes when something else is pressed, or by Escape.
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll(".filter[open], .picked__recipes[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});
document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && event.target.closest?.(".filter[open], .picked__recipes[open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

// What came later of a day that stood there before joins it.
document.addEventListener("htmx:after:swap", () => {
  for (const day of document.querySelectorAll(".day")) {
    const before = day.previousElementSibling;
    if (before?.dataset.day !== day.dataset.day) continue;
    before.querySelector(".grid").append(...day.querySelector(".grid").children);
    day.remove();
  }
});
