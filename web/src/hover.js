// The value under the pointer, and clicks: probes and the ruler.
import { curve, statusNames } from './colour.js';
import { fieldUnit, fieldWords } from './fields.js';
import { make, number, whole } from './format.js';
import { drawMark, drawRuler } from './overlay.js';
import { pick, placeOf } from './pick.js';

const STILL = 4; // pixels: a click that moves farther is a drag

export class Hover {
  /** probes: where clicks go, or null (probes.js). */
  constructor(stage, names, probes) {
    Object.assign(this, { stage, names, probes, found: null, ends: [], measuring: false });
    this.tip = make('div', { class: 'tip', role: 'status', hidden: true });
    this.measured = make('div', { class: 'measured', role: 'status', hidden: true });
    stage.box.append(this.tip, this.measured);
    stage.hover = this;
    this.#listen();
  }

  #listen() {
    const { canvas } = this.stage;
    let from = null;
    canvas.addEventListener('pointermove', (e) => (e.buttons ? this.leave() : this.#look(e)));
    canvas.addEventListener('pointerleave', () => this.leave());
    canvas.addEventListener('pointerdown', (e) => (from = [e.clientX, e.clientY]));
    canvas.addEventListener('pointerup', (e) => {
      if (from && e.button === 0 && Math.hypot(e.clientX - from[0], e.clientY - from[1]) < STILL) this.#click(e);
      from = null;
    });
    canvas.addEventListener('keydown', (e) => {
      if (e.key === 'Escape') this.measure(false);
    });
  }

  /** What is at a place of the page. */
  at(clientX, clientY) {
    const { stage } = this;
    if (!stage.view) return null;
    const r = stage.canvas.getBoundingClientRect();
    const scale = stage.canvas.width / r.width;
    return pick(stage.scene, stage.view, (clientX - r.left) * scale, (clientY - r.top) * scale);
  }

  #look(e) {
    this.pointer = [e.clientX, e.clientY];
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      if (this.pointer) this.#show();
    });
  }

  #show() {
    const { stage, tip } = this;
    const before = this.found;
    this.found = this.at(...this.pointer);
    stage.canvas.classList.toggle('over', Boolean(this.found));
    if (before?.node !== this.found?.node || before?.ball !== this.found?.ball) stage.over();
    tip.hidden = !this.found;
    if (!this.found) return;
    this.refresh();
    const box = stage.box.getBoundingClientRect();
    const [x, y] = [this.pointer[0] - box.left, this.pointer[1] - box.top];
    // beside the pointer, on the side where there is room
    const left = x + 18 + tip.offsetWidth > box.width ? x - tip.offsetWidth - 14 : x + 18;
    const top = y + 16 + tip.offsetHeight > box.height ? y - tip.offsetHeight - 12 : y + 16;
    tip.style.transform = `translate(${Math.round(Math.max(2, left))}px, ${Math.round(Math.max(2, top))}px)`;
  }

  /** The text, at the time of the clock. */
  refresh() {
    if (!this.found || this.tip.hidden) return;
    const { stage, found } = this;
    const unit = (kind) => (stage.units?.[kind] ? ` ${stage.units[kind]}` : '');
    const name = this.names?.[found.body] ?? `body ${found.body + 1}`;
    const value = this.value();
    const { dim } = stage.film;
    const place = placeOf(stage.scene, found).slice(0, dim);
    const rows = [];
    if (value !== null) rows.push(make('b', {}, stage.look.field === 'contact-status' ? statusNames[value] ?? '–' : `${number(value, 4)}${unit(fieldUnit(stage.look.field))}`));
    if (value !== null) rows.push(make('span', {}, fieldWords(stage.look.field)));
    rows.push(make('span', { class: 'where' }, found.node === undefined ? `${name}, centre` : `${name}, node ${whole(stage.film.nodeNumber[found.node])}`));
    rows.push(make('span', { class: 'where' }, `${'xyz'.slice(0, dim).split('').map((a, i) => `${a} ${number(place[i], 5)}`).join('  ')}${unit('length')}`));
    this.tip.replaceChildren(...rows);
  }

  /** The value of the field shown, there and now; null: bodies by colour. */
  value() {
    const { film, look, clock } = this.stage;
    const index = film.field(look.field);
    return index < 0 ? null : film.valueAt(index, Math.min(clock.time, film.lastTime), this.found);
  }

  leave() {
    this.pointer = null;
    this.tip.hidden = true;
    if (!this.found) return;
    this.found = null;
    this.stage.canvas.classList.remove('over');
    this.stage.over();
  }

  #click(e) {
    const found = this.at(e.clientX, e.clientY);
    if (!found) return;
    if (this.measuring) {
      this.ends = this.ends.length === 2 ? [found] : [...this.ends, found];
      this.stage.request();
    } else this.probes?.toggle(found, this.stage);
  }

  /** The ruler: two clicks, each on a node or ball that it then follows. */
  measure(on) {
    this.measuring = on;
    this.ends = [];
    this.stage.canvas.classList.toggle('measuring', on);
    this.told?.(on);
    this.stage.request();
  }

  /** Its line, and in words the length and its components. */
  #rule(places, scale) {
    const { stage } = this;
    const way = places[1].map((v, i) => v - places[0][i]).slice(0, stage.film.dim);
    const unit = stage.units?.length ? ` ${stage.units.length}` : '';
    drawRuler(stage, places, scale);
    this.measured.textContent = `length ${number(Math.hypot(...way), 5)}${unit}: ${way.map((v, i) => `${'xyz'[i]} ${number(v, 5)}`).join('  ')}`;
  }

  draw(scale) {
    const { stage, found, ends } = this;
    const at = (what) => stage.view.of(placeOf(stage.scene, what));
    this.probes?.list.forEach((p, k) => p.stage === stage && drawMark(stage.context, at(p), curve(k)(), scale, p.label));
    if (ends.length === 1) drawMark(stage.context, at(ends[0]), '#888888', scale, 'from');
    if (ends.length === 2) this.#rule(ends.map((end) => placeOf(stage.scene, end)), scale);
    this.measured.hidden = ends.length < 2;
    if (found) drawMark(stage.context, at(found), '#ffffff', scale);
  }
}
