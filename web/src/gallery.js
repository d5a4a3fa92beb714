// Decks to begin with: the shipped examples from easy to hard.
import { make } from './format.js';

export class Gallery {
  /** load: gives the list; take: takes the text of a deck. */
  constructor(load, take) {
    Object.assign(this, { load, take });
    this.box = make('dialog', { class: 'gallery', 'aria-label': 'Examples to begin with' });
  }

  async open() {
    const list = (this.list ??= await this.load());
    const find = make('input', { type: 'search', placeholder: 'friction, space, rigid …', 'aria-label': 'Search the examples' });
    const rows = list.map((e) => {
      const space = /^dimension: *3/m.test(e.text);
      const row = make('button', { type: 'button', class: 'example', onclick: () => this.#choose(e) }, make('b', {}, e.name), make('span', {}, e.shows.replaceAll('`', '')), make('i', {}, space ? 'space' : 'plane'));
      return Object.assign(row, { words: `${e.name} ${e.shows} ${space ? 'space 3d' : 'plane 2d'} ${e.text.match(/^ *(method|model): *\S+/gm)?.join(' ') ?? ''}`.toLowerCase() });
    });
    find.oninput = () => rows.forEach((r) => (r.hidden = !find.value.toLowerCase().split(/\s+/).every((w) => r.words.includes(w))));
    const close = make('button', { type: 'button', onclick: () => this.box.close() }, 'Close');
    this.box.replaceChildren(make('div', { class: 'head' }, make('h2', {}, 'Begin with an example'), find, close), make('div', { class: 'list' }, ...rows));
    if (!this.box.isConnected) document.body.append(this.box);
    this.box.showModal();
    find.focus();
  }

  #choose(example) {
    this.box.close();
    this.take(example);
  }
}
