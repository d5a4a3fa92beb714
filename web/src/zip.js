// A zip archive of files that are compressed already: stored as they are.
const table = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

export function crc32(bytes) {
  let c = 0xffffffff;
  for (const b of bytes) c = table[(c ^ b) & 255] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

const bytesOf = (...fields) => Uint8Array.from(fields.flatMap(([v, n]) => Array.from({ length: n }, (_, k) => (v >>> (8 * k)) & 255)));

/** files: [[name, bytes], ...] */
export function zip(files) {
  const [parts, ends] = [[], []];
  let at = 0;
  for (const [name, bytes] of files) {
    const text = new TextEncoder().encode(name);
    // version, flags, method, time, date (1 January 1980), checksum, sizes, lengths of name and extra
    const about = [[20, 2], [0, 2], [0, 2], [0, 2], [33, 2], [crc32(bytes), 4], [bytes.length, 4], [bytes.length, 4], [text.length, 2], [0, 2]];
    const head = bytesOf([0x04034b50, 4], ...about);
    ends.push(bytesOf([0x02014b50, 4], [20, 2], ...about, [0, 2], [0, 2], [0, 2], [0, 4], [at, 4]), text);
    parts.push(head, text, bytes);
    at += head.length + text.length + bytes.length;
  }
  const size = ends.reduce((s, e) => s + e.length, 0);
  const end = bytesOf([0x06054b50, 4], [0, 2], [0, 2], [files.length, 2], [files.length, 2], [size, 4], [at, 4], [0, 2]);
  return new Blob([...parts, ...ends, end], { type: 'application/zip' });
}
