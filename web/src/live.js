// Follows a run over http: rows of its history and frames as they come, until it ends and after.
import { energyScale, judge, judgeBooks, losses, resolutionLine, verdict } from './audit.js';
import { Camera } from './camera.js';
import { Clock, Signal } from './clock.js';
import { addControls } from './controls.js';
import { fieldsOf, findRounding, firstField } from './fields.js';
import { Film } from './film.js';
import { Hover } from './hover.js';
import { count, make, number, percent, seconds, whole } from './format.js';
import { sceneBox } from './obstacles.js';
import { Plot } from './plots.js';
import { Look } from './look.js';
import { upright } from './run.js';
import { Stage } from './stage.js';

const AT_ONCE = 30; // frames asked for at a time
const BACKLOG = 90; // frames before that are left to the report
const MOST_ROWS = 20000; // kept of the history; of more every second goes

let parts = 0; // numbers of parts in this page

/** Takes parts and document that the server wrote into this page; the parts go again with drop(). */
export function adopt(text) {
  const doc = new DOMParser().parseFromString(text, 'text/html');
  const taken = [...doc.querySelectorAll('script[id^="part"]')].map((s) => make('script', { type: 'text/plain', id: s.id }, s.textContent));
  document.body.append(...taken);
  return { ...JSON.parse(doc.getElementById('document').textContent), drop: () => taken.forEach((s) => s.remove()) };
}

export const nextPart = (n = 1000) => (parts += n) - n;

/** A film that grows: pieces, each coded for itself, shown as one. */
class LiveFilm {
  constructor(first) {
    for (const name of ['dim', 'nodes', 'triangles', 'bodies', 'corners', 'sides', 'triangleBody', 'nodeBody', 'nodeNumber', 'first_rigid', 'balls']) this[name] = first[name];
    this.pieces = [];
    this.times = [];
    this.frames = [];
    this.fields = first.fields.map((f) => ({ ...f, range: [...f.range] }));
    this.box = [[...first.box_low], [...first.box_high]];
    this.add(first);
  }

  add(piece) {
    this.pieces.push(piece);
    this.revision = this.pieces.length;
    this.times.push(...piece.times);
    this.frames.push(...piece.frames);
    this.fields.forEach((f, k) => {
      f.least = Math.min(f.least, piece.fields[k].least);
      f.greatest = Math.max(f.greatest, piece.fields[k].greatest);
      f.rounding = Math.max(f.rounding, piece.fields[k].rounding);
      f.typical = Math.max(f.typical, piece.fields[k].typical);
      f.range = [Math.min(f.range[0], piece.fields[k].range[0]), Math.max(f.range[1], piece.fields[k].range[1])];
    });
    for (let i = 0; i < 3; i++) {
      this.box[0][i] = Math.min(this.box[0][i], piece.box_low[i]);
      this.box[1][i] = Math.max(this.box[1][i], piece.box_high[i]);
    }
    this.forces = Math.max(...this.pieces.map((p) => p.forces));
    this.greatest_force = Math.max(...this.pieces.map((p) => p.greatest_force));
  }

  get lastTime() {
    return this.times[this.times.length - 1];
  }

  /** The piece that holds a time. */
  #at(time) {
    return this.pieces.findLast((p) => p.times[0] <= time) ?? this.pieces[0];
  }

  positions(time, out, factor) {
    return this.#at(time).positions(time, out, factor);
  }

  ballPoses(time, out, factor) {
    return this.#at(time).ballPoses(time, out, factor);
  }

  field(name) {
    return this.fields.findIndex((f) => f.name === name);
  }

  values(index, time, out) {
    return this.#at(time).values(index, time, out);
  }

  ballValues(index, time, out) {
    return this.#at(time).ballValues(index, time, out);
  }

  valueAt(index, time, what) {
    return this.#at(time).valueAt(index, time, what);
  }

  eachForce(time, see) {
    this.#at(time).eachForce(time, see);
  }
}

/** End of the run as the deck has it. */
const endOf = (deck) => deck?.time?.end ?? (deck?.time?.steps ?? []).reduce((sum, [h, n]) => sum + h * n, 0);

