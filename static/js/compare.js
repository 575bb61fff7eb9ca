// Before and after: a native range input moves one custom property.

function show(figure, value) {
  figure.style.setProperty("--pos", `${value}%`);
  const range = figure.querySelector(".compare__range");
  range.setAttribute("aria-valuetext", `${value}% before, ${100 - value}% after`);
  figure.querySelector(".compare__tag--l").hidden = value < 12;
  figure.querySelector(".compare__tag--r").hidden = value > 88;
}

// One listener for all: a gallery may arrive after this module.
document.addEventListener("input", (event) => {
  const figure = event.target.closest?.("[data-compare]");
  if (figure) show(figure, Number(event.target.value));
});
