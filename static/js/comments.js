// Boxes for comments: load the box module when it is needed, and scroll to the result.

let isHere = false;

async function bring(toggle) {
  isHere = true;
  await import(toggle.dataset.point);
}

// Use one listener, since the gallery may load after this module.
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

// Restore a box that was submitted with an invalid comment.
if (document.querySelector("#regions data")) bring(document.querySelector("[data-point]"));
