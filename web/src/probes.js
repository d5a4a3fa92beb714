// Nodes that were clicked: their curves over time, of the field that is shown.
import { fieldUnit, fieldWords } from './fields.js';
import { make, number, whole } from './format.js';
import { Plot } from './plots.js';

const MOST = 8;

export class Probes {
  constructor(holder, run, look, clock) {
    Object.assign(this, { run, look, clock, list: [], plot: null });
    this.place = make('div', { class: 'probed' });
    holder.append(this.place);
    look.changed.on(() => this.field !== look.field && this.show());
  }

  /** One more, or one less if it is there already. */
  toggle(found, stage) {
    const k = this.list.findIndex((p) => p.stage === stage && p.node === found.node && p.ball === found.ball);
    if (k >= 0) this.list.splice(k, 1);
    else {
      const name = this.run.bodyNames?.[found.body] ?? `body ${found.body + 1}`;
      const label = found.node === undefined ? name : `node ${whole(stage.film.nodeNumber[found.node])}`;
      this.list.push({ ...found, stage, label, words: found.node === undefined ? name : `${label}, ${name}` });
      if (this.list.length > MOST) this.list.shift();
    }
    this.show();
  }

  clear() {
    this.list = [];
    this.show();
  }

  /** Bodies by colour have no value: then the displacement is drawn. */
  #quantity(film) {
    const index = film.field(this.look.field);
    return index >= 0 ? index : Math.max(0, film.field('displacement'));
  }

  show() {
    this.field = this.look.field;
    this.list.forEach((p) => p.stage.request());
    if (!this.list.length) {
      this.place.replaceChildren();
      this.plot = null;
      return;
    }
    const { film } = this.list[0].stage;
    const index = this.#quantity(film);
    const { name } = film.fields[index];
    const spec = {
      title: `Probed: ${fieldWords(name)}`,
      value: fieldWords(name),
      data: [Float64Array.from(film.times.slice(0, film.frames.length)), ...this.list.map((p) => p.stage.film.series(index, p))],
      series: this.list.map((p, k) => ({ label: p.words, hue: k, dash: [] })),
      unit: this.run.units?.[fieldUnit(name)],
    };
    if (!this.plot) {
      const clear = make('button', { type: 'button', onclick: () => this.clear() }, 'Clear probes');
      this.plot = new Plot(this.place, { id: 'clicked', time: this.run.units?.time, zero: false, steps: name === 'contact-status', note: `At the ${number(film.frames.length)} frames of this page; click a node again to remove it.`, ...spec }, this.clock, []);
      this.plot.figure.querySelector('figcaption').append(clear);
    } else this.plot.update(spec);
    this.plot.figure.querySelector('h3').textContent = spec.title;
  }
}
