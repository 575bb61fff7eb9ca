// A place for a comment: the module that draws boxes comes when it is asked for.

const toggle = document.querySelector("[data-point]");
if (document.querySelector("#regions input")) import(toggle.dataset.point);
else toggle?.addEventListener("click", async () => {
  await import(toggle.dataset.point);
  toggle.click();
}, { once: true });
