// Draw boxes on photo 1, or on the element that matches `data-point-on`, as fractions of the upright photo.

const toggle = document.querySelector("[data-point]");
const form = toggle.form;
const bar = document.getElementById("pointbar");
const regions = document.getElementById("regions");
const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: toggle.dataset.style });
document.head.append(style);
const say = (text) => document.dispatchEvent(new CustomEvent("say", { detail: text }));

const HOST = toggle.dataset.pointOn ?? "#tray > .shot:not(.is-failed, .is-loading):first-child";
const MOST = Number(toggle.dataset.pointMost ?? Infinity);
const SMALLEST = .02;
const READY_MADE = .3;
const STEP = .02;
const between = (value, low, high) => Math.min(high, Math.max(low, value));
const percent = (value) => `${Math.round(value * 100)}%`;

start();

function start() {
  const clear = bar.querySelector("[data-point-clear]");
  const add = bar.querySelector("[data-point-add]");
  const layer = document.createElement("span");
  layer.className = "marks";
  layer.id = "marks";
  layer.role = "group";
  layer.setAttribute("aria-label", translate(toggle.dataset.pointOn ? "Box on the result" : "Boxes on photo 1"));
  let photo = null;

  const boxes = () => [...layer.children];
  const isOn = () => toggle.getAttribute("aria-pressed") === "true";

  function place(box, x, y, w, h) {
    w = between(w, SMALLEST, 1);
    h = between(h, SMALLEST, 1);
    box.at = [between(x, 0, 1 - w), between(y, 0, 1 - h), w, h];
    ["left", "top", "width", "height"].forEach((side, i) => box.style.setProperty(side, `${box.at[i] * 100}%`));
  }

  function make(x, y, w, h) {
    const box = document.createElement("button");
    box.type = "button";
    box.className = "mark";
    box.setAttribute("aria-describedby", "point-hint");
    const number = document.createElement("span");
    const grip = document.createElement("span");
    grip.className = "mark__grip";
    box.append(number, grip);
    layer.append(box);
    place(box, x, y, w, h);
    return box;
  }

  // Update the hidden fields, names, and count.
  function settle(message) {
    while (layer.children.length > MOST) layer.firstElementChild.remove();
    const all = boxes();
    regions.replaceChildren(...all.map((box, i) => {
      const [x, y, w, h] = box.at;
      box.firstElementChild.textContent = i + 1;
      box.setAttribute("aria-label", translate(`Box ${i + 1} of ${all.length}: ${percent(x)} from the left, ` +
        `${percent(y)} from the top, ${percent(w)} wide, ${percent(h)} high`));
      const field = document.createElement("input");
      field.type = "hidden";
      field.name = "region";
      field.value = box.at.map((value) => value.toFixed(4)).join(",");
      return field;
    }));
    photo?.classList.toggle("has-marks", all.length > 0);
    clear.disabled = !all.length;
    clear.textContent = translate(all.length > 1 ? `Remove ${all.length} boxes` : "Remove box");
    toggle.dataset.count = all.length || "";
    if (message) say(message);
    form.dispatchEvent(new Event("regions"));
  }

  function turn(on) {
    toggle.setAttribute("aria-pressed", on);
    bar.hidden = !on;
    photo?.classList.toggle("is-pointing", on);
    if (photo?.matches(".shot")) photo.draggable = !on;
  }

  function drop(box) {
    const neighbor = box.nextElementSibling ?? box.previousElementSibling;
    box.remove();
    settle("Box removed");
    (neighbor ?? add).focus();
  }

  // Remove the boxes if another photo becomes photo 1.
  function follow() {
    const first = document.querySelector(HOST);
    toggle.disabled = !first;
    if (first === photo) return;
    const had = boxes().length;
    turn(false);
    photo?.classList.remove("has-marks");
    photo = first;
    layer.replaceChildren();
    if (photo) {
      const image = photo.querySelector(".ph__img");
      photo.style.setProperty("--ratio", image.getAttribute("width") / image.getAttribute("height"));
      (photo.querySelector(".ph") ?? photo).append(layer);
    }
    settle(had ? "Photo 1 changed, boxes removed" : "");
  }

  toggle.addEventListener("click", () => turn(!isOn()));
  add.addEventListener("click", () => {
    const shift = (layer.children.length % 8) * .04;
    const box = make(.35 + shift, .35 + shift, READY_MADE, READY_MADE);
    settle("Box added");
    box.focus();
  });
  clear.addEventListener("click", () => {
    layer.replaceChildren();
    settle("Boxes removed");
    add.focus();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || bar.hidden) return;
    turn(false);
    toggle.focus();
  });
  // A preview suggests a box around what was found.
  form.addEventListener("box", ({ detail }) => {
    if (!isOn()) toggle.click();  // select.js follows the clicks
    const box = make(...detail);
    settle("Box added");
    box.focus();
  });
  document.addEventListener("tray", follow);
  byPointer(layer, { isOn, make, place, settle });
  byKeys(layer, { place, settle, drop });

  const kept = [...regions.children].map((field) => field.value.split(",").map(Number));
  follow();
  kept.forEach((at) => photo && make(...at));
  if (kept.length) settle();
}

