// A running batch: poll less in hidden tabs, and announce progress.

const batch = () => document.getElementById("batch");
const say = (text) => document.dispatchEvent(new CustomEvent("say", { detail: text }));
const ANNOUNCE_EVERY = 10; // photos between two announcements; announcing each would disturb

document.addEventListener("htmx:before:request", (event) => {
  if (document.hidden && event.detail?.ctx?.sourceElement === batch()) event.preventDefault();
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) batch()?.dispatchEvent(new Event("wake"));
});

let announced = Number(batch().dataset.ended);
document.addEventListener("htmx:after:swap", () => {
  const ended = Number(batch().dataset.ended);
  const isOver = !batch().hasAttribute("hx-get");
  if (isOver || ended >= announced + ANNOUNCE_EVERY) {
    announced = ended;
    say(document.getElementById("batch-say").textContent);
  }
});
