// On every page: announcements, toasts, theme, forms that are sent once, and focus after a swap.
// Other modules send document events: "say" (for #live) and "toast" (to show). The detail is a sentence from
// words.de.js, or { text: ... } if it is already translated.

const root = document.documentElement;

// Translate sentences with words.de.js, where {} is a value. Try the longest first, since a file name may contain
// another sentence.
const ownWords = (english) => english.replaceAll("{}", "").length;
const sentences = Object.entries(globalThis.words ?? {}).sort(([one], [other]) => ownWords(other) - ownWords(one));
const known = sentences.map(([english, own]) =>
  [new RegExp(`^${english.replace(/[.*+?()]/g, "\\$&").replaceAll("{}", "(.+?)")}$`, "s"), own]);
globalThis.translate = (text) => {
  for (const [pattern, own] of known) {
    const found = pattern.exec(text)?.values();
    if (found?.next()) return own.replace(/\{\}/g, () => found.next().value);
  }
  return text;
};

const textOf = (detail) => detail?.text ?? translate(detail);
const say = (detail) => {
  const text = textOf(detail);
  const live = document.getElementById("live");
  if (text && live.textContent !== text) live.textContent = text;
};

const toast = (detail) => {
  const box = document.getElementById("toast").content.cloneNode(true).firstElementChild;
  box.classList.add("toast--bad");
  box.firstElementChild.textContent = textOf(detail);
  document.getElementById("toasts").append(box);
  say(detail);
  setTimeout(() => box.remove(), 12_000);
};

document.addEventListener("say", (event) => say(event.detail));
document.addEventListener("toast", (event) => toast(event.detail));

document.addEventListener("click", (event) => {
  event.target.closest("[data-close]")?.closest(".toast")?.remove();
});

// Tell the server the browser's time zone. A zone set in the account has priority.
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
if (timeZone && !document.cookie.split("; ").includes(`zone=${timeZone}`)) {
  const isSecure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `zone=${timeZone}; path=/; max-age=31536000; samesite=lax${isSecure}`;
}

// Switch the theme without reloading the page.
document.addEventListener("submit", async (event) => {
  const form = event.target.closest("[data-theme-form]");
  if (!form) return;
  event.preventDefault();
  const isDark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  const data = new FormData(form);
  data.set("theme", root.dataset.theme);
  await fetch(form.action, { method: "POST", body: data, redirect: "manual" });
});

// Keep what people type, and restore it if another page has interrupted them.
const keepTyped = () => import(document.body.dataset.typed);
if (sessionStorage.length) keepTyped();
else document.addEventListener("input", keepTyped, { once: true });

// If this page is the response to a form, Back and Reload would ask whether to submit the form again.
history.replaceState(history.state, "", location.href);

// Send a form only once, until the page is shown again.
document.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-once]");
  if (!form) return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "yes";
  form.querySelectorAll("button").forEach((button) => button.setAttribute("aria-disabled", "true"));
});
addEventListener("pageshow", () => {
  document.querySelectorAll("[data-once]").forEach((form) => {
    delete form.dataset.sent;
    form.querySelectorAll("button").forEach((button) => button.removeAttribute("aria-disabled"));
  });
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-peek]");
  if (!button) return;
  const field = document.getElementById(button.dataset.peek);
  const isShown = field.type === "text";
  field.type = isShown ? "password" : "text";
  button.setAttribute("aria-pressed", !isShown);
});

addEventListener("offline", () => toast("You're offline. Your work stays on this page. Continue when you're back online."));
addEventListener("online", () => say("You're back online."));

// Scroll to the current tab on phones.
const chosen = document.querySelector(".tabs [aria-current]");
if (chosen) chosen.parentElement.scrollLeft = chosen.offsetLeft - chosen.parentElement.offsetLeft;

// Ask for confirmation before the form is sent.
document.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-ask]");
  const dialog = form && document.getElementById(form.dataset.ask);
  if (!dialog?.showModal || form.dataset.confirmed) return;
  event.preventDefault();
  dialog.returnValue = "";
  dialog.showModal();
  dialog.addEventListener("close", () => {
    if (dialog.returnValue !== "yes") return;
    form.dataset.confirmed = "yes";
    form.requestSubmit();
  }, { once: true });
});

// After a swap, focus the new element with the same ID.
let focused = "";
document.addEventListener("htmx:before:swap", () => { focused = document.activeElement?.id || ""; });
document.addEventListener("htmx:after:swap", () => {
  if (focused && document.activeElement === document.body) document.getElementById(focused)?.focus();
});

// Ignore failed polls and plans: the next one follows.
document.addEventListener("htmx:response:error", (event) => {
  const source = event.detail?.ctx?.sourceElement;
  if (["status", "prompt", "values", "ideas", "batch"].includes(source?.id)) return;
  toast("Something went wrong. Reload the page and try again.");
});
