// Hands on the model: a body is dragged to its place, a surface is clicked for its name.
import { make, number } from './format.js';
import { pick } from './pick.js';

const NEAR = 12; // pixels of the screen from an edge of the plane
const STILL = 4; // a pointer that moves less has clicked

/** Rounded to what a pixel can show. */
export function rounded(value, pixel) {
  const unit = 10 ** Math.floor(Math.log10(pixel) + 0.5);
  return Number((Math.round(value / unit) * unit).toPrecision(6));
}

function distance(x, y, a, b) {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const t = Math.max(0, Math.min(1, ((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - a[0] - t * dx, y - a[1] - t * dy);
}

/** The surface under a place of the picture: {name, body}, or null. Smaller surfaces win over the whole boundary. */
export function surfaceAt(stage, x, y) {
  const { model, view, unit, film } = stage;
  const node = (n) => view.of([0, 1, 2].map((i) => stage.positions[3 * n + i]));
  const under = film.dim === 3 ? pick(stage.scene, view, x, y) : null;
  if (film.dim === 3 && !under) return null;
  let best = null;
  for (const s of model.surfaces) {
    if (under && s.body !== under.body) continue;
    for (const facet of s.facets) {
      if (facet.some((n) => n < 0)) continue;
      const p = facet.map(node);
      let far;
      if (p.length > 2) {
        const inside = p.reduce((odd, a, k) => { const b = p[(k + 1) % p.length]; return (a[1] > y) !== (b[1] > y) && x < a[0] + ((y - a[1]) / (b[1] - a[1])) * (b[0] - a[0]) ? !odd : odd; }, false);
        const depth = p.reduce((sum, q) => sum + q[2], 0) / p.length;
        far = inside ? Math.abs(depth - under.depth) : Infinity;
      } else far = distance(x, y, p[0], p[1]) <= NEAR * unit ? distance(x, y, p[0], p[1]) : Infinity;
      const better = best && Math.abs(far - best.far) < 1e-6 ? s.facets.length < best.size : !best || far < best.far;
      if (far < Infinity && better) best = { name: s.name, body: s.body, far, size: s.facets.length };
    }
  }
  return best && { name: `${model.bodies[best.body].name}.${best.name}`, body: best.body };
}

export class Handle {
  /** moved(body, [dx, dy, dz]); acts: [[words, what to do with the name of a surface], ...]. */
  constructor(stage, { moves, moved, acts }) {
    Object.assign(this, { stage, moves, moved, acts });
    const { box } = stage;
    // before the camera's own listeners
    box.addEventListener('pointerdown', (e) => this.#down(e), true);
    box.addEventListener('pointermove', (e) => this.#move(e), true);
    box.addEventListener('pointerup', (e) => this.#up(e), true);
    box.addEventListener('pointercancel', () => this.#drop(), true);
    box.addEventListener('keydown', (e) => e.key === 'Escape' && this.#drop());
  }

  #place(e) {
    const { canvas } = this.stage;
    const r = canvas.getBoundingClientRect();
    return [((e.clientX - r.left) * canvas.width) / r.width, ((e.clientY - r.top) * canvas.height) / r.height];
  }

  #down(e) {
    if (e.target !== this.stage.canvas || e.button) return;
    this.menu?.remove();
    this.from = this.#place(e);
    if (!this.moves()) return;
    const found = pick(this.stage.scene, this.stage.view, ...this.from);
    if (!found) return;
    e.stopPropagation();
    this.stage.canvas.setPointerCapture(e.pointerId);
    this.dragged = { body: found.body, by: [0, 0, 0] };
  }

  /** Along the picture plane; in the plane of the run that is all there is. */
  #move(e) {
    if (!this.dragged) return;
    e.stopPropagation();
    const at = this.#place(e);
    const { m } = this.stage.view;
    const [dx, dy] = [at[0] - this.from[0], at[1] - this.from[1]];
    const square = (row) => row.reduce((sum, v) => sum + v * v, 0);
    const pixel = this.stage.unit / Math.sqrt(square(m[0]));
    this.dragged.by = [0, 1, 2].map((i) => rounded((dx * m[0][i]) / square(m[0]) + (dy * m[1][i]) / square(m[1]), pixel));
    if (this.stage.film.dim === 2) this.dragged.by[2] = 0;
    this.stage.ghost = { from: this.from, to: at, text: this.dragged.by.slice(0, this.stage.film.dim).map((v) => number(v, 4)).join(', ') };
    this.stage.request();
  }

  #up(e) {
    const { dragged, from } = this;
    this.#drop();
    if (!from) return;
    const at = this.#place(e);
    const clicked = Math.hypot(at[0] - from[0], at[1] - from[1]) < STILL * this.stage.unit;
    if (dragged && !clicked) this.moved(dragged.body, dragged.by);
    else if (clicked && e.target === this.stage.canvas) this.#ask(e, at);
  }

  #drop() {
    this.dragged = this.from = this.stage.ghost = null;
    this.stage.request();
  }

  /** What can be done with the surface that was clicked. */
  #ask(e, at) {
    const found = surfaceAt(this.stage, ...at);
    if (!found) return;
    const r = this.stage.box.getBoundingClientRect();
    this.menu = make('div', { class: 'menu', role: 'menu', style: `left:${e.clientX - r.left}px;top:${e.clientY - r.top}px` }, make('b', {}, found.name),
      ...this.acts.map(([words, act]) => make('button', { type: 'button', role: 'menuitem', onclick: () => { this.menu.remove(); act(found.name); } }, words)));
    this.stage.box.append(this.menu);
  }
}
