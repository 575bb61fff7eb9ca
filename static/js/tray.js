// The tray: add, order, and remove photos, and send the form once after its photos.

const tray = document.getElementById("tray");
const input = document.getElementById("files");
const add = document.getElementById("drop");
const bring = document.getElementById("bring");
const pens = document.querySelectorAll("[data-point], [data-tool=select]");
const max = Number(tray.dataset.max);
const token = document.querySelector("#edit [name=csrfmiddlewaretoken]").value;
const shots = () => [...tray.querySelectorAll(".shot")];
const kept = () => shots().filter((shot) => !shot.classList.contains("is-failed"));
const say = (text) => document.dispatchEvent(new CustomEvent("say", { detail: text }));
const toast = (text) => document.dispatchEvent(new CustomEvent("toast", { detail: text }));

// Update numbers, names, and the count. "tray" notifies other modules.
function settle(message) {
  kept().forEach((shot, at, all) => {
    const number = at + 1;
    shot.querySelector(".shot__tools")?.setAttribute("aria-label", translate(`Photo ${number}`));
    for (const button of shot.querySelectorAll("[data-move]")) {
      const isEarlier = button.dataset.move === "-1";
      button.setAttribute("aria-label", translate(isEarlier ? `Move photo ${number} earlier` : `Move photo ${number} later`));
      button.disabled = isEarlier ? at === 0 : at === all.length - 1;
    }
    shot.querySelector("[data-remove]")?.setAttribute("aria-label", translate(`Remove photo ${number}`));
    const image = shot.querySelector(".ph__img[srcset]");
    if (image) image.sizes = tray.dataset.sizes ?? `(min-width: 60rem) ${at ? "17rem, 31vw" : "53rem, 100vw"}`;
  });
  const count = kept().length;
  document.getElementById("tray-count").textContent = translate(`${count} of ${max}`);
  add.hidden = count >= max;
  if (bring) bring.hidden = add.hidden;
  document.getElementById("drop-hint").textContent =
    translate(count ? `Drop, paste, or choose up to ${max - count} more` : `Drop, paste, or choose up to ${max}`);
  for (const pen of pens) pen.disabled = !count;
  if (message) say(message);
  document.dispatchEvent(new CustomEvent("tray", { detail: { count } }));
}

function move(shot, step, button) {
  const other = step < 0 ? shot.previousElementSibling : shot.nextElementSibling;
  if (!other?.matches(".shot:not(.is-failed)")) return;
  if (step < 0) other.before(shot);
  else other.after(shot);
  settle(`Moved to position ${kept().indexOf(shot) + 1}`);
  (button.disabled ? shot.querySelector("[data-move]:not(:disabled)") : button)?.focus();
}

let dragged = null;
tray.addEventListener("dragstart", (event) => {
  dragged = event.target.closest(".shot");
  dragged?.classList.add("is-drag");
});
tray.addEventListener("dragover", (event) => {
  event.preventDefault();
  const over = event.target.closest(".shot:not(.is-failed)");
  if (!dragged) tray.classList.add("is-over");
  if (!dragged || !over || over === dragged) return;
  const box = over.getBoundingClientRect();
  if (event.clientX < box.x + box.width / 2) over.before(dragged);
  else over.after(dragged);
});
tray.addEventListener("dragleave", () => tray.classList.remove("is-over"));
tray.addEventListener("dragend", () => {
  dragged?.classList.remove("is-drag");
  if (dragged) settle("Order changed");
  dragged = null;
});

// Report failures: a photo that stays would be sent later. 404 means that it is already deleted.
function discard(draft) {
  const stays = () => toast("A photo couldn't be removed. Reload the page and try again.");
  const [drafts] = tray.dataset.upload.split("?");  // this URL works for any tray
  fetch(`${drafts}${draft}/remove/`, {
    method: "POST", keepalive: true, headers: { "X-CSRFToken": token, "X-Tray": "1" },
  }).then(({ status }) => [204, 404].includes(status) || stays(), stays);
}