// Dragging draws, moves, or resizes a box. A tap adds one.
function byPointer(layer, { isOn, make, place, settle }) {
  let drag = null;
  const point = (event) => {
    const frame = layer.getBoundingClientRect();
    return [between((event.clientX - frame.x) / frame.width, 0, 1), between((event.clientY - frame.y) / frame.height, 0, 1)];
  };
  layer.addEventListener("pointerdown", (event) => {
    if (!isOn() || event.button) return;
    const [x, y] = point(event);
    const box = event.target.closest(".mark");
    const how = !box ? "draw" : event.target.closest(".mark__grip") ? "size" : "move";
    drag = { how, box: box ?? make(x, y, SMALLEST, SMALLEST), x, y };
    drag.from = [...drag.box.at];
    layer.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  layer.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const [x, y] = point(event);
    const [left, top, wide, high] = drag.from;
    if (drag.how === "move") place(drag.box, left + x - drag.x, top + y - drag.y, wide, high);
    else if (drag.how === "size") place(drag.box, left, top, between(x - left, SMALLEST, 1 - left), between(y - top, SMALLEST, 1 - top));
    else place(drag.box, Math.min(x, drag.x), Math.min(y, drag.y), Math.abs(x - drag.x), Math.abs(y - drag.y));
  });
  const end = (event) => {
    if (!drag) return;
    const { how, box, x, y } = drag;
    drag = null;
    const isTap = how === "draw" && box.at[2] < .03 && box.at[3] < .03;
    if (event.type === "pointercancel" && how === "draw") box.remove();
    else if (isTap) place(box, x - READY_MADE / 2, y - READY_MADE / 2, READY_MADE, READY_MADE);
    box.focus();
    settle(how === "draw" ? "Box added" : "");
    if (how !== "draw" || isTap || event.type === "pointercancel") return;
    const put = (at) => {
      place(box, ...at);
      settle();
    };
    form.dispatchEvent(new CustomEvent("drawn", { detail: { box, put } }));
  };
  layer.addEventListener("pointerup", end);
  layer.addEventListener("pointercancel", end);
}

function byKeys(layer, { place, settle, drop }) {
  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  let later;
  layer.addEventListener("keydown", (event) => {
    const box = event.target.closest(".mark");
    if (!box) return;
    if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      return drop(box);
    }
    const way = ways[event.key];
    if (!way) return;
    event.preventDefault();
    const [x, y, w, h] = box.at;
    const [across, down] = way.map((side) => side * STEP);
    if (event.shiftKey) place(box, x, y, w + across, h + down);
    else place(box, x + across, y + down, w, h);
    clearTimeout(later);
    later = setTimeout(() => {
      settle();
      say(box.getAttribute("aria-label"));
    }, 350);
  });
}
