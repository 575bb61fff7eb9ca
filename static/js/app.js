// On every page: announcements, toasts, theme, forms that are sent once, and focus after a swap.
// Other modules speak through events of the document: "say" (a sentence for #live), "toast" (one to show); each is
// a sentence that words.de.js knows, or { said: ... } in the page's language already, as with a file's name in it.

const root = document.documentElement;

// What the scripts say, in the language of the page: words.de.js lists sentences, where {} stands for a value. The
// one with the most words of its own comes first: a file's name may hold those of another.
const ownWords = (english) => english.replaceAll("{}", "").length;
const sentences = Object.entries(globalThis.words ?? {}).sort(([one], [other]) => ownWords(other) - ownWords(one));
const known = sentences.map(([english, own]) =>
  [new RegExp(`^${english.replace(/[.*+?()]/g, "\\$&").replaceAll("{}", "(.+?)")}$`, "s"), own]);
globalThis.said = (text) => {
  for (const [pattern, own] of known) {
    const found = pattern.exec(text)?.values();
    if (found?.next()) return own.replace(/\{\}/g, () => found.next().value);
  }
  return text;
};

const worded = (told) => told?.said ?? said(told);
const say = (told) => {
  const text = worded(told);
  const live = document.getElementById("live");
  if (text && live.textContent !== text) live.textContent = text;
};

const toast = (told) => {
  const box = document.getElementById("toast").content.cloneNode(true).firstElementChild;
  box.classList.add("toast--bad");
  box.firstElementChild.textContent = worded(told);
  document.getElementById("toasts").append(box);
  say(told);
  setTimeout(() => box.remove(), 12_000);
};

document.addEventListener("say", (event) => say(event.detail));
document.addEventListener("toast", (event) => toast(event.detail));

document.addEventListener("click", (event) => {
  event.target.closest("[data-close]")?.closest(".toast")?.remove();
});

// The server tells times in this browser's zone, where the account names no other.
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
if (timeZone && !document.cookie.split("; ").includes(`zone=${timeZone}`)) {
  const isSecure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `zone=${timeZone}; path=/; max-age=31536000; samesite=lax${isSecure}`;
}

// Theme: the form works by itself; with a script the page need not be reloaded.
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

// A form that makes something is sent once; the way back finds it ready again.
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

// What is on the page stays while there is no network.
addEventListener("offline", () => toast("You're offline. Your work stays on this page. Continue when you're back online."));
addEventListener("online", () => say("You're back online."));

// On a phone the chosen one of the tabs may lie beyond the edge.
const chosen = document.querySelector(".tabs [aria-current]");
if (chosen) chosen.parentElement.scrollLeft = chosen.offsetLeft - chosen.parentElement.offsetLeft;

// A dialog that asks before its form is sent.
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

// After a swap: if the focused element is gone, the element that now has its id is focused.
let focused = "";
document.addEventListener("htmx:before:swap", () => { focused = document.activeElement?.id || ""; });
document.addEventListener("htmx:after:swap", () => {
  if (focused && document.activeElement === document.body) document.getElementById(focused)?.focus();
});

// A failed poll or plan is silent: the next one comes by itself.
document.addEventListener("htmx:response:error", (event) => {
  const source = event.detail?.ctx?.sourceElement;
  if (["status", "prompt", "ideas", "batch"].includes(source?.id)) return;
  toast("Something went wrong. Reload the page and try again.");
});
