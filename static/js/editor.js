// The prompt: ideas, boxes, announcing the plan, and Ctrl+Enter. tray.js sends the form.

const form = document.getElementById("edit");
const prompt = document.getElementById("prompt");
const send = document.getElementById("send");
const say = (text) => document.dispatchEvent(new CustomEvent("say", { detail: text }));

document.addEventListener("click", (event) => {
  const idea = event.target.closest("[data-idea]")?.value;
  if (!idea) return;
  event.preventDefault();
  const before = prompt.value.trim().replace(/[.,;]$/, "");
  prompt.value = before ? `${before}, ${idea}` : idea;
  prompt.focus();
  prompt.dispatchEvent(new Event("input", { bubbles: true }));
});

// A suggestion after a refusal replaces the prompt in a way that Undo can reverse.
document.addEventListener("click", (event) => {
  const sentence = event.target.closest("[name=sentence]")?.value;
  if (!sentence || !prompt) return;  // A recipe is sent.
  event.preventDefault();
  prompt.focus();
  prompt.select();
  if (document.execCommand("insertText", false, sentence)) return;
  prompt.value = sentence;
  prompt.dispatchEvent(new Event("input", { bubbles: true }));
});

// A shape or format may override the prompt, so update the plan.
form.addEventListener("change", (event) => {
  if (["aspect_ratio", "output_format", "engine"].includes(event.target.name)) form.dispatchEvent(new Event("choices"));
});

// When the prompt changes, remove its errors and disable buttons of the old plan.
prompt?.addEventListener("input", () => {
  for (const error of document.querySelectorAll("[id^=prompt-error]")) error.remove();
  prompt.removeAttribute("aria-invalid");
  prompt.setAttribute("aria-describedby", document.getElementById("prompt-hint")?.id ?? "");
  for (const offer of document.querySelectorAll(".plan__rest")) offer.disabled = true;
});

// The plan's buttons start a tool and show it.
document.addEventListener("click", (event) => {
  const mark = event.target.closest("[data-mark]")?.dataset.mark;
  const tool = mark && document.querySelector(`.pens [data-${mark}]`);
  if (tool?.getAttribute("aria-pressed") !== "true") tool?.click();
  tool?.scrollIntoView({ block: "nearest" });
});

prompt?.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit(send);
});

// On phones, scroll the error out from behind the dock.
if (document.getElementById("prompt-error")) addEventListener("load", () => {
  document.getElementById("plan")?.scrollIntoView({ block: "nearest" });
});

// Load the modules for boxes and clicks on demand, and repeat the click that loaded one.
const tools = document.querySelector("[data-pens]");
if (document.querySelector("#points input")) import(tools.dataset.module);
tools?.addEventListener("click", async ({ target, detail }) => {
  if ("ready" in tools.dataset) return;
  await import(tools.dataset.module);
  const button = target.closest("[data-tool]");
  button?.dispatchEvent(new MouseEvent("click", { detail }));
}, { once: true });
// A click without a key keeps the focus.
tools?.querySelector("[data-select-now]")?.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
const toggle = document.querySelector("[data-point]");
if (document.querySelector("#regions input")) import(toggle.dataset.point);
if (toggle && "pointNow" in toggle.dataset) import(toggle.dataset.point).then(() => toggle.click());
else toggle?.addEventListener("click", async () => {
  if ("ready" in toggle.dataset) return;
  await import(toggle.dataset.point);
  toggle.click();
}, { once: true });

// Show the cost of the edit in the dock. The dock of a batch has no time. engines.js may announce the cost.
const showCost = ({ cost, left, usual }) => {
  const [price, after, time] = form.querySelectorAll(".cost dd");
  for (const [place, text] of [[price, cost], [time && after, left], [time, usual]])
    if (place && text) place.textContent = text.trim();
};
form.addEventListener("cost", ({ detail }) => showCost(detail));

// Announce the plan when it changes, and load previews with the first one.
let announced = document.getElementById("plan")?.dataset.say;
document.addEventListener("htmx:after:swap", () => {
  const { say: now, preview, ...cost } = document.getElementById("plan")?.dataset ?? {};
  showCost(cost);
  if (now !== announced) say(now);
  announced = now;
  const line = document.querySelector(".plan__line"); // only after a swap of the plan
  if (line) document.querySelector(".dock__plan")?.replaceChildren(...line.childNodes);
  line?.remove();
  if (preview) import(preview);
});
// Update the ideas when the photos change.
const photosNow = () => [...document.querySelectorAll("[data-draft]")].map((shot) => shot.dataset.draft).join();
let photosThen = photosNow();
document.addEventListener("tray", () => {
  if (photosNow() === photosThen) return;
  photosThen = photosNow();
  document.dispatchEvent(new Event("photos"));
});
document.addEventListener("tray", () => (!prompt || prompt.value.trim()) && form.dispatchEvent(new Event("regions")));

// Mute the button until there is a photo and a prompt. A recipe has its own prompt.
const settle = () => {
  const isReady = document.querySelector(".shot:not(.is-failed)") && (!prompt || prompt.value.trim());
  send.classList.toggle("is-waiting", !isReady);
};
document.addEventListener("tray", settle);
prompt?.addEventListener("input", settle);
settle();
