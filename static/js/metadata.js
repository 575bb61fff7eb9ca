// Write the prompt into an image file as its XMP description, where photo programs look for it.
// PNG: a text chunk after the header. JPEG: an APP1 segment. WebP: a chunk at the end.

const text = (words) => new TextEncoder().encode(words);
const escaped = (words) => words.replace(/[<>&]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const packet = (words) => text('<x:xmpmeta xmlns:x="adobe:ns:meta/">' +
  '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
  '<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:description><rdf:Alt>' +
  `<rdf:li xml:lang="x-default">${escaped(words)}</rdf:li></rdf:Alt></dc:description></rdf:Description>` +
  "</rdf:RDF></x:xmpmeta>");

const number = (value, isLittle = false) => {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, isLittle);
  return bytes;
};
const joined = (...parts) => {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

function checksum(bytes) {  // CRC-32 as in PNG
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

function inPng(file, xmp) {
  const body = joined(text("iTXtXML:com.adobe.xmp\0\0\0\0\0"), xmp);
  return [file.slice(0, 33), number(body.length - 4), body, number(checksum(body)), file.slice(33)];
}

function inJpeg(file, xmp) {
  const body = joined(text("http://ns.adobe.com/xap/1.0/\0"), xmp);
  const size = body.length + 2;
  return [file.slice(0, 2), new Uint8Array([0xff, 0xe1, size >> 8, size & 255]), body, file.slice(2)];
}

// RFC 9649: metadata requires the extended header, which repeats the image size.
function inWebp(file, xmp, { width, height, hasAlpha }) {
  const three = (value) => number(value, true).slice(0, 3);
  const isExtended = String.fromCharCode(...file.slice(12, 16)) === "VP8X";
  const head = isExtended
    ? file.slice(12, 30)
    : joined(text("VP8X"), number(10, true), new Uint8Array([hasAlpha ? 16 : 0, 0, 0, 0]), three(width - 1), three(height - 1));
  head[8] |= 4;
  const chunk = joined(text("XMP "), number(xmp.length, true), xmp, new Uint8Array(xmp.length % 2));
  const rest = joined(text("WEBP"), head, file.slice(isExtended ? 30 : 12), chunk);
  return [text("RIFF"), number(rest.length, true), rest];
}

// `size` is the image size, with `hasAlpha` for WebP.
export async function described(blob, words, size) {
  const file = new Uint8Array(await blob.arrayBuffer());
  const write = { "image/png": inPng, "image/jpeg": inJpeg, "image/webp": inWebp }[blob.type];
  return new Blob(write(file, packet(words), size), { type: blob.type });
}
