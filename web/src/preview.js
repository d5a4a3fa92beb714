// A deck that has not run: its meshes, and on them surfaces, supports, loads, velocities and contact pairs.
import { Camera } from './camera.js';
import { Clock } from './clock.js';
import { curve, fromHex, set } from './colour.js';
import { count, make, number, whole } from './format.js';
import { sceneBox } from './obstacles.js';
import { upright } from './run.js';
import { Handle } from './handle.js';
import { Look } from './look.js';
import { Stage } from './stage.js';
import { theme } from './theme.js';

const MARKS = 60; // squares of supports that are drawn at full size; of more, each is smaller
const SHOWN = 400; // at most
const hue = (k) => (typeof curve(k) === 'function' ? curve(k)() : curve(k));

class PreviewStage extends Stage {
  constructor(holder, film, model, look, camera) {
    super(holder, film, model.deck, new Clock(0, 0), look, camera, 'the model');
    this.model = model;
    this.on = { surfaces: false, supports: true, loads: true, velocities: true, contact: true };
    this.counts = {};
  }

  /** It changes pixels and asks for depths. */
  get onlySoftware() {
    return true;
  }

  /** Bodies are half as strong, so that what lies on them can be seen: pale on a light ground, grey on a dark one. */
  render(width, height, scale) {
    super.render(width, height, scale);
    const { pixels } = this.raster;
    const ground = fromHex(theme.colours.stage);
    const half = ((theme.isDark ? fromHex(theme.colours.faint) : ground) >>> 1) & 0x7f7f7f;
    for (let k = 0; k < pixels.length; k++) if (pixels[k] !== ground) pixels[k] = ((((pixels[k] >>> 1) & 0x7f7f7f) + half) & 0xffffff) | 0xff000000;
  }

  draw() {
    super.draw();
    if (!this.view || !this.canvas.width) return;
    this.unit = this.canvas.width / this.box.getBoundingClientRect().width;
    this.counts = { surfaces: 0, supports: 0, loads: 0, velocities: 0, contact: 0 };
    const names = []; // written last
    this.labels = []; // boxes of those that stand
    if (this.on.surfaces) this.#surfaces(names);
    if (this.on.contact) this.#contact(names);
    if (this.on.supports) this.#supports();
    if (this.on.loads) this.#loads();
    if (this.on.velocities) this.#velocities();
    for (const name of names) this.#label(...name);
    if (this.ghost) this.#drawGhost(this.ghost);
    this.face.textContent = 'at the start';
    this.bar.hidden = true;
  }

