// Before and after: a native range input moves one custom property; a button puts both side by side.

function show(figure, value) {
  figure.classList.add("is-live");
  figure.style.setProperty("--pos", `${value}%`);
  const range = figure.querySelector(".compare__range");
  range.setAttribute("aria-valuetext", `${value}% before, ${100 - value}% after`);
  const isApart = figure.classList.contains("compare--side");
  figure.querySelector(".compare__tag--l").hidden = !isApart && value < 12;
  figure.querySelector(".compare__tag--r").hidden = !isApart && value > 88;
}

// Without this script the style sheet moves the slider of the door.
for (const figure of document.querySelectorAll(".compare--self")) {
  show(figure, Number(figure.querySelector(".compare__range").value));
}

// One listener for all: a gallery may arrive after this module.
document.addEventListener("input", (event) => {
  const figure = event.target.closest?.("[data-compare]");
  if (figure) show(figure, Number(event.target.value));
});

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-side]");
  if (!button) return;
  const figure = document.querySelector("[data-compare]");
  const isApart = figure.classList.toggle("compare--side");
  button.setAttribute("aria-pressed", isApart);
  show(figure, Number(figure.querySelector(".compare__range").value));
});
