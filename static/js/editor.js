// The instruction, which a recipe may have written: ideas, boxes when they are wanted, the plan's announcement, and Ctrl+Enter. tray.js sends.

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

// A chosen shape or format may overrule what the words say, so the plan is asked for again.
form.addEventListener("change", (event) => {
  if (["aspect_ratio", "output_format"].includes(event.target.name)) form.dispatchEvent(new Event("choices"));
});

// What was said of the words before these holds no more, and what was offered for them is not pressed unseen.
prompt?.addEventListener("input", () => {
  for (const error of document.querySelectorAll("[id^=prompt-error]")) error.remove();
  prompt.removeAttribute("aria-invalid");
  prompt.setAttribute("aria-describedby", "prompt-hint");
  for (const offer of document.querySelectorAll(".plan__rest")) offer.disabled = true;
});

// A refusal that asks for a box opens Point at it.
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-mark]")) document.querySelector("[data-point]")?.click();
});

prompt?.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit(send);
});

// On a phone the answer to a refused instruction would stand behind the dock.
if (document.getElementById("prompt-error")) addEventListener("load", () => {
  document.getElementById("plan")?.scrollIntoView({ block: "nearest" });
});

// Few people draw boxes, so their module comes when it is asked for, or when boxes came with the page.
const toggle = document.querySelector("[data-point]");
if (document.querySelector("#regions input")) import(toggle.dataset.point);
if (toggle && "pointNow" in toggle.dataset) import(toggle.dataset.point).then(() => toggle.click());
else toggle?.addEventListener("click", async () => {
  await import(toggle.dataset.point);
  toggle.click();
}, { once: true });

// The plan is told when what it says has changed; its box is no live region.
let told = document.getElementById("plan")?.dataset.say;
document.addEventListener("htmx:after:swap", () => {
  const now = document.getElementById("plan")?.dataset.say;
  if (now !== told) say(now);
  told = now;
});
// Ideas are for the photos that are there.
const photosNow = () => [...document.querySelectorAll("[data-draft]")].map((shot) => shot.dataset.draft).join();
let photosThen = photosNow();
document.addEventListener("tray", () => {
  if (photosNow() === photosThen) return;
  photosThen = photosNow();
  document.dispatchEvent(new Event("photos"));
});
document.addEventListener("tray", () => prompt?.value.trim() && form.dispatchEvent(new Event("regions")));

// The button stays quiet until there is a photo and a sentence; a recipe brings its own. Pressed before, the
// answer says what is missing.
const settle = () => {
  const isReady = document.querySelector(".shot:not(.is-failed)") && (!prompt || prompt.value.trim());
  send.classList.toggle("is-waiting", !isReady);
};
document.addEventListener("tray", settle);
prompt?.addEventListener("input", settle);
settle();
