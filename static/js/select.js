// Select things in photo 1 by a click, a tap, or keys, and fit a drawn box to the thing in it. The texts are in the
// fragment that is loaded first.

const tools = document.querySelector("[data-pens]");
const { form } = tools.querySelector("button");
const buttons = [...tools.querySelectorAll("[data-tool]")];
const toggle = tools.querySelector("[data-point]");
const fields = document.getElementById("points");
const address = tools.dataset.pens;

const HOST = "#tray > .shot:not(.is-failed, .is-loading):first-child";
const MOST = 20;
const STEP = .02;
const REST = 120; // milliseconds without movement before the outline under the pointer is requested
const PAUSE = 700; // minimum milliseconds between two such requests, so that clicks stay below the site's limit
const AGAIN = 1000; // milliseconds before the next request while the photo is being analyzed
const PATIENCE = 3; // requests for a drawn box while the photo is being analyzed
const between = (value) => Math.min(1, Math.max(0, value));
const percent = (value) => `${Math.round(value * 100)}%`;
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const filled = (text, ...values) => text.replace(/\{\}/g, () => values.shift());

const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: toggle.dataset.style });
document.head.append(style);
const fragment = document.createElement("div");
const answer = await fetch(address);
if (!answer.ok || answer.redirected) {
  document.dispatchEvent(new CustomEvent("toast", { detail: "Something went wrong. Reload the page and try again." }));
  throw new Error(`The selection could not be loaded: ${answer.status}`);
}
fragment.innerHTML = await answer.text();
tools.closest(".sec-head").after(...fragment.children);
const bar = document.getElementById("selectbar");
const words = bar.dataset;
const statusLine = document.getElementById("select-status");
const clear = bar.querySelector("[data-clear]");
const unfit = document.getElementById("unfit");
document.getElementById("pointbar").append(unfit);

const layer = document.createElementNS("http://www.w3.org/2000/svg", "svg");
layer.setAttribute("class", "finds");
layer.setAttribute("viewBox", "0 0 10000 10000");
layer.setAttribute("preserveAspectRatio", "none");
layer.setAttribute("aria-hidden", "true");
const shape = drawn("found");
const near = drawn("found found--near");
const cross = document.createElement("button");
cross.type = "button";
cross.className = "cross";
cross.setAttribute("aria-describedby", "cross-hint");
const canvas = document.createElement("canvas").getContext("2d");

let photo = null;
let tool = "";
let points = []; // { x, y, away, kind }
let path = "";
let newest = 0; // the number of the newest request for the selection
let isBusy = false;
let known = []; // responses for places under the pointer: { at, path, kinds, name }

start();

function start() {
  for (const button of buttons) button.addEventListener("click", (event) => {
    turn(button.dataset.tool === tool ? "" : button.dataset.tool);
    if (tool && event.detail === 0) cross.focus(); // pressed by a key
  });
  // point.js may react to the click only after this module.
  toggle.addEventListener("click", () => setTimeout(() => isBoxing() && turn("")));
  clear.addEventListener("click", () => {
    newest += 1;  // ignore a response that is still on its way
    keep([], "", words.cleared);
    buttons[0].focus();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !tool) return;
    const button = buttons.find((one) => one.dataset.tool === tool);
    turn("");
    button.focus();
  });
  document.addEventListener("tray", follow);
  form.addEventListener("drawn", fit);
  points = [...fields.children].map((field) => pointOf(field.value));
  follow();
  byPointer();
  byKeys();
  if (points.length) choose(points);
  tools.dataset.ready = "";
}

function drawn(name) {
  const paths = ["found--edge", ""].map((more) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", "path");
    made.setAttribute("class", `${name} ${more}`.trim());
    return made;
  });
  layer.append(...paths);
  return (text) => paths.forEach((one) => one.setAttribute("d", text));
}

function pointOf(text) {
  const [x, y, last = ""] = text.split(",");
  return { x: +x, y: +y, away: last === "away", kind: last === "away" ? "" : last };
}

function textOf({ x, y, away, kind }) {
  return [x.toFixed(4), y.toFixed(4), away ? "away" : kind].filter(Boolean).join();
}

function isBoxing() {
  return toggle.getAttribute("aria-pressed") === "true";
}

