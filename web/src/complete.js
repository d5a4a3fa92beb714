// What may stand at a place of a deck: the path of keys from the indentation and the brackets, then the schema.

const keyOf = /^(?:"([^"]*)"|'([^']*)'|([^\s#:{}[\],'"][^:#{}[\],]*?))\s*:(?=\s|$)/;

/** A line of block style: [{indent, key}], a list item counts as one level more. */
function levels(line) {
  const found = [];
  let at = line.search(/\S/);
  if (at < 0 || line[at] === '#') return found;
  let rest = line.slice(at);
  while (/^-(\s|$)/.test(rest)) {
    found.push({ indent: at, item: true });
    const skip = rest.slice(1).search(/\S/);
    if (skip < 0) return found;
    at += 1 + skip;
    rest = line.slice(at);
  }
  const key = rest.match(keyOf);
  if (key) found.push({ indent: at, key: key[1] ?? key[2] ?? key[3] });
  return found;
}

/** Keys opened by brackets up to the end of the text: "mesh: {disc: {" -> [mesh, disc]. */
function brackets(text) {
  const path = [];
  let key = null;
  let word = '';
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === '"' || c === "'") {
      const end = text.indexOf(c, i + 1);
      if (end < 0) break;
      word = text.slice(i + 1, end);
      i = end;
    } else if (c === '#' && (i === 0 || /\s/.test(text[i - 1]))) break;
    else if (c === ':' && /\s|$/.test(text[i + 1] ?? '')) {
      key = word.trim();
      word = '';
    } else if (c === '{' || c === '[') {
      path.push({ key, list: c === '[' });
      key = null;
      word = '';
    } else if (c === '}' || c === ']') {
      path.pop();
      key = null;
      word = '';
    } else if (c === ',') {
      key = null;
      word = '';
    } else word += c;
  }
  return { path, key, word };
}

/** Where the cursor is: {path: keys and '[]', key: whose value is being written | null}. */
export function placeOf(lines, number, column) {
  const text = lines[number].slice(0, column);
  const own = levels(text.replace(/\S*$/, (w) => (w.endsWith(':') ? w : '')));
  const blank = text.search(/\S/);
  const first = blank < 0 ? column : blank;
  const dash = /^-(\s|$)/.test(text.slice(first));
  let indent = own.length ? own[0].indent : first;
  const above = [];
  let item = dash; // the outermost so far is an entry of a list, which may stand as far left as the key that holds it
  for (let k = number - 1; k >= 0 && indent >= 0; k--) {
    for (const level of levels(lines[k]).reverse()) {
      if (level.indent > indent || (level.indent === indent && (!item || level.item))) continue;
      above.unshift(level.item ? '[]' : level.key);
      indent = level.indent;
      item = Boolean(level.item);
    }
  }
  const body = text.slice(first).replace(/^(-\s+)+/, '');
  const flow = brackets(body);
  const path = [...above];
  for (const level of own) if (level.item) path.push('[]');
  if (!own.length && dash) path.push('[]');
  if (flow.path.length) {
    for (const { key, list } of flow.path) {
      if (key !== null) path.push(key);
      if (list) path.push('[]');
    }
  }
  const inList = path[path.length - 1] === '[]' && flow.path.length > 0 && flow.path[flow.path.length - 1].list;
  return { path: inList ? path.slice(0, -1) : path, key: inList ? '[]' : flow.key };
}

export const variants = (schema) => (schema ? [schema, ...['anyOf', 'oneOf', 'allOf'].flatMap((k) => (schema[k] ?? []).flatMap(variants))] : []);

/** Schemas below a key; '[]' stands for the entries of a list. */
const below = (schemas, key) => schemas.flatMap((s) => variants(key === '[]' ? s.items : s.properties?.[key] ?? (typeof s.additionalProperties === 'object' ? s.additionalProperties : null)));

export const find = (schema, path) => path.reduce(below, variants(schema));

export const words = (schemas) => [...new Set(schemas.flatMap((s) => [...(s.enum ?? []).filter((w) => typeof w === 'string'), ...(s.const !== undefined ? [String(s.const)] : []), ...(s.type === 'boolean' ? ['true', 'false'] : [])]))];

/** [{label, detail, info, value}]: keys, or words for a value. */
export function candidates(schema, lines, number, column) {
  const { path, key } = placeOf(lines, number, column);
  const here = find(schema, path);
  if (key !== null) {
    const values = below(here, key);
    const list = words(values);
    // a list of words in block style or brackets
    return (list.length ? list : words(below(values, '[]'))).map((label) => ({ label, value: true }));
  }
  const keys = new Map();
  for (const s of here)
    for (const [label, sub] of Object.entries(s.properties ?? {})) {
      const all = variants(sub);
      const kind = words(all).join(' | ') || (all.some((v) => v.items) ? 'list' : all.some((v) => v.properties) ? 'map' : all.find((v) => v.type)?.type ?? '');
      keys.set(label, { label, detail: String(kind).slice(0, 40), info: [sub.description, sub.default !== undefined ? `default ${JSON.stringify(sub.default)}` : ''].filter(Boolean).join('; '), value: false });
    }
  return [...keys.values()];
}
