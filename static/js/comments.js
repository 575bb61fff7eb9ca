// A place for a comment: the module that draws boxes comes when it is asked for, and the result into view.

let isHere = false;

async function bring(toggle) {
  isHere = true;
  await import(toggle.dataset.point);
}

// One listener for all: a gallery may arrive after this module.
document.addEventListener("click", async (event) => {
  const toggle = event.target.closest?.("[data-point]");
  if (!toggle) return;
  if (!isHere) {
    await bring(toggle);
    toggle.click();
  } else if (toggle.getAttribute("aria-pressed") === "true") {
    document.querySelector(toggle.dataset.pointOn).scrollIntoView({ block: "center" });
  }
});

// A place that came back with the page is a field again once it is drawn.
if (document.querySelector("#regions data")) bring(document.querySelector("[data-point]"));
