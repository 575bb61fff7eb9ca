// The viewer: show one photo, moved and zoomed by pointer, wheel, touch, and keyboard.

const STEP = 1.25, MOST = 8, MOVE = 80;
const isOpen = new WeakSet();

export function open(dialog) {
  for (const image of dialog.querySelectorAll("[data-src]")) {
    image.src = image.dataset.src;
    delete image.dataset.src;
  }
  dialog.showModal();
  const view = isOpen.has(dialog) ? dialog.view : (dialog.view = start(dialog));
  isOpen.add(dialog);
  view.fit();
  dialog.querySelector(".pan").focus();
}

function start(dialog) {
  const pan = dialog.querySelector(".pan");
  const sheet = dialog.querySelector(".pan__sheet");
  const width = Number(sheet.dataset.width), height = Number(sheet.dataset.height);
  let x = 0, y = 0, scale = 1;
  const fitting = () => Math.min(pan.clientWidth / width, pan.clientHeight / height);
  const full = () => 1 / devicePixelRatio;

  function place() {
    const within = (at, size, room) => (size <= room ? (room - size) / 2 : Math.min(0, Math.max(room - size, at)));
    x = within(x, width * scale, pan.clientWidth);
    y = within(y, height * scale, pan.clientHeight);
    sheet.style.setProperty("transform", `translate(${x}px, ${y}px) scale(${scale})`);
    const press = (name, on) => dialog.querySelector(`[data-zoom=${name}]`).setAttribute("aria-pressed", on);
    press("fit", scale === fitting());
    press("full", scale === full());
  }

  // Keep the point under the pointer, or the center, in place.
  function zoom(to, at = [pan.clientWidth / 2, pan.clientHeight / 2]) {
    const next = Math.min(MOST, Math.max(Math.min(fitting(), full()), to));
    x = at[0] - ((at[0] - x) * next) / scale;
    y = at[1] - ((at[1] - y) * next) / scale;
    scale = next;
    place();
  }
  const fit = () => { scale = fitting(); place(); };
  const ways = { fit, full: () => zoom(full()), in: () => zoom(scale * STEP), out: () => zoom(scale / STEP) };
  const move = (across, down) => { x += across; y += down; place(); };
  const toggle = dialog.querySelector("[data-before]");
  const before = () => {
    const on = dialog.classList.toggle("is-held");
    toggle?.setAttribute("aria-pressed", on);
  };

  sheet.style.setProperty("width", `${width}px`);
  sheet.style.setProperty("height", `${height}px`);
  dialog.addEventListener("click", (event) => ways[event.target.closest("[data-zoom]")?.dataset.zoom]?.());
  toggle?.addEventListener("click", before);
  addEventListener("resize", () => dialog.open && fit());
  byPointer(pan, { move, zoom, scaleNow: () => scale });
  pan.addEventListener("dblclick", (event) => (scale === fitting() ? zoom(full(), spot(pan, event)) : fit()));
  byKeys(dialog, { ...ways, move, before, isWhole: () => scale <= fitting() });
  return { fit };
}

function spot(pan, { clientX, clientY }) {
  const frame = pan.getBoundingClientRect();
  return [clientX - frame.x, clientY - frame.y];
}

// One finger moves the photo. Two fingers or the wheel zoom.
function byPointer(pan, { move, zoom, scaleNow }) {
  const touching = new Map();
  pan.addEventListener("pointerdown", (event) => {
    touching.set(event.pointerId, event);
    pan.setPointerCapture(event.pointerId);
  });
  pan.addEventListener("pointermove", (event) => {
    const was = touching.get(event.pointerId);
    if (!was) return;
    if (touching.size === 1) move(event.clientX - was.clientX, event.clientY - was.clientY);
    const other = [...touching.values()].find((one) => one.pointerId !== event.pointerId);
    if (other) {
      const far = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) || 1;
      const middle = { clientX: (event.clientX + other.clientX) / 2, clientY: (event.clientY + other.clientY) / 2 };
      zoom((scaleNow() * far(event)) / far(was), spot(pan, middle));
    }
    touching.set(event.pointerId, event);
  });
  for (const name of ["pointerup", "pointercancel"]) pan.addEventListener(name, (event) => touching.delete(event.pointerId));
  pan.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(scaleNow() * Math.exp(-event.deltaY / 400), spot(pan, event));
  }, { passive: false });
}

// Arrow keys move a photo that is larger than the view. Otherwise they open the next result.
function byKeys(dialog, { fit, full, in: larger, out, move, before, isWhole }) {
  const arrows = { ArrowLeft: [MOVE, 0], ArrowRight: [-MOVE, 0], ArrowUp: [0, MOVE], ArrowDown: [0, -MOVE] };
  const keys = { 0: fit, 1: full, "+": larger, "=": larger, "-": out, b: before };
  dialog.addEventListener("keydown", (event) => {
    const way = arrows[event.key];
    if (event.ctrlKey || event.metaKey || !(way || keys[event.key])) return;
    event.preventDefault();
    if (!way) keys[event.key]();
    else if (isWhole() && way[0]) turn(way[0] < 0);
    else move(...way);
  });
}

function turn(isForward) {
  const now = document.querySelector(".film [aria-current]")?.closest("li");
  const next = (isForward ? now?.nextElementSibling : now?.previousElementSibling)?.querySelector("a");
  if (next) location.assign(`${next.href}#viewer`);
}
