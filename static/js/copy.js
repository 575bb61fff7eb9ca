// A button that copies the field, or the text, whose id its data-copy names.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  if (field.select) field.select();
  else getSelection().selectAllChildren(field);
  // Without https there is no clipboard: what is selected is copied by hand.
  const text = field.value ?? field.innerText.trim();
  const copied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
  const words = copied ? "Copied" : "The text is selected. Press Ctrl+C to copy it.";
  document.dispatchEvent(new CustomEvent("say", { detail: words }));
  if (copied) button.lastChild.textContent = said("Copied");
});
