// The other direction of src/report/code.c: base64, inflate, byte planes, differences.

/** Text of a part of the page. */
export const partText = (id) => document.getElementById(`part${id}`).textContent;

export function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

export async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export const readPart = (id) => inflate(fromBase64(partText(id)));

/** 16-bit words at bytes[at]; before: those of the frame before, or null. */
export function words(bytes, at, n, before) {
  const out = new Uint16Array(n); // numbers are taken modulo 2^16 by the array's type
  const high = at + n;
  let change = 0;
  for (let i = 0; i < n; i++) {
    const z = bytes[at + i] | (bytes[high + i] << 8);
    change = (change + ((z >>> 1) ^ -(z & 1))) | 0;
    out[i] = change;
  }
  if (before) for (let i = 0; i < n; i++) out[i] += before[i];
  return out;
}

export function integers(bytes, at, n) {
  const out = new Int32Array(n);
  let last = 0;
  for (let i = 0; i < n; i++) {
    const z = bytes[at + i] | (bytes[at + n + i] << 8) | (bytes[at + 2 * n + i] << 16) | (bytes[at + 3 * n + i] << 24);
    last = (last + ((z >>> 1) ^ -(z & 1))) | 0;
    out[i] = last;
  }
  return out;
}

export function reals(bytes, at, n) {
  const out = new Float64Array(n);
  const raw = new Uint8Array(out.buffer);
  for (let i = 0; i < n; i++)
    for (let k = 0; k < 8; k++) raw[8 * i + k] = bytes[at + k * n + i] ^ (i ? raw[8 * i - 8 + k] : 0);
  return out;
}

/** A table: {rows, every, names, columns: {name: Float64Array or array of words}}. */
export async function readTable(description) {
  const bytes = await readPart(description.part);
  const table = { rows: description.rows, every: description.every, columns: {}, words: {} };
  description.columns.forEach(({ name, words: list }, k) => {
    table.columns[name] = reals(bytes, 8 * k * description.rows, description.rows);
    if (list) table.words[name] = list;
  });
  return table;
}

/** Rows of a table whose column of words says `word`, as a table of its own. */
export function select(table, column, word) {
  const which = table.words[column].indexOf(word);
  const rows = [];
  table.columns[column].forEach((v, i) => v === which && rows.push(i));
  const columns = {};
  for (const [name, values] of Object.entries(table.columns)) columns[name] = Float64Array.from(rows, (i) => values[i]);
  return { rows: rows.length, every: table.every, columns, words: {} };
}
