// Show the preview of an edit on photo 1, with the outlines of what its steps found.

const form = document.getElementById("edit");
const prompt = document.getElementById("prompt") ?? document.getElementById("values");
const HOST = "#tray > .shot:not(.is-failed, .is-loading):first-child";
const [SOONEST, LATEST] = [700, 10_000];
const plan = () => document.getElementById("plan");
const say = (text) => document.dispatchEvent(new CustomEvent("say", { detail: { text } }));

let shown = null;
let newest = 0;
let announced = "";
let again;
let wait = SOONEST;

const style = document.createElement("link");
style.rel = "stylesheet";
style.href = plan().dataset.style;
const styled = new Promise((done) => { style.onload = style.onerror = done; });
document.head.append(style);

// Put the figure of a new plan onto photo 1. Without one, keep the last picture, faded, while a new one may come.
async function update() {
  const { state, say: words } = plan()?.dataset ?? {};
  const figure = plan()?.querySelector(".seen");
  const mine = ++newest;
  clearTimeout(again);
  const isPending = state === "looking" || state === "busy";
  wait = isPending ? Math.min(wait * 1.2, LATEST) : SOONEST;
  // A random delay keeps two tabs from replacing each other's requests forever.
  if (isPending) again = setTimeout(ask, wait * (.8 + Math.random()));
  else if (!figure) hide();
  if (!figure) {
    shown?.classList.add("is-stale");
    return mark();
  }
  figure.remove();
  await Promise.all([styled, figure.querySelector("img")?.decode().catch(() => {})]);
  const host = document.querySelector(HOST);
  if (mine !== newest || !host || isOfOtherPhoto(figure, host)) return;
  show(host, figure);
  if (figure.querySelector("img")) announce(words);
  keepInView();
}

// The photo may have been replaced while its preview was made.
function isOfOtherPhoto(figure, host) {
  const [made, now] = [figure.dataset.draft, host.dataset.draft];
  return Boolean(made && now && made !== now);
}

function ask() {
  if (document.hidden) document.addEventListener("visibilitychange", ask, { once: true });
  else form.dispatchEvent(new Event("choices"));
}

// The same words are read again only if the text differs.
function announce(words) {
  const text = words.replace(/\s+/g, " ").trim();
  announced = announced === text ? `${text}\u00a0` : text;
  say(announced);
}

function show(host, figure) {
  const kept = shown?.querySelector(".is-chosen")?.dataset.step;
  hide();
  const { width, height } = figure.dataset;
  figure.style.setProperty("--ratio", width / height);
  for (const tag of figure.querySelectorAll(".seen__tag")) {
    const [x, y, w] = tag.dataset.box.split(",").map(Number);
    tag.style.setProperty("--x", `${Math.min(x + w / 2, 1) * 100}%`);
    tag.style.setProperty("--y", `${y * 100}%`);
  }
  figure.hidden = false;
  host.querySelector(".ph").append(figure);
  host.classList.toggle("has-preview", true);
  shown = figure;
  separate([...figure.querySelectorAll(".seen__tag")]);
  mark();
  if (kept) choose(kept);
  if (held) turn(false);
}

// Move names that would cover each other apart.
function separate(tags) {
  tags.forEach((tag, at) => {
    const isCovered = () => tags.slice(0, at).some((other) => {
      const [one, two] = [tag.getBoundingClientRect(), other.getBoundingClientRect()];
      return one.left < two.right && two.left < one.right && one.top < two.bottom && two.top < one.bottom;
    });
    for (let tries = 1; tries < 9 && isCovered(); tries++) tag.style.setProperty("--shift", `${tries * 1.75}rem`);
  });
}

// Mark the steps of the plan that have an outline.
function mark() {
  plan()?.querySelectorAll(".plan__steps > li").forEach((line, at) => {
    line.dataset.step = at + 1;
    const tag = shown?.querySelector(`.seen__tag[data-step="${at + 1}"]`);
    line.classList.toggle("is-found", Boolean(tag) && !shown.classList.contains("is-stale"));
  });
}

function hide() {
  shown?.remove();
  shown = null;
  for (const host of document.querySelectorAll(".has-preview")) host.classList.remove("has-preview");
}

// Before and after.
let held = false;
function turn(isAfter) {
  if (!shown?.querySelector("img")) return;
  shown.classList.toggle("is-after", isAfter);
  for (const button of shown.querySelectorAll("[data-show]")) {
    button.setAttribute("aria-pressed", (button.dataset.show === "after") === isAfter);
  }
}
const isTyping = (event) => event.target.closest?.("textarea, input:not([type=radio]), select");
document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "b" || event.repeat || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
  held = true;
  turn(false);
});
addEventListener("keyup", (event) => {
  if (!held || event.key.toLowerCase() !== "b") return;
  held = false;
  turn(true);
});

// A click on an outline, its name, or its step selects it.
function choose(step) {
  if (!shown) return;
  for (const part of [...shown.querySelectorAll("[data-step]"), ...plan().querySelectorAll("[data-step]")]) {
    const isChosen = part.dataset.step === step;
    part.classList.toggle("is-chosen", isChosen);
    part.querySelector("[data-select]")?.setAttribute("aria-pressed", isChosen);
    const other = part.querySelector("[data-not-this]");
    if (other) other.hidden = !isChosen || !document.querySelector("[data-point]");
  }
}
document.addEventListener("click", async (event) => {
  const part = event.target.closest(".seen [data-step], .plan__steps .is-found");
  if (event.target.closest("[data-show]")) turn(event.target.closest("[data-show]").dataset.show === "after");
  else if (event.target.closest("[data-not-this]")) correct(part.dataset.box.split(",").map(Number));
  else if (part) choose(part.classList.contains("is-chosen") ? null : part.dataset.step);
});

// Open the box tool with a box around what was found.
async function correct(box) {
  const toggle = document.querySelector("[data-point]");
  await import(toggle.dataset.point);
  form.dispatchEvent(new CustomEvent("box", { detail: box }));
}

// On a phone, photo 1 stays in view as a strip while a person types.
const phone = matchMedia("(max-width: 47.99rem)");
function keepInView() {
  const host = document.querySelector(HOST);
  if (!host) return;
  const { top, height } = host.getBoundingClientRect();
  const isStrip = phone.matches && prompt.contains(document.activeElement) && top < -height / 3;
  if (isStrip === host.classList.contains("is-strip")) return;
  host.style.setProperty("--kept", `${height}px`);
  host.classList.toggle("is-strip", isStrip);
  if (isStrip) document.activeElement.scrollIntoView({ block: "nearest" });
}
for (const event of ["focusin", "focusout", "input"]) prompt.addEventListener(event, () => setTimeout(keepInView));
addEventListener("scroll", keepInView, { passive: true });
document.addEventListener("mousedown", (event) => {
  if (event.target.closest(".is-strip .ph")) event.preventDefault();  // else the click would miss the strip
});
document.addEventListener("click", (event) => {
  const strip = event.target.closest(".is-strip");
  if (!strip) return;
  document.activeElement.blur();
  strip.scrollIntoView();
});

// Another photo 1 has no preview yet.
document.addEventListener("tray", () => {
  if (shown && !document.querySelector(HOST)?.contains(shown)) hide();
});
prompt.addEventListener("input", () => { if (prompt.value?.trim() === "") hide(); });
document.addEventListener("htmx:after:swap", ({ detail }) => {
  if (detail?.ctx?.sourceElement === prompt) update();
});
update();