  #at(node) {
    const x = this.positions;
    return this.view.of([x[3 * node], x[3 * node + 1], x[3 * node + 2]]);
  }

  /** Does something stand before a place of the screen? */
  #isHidden([x, y, z]) {
    const { raster, unit } = this;
    const [col, row] = [Math.floor(x), Math.floor(y)];
    if (col < 0 || row < 0 || col >= raster.width || row >= raster.height) return false;
    return raster.depth[row * raster.width + col] > z + 6 * unit;
  }

  /** Outlines of facets; in space only of those that can be seen. Returns the middles of these. */
  #facets(facets, colour, width, dash = []) {
    const { context: c, unit } = this;
    const middles = [];
    c.strokeStyle = colour;
    c.lineWidth = width * unit;
    c.lineCap = c.lineJoin = 'round';
    c.setLineDash(dash.map((d) => d * unit));
    c.beginPath();
    for (const facet of facets) {
      if (facet.some((n) => n < 0)) continue;
      const p = facet.map((n) => this.#at(n));
      const middle = [0, 1, 2].map((i) => p.reduce((sum, q) => sum + q[i], 0) / p.length);
      const area = p.reduce((sum, q, i) => sum + q[0] * p[(i + 1) % p.length][1] - p[(i + 1) % p.length][0] * q[1], 0);
      // y points down: those that face the viewer turn the other way
      if (p.length > 2 && (area > 0 || this.#isHidden(middle))) continue;
      c.moveTo(p[0][0], p[0][1]);
      for (const q of p.slice(1)) c.lineTo(q[0], q[1]);
      if (p.length > 2) c.closePath();
      middles.push(middle);
    }
    c.stroke();
    c.setLineDash([]);
    return middles;
  }

  /** A word on a plate with a rim of the colour. Words that would lie on each other move down, and none leaves the picture. */
  #label(at, text, colour) {
    const { context: c, unit, canvas } = this;
    c.font = `600 ${12 * unit}px system-ui, sans-serif`;
    const [width, height] = [c.measureText(text).width + 12 * unit, 19 * unit];
    const inside = (v, room) => Math.min(Math.max(v, 2 * unit), Math.max(2 * unit, room - 2 * unit));
    const box = { text, colour, x: inside(at[0] - width / 2, canvas.width - width), y: inside(at[1] - height / 2, canvas.height - height), width, height };
    const meets = (b) => box.x < b.x + b.width && b.x < box.x + width && box.y < b.y + b.height && b.y < box.y + height;
    for (let b = this.labels.find(meets); b && b.y + 2 * height < canvas.height; b = this.labels.find(meets)) box.y = b.y + height + unit;
    this.labels.push(box);
    c.fillStyle = theme.colours.stage;
    c.strokeStyle = colour;
    c.lineWidth = 2 * unit;
    c.fillRect(box.x, box.y, width, height);
    c.strokeRect(box.x, box.y, width, height);
    c.fillStyle = theme.colours.text;
    c.textAlign = 'center';
    c.textBaseline = 'middle';
    c.fillText(text, box.x + width / 2, box.y + height / 2);
  }

  #arrow(from, to, colour, width = 2.5) {
    const { context: c, unit } = this;
    const size = Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (size < 2 * unit) return;
    const [ex, ey] = [(to[0] - from[0]) / size, (to[1] - from[1]) / size];
    const head = Math.min(11 * unit, 0.5 * size);
    c.strokeStyle = c.fillStyle = colour;
    c.lineWidth = width * unit;
    c.beginPath();
    c.moveTo(from[0], from[1]);
    c.lineTo(to[0] - ex * head, to[1] - ey * head);
    c.stroke();
    c.beginPath();
    c.moveTo(to[0], to[1]);
    c.lineTo(to[0] - ex * head - ey * head * 0.5, to[1] - ey * head + ex * head * 0.5);
    c.lineTo(to[0] - ex * head + ey * head * 0.5, to[1] - ey * head - ex * head * 0.5);
    c.fill();
  }

  /** An arrow of that share of the scene's size; where it would leave the picture it points at its place instead. */
  #along(x, v, share, colour) {
    const size = Math.hypot(...v);
    if (!size) return;
    const length = (share * this.size) / size;
    const at = (s) => this.view.of(x.map((c, i) => c + s * length * v[i]));
    const [px, py] = at(1);
    const inside = px > 0 && py > 0 && px < this.canvas.width && py < this.canvas.height;
    this.#arrow(at(inside ? 0 : -1), at(inside ? 1 : 0), colour);
  }

  /** A body on its way to another place. */
  #drawGhost({ from, to, text }) {
    this.#arrow(from, to, theme.colours.velocities);
    this.#label([to[0], to[1] - 16 * this.unit], text, theme.colours.velocities);
  }

  #surfaces(names) {
    this.model.surfaces.forEach((s, k) => {
      const colour = hue(k);
      const at = this.#facets(s.facets, colour, 4);
      if (at.length) names.push([at[at.length >> 1], `${this.model.bodies[s.body].name}.${s.name}`, colour]);
      this.counts.surfaces++;
    });
  }

  #contact(names) {
    for (const pair of this.model.pairs) {
      const at = this.#facets(pair.slave, theme.colours.slave, 3.5);
      this.#facets(pair.master, theme.colours.master, 3.5, [7, 5]);
      if (at.length && this.model.pairs.length < 8 && !names.some(([, name]) => name === pair.name)) names.push([at[at.length >> 2], pair.name, theme.colours.slave]);
      this.counts.contact++;
    }
  }

  #supports() {
    const { context: c, unit } = this;
    for (const { kind, value, nodes } of this.model.conditions) {
      if (!['fix', 'displacement', 'motion'].includes(kind)) continue;
      this.counts.supports++;
      const seen = nodes.map((node) => this.#at(node)).filter((p) => this.film.dim === 2 || !this.#isHidden(p));
      const every = Math.ceil(seen.length / SHOWN);
      const r = Math.max(1.5, 4 * Math.min(1, Math.sqrt(MARKS / seen.length))) * unit;
      c.strokeStyle = c.fillStyle = theme.colours.supports;
      c.lineWidth = 1.5 * unit;
      seen.forEach(([x, y], k) => {
        if (k % every) return;
        // a full square where everything is held, a bar across what is held otherwise
        if (value.slice(0, this.film.dim).every((v) => v)) c.fillRect(x - r, y - r, 2 * r, 2 * r);
        else if (value[0] && this.film.dim === 2) c.fillRect(x - 1.3 * unit, y - 1.7 * r, 2.6 * unit, 3.4 * r);
        else if (value[1] && this.film.dim === 2) c.fillRect(x - 1.7 * r, y - 1.3 * unit, 3.4 * r, 2.6 * unit);
        else c.strokeRect(x - r, y - r, 2 * r, 2 * r);
      });
    }
  }

  #loads() {
    for (const { kind, value, nodes, facets } of this.model.conditions) {
      if (kind === 'pressure') {
        this.#facets(facets, theme.colours.loads, 3.5);
        this.counts.loads++;
      }
      if (kind === 'gravity') this.counts.loads++;
      if (kind !== 'load' || !nodes.length) continue;
      this.counts.loads++;
      const x = [0, 0, 0];
      for (const n of nodes) for (let i = 0; i < 3; i++) x[i] += this.positions[3 * n + i] / nodes.length;
      this.#along(x, value, 0.14, theme.colours.loads);
    }
  }

  #velocities() {
    const greatest = this.model.bodies.reduce((m, b) => Math.max(m, Math.hypot(...b.velocity)), 0);
    for (const b of this.model.bodies.slice(0, 500)) {
      const speed = Math.hypot(...b.velocity);
      if (!(speed > 1e-9 * greatest)) continue;
      this.counts.velocities++;
      this.#along(b.centre, b.velocity, 0.04 + (0.16 * speed) / greatest, theme.colours.velocities);
    }
  }
}

