// A running edit: the clock, the progress bar between polls, fewer polls in hidden tabs, and the results.

const started = Date.now() - 1000 * Number(document.getElementById("clock")?.dataset.elapsed ?? 0);
const say = (text) => document.dispatchEvent(new CustomEvent("say", { detail: text }));
const MOST = 97;
const HIDDEN_EVERY = 10_000;

function clockFace(seconds) {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}

// Show the engine's progress, or an estimate from the usual time. Never show 100% before the end.
function tick() {
  const clock = document.getElementById("clock");
  const status = document.getElementById("status");
  if (!clock || !status) return clearInterval(ticking);
  const seconds = (Date.now() - started) / 1000;
  const usual = Number(clock.dataset.usual) || 15;
  clock.querySelector("b").textContent = clockFace(seconds);
  if (seconds > 2 * usual + 5) clock.querySelector("span").textContent = translate("Taking longer than usual");
  const progress = Number(status.dataset.progress);
  showStep(status, progress);
  document.title = `${clockFace(seconds)} · ${translate("Editing your photos")} · Darkroom`;
  const guess = status.dataset.state === "QUEUED" ? 0 : Math.min(MOST, (60 * seconds) / usual);
  document.getElementById("meter").value = Math.min(MOST, Math.max(progress, progress ? 0 : guess));
}
// Show the current step of the plan, estimated from the progress.
function showStep(status, progress) {
  const steps = [...document.querySelectorAll(".plan__steps li")];
  const line = document.getElementById("step");
  line.hidden = status.dataset.state !== "RUNNING" || !progress || !steps.length;
  if (line.hidden) return;
  const at = Math.min(steps.length - 1, Math.floor((progress / 100) * steps.length));
  const which = translate(steps.length > 1 ? `Step ${at + 1} of ${steps.length}: ` : "Now: ");
  line.textContent = which + steps[at].textContent.replace(/\s+/g, " ").trim();
}
const ticking = setInterval(tick, 250);
tick();

// A hidden tab polls occasionally to update its title.
let polledAt = 0;
document.addEventListener("htmx:before:request", (event) => {
  const isPoll = event.detail?.ctx?.sourceElement?.id === "status";
  if (isPoll && document.hidden && Date.now() - polledAt < HIDDEN_EVERY) event.preventDefault();
  else if (isPoll) polledAt = Date.now();
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) document.getElementById("status")?.dispatchEvent(new Event("wake"));
});

let state = document.getElementById("status")?.dataset.state;
document.addEventListener("htmx:after:swap", () => {
  const status = document.getElementById("status");
  if (status && status.dataset.state !== state) {
    state = status.dataset.state;
    say(status.querySelector("p").textContent);
  }
  tick();
  if (!status && state !== "arrived") {
    state = "arrived";
    const heading = document.getElementById("h-run");
    document.title = `${heading?.textContent.trim()} · Darkroom`;
    heading?.focus();
    say(heading?.textContent);
  }
});
