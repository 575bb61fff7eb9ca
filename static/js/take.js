// Convert a result in the browser to the chosen format and size, as a file or on the clipboard.

const say = (text) => document.dispatchEvent(new CustomEvent("say", { detail: text }));
const toast = (text) => document.dispatchEvent(new CustomEvent("toast", { detail: text }));
const QUALITY = .92;

async function picture(form, type) {
  const answer = await fetch(form.dataset.from);
  if (!answer.ok) throw new Error(String(answer.status));
  const source = await createImageBitmap(await answer.blob());
  const longest = Number(form.elements.longest.value) || Infinity;
  const scale = Math.min(1, longest / Math.max(source.width, source.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(source.width * scale);
  canvas.height = Math.round(source.height * scale);
  const pen = canvas.getContext("2d");
  pen.imageSmoothingQuality = "high";
  if (type === "image/jpeg") {  // JPEG has no transparency
    pen.fillStyle = "white";
    pen.fillRect(0, 0, canvas.width, canvas.height);
  }
  pen.drawImage(source, 0, 0, canvas.width, canvas.height);
  const made = await new Promise((done) => { canvas.toBlob(done, type, QUALITY); });
  if (!made) throw new Error("none");
  if (form.elements.metadata.value !== "prompt") return made;
  const { described } = await import(form.dataset.metadata);
  return described(made, form.dataset.prompt, { width: canvas.width, height: canvas.height, hasAlpha: type !== "image/jpeg" });
}

export async function download(form) {
  const type = form.elements.format.value;
  try {
    const made = await picture(form, type);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(made);
    link.download = `darkroom-${form.elements.longest.value === "0" ? "original" : form.elements.longest.value}.${made.type.slice(6)}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  } catch {
    toast("The result couldn't be converted. Download the original instead.");
  }
}

// Browsers copy only PNG, and only over HTTPS.
export async function copy(form) {
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": picture(form, "image/png") })]);
    say("The result was copied.");
    form.querySelector("[data-copy-picture]").lastChild.textContent = translate("Copied");
  } catch {
    toast("This browser can't copy the result. Download it instead.");
  }
}