const say = {
  surfaces: 'Surfaces', contact: 'Contact: slave, master (dashed)', supports: 'Supports', loads: 'Loads', velocities: 'Velocities',
};

/** Shows a model; the one before keeps its camera if it is the same size. */
export class Preview {
  /** hands: what dragging and clicking do (handle.js). */
  constructor(holder, hands) {
    this.holder = holder;
    this.hands = hands;
    this.drags = false;
    holder.replaceChildren(make('p', { class: 'note' }, 'The model appears here as soon as the deck has no mistakes.'));
  }

  show(film, model) {
    const { deck } = model;
    const old = this.stage;
    const box = sceneBox(deck, film.box_low, film.box_high);
    const camera = new Camera(film.dim, box, upright(deck));
    if (old && old.film.dim === film.dim) Object.assign(camera, { azimuth: old.camera.azimuth, elevation: old.camera.elevation });
    const look = new Look('body');
    look.arrows = false;
    look.edges = old ? old.look.edges : true;
    const picture = make('div', { class: 'picture' });
    this.stage = new PreviewStage(picture, film, model, look, camera);
    if (old) this.stage.on = old.on;
    if (this.hands) new Handle(this.stage, { ...this.hands, moves: () => this.drags });
    const toggle = (name, on, change) => {
      const box2 = make('input', { type: 'checkbox', checked: on, onchange: () => change(box2.checked) });
      return make('label', { class: 'toggle' }, box2, name);
    };
    const switches = Object.keys(say).map((name) => toggle(say[name], this.stage.on[name], (on) => {
      this.stage.on[name] = on;
      this.stage.request();
    }));
    picture.append(make('div', { class: 'controls' }, make('div', { class: 'choices' }, ...switches, toggle('Mesh', look.edges, (edges) => look.set({ edges })), ...(this.hands ? [toggle('Drag bodies', this.drags, (on) => (this.drags = on))] : []),
      make('span', { class: 'views' }, ...(film.dim === 3 ? ['iso', 'front', 'side', 'top'] : ['iso']).map((v) => make('button', { type: 'button', onclick: () => camera.reset(v) }, film.dim === 3 ? v : 'Whole picture'))))));
    this.holder.replaceChildren(picture, this.#table(model));
    this.stage.request();
  }

  #table(model) {
    const rows = model.bodies.slice(0, 60).map((b, k) => make('tr', {}, make('td', {}, make('i', { class: 'mark', style: `color:${set[k % set.length]}` }), b.name), make('td', {}, b.elements ? whole(b.elements) : ''), make('td', {}, number(b.mass, 5)), make('td', {}, b.material)));
    // pairs of rigid bodies have no facets: the deck names them
    const known = model.pairs.length ? model.pairs : (model.deck.contact ?? []).map((c) => ({ name: c.name ?? c.between?.join('-') ?? 'every other pair', friction: (c.default ?? c).friction ?? 0 }));
    // both sides of a pair may be slaves: then it comes twice
    const pairs = [...new Set(known.map((p) => `${p.name}: friction ${number(p.friction)}${p.obstacle ? `, against ${p.obstacle}` : ''}`))].slice(0, 60).map((text) => make('li', {}, text));
    return make('div', {},
      make('div', { class: 'sideways' }, make('table', { class: 'model' }, make('thead', {}, make('tr', {}, ...['body', 'elements', 'mass', 'material'].map((t) => make('th', {}, t)))), make('tbody', {}, ...rows))),
      pairs.length ? make('div', {}, make('h3', {}, 'Contact pairs'), make('ul', {}, ...pairs)) : null,
      make('p', { class: 'note' }, `${model.method}, ${count(model.steps, 'step')} to t = ${number(model.end)}; ${model.critical_step ? `an explicit method would need steps below ${number(model.critical_step, 3)}` : 'all bodies are rigid'}`));
  }
}