function remove(shot) {
  const next = shot.nextElementSibling?.matches(".shot") ? shot.nextElementSibling : shot.previousElementSibling;
  shot.request?.abort();
  if (shot.dataset.draft) discard(shot.dataset.draft);
  shot.remove();
  settle(shot.dataset.draft ? "Photo removed" : "");
  (next?.querySelector("[data-remove]") ?? input).focus();
}

tray.addEventListener("click", (event) => {
  const shot = event.target.closest(".shot");
  const mover = event.target.closest("[data-move]");
  if (mover) move(shot, Number(mover.dataset.move), mover);
  if (event.target.closest("[data-remove]")) {
    event.preventDefault();
    remove(shot);
  }
});

const copyOf = (id) => document.getElementById(id).content.cloneNode(true);

// Show the photo while it is uploaded, to avoid layout shifts.
function preview(shot, file) {
  const image = new Image();
  image.className = "ph__img";
  image.alt = "";
  image.addEventListener("load", () => {
    shot.style.setProperty("--ratio", image.naturalWidth / image.naturalHeight);
    shot.querySelector(".ph")?.prepend(image);
    URL.revokeObjectURL(image.src);
  });
  image.src = URL.createObjectURL(file);
}

function waiting(name) {
  const shot = copyOf("tile-waiting").firstElementChild;
  shot.querySelector(".shot__wait span").textContent = name;
  shot.querySelector("progress").setAttribute("aria-label", translate(`Uploading ${name}`));
  return shot;
}

// Show the error below the photos until it is closed.
function refuse(shot, name, sentence) {
  shot.className = "shot is-failed";
  shot.replaceChildren(copyOf("tile-refused"));
  const text = `${name}: ${translate(sentence)}`;
  shot.querySelector("p").textContent = text;
  add.after(shot);
  settle();
  const { left, bottom } = shot.getBoundingClientRect();
  (shot.contains(document.elementFromPoint(left + 9, bottom - 9)) ? say : toast)({ text });
}

function accept(shot, html) {
  shot.dispatchEvent(new Event("accepted"));
  const holder = document.createElement("template");
  holder.innerHTML = html.trim();
  const tile = holder.content.firstElementChild;
  shot.replaceWith(tile);
  for (const error of document.querySelectorAll("[id^=photos-error]")) error.remove();
  input.removeAttribute("aria-invalid");
  input.setAttribute("aria-describedby", "drop-hint");
  settle(`Photo ${kept().indexOf(tile) + 1} added`);
}

const clearErrors = () => tray.querySelectorAll(".is-failed").forEach((shot) => shot.remove());

// `value` is a file or a URL.
function send(shot, field, value, name) {
  const request = new XMLHttpRequest();
  const bar = shot.querySelector("progress");
  shot.request = request;
  request.upload.addEventListener("progress", (event) => {
    if (event.lengthComputable) bar.value = event.loaded / event.total;
    if (event.loaded === event.total) bar.removeAttribute("value");
  });
  request.addEventListener("load", () => {
    const isTile = request.status === 200 && request.responseText.includes("data-draft");
    if (isTile) accept(shot, request.responseText);
    else if (request.status === 422) refuse(shot, name, request.responseText);
    else if (request.status === 507) refuse(shot, name, "The site's disk is full. Try again later.");
    else if (request.status === 413) refuse(shot, name, "This photo is too large.");
    else refuse(shot, name, "The upload failed. Reload the page and try again.");
  });
  request.addEventListener("error", () => refuse(shot, name, "The upload failed. Try again."));
  request.open("POST", tray.dataset.upload);
  request.setRequestHeader("X-CSRFToken", token);
  const body = new FormData();
  body.append(field, value);
  request.send(body);
}

