// What WCAG 2.2 AA asks of a page and a browser can measure; each gives sentences about what is wrong.
({
  // An animation that follows scrolling, such as the fade at the end of a row, never ends.
  isMoving: (one) => one.timeline === document.timeline && one.playState === "running",

  // An inherited color moves on from element to element, one frame each.
  async settled() {
    for (let still = 0; still < 8; still += 1) {
      await new Promise((done) => requestAnimationFrame(done));
      if (document.getAnimations().some(this.isMoving)) still = 0;
    }
  },

  // Where text stands on one color (WCAG 1.4.3: 4.5, large text 3). The browser turns every way of writing a
  // color into numbers by painting one pixel. Text over a picture is left out, disabled controls are exempt.
  faintTexts: () => {
    const context = Object.assign(document.createElement("canvas"), { width: 1, height: 1 })
      .getContext("2d", { willReadFrequently: true });
    const painted = (color) => {
      context.clearRect(0, 0, 1, 1);
      context.fillStyle = color;
      context.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
      return [r, g, b, a / 255];
    };
    const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
    const light = ([r, g, b]) => {
      const [x, y, z] = [r, g, b].map((v) => v / 255).map((v) => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
      return .2126 * x + .7152 * y + .0722 * z;
    };
    const ground = (element) => {
      const layers = [];
      for (let at = element; at; at = at.parentElement) {
        const style = getComputedStyle(at);
        const beside = [...(at.parentElement?.children ?? [])].some((one) => one !== at && (one.matches("img") || one.querySelector("img")));
        if (style.backgroundImage !== "none" || (style.position === "absolute" && beside)) {
          const own = painted(style.backgroundColor);
          if (own[3] < .7) return null;
          layers.push([...own.slice(0, 3), 1]);
          break;
        }
        layers.push(painted(style.backgroundColor));
        if (layers.at(-1)[3] === 1) break;
      }
      return layers.reduceRight((under, top) => over(top, under), [255, 255, 255, 1]);
    };
    const faint = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode.data.trim();
      const element = walker.currentNode.parentElement;
      if (!text || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      if (element.closest(".vh, .skip, progress, :disabled, [aria-disabled=true], template")) continue;
      const style = getComputedStyle(element);
      const under = ground(element);
      if (!under) continue;
      const [a, b] = [light(over(painted(style.color), under)), light(under)];
      const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
      const size = parseFloat(style.fontSize);
      const isLarge = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
      if (ratio < (isLarge ? 3 : 4.5)) faint.push(`"${text.slice(0, 40)}" has a contrast of ${ratio.toFixed(2)}`);
    }
    return faint;
  },

  // Controls under 24 x 24 px (WCAG 2.5.8). Links within a sentence are exempt; a field's label is part of it.
  smallTargets: () => [...document.querySelectorAll("a[href], button, input, select, textarea")]
    .filter((one) => one.checkVisibility({ opacityProperty: false, visibilityProperty: true }))
    .filter((one) => one.type !== "hidden" && !one.closest(".vh, .skip, p, td, dd, li > bdi"))
    .map((one) => [one, (one.closest("label") ?? one).getBoundingClientRect()])
    .filter(([, box]) => box.width && (box.width < 23.9 || box.height < 23.9))
    .map(([one, box]) => `${one.outerHTML.slice(0, 90)} is ${box.width.toFixed(0)} x ${box.height.toFixed(0)} px`),

  structure: () => {
    const found = [];
    const levels = [...document.querySelectorAll("h1, h2, h3, h4")]
      .filter((one) => one.checkVisibility()).map((one) => Number(one.tagName[1]));
    if (levels.filter((level) => level === 1).length !== 1) found.push(`the headings are ${levels}: not one h1`);
    levels.forEach((level, i) => {
      if (level > (levels[i - 1] ?? 0) + 1) found.push(`h${level} follows h${levels[i - 1] ?? 0}`);
    });
    const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
    ids.filter((id, i) => ids.indexOf(id) !== i).forEach((id) => found.push(`the id ${id} is given twice`));
    for (const one of document.querySelectorAll("[aria-describedby], [aria-labelledby], [aria-controls]"))
      for (const name of ["aria-describedby", "aria-labelledby", "aria-controls"])
        for (const id of (one.getAttribute(name) ?? "").split(" "))
          if (id && !document.getElementById(id)) found.push(`${name} names ${id}, which is not there`);
    for (const image of document.querySelectorAll("img:not([alt])")) found.push(`no alt: ${image.src}`);
    if (!document.documentElement.lang) found.push("no language");
    if (document.querySelectorAll("main").length !== 1) found.push("not one main");
    if (document.documentElement.scrollWidth > innerWidth) found.push("the page is wider than its window");
    return found;
  },

  // The focused control: is its focus seen (WCAG 2.4.7), and is it itself not covered (2.4.11)?
  async focused() {
    // The link that skips to the content glides away.
    while (document.getAnimations().some(this.isMoving))
      await new Promise((done) => requestAnimationFrame(done));
    const one = document.activeElement;
    if (!one || one === document.body || one.dataset.seen) return { ended: true };
    one.dataset.seen = "yes";
    const box = (one.closest("label") ?? one).getBoundingClientRect();
    const rings = [one, one.parentElement, one.nextElementSibling?.querySelector("i"),
      ...(one.parentElement?.querySelectorAll("i") ?? [])];
    const isShown = rings.some((ring) => {
      const style = ring && getComputedStyle(ring);
      return style && style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
    });
    const above = document.elementFromPoint(box.x + box.width / 2, box.y + Math.min(box.height / 2, innerHeight - 1));
    const isFree = !above || one.contains(above) || above.contains(one) || above.closest("label")?.contains(one) ||
      above.closest("label")?.htmlFor === one.id;
    return { html: one.outerHTML.slice(0, 110), isShown, isFree };
  },
})
