// The deck as a form. Fields come from the schema and from the text; what is filled in changes the text in that place alone.
import { find, variants, words } from './complete.js';
import { addItem, nodeAt, removeAt, setAt } from './decktree.js';
import { make } from './format.js';

const SECTIONS = [['bodies', 'Bodies'], ['materials', 'Materials'], ['contact', 'Contact'], ['obstacles', 'Obstacles'], ['conditions', 'Supports and loads'], ['time', 'Time'], ['output', 'Output']];

/** What a new entry begins with. */
const starts = {
  bodies: (deck, n) => `{name: body-${n}, mesh: {block: {from: [${deck.dim === 3 ? '0, 0, 0' : '0, 0'}], to: [${deck.dim === 3 ? '1, 1, 1' : '1, 1'}], elements: [${deck.dim === 3 ? '4, 4, 4' : '4, 4'}]}}, material: ${deck.names.materials[0] ?? 'alloy'}}`,
  materials: (deck, n) => `{name: material-${n}, model: neo-hookean, young: 2.0e9, poisson: 0.3, density: 1000}`,
  contact: (deck) => `{between: [${deck.names.bodies[0] ?? 'a'}, ${deck.names.bodies[1] ?? 'b'}], friction: 0.2}`,
  obstacles: (deck, n) => `{name: floor-${n}, plane: {point: [${deck.dim === 3 ? '0, 0, 0' : '0, 0'}], normal: [${deck.dim === 3 ? '0, 0, 1' : '0, 1'}]}}`,
  conditions: (deck) => `{on: ${deck.names.bodies[0] ?? 'a'}.bottom, fix: [x, y]}`,
};

const say = (node, text) => (node ? text.slice(node.from, node.to) : '');

/** A value for a key that is added: its default, its first word, or a number. */
function firstValue(schemas, dim) {
  const given = schemas.find((s) => s.default !== undefined)?.default;
  if (given !== undefined) return JSON.stringify(given).replaceAll('"', '');
  const list = words(schemas);
  if (list.length) return list[0];
  if (schemas.some((s) => s.type === 'number' || s.type === 'integer')) return '1';
  if (schemas.some((s) => s.type === 'array')) return `[${Array(dim).fill(0).join(', ')}]`;
  return schemas.some((s) => s.type === 'object') ? '{}' : 'name';
}

export class Form {
  /** change: takes a change of the text. */
  constructor(holder, change) {
    Object.assign(this, { holder, change, schema: null });
    this.open = new Set(['bodies', 'materials', 'contact', 'time']);
  }

  show(text, tree) {
    const focus = this.holder.contains(document.activeElement) ? document.activeElement.dataset.path : null;
    Object.assign(this, { text, tree });
    this.dim = say(nodeAt(tree, ['dimension']), text) === '3' ? 3 : 2;
    this.holder.replaceChildren(...SECTIONS.map(([key, title]) => this.#section(key, title)));
    if (focus) this.holder.querySelector(`[data-path='${CSS.escape(focus)}']`)?.focus();
  }

  #names(key) {
    return (nodeAt(this.tree, [key])?.items ?? []).map((i) => say(nodeAt(i.value, ['name']), this.text)).filter(Boolean);
  }

  #section(key, title) {
    const node = nodeAt(this.tree, [key]);
    const items = node?.kind === 'list' ? node.items : [];
    const box = make('details', { class: 'form', open: this.open.has(key), ontoggle: () => this.open[box.open ? 'add' : 'delete'](key) });
    const add = starts[key] && make('button', { type: 'button', onclick: () => this.#add(key, items.length + 1) }, `Add to ${title.toLowerCase()}`);
    box.append(make('summary', {}, `${title}${items.length ? ` (${items.length})` : ''}`));
    items.slice(0, 40).forEach((item, k) => box.append(this.#group([key, k], item.value, say(nodeAt(item.value, ['name']), this.text) || `${k + 1}`, true)));
    if (!starts[key]) box.append(this.#group([key], node, '', false));
    if (items.length > 40) box.append(make('p', { class: 'note' }, `${items.length - 40} more entries are in the text only.`));
    if (add) box.append(add);
    return box;
  }

  #add(key, n) {
    this.change(addItem(this.text, this.tree, key, starts[key]({ dim: this.dim, names: { bodies: this.#names('bodies'), materials: this.#names('materials') } }, n)));
  }

  /** The keys of a map, those below it too. */
  #group(path, map, title, removable) {
    const schemas = this.schema ? find(this.schema, path.map((p) => (typeof p === 'number' ? '[]' : p))) : [];
    const box = make('fieldset', {}, title ? make('legend', {}, title, removable ? this.#cross(path, title) : '') : '');
    for (const { key, value } of map?.entries ?? []) {
      const below = [...path, key];
      box.append(value?.kind === 'map' ? this.#group(below, value, key, true) : this.#field(below, value, schemas.flatMap((s) => variants(s.properties?.[key]))));
    }
    const missing = [...new Set(schemas.flatMap((s) => Object.keys(s.properties ?? {})))].filter((k) => !map?.entries?.some((e) => e.key === k));
    if (missing.length) box.append(this.#choice(path, missing, schemas));
    return box;
  }

  #cross(path, title) {
    return make('button', { type: 'button', class: 'cross', title: `Remove ${title}`, 'aria-label': `Remove ${title}`, onclick: () => this.change(removeAt(this.text, this.tree, path)) }, '×');
  }

  #field(path, value, schemas) {
    const key = path.at(-1);
    const now = say(value, this.text);
    const list = words(schemas);
    const about = schemas.find((s) => s.description)?.description ?? '';
    const names = key === 'material' ? this.#names('materials') : [];
    const choices = list.length ? list : names;
    const set = (text) => text.trim() && text !== now && this.change(setAt(this.text, this.tree, path, text.trim()));
    const place = { 'data-path': path.join('.'), title: about, 'aria-label': path.join(' ') };
    const input = choices.includes(now)
      ? make('select', { ...place, onchange: (e) => set(e.target.value) }, ...choices.map((w) => make('option', { value: w, selected: w === now }, w)))
      : make('input', { ...place, type: 'text', value: now, spellcheck: false, onchange: (e) => set(e.target.value) });
    return make('label', { class: 'field' }, make('span', { title: about }, key), input, this.#cross(path, key));
  }

  #choice(path, missing, schemas) {
    const select = make('select', { class: 'more', 'aria-label': `Add a key to ${path.join(' ')}`, onchange: () => {
      const below = schemas.flatMap((s) => variants(s.properties?.[select.value]));
      this.change(setAt(this.text, this.tree, [...path, select.value], firstValue(below, this.dim)));
    } }, make('option', { value: '' }, 'add …'), ...missing.sort().map((k) => make('option', { value: k }, k)));
    return select;
  }
}
