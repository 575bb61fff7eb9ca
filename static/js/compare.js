// Before and after: a native range input sets a custom property, which three views use. Other modules load late.

function show(figure, value) {
  figure.classList.add("is-live");
  figure.style.setProperty("--pos", `${value}%`);
  const range = figure.querySelector(".compare__range");
  range.setAttribute("aria-valuetext", translate(`${value}% before, ${100 - value}% after`));
  const isApart = figure.classList.contains("compare--side");
  figure.querySelector(".compare__tag--l").hidden = !isApart && value < 12;
  figure.querySelector(".compare__tag--r").hidden = !isApart && value > 88;
}

// With one picture at a time, the range has two positions: keys and clicks switch between the pictures.
function look(figure, view) {
  for (const name of ["slider", "side", "one"]) figure.classList.toggle(`compare--${name}`, name === view);
  const range = figure.querySelector(".compare__range");
  range.step = view === "one" ? 100 : 1;
  range.value = view === "one" ? 0 : 50;
  show(figure, Number(range.value));
  if (view === "one") range.focus();
}

// Without JavaScript, landing.css moves the slider of the landing page.
for (const figure of document.querySelectorAll(".compare--self")) {
  show(figure, Number(figure.querySelector(".compare__range").value));
}

// Use one listener for all, because a gallery may load after this module.
document.addEventListener("input", (event) => {
  const figure = event.target.matches?.(".compare__range") && event.target.closest("[data-compare]");
  if (figure) show(figure, Number(event.target.value));
});
document.addEventListener("change", (event) => {
  if (event.target.matches?.("[data-view]")) look(document.querySelector("[data-compare]"), event.target.value);
  if (event.target.matches?.("[data-with]")) event.target.form.requestSubmit();
});

// Draw the map of changes when the page is idle, and again if a gallery loads later.
const mapped = async () => {
  const map = document.querySelector("[data-changed]:not([data-drawn])");
  if (!map) return;
  map.dataset.drawn = "yes";
  (await import(map.dataset.changed)).start(map);
};
if (document.readyState === "complete") mapped();
else addEventListener("load", mapped);
document.addEventListener("htmx:after:swap", mapped);

// Load the viewer and the other formats when they are needed.
const view = async (link) => (await import(link.dataset.viewer)).open(document.getElementById("viewer"));
document.addEventListener("click", async (event) => {
  const link = event.target.closest?.("[data-viewer]");
  const copied = event.target.closest?.("[data-copy-picture]")?.form;
  if (link && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    view(link);
  }
  if (copied) (await import(copied.dataset.take)).copy(copied);
});
document.addEventListener("submit", async (event) => {
  const form = event.target.closest("[data-take]");
  if (!form) return;
  event.preventDefault();
  (await import(form.dataset.take)).download(form);
});
const linked = location.hash === "#viewer" && document.querySelector("[data-viewer]");
if (linked) view(linked);
