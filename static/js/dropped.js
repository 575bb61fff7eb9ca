// Sort dropped or pasted files and folders into photos and everything else, with the reasons.

// Browsers that do not know HEIC report no type for it, as for a file without an extension.
const isPhoto = ({ name, type }) => type.startsWith("image/") || (!type && /^[^.]+$|\.(hei[cf]s?|hif|avif)$/i.test(name));
const inOrder = ({ name: one }, { name: other }) => one.localeCompare(other, undefined, { numeric: true });

// Browsers return the entries of a folder in parts; an empty part is the last one.
async function entriesOf(folder) {
  const reader = folder.createReader();
  const entries = [];
  for (let part; part = await new Promise((done, fail) => reader.readEntries(done, fail)), part.length;) {
    entries.push(...part);
  }
  return entries.filter(({ name }) => !name.startsWith(".")).sort(inOrder);
}

async function filesOf(entry) {
  if (entry.isFile) return [await new Promise((done, fail) => entry.file(done, fail))];
  const files = [];
  for (const inner of await entriesOf(entry)) files.push(...await filesOf(inner));
  return files;
}

// `parts` are files and folder entries. `others` are pairs of a file and the reason why it is left out.
export async function sorted(parts) {
  const photos = [];
  const empty = [];
  const unread = [];
  const strange = [];
  for (const part of parts) {
    const files = part instanceof File ? [part] : await filesOf(part).catch(() => unread.push(part) && null);
    if (!files) continue;
    photos.push(...files.filter(isPhoto));
    if (files.some(isPhoto) || part instanceof File) strange.push(...files.filter((file) => !isPhoto(file)));
    else empty.push(part);
  }
  return {
    photos,
    others: [
      [strange, "This file is not a supported photo. Use JPEG, PNG, WebP, HEIC, or AVIF."],
      [empty, "This folder contains no photos."],
      [unread, "This folder couldn't be read. Drop its photos instead."],
    ],
  };
}
