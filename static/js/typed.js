// Keep what a person typed when a sign-in page, an error page, or a lost network interrupts a form, and restore it
// afterwards. It stays in this tab, without passwords, until the form is accepted or another person signs in. Also keep
// the prompt of an editor while the person looks at other pages.

const KEY = "typed";
const { person, interrupted } = document.body.dataset;
const isInterruption = !person || interrupted !== undefined;

const IGNORED = ["password", "hidden", "file", "submit", "button", "reset"];
// A password field whose text is shown has the type "text".
const SECRET = "[autocomplete*=password], [autocomplete=one-time-code]";
const fields = () => [...document.querySelectorAll("form[method=post i] :is(input, textarea, select)")]
  .filter((field) => field.name && !IGNORED.includes(field.type) && !field.matches(SECRET));

const isChoice = (field) => ["radio", "checkbox"].includes(field.type);
const valueOf = (field) => (isChoice(field) ? field.checked : field.value);
const keyOf = (field) =>
  [field.form.getAttribute("action"), field.name, isChoice(field) ? field.value : ""].join("\n");

let hasSignedOut = false;
let sent = null;
document.addEventListener("submit", (event) => {
  hasSignedOut ||= event.target.matches("[action$='/logout/']");
  // A button with another address, such as that of a recipe, leaves the prompt for later.
  if (event.target === prompt?.form && !event.submitter?.hasAttribute("formaction")) sent = event;
});

addEventListener("pagehide", () => {
  if (sent && !sent.defaultPrevented) keepPrompt("");
  if (hasSignedOut) sessionStorage.clear();
  if (hasSignedOut || isInterruption) return;
  const typed = fields().map((field) => [keyOf(field), valueOf(field)]);
  if (typed.length) sessionStorage.setItem(KEY, JSON.stringify({ person, path: location.pathname, typed }));
});

function restore(typed) {
  const values = new Map(typed);
  let isRestored = false;
  for (const field of fields()) {
    const value = values.get(keyOf(field));
    if (value === undefined || value === valueOf(field)) continue;
    field[isChoice(field) ? "checked" : "value"] = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.dispatchEvent(new Event("change", { bubbles: true }));
    isRestored = true;
  }
  if (isRestored) document.dispatchEvent(new CustomEvent("say", { detail: "What you typed is back." }));
}

const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
if (kept && isInterruption && (!person || person === kept.person)) {
  sessionStorage.setItem(KEY, JSON.stringify({ ...kept, isInterrupted: true }));
} else if (kept?.isInterrupted && kept.person === person) {
  if (kept.path === location.pathname) {
    sessionStorage.removeItem(KEY);
    restore(kept.typed);
  }
} else {
  sessionStorage.removeItem(KEY);
}

// Keep the prompt of an editor or a batch until it is sent or emptied. The server's own prompt is never replaced.
const PROMPTS = "prompts";
const prompt = document.querySelector("#edit #prompt");
const place = location.pathname + location.search;

const keptPrompts = () => JSON.parse(sessionStorage.getItem(PROMPTS) ?? "{}");
function keepPrompt(text) {
  const { texts } = keptPrompts();
  sessionStorage.setItem(PROMPTS, JSON.stringify({ person, texts: { ...texts, [place]: text } }));
}

if (person && keptPrompts().person !== person) sessionStorage.removeItem(PROMPTS);
if (prompt) {
  const text = keptPrompts().texts?.[place];
  if (text && !prompt.value) restore([[keyOf(prompt), text]]);
  else keepPrompt(prompt.value);
  prompt.addEventListener("input", () => keepPrompt(prompt.value));
}

// The browser shows the page as it was left.
addEventListener("pageshow", (event) => { if (event.persisted && !isInterruption) sessionStorage.removeItem(KEY); });

// Without a network, a form would be lost to the browser's error page. A site on this machine still responds.
// A form that only closes a dialog needs no network.
let isReachable = false;
addEventListener("submit", async (event) => {
  if (navigator.onLine || isReachable || event.target.matches("[method=dialog]")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  try {
    await fetch("/healthz", { cache: "no-store" });
  } catch {
    dispatchEvent(new Event("offline"));  // This repeats the message.
    return;
  }
  isReachable = true;
  event.target.requestSubmit(event.submitter);
  isReachable = false;
}, true);
