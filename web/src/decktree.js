// A deck's text as a tree that knows where everything stands, and changes of the text that leave the rest of it as it is:
// comments, order, spaces. A change is {from, to, insert}, as CodeMirror takes it.

const WORD = new Set(['Literal', 'QuotedLiteral', 'BlockLiteral', 'Alias', 'Tagged', 'Anchored']);

const children = (node) => {
  const list = [];
  for (let c = node.firstChild; c; c = c.nextSibling) list.push(c);
  return list;
};

/** {kind: 'map' | 'list' | 'word', flow, from, to, entries | items | text} of a node of CodeMirror's YAML parser. */
function read(node, text) {
  const at = { from: node.from, to: node.to, flow: node.name.startsWith('Flow') };
  if (node.name.endsWith('Mapping')) {
    const entries = children(node).filter((c) => c.name === 'Pair').map((pair) => {
      const key = pair.getChild('Key');
      const value = children(pair).find((c) => c !== key && c.name !== 'Key' && c.name !== ':' && c.name !== 'Comment');
      return { key: key ? unquote(text.slice(key.from, key.to)) : '', from: pair.from, to: pair.to, colon: pair.getChild(':')?.to ?? pair.to, value: value ? read(value, text) : null };
    });
    return { kind: 'map', ...at, from: at.flow ? node.from : entries[0]?.from ?? node.from, entries };
  }
  if (node.name.endsWith('Sequence')) {
    const items = children(node).filter((c) => c.name === 'Item').map((item) => {
      const value = children(item).find((c) => c.name !== 'Comment');
      return { from: item.from, to: item.to, value: value ? read(value, text) : null };
    });
    return { kind: 'list', ...at, items };
  }
  return { kind: 'word', ...at, text: WORD.has(node.name) ? unquote(text.slice(node.from, node.to)) : text.slice(node.from, node.to) };
}

const unquote = (s) => (/^(".*"|'.*')$/s.test(s) ? s.slice(1, -1) : s);

/** The tree of a text; null: nothing there. `top` is the top node of the parser's tree. */
export function deckTree(top, text) {
  const value = children(top.getChild('Document') ?? top).find((c) => /Mapping$|Sequence$/.test(c.name));
  return value ? read(value, text) : null;
}

export const childAt = (node, key) => (typeof key === 'number' ? node?.items?.[key]?.value : node?.entries?.find((e) => e.key === key)?.value) ?? null;
export const nodeAt = (tree, path) => path.reduce(childAt, tree);

const lineStart = (text, at) => text.lastIndexOf('\n', at - 1) + 1;
const lineEnd = (text, at) => (text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at));
const column = (text, at) => at - lineStart(text, at);

/** The end of the last line that belongs to a node, its comment included. */
const endOf = (text, node) => lineEnd(text, node.to);

/** A new key in a map. */
function addKey(text, map, key, value) {
  if (map.flow) {
    const close = text.lastIndexOf('}', map.to - 1);
    return { from: close, to: close, insert: `${map.entries.length ? ', ' : ''}${key}: ${value}` };
  }
  const last = map.entries.at(-1);
  const at = endOf(text, last);
  return { from: at, to: at, insert: `\n${' '.repeat(column(text, map.entries[0].from))}${key}: ${value}` };
}

/** The change that gives the value at a path another text; keys that are missing are added. Null: there is no such place. */
export function setAt(text, tree, path, value) {
  const node = nodeAt(tree, path);
  if (node) return { from: node.from, to: node.to, insert: value };
  const key = path.at(-1);
  const parent = path.length > 1 ? nodeAt(tree, path.slice(0, -1)) : tree;
  const entry = parent?.entries?.find((e) => e.key === key);
  if (entry) return { from: entry.colon, to: entry.colon, insert: ` ${value}` }; // a key without a value
  if (parent?.kind === 'map') return addKey(text, parent, key, value);
  return path.length > 1 && !parent ? setAt(text, tree, path.slice(0, -1), `{${key}: ${value}}`) : null;
}

/** Takes a key out of a map, or an entry out of a list. */
export function removeAt(text, tree, path) {
  const parent = path.length > 1 ? nodeAt(tree, path.slice(0, -1)) : tree;
  const all = parent?.entries ?? parent?.items ?? [];
  const k = typeof path.at(-1) === 'number' ? path.at(-1) : all.findIndex((e) => e.key === path.at(-1));
  const gone = all[k];
  if (!gone) return null;
  if (parent.flow) {
    if (all.length === 1) return { from: gone.from, to: gone.to, insert: '' };
    return k ? { from: all[k - 1].to, to: gone.to, insert: '' } : { from: gone.from, to: all[1].from, insert: '' };
  }
  if (all.length === 1 && path.length > 1) return removeAt(text, tree, path.slice(0, -1)); // an empty one has no form
  // the first key of an entry stands behind its dash: the next key takes its place
  if (parent.kind === 'map' && k === 0 && text.slice(lineStart(text, gone.from), gone.from).trim()) return { from: gone.from, to: all[1].from, insert: '' };
  return { from: lineStart(text, gone.from), to: Math.min(text.length, endOf(text, gone) + 1), insert: '' };
}

/** A new entry of a list of the deck, as {key: value, ...} in one line. The list is made if there is none. */
export function addItem(text, tree, key, entry) {
  const list = nodeAt(tree, [key]);
  if (!list || list.kind !== 'list' || (!list.flow && !list.items.length)) {
    const old = tree?.entries?.find((e) => e.key === key);
    if (old) return { from: old.colon, to: old.to, insert: `\n  - ${entry}` };
    const gap = text.endsWith('\n') || !text ? '' : '\n';
    return { from: text.length, to: text.length, insert: `${gap}\n${key}:\n  - ${entry}\n` };
  }
  if (list.flow) {
    const close = text.lastIndexOf(']', list.to - 1);
    return { from: close, to: close, insert: `${list.items.length ? ', ' : ''}${entry}` };
  }
  const at = endOf(text, list.items.at(-1));
  return { from: at, to: at, insert: `\n${' '.repeat(column(text, text.indexOf('-', list.from)))}- ${entry}` };
}
