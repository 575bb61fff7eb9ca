// Add a copy button to each sample that can be run. Browsers allow copying only over HTTPS.

for (const sample of document.querySelectorAll(".docs pre")) {
  sample.tabIndex = 0; // so that long lines can be scrolled by keyboard
  if (!navigator.clipboard || !/^(curl|import|export)/.test(sample.textContent)) continue;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "btn btn--sm";
  button.textContent = translate("Copy");
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(sample.textContent);
    button.textContent = translate("Copied");
    document.dispatchEvent(new CustomEvent("say", { detail: "Copied" }));
    setTimeout(() => { button.textContent = translate("Copy"); }, 2000);
  });
  const frame = document.createElement("div");
  frame.className = "docs__sample";
  sample.replaceWith(frame);
  frame.append(sample, button);
}