function turn(name) {
  if (name && isBoxing()) toggle.click();
  tool = name;
  for (const button of buttons) button.setAttribute("aria-pressed", button.dataset.tool === name);
  bar.hidden = !name;
  photo?.classList.toggle("is-selecting", Boolean(name));
  if (photo) photo.draggable = !name;
  for (const image of photo?.querySelectorAll("img") ?? []) image.draggable = !name;
  cross.hidden = !name;
  if (!name) near("");
  else if (photo && !known.length) prepare();
}

// Request what is under the crosshair before the pointer is on the photo. The first response for a photo takes longer
// than the others, because the site reads the photo's analysis.
async function prepare() {
  const place = photo;
  const at = cross.at;
  const answer = await ask([["point", textOf({ ...at, kind: "" })]]);
  if (answer?.status === 200 && place === photo) known = [...known, { at, ...answer }];
}

// Remove the selection if another photo becomes photo 1.
function follow() {
  const first = document.querySelector(HOST);
  for (const button of buttons) button.disabled = !first || (button !== buttons[0] && !points.length);
  if (first === photo) return;
  const had = photo && points.length;
  turn("");
  photo?.classList.remove("has-selection");
  photo = first;
  known = [];
  if (had) keep([], "", words.changed);
  if (!photo) return;
  const image = photo.querySelector(".ph__img");
  photo.style.setProperty("--ratio", image.getAttribute("width") / image.getAttribute("height"));
  photo.querySelector(".ph").append(layer, cross);
  move(.5, .5);
}

function say(text) {
  statusLine.textContent = text;
  document.dispatchEvent(new CustomEvent("say", { detail: { text: text } }));
}

// Keep points as the selection, with its outline.
function keep(some, outline, message) {
  points = some;
  path = outline;
  shape(path);
  near("");
  fields.replaceChildren(...points.map((point) => {
    const field = document.createElement("input");
    field.type = "hidden";
    field.name = "point";
    field.value = textOf(point);
    return field;
  }));
  photo?.classList.toggle("has-selection", points.length > 0);
  clear.disabled = !points.length;
  for (const button of buttons.slice(1)) button.disabled = !points.length;
  if (!points.length && ["add", "away"].includes(tool)) turn("select");
  say(message);
  form.dispatchEvent(new Event("regions"));
}

