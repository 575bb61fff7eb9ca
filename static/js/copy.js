// Copy the field or text with the ID in data-copy.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  if (field.select) field.select();
  else getSelection().selectAllChildren(field);
  // Without HTTPS there is no clipboard, so the user copies the selected text.
  const text = field.value ?? field.innerText.trim();
  const copied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
  const words = copied ? "Copied" : "The text is selected. Press Ctrl+C to copy it.";
  document.dispatchEvent(new CustomEvent("say", { detail: words }));
  if (copied) button.lastChild.textContent = translate("Copied");
});
