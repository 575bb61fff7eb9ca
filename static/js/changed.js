// Draw a small map of the changes: the result is faded except where it differs from the photo it is compared
// with. It uses the small files of the page and needs photos of the same shape.

const SEEN = 12; // minimum visible difference, in levels from 0 to 255

const loaded = async (source) => {
  const image = new Image();
  image.src = source;
  await image.decode();
  return image;
};

const drawn = (image, width, height) => {
  const pen = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  pen.drawImage(image, 0, 0, width, height);
  return pen.getImageData(0, 0, width, height);
};

async function draw(map) {
  const canvas = map.querySelector("canvas");
  const images = await Promise.all(["after", "before"].map((name) => loaded(canvas.dataset[name])));
  // The map has the size of the small file, because the photo can be larger than any canvas.
  [canvas.width, canvas.height] = [images[0].naturalWidth, images[0].naturalHeight];
  const [after, before] = images.map((image) => drawn(image, canvas.width, canvas.height));
  let changed = 0;
  for (let i = 0; i < after.data.length; i += 4) {
    const far = Math.max(...[0, 1, 2, 3].map((c) => Math.abs(after.data[i + c] - before.data[i + c])));
    const gray = 255 - (255 - (after.data[i] * .3 + after.data[i + 1] * .59 + after.data[i + 2] * .11)) * .45;
    const is = far > SEEN;
    changed += is;
    const strength = is ? Math.min(1, .35 + far / 160) : 0;
    [226, 73, 26].forEach((mark, c) => { after.data[i + c] = gray + (mark - gray) * strength; });
    after.data[i + 3] = 255;
  }
  canvas.getContext("2d").putImageData(after, 0, 0);
  const percent = (400 * changed) / after.data.length;
  map.querySelector("[data-share]").textContent = percent.toFixed(percent < 1 ? 1 : 0);
}

export const start = (map) => draw(map).catch(() => map.remove());
