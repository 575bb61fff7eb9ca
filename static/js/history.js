// Select edits by keyboard and mouse, and join days that span two pages of the list.

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

// Shift selects everything between the last checkbox and this one.
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

// While edits are selected, Ctrl+A selects all and Escape selects none.
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

// Dragging from between the tiles selects all tiles that the frame touches.
const found = document.getElementById("found");
found?.addEventListener("pointerdown", (down) => {
  const isBetween = !down.target.closest("article, .batch-row, a, button, label, input");
  if (!isBetween || down.pointerType !== "mouse" || down.button) return;
  down.preventDefault();
  const band = document.createElement("div");
  band.className = "band";
  const was = new Map(boxes().map((box) => [box, box.checked]));
  const start = { x: down.clientX, y: down.clientY + scrollY };
  const drag = (event) => {
    const left = Math.min(start.x, event.clientX), right = Math.max(start.x, event.clientX);
    const top = Math.min(start.y - scrollY, event.clientY), bottom = Math.max(start.y - scrollY, event.clientY);
    if (right - left < 4 && bottom - top < 4) return;
    found.append(band);
    Object.entries({ left, top, width: right - left, height: bottom - top })
      .forEach(([side, value]) => band.style.setProperty(side, `${value}px`));
    for (const [box, isPicked] of was) {
      const tile = box.closest("article, .batch-row").getBoundingClientRect();
      const isIn = tile.left < right && tile.right > left && tile.top < bottom && tile.bottom > top;
      box.checked = isIn || isPicked;
    }
  };
  addEventListener("pointermove", drag);
  addEventListener("pointerup", () => {
    removeEventListener("pointermove", drag);
    if (band.isConnected) settle();
    band.remove();
  }, { once: true });
});

// Close a menu on Escape or a click elsewhere.
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

// Append later edits of a day to the same day.
document.addEventListener("htmx:after:swap", () => {
  for (const day of document.querySelectorAll(".day")) {
    const before = day.previousElementSibling;
    if (before?.dataset.day !== day.dataset.day) continue;
    before.querySelector(".grid").append(...day.querySelector(".grid").children);
    day.remove();
  }
});
