// A button that copies the field whose id its data-copy names.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  field.select();
  // Without https there is no clipboard: what is selected is copied by hand.
  const copied = await navigator.clipboard?.writeText(field.value).then(() => true, () => false);
  const words = copied ? "The link is copied." : "The link is selected. Copy it with Ctrl+C.";
  document.dispatchEvent(new CustomEvent("say", { detail: words }));
  if (copied) button.lastChild.textContent = said("Copied");
});