// Upload one at a time to keep the order and limit the load.
let line = Promise.resolve();
function inLine(shot, field, value, name) {
  line = line.then(() => new Promise((done) => {
    if (!shot.isConnected) return done();
    send(shot, field, value, name);
    shot.request.addEventListener("loadend", done);
  }));
}
const nameOf = (file) => file.name || translate("The photo");
function refuseAll(files, sentence) {
  const names = files.slice(0, 9).map(nameOf).join(", ");
  const more = files.length - 9;
  if (files.length) refuse(waiting(""), more > 0 ? translate(`${names} and ${more} more`) : names, sentence);
}
function addFiles(files, refused = []) {
  clearErrors();
  for (const group of refused) refuseAll(...group);
  const room = Math.max(0, max - kept().length);
  refuseAll(files.slice(room), tray.dataset.tooMany || `You can add up to ${max} photos.`);
  for (const file of files.slice(0, room)) {
    const name = nameOf(file);
    const shot = waiting(name);
    preview(shot, file);
    add.before(shot);
    if (file.size > Number(tray.dataset.maxBytes)) {
      refuse(shot, name, `This photo is larger than ${Math.round(tray.dataset.maxBytes / 1024 ** 2)} MB.`);
      continue;
    }
    inLine(shot, "photo", file, name);
  }
  settle();
}

// Keep the URL in its field until the photo is added.
function addAddress(field) {
  const address = field.value.trim();
  if (!address) return field.focus();
  clearErrors();
  const shot = waiting(address);
  shot.querySelector("progress").removeAttribute("value");
  shot.addEventListener("accepted", () => { if (field.value.trim() === address) field.value = ""; });
  add.before(shot);
  settle();
  inLine(shot, "address", address, address);
}
bring?.addEventListener("click", (event) => {
  if (!event.target.closest("[name=bring]")) return;
  event.preventDefault();
  addAddress(bring.querySelector("#address"));
});
bring?.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.target.id !== "address") return;
  event.preventDefault();
  addAddress(event.target);
});
bring?.querySelector("#camera").addEventListener("change", ({ target }) => {
  addFiles([...target.files]);
  target.value = "";
});

input.addEventListener("change", () => {
  addFiles([...input.files]);
  input.value = "";  // the form sends the drafts
});
// The data of a drop can be read only synchronously.
async function take({ items }) {
  const parts = [...items].filter(({ kind }) => kind === "file").map((item) => {
    const entry = item.webkitGetAsEntry();
    return entry?.isDirectory ? entry : item.getAsFile();
  });
  const { photos, others } = await (await import(add.dataset.sort)).sorted(parts);
  addFiles(photos, others);
}
document.addEventListener("paste", (event) => {
  if (!event.clipboardData?.files.length) return;
  event.preventDefault();
  take(event.clipboardData);
});
// Drops outside the tray count too. Images of the page itself are ignored.
let inside = false;
addEventListener("dragstart", () => { inside = true; });
addEventListener("dragend", () => { inside = false; });
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  tray.classList.remove("is-over");
  if (!inside) take(event.dataTransfer);
});

// Send the form once, after pending uploads.

function sendOnce(form, button) {
  const label = button.querySelector("[data-label]");
  const words = label.textContent;
  const isOnItsWay = () => tray.querySelector(".shot.is-loading");
  let waits = null;

  function isSending(on) {
    button.toggleAttribute("disabled", on || "off" in button.dataset);
    button.setAttribute("aria-busy", on);
    label.textContent = on ? translate("Sending…") : words;
  }
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) return event.preventDefault();
    if (isOnItsWay()) {
      event.preventDefault();
      waits = event.submitter ?? button;
      label.textContent = translate("Waiting for photos…");
      say("The form is sent when all photos are uploaded.");
      return;
    }
    form.dataset.sent = "yes";
    setTimeout(() => isSending(true));  // disable later, or its value is not sent
  });
  document.addEventListener("tray", () => {
    if (!waits || isOnItsWay()) return;
    const submitter = waits;
    waits = null;
    label.textContent = words;
    if (tray.querySelector(".shot.is-failed")) return;
    if (submitter.isConnected) form.requestSubmit(submitter);
    else if (!submitter.hasAttribute("formaction")) form.requestSubmit(button);
  });
  addEventListener("pageshow", () => {
    delete form.dataset.sent;
    isSending(false);
  });
}
const button = document.getElementById("send");
if (button) sendOnce(button.form, button);  // missing if the user may not change the recipe

settle();