export class Live {
  /** Shows itself in the holder; token: of the printed address, where the server wants it. */
  constructor(holder, token) {
    this.holder = holder;
    this.token = token;
    this.changed = new Signal();
    this.#reset();
    this.source = new EventSource(this.#address('/events'));
    this.source.addEventListener('again', () => this.#reset());
    this.source.addEventListener('history', (e) => this.#takeRows(e.data));
    this.source.addEventListener('frames', (e) => this.#takeFrames(Number(e.data)));
    this.source.addEventListener('state', (e) => this.#takeState(JSON.parse(e.data)));
    this.source.addEventListener('open', () => this.#speak());
    this.source.addEventListener('error', () => this.#speak());
    this.timer = setInterval(() => this.#draw(), 500);
  }

  #address(path) {
    return this.token ? `${path}${path.includes('?') ? '&' : '?'}token=${this.token}` : path;
  }

  #reset() {
    this.run = (this.run ?? 0) + 1; // answers to older questions are thrown away
    this.deck = this.film = this.stage = this.head = null;
    this.asked = this.total = 0;
    this.names = null;
    this.columns = {};
    this.rows = 0;
    this.every = 1;
    this.seen = 0;
    this.plots = null;
    this.fresh = true;
    this.pace = [];
    this.holder.replaceChildren(make('p', { class: 'note' }, 'Waiting for the run…'));
  }

  // ---- what comes -----------------------------------------------------------------------------

  async #takeState(state) {
    this.state = state;
    if (state.run && !this.deck) await this.#readDeck();
    this.#speak();
    this.changed.tell(state);
  }

  async #readDeck() {
    const { run } = this;
    const answer = await fetch(this.#address('/deck.json'));
    if (!answer.ok || run !== this.run || this.deck) return;
    this.deck = await answer.json();
    this.clock = new Clock(0, 0);
    this.#build();
    if (this.total) this.#fetchFrames();
  }

  #takeRows(text) {
    for (const line of text.split('\n')) {
      const cells = line.split(',');
      if (!this.names) {
        this.names = cells;
        for (const name of cells) this.columns[name] = [];
      } else if (cells.length === this.names.length && this.seen++ % this.every === 0) {
        this.names.forEach((name, k) => this.columns[name].push(Number(cells[k])));
        this.rows++;
        if (this.rows > MOST_ROWS) this.#thin();
      }
      if (cells.length === this.names.length && cells[0] !== 'time') this.last = Object.fromEntries(this.names.map((name, k) => [name, Number(cells[k])]));
    }
    if (this.last) this.pace.push([performance.now(), this.last.time]);
    if (this.pace.length > 40) this.pace.splice(1, 1);
    this.fresh = true;
  }

  #thin() {
    for (const name of this.names) this.columns[name] = this.columns[name].filter((_, i) => i % 2 === 0);
    this.rows = this.columns.time.length;
    this.every *= 2;
  }

  #takeFrames(total) {
    this.total = total;
    if (this.deck) this.#fetchFrames();
  }

  async #fetchFrames() {
    if (this.fetching) return;
    this.fetching = true;
    const { run } = this;
    try {
      while (run === this.run && this.asked < this.total) {
        if (this.total - this.asked > BACKLOG) {
          this.left = this.total - BACKLOG;
          this.asked = this.left;
        }
        const from = this.asked;
        const answer = await fetch(this.#address(`/film?from=${from}&count=${AT_ONCE}&part=${nextPart()}`));
        if (!answer.ok) { // perhaps a run that is being replaced
          setTimeout(() => run === this.run && this.#fetchFrames(), 1000);
          break;
        }
        const { film, total, drop } = adopt(await answer.text());
        const piece = film && (await new Film(film).load());
        drop();
        if (run !== this.run) break;
        if (piece) findRounding(piece, this.deck);
        this.asked = Math.min(total, from + AT_ONCE); // this.total may have grown meanwhile
        if (piece) this.#show(piece);
      }
    } finally {
      this.fetching = false;
    }
  }

  // ---- what is shown --------------------------------------------------------------------------

  #build() {
    const { deck, holder } = this;
    this.badge = make('span', { class: 'badge blue' }, '…');
    this.bar = make('i');
    this.news = make('div', { class: 'news', role: 'status' });
    this.told = make('div', {});
    this.picture = make('div', { class: 'picture' });
    this.graphs = make('div', { class: 'grid' });
    this.end = endOf(deck);
    const facts = [deck.time?.method, `${deck.dimension}D`, count(deck.bodies?.length ?? 0, 'body', 'bodies')];
    holder.replaceChildren(
      make('header', {}, make('div', { class: 'heading' }, make('h1', {}, deck.title || 'Run'), make('p', { class: 'facts' }, facts.join(' · '))), this.badge),
      make('div', { class: 'progress', role: 'progressbar', 'aria-label': 'Progress' }, this.bar),
      this.news, this.told, make('div', { class: 'top live' }, this.picture, this.graphs));
    this.#speak();
  }

  #show(piece) {
    const { deck, clock } = this;
    const following = !this.film || clock.time >= this.film.lastTime * (1 - 1e-12);
    if (!this.film) {
      this.film = new LiveFilm(piece);
      this.look = new Look(firstField(piece));
      this.camera = new Camera(piece.dim, sceneBox(deck, ...this.film.box), upright(deck));
      this.stage = new Stage(this.picture, this.film, deck, clock, this.look, this.camera);
      new Hover(this.stage, null, null);
      addControls(this.picture, { clock, look: this.look, camera: this.camera, times: this.film.times, fields: fieldsOf(piece), arrows: true, stages: [this.stage], name: 'carom' });
      this.picture.append(make('p', { class: 'note' }, 'The picture shows the newest frame, unless you move the time back.'));
    } else {
      this.film.add(piece);
      this.#widen(sceneBox(deck, ...this.film.box));
    }
    clock.start = this.film.times[0];
    clock.end = this.film.lastTime;
    if (following && !clock.playing) clock.seek(clock.end);
    this.stage.request();
  }

  /** The picture keeps everything in view until someone moves it. */
  #widen(box) {
    const { camera } = this;
    const middle = (b) => [0, 1, 2].map((i) => (b[0][i] + b[1][i]) / 2);
    const untouched = camera.zoom === 1 && middle(camera.box).every((v, i) => v === camera.focus[i]);
    if (!untouched) return;
    camera.box = box;
    camera.focus = middle(box);
  }