// Ask the site for an outline. Returns the response with its status, or null if the site cannot be reached.
async function ask(entries) {
  const body = new FormData();
  body.append("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
  body.append("draft", photo.dataset.draft);
  for (const [name, value] of entries) body.append(name, value);
  try {
    const response = await fetch(address, { method: "POST", body });
    return { status: response.status, ...await response.json() };
  } catch {
    return null;
  }
}

// Select the things under the points. A response for older points is ignored.
async function choose(some) {
  const mine = ++newest;
  const place = photo;
  const isNow = () => mine === newest && place === photo;
  isBusy = true;
  let answer = await ask(some.map((point) => ["point", textOf(point)]));
  while (answer?.status === 202 && isNow()) {
    if (statusLine.textContent !== answer.message) say(answer.message);
    await wait(AGAIN);
    answer = isNow() ? await ask(some.map((point) => ["point", textOf(point)])) : null;
  }
  if (!isNow()) return;
  isBusy = false;
  if (answer?.status !== 200) return say(answer?.message ?? words.failed);
  if (!answer.path) return say(words.nothing);
  const kinds = [...answer.kinds];
  keep(some.map((point) => point.away ? point : { ...point, kind: kinds.shift() ?? "" }), answer.path, named(answer));
}

function named({ name }) {
  return name ? filled(words.selected, name) : words.something;
}

function pick(at, how) {
  if (how === "select" || !points.length) {
    const found = knownAt(at);
    if (found?.path && how !== "away") {
      newest += 1;
      isBusy = false;
      return keep([{ ...found.at, kind: found.kinds[0] ?? "" }], found.path, named(found));
    }
    return how === "away" ? undefined : choose([{ ...at, kind: "" }]);
  }
  if (points.length === MOST) return say(words.full);
  return choose([...points, { ...at, away: how === "away", kind: "" }]);
}

function knownAt({ x, y }) {
  return known.find((one) => one.path && canvas.isPointInPath(new Path2D(one.path), x * 1e4, y * 1e4, "evenodd"));
}

// A click selects. If the pointer rests, show what a click would select.
function byPointer() {
  let timer;
  let last = 0;
  let at = null;
  const place = (event) => {
    const frame = layer.getBoundingClientRect();
    return { x: between((event.clientX - frame.x) / frame.width), y: between((event.clientY - frame.y) / frame.height) };
  };
  const isOn = ({ target }) =>
    tool && photo?.querySelector(".ph").contains(target) && (target === cross || !target.closest("button"));
  const look = async () => {
    const here = at;
    if (!tool || !here || isBusy) return;
    const found = knownAt(here);
    if (found) return near(found.path);
    near("");
    const left = last + PAUSE - Date.now();
    if (left > 0) return void (timer = setTimeout(look, left));
    last = Date.now();
    const mine = newest;
    const shown = photo;
    const answer = await ask([["point", textOf(here)]]);
    if (mine !== newest || shown !== photo || !tool) return;
    if (answer?.status === 202) {
      statusLine.textContent = words.looking;
      timer = setTimeout(look, AGAIN);
    }
    if (answer?.status !== 200) return;
    if (statusLine.textContent === words.looking) statusLine.textContent = "";
    known = [{ at: here, ...answer }, ...known].slice(0, 12);
    near(at && knownAt(at)?.path || "");
  };
  const rest = (where) => {
    at = where;
    clearTimeout(timer);
    near(knownAt(at)?.path ?? "");
    timer = setTimeout(look, REST);
  };
  form.addEventListener("click", (event) => {
    if (!isOn(event)) return;
    event.preventDefault();
    const how = event.altKey ? "away" : event.shiftKey ? "add" : tool;
    pick(event.target === cross ? cross.at : place(event), how);
  });
  form.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "touch" && isOn(event)) rest(place(event));
    else if (at && event.pointerType !== "touch") {
      at = null;
      near("");
    }
  });
  cross.addEventListener("moved", () => rest(cross.at));
  cross.addEventListener("blur", () => {
    at = null;
    near("");
  });
}

function move(x, y) {
  cross.at = { x: between(x), y: between(y) };
  cross.style.setProperty("left", `${cross.at.x * 100}%`);
  cross.style.setProperty("top", `${cross.at.y * 100}%`);
  cross.setAttribute("aria-label", filled(words.cross, percent(cross.at.x), percent(cross.at.y)));
}

function byKeys() {
  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  let later;
  cross.addEventListener("keydown", (event) => {
    const way = ways[event.key];
    if (!way) return;
    event.preventDefault();
    const [across, down] = way.map((side) => side * STEP);
    move(cross.at.x + across, cross.at.y + down);
    cross.dispatchEvent(new Event("moved"));
    clearTimeout(later);
    later = setTimeout(() => document.dispatchEvent(
      new CustomEvent("say", { detail: { text: cross.getAttribute("aria-label") } })), 350);
  });
}

// Fit a box that was just drawn to the thing in it, unless it is changed meanwhile.
async function fit({ detail: { box, put } }) {
  const from = [...box.at];
  const isSame = () => box.isConnected && from.every((side, i) => side === box.at[i]);
  const asNow = async () => ask([["region", from.map((side) => side.toFixed(4)).join()]]);
  let answer = await asNow();
  for (let times = 1; answer?.status === 202 && times < PATIENCE; times += 1) {
    await wait(AGAIN);
    if (isSame()) answer = await asNow();
  }
  if (answer?.status !== 200 || !answer.box || !isSame()) return;
  const { x, y, w, h } = answer.box;
  put([x, y, w, h]);
  document.dispatchEvent(new CustomEvent("say", { detail: { text: words.fitted } }));
  const fitted = [...box.at];
  unfit.hidden = false;
  unfit.onclick = () => {
    unfit.hidden = true;
    if (box.isConnected) {
      put(from);
      box.focus();
    }
    document.dispatchEvent(new CustomEvent("say", { detail: { text: words.drawn } }));
  };
  form.addEventListener("regions", function hide() {
    if (box.isConnected && fitted.every((side, i) => side === box.at[i])) return;
    unfit.hidden = true;
    form.removeEventListener("regions", hide);
  });
}