  #draw() {
    if (!this.fresh || !this.deck || this.rows < 1) return;
    this.fresh = false;
    this.#speak();
    const c = this.columns;
    const optional = ['potential', 'penalty', 'friction_loss', ...losses, 'external_work'].filter((n) => c[n]?.some((v) => v));
    const key = optional.join();
    const threshold = (this.deck.time?.tolerance ?? 1e-11) * (energyScale({ columns: c, rows: this.rows }) || 1);
    const words = { potential: 'potential', penalty: 'contact springs', friction_loss: 'friction loss', plastic: 'plastic loss', viscous: 'viscous loss', drag: 'drag', external_work: 'external work' };
    const energies = [c.time, c.kinetic, c.strain, ...optional.map((n) => c[n])].map((a) => a.slice());
    if (!this.plots || this.plots.key !== key) {
      this.graphs.replaceChildren();
      const clock = this.clock;
      this.plots = { key };
      this.plots.energy = new Plot(this.graphs, { id: 'energy', value: 'energy', title: 'Energies', data: energies, series: [{ label: 'kinetic' }, { label: 'strain' }, ...optional.map((n) => ({ label: words[n] }))] }, clock);
      this.plots.balance = new Plot(this.graphs, { id: 'balance', value: 'energy', title: 'Balance: energy that the method created (+) or lost (−)', data: [c.time.slice(), c.balance.slice()], series: [{ label: 'balance', hue: 4, dash: [] }], scale: 'asinh', threshold }, clock);
      return;
    }
    Object.assign(this.plots.energy.spec, { data: energies });
    this.plots.energy.u.setData(energies);
    this.plots.balance.update({ data: [c.time.slice(), c.balance.slice()], threshold });
  }

  /** Badge, bar and numbers. */
  #speak() {
    if (!this.badge || !this.deck) return;
    const { audit, child } = this.state ?? {};
    const lost = this.source.readyState !== EventSource.OPEN;
    const done = Boolean(audit);
    const run = done && this.rows ? this.#finished(audit) : null;
    const { level: judged, word: said } = run ? judge(run) : {};
    const [level, word] = lost && !done ? ['amber', 'no connection'] : run ? [judged, said] : done ? ['grey', 'finished'] : child && !child.running && child.code > 0 ? (child.code === 130 ? ['amber', 'stopped'] : ['red', 'failed']) : ['blue', 'running'];
    this.badge.className = `badge ${level}`;
    this.badge.textContent = word;
    const t = this.last?.time ?? 0;
    const share = done && audit.completed ? 1 : this.end > 0 ? Math.min(1, t / this.end) : 0;
    this.bar.style.width = `${100 * share}%`;
    this.bar.parentElement.setAttribute('aria-valuenow', Math.round(100 * share));
    const item = (name, value) => make('span', {}, `${name} `, make('b', {}, value));
    const items = [item('done', percent(share)), item('t', `${number(t, 5)} of ${number(this.end, 5)}`)];
    if (this.last) items.push(item('step', whole(this.last.step)), item('h', number(this.last.h, 3)), item('iterations', String(this.last.iterations)), item('contacts', String(this.last.contacts)), item('balance', number(this.last.balance, 2)));
    if (!done && this.pace.length > 2) {
      const [[a, s], [b, u]] = [this.pace[0], this.pace[this.pace.length - 1]];
      if (u > s && this.end > u) items.push(item('left', `about ${seconds(((b - a) / 1000) * ((this.end - u) / (u - s)))}`));
    }
    if (done) items.push(make('a', { href: this.#address('/report.html'), target: '_blank' }, 'Full report'));
    if (this.left) items.push(make('span', {}, `the first ${this.left} frames are in the report only`));
    this.news.replaceChildren(...items);
    this.told.replaceChildren(...(run ? [make('p', { class: `verdict ${judgeBooks(run).level}` }, verdict(run)), resolutionLine(run)] : []));
  }

  /** What the account is about, as the page of the run has it. */
  #finished(audit) {
    return { audit, deck: this.deck, tables: {}, method: { name: audit.method, balances: audit.method_info?.balances }, history: { columns: this.columns, rows: this.rows } };
  }

  close() {
    this.source.close();
    clearInterval(this.timer);
  }
}
