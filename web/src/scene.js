// What is to be seen at a moment, in the words of whoever draws it (paint.js): places, colours, opacities.
import { bodyColours, bothWays, fromHex, ramp, statusColours } from './colour.js';
import { beyond, constant, isSigned, limits, limitsNow } from './fields.js';
import { obstacles } from './obstacles.js';
import { NO_VALUE } from './raster.js';
import { Shadow } from './shadow.js';

const UP = 0.5; // cosine: steeper walls are no floor

/** Triangles that are none: rods (two corners are one) and points. */
function thinOf({ corners, triangles }) {
  const thin = [];
  for (let t = 0; t < triangles; t++) if (corners[3 * t + 1] === corners[3 * t + 2]) thin.push(t);
  return thin;
}

export class Scene {
  constructor(film, deck, camera) {
    Object.assign(this, { film, dim: camera.dim, version: 0 }); // another version: something has changed
    const { box } = camera;
    this.size = Math.hypot(...box[0].map((v, i) => box[1][i] - v)) || 1;
    this.box = box;
    this.walls = obstacles(deck, [0, 1, 2].map((i) => (box[0][i] + box[1][i]) / 2), this.size);
    this.walls.forEach((wall) => wall.panes.forEach((pane) => {
      if (this.dim === 3 && pane.normal[camera.up] > UP) pane.shadow = new Shadow(pane);
    }));
    this.mesh = { corners: film.corners, sides: film.sides, triangleBody: film.triangleBody, count: film.triangles, thin: thinOf(film) };
    this.positions = new Float32Array(3 * film.nodes);
    this.values = new Float32Array(film.nodes);
    this.colours = bodyColours(film.bodies.length);
    this.opacity = new Float32Array(film.bodies.length);
    const n = film.balls.length;
    this.balls = { count: n, poses: new Float32Array(8 * n), values: new Float32Array(n), colours: new Int32Array(n), alpha: new Float32Array(n) };
  }

  /** Everything at a time, as the look says. Does nothing where neither has changed. */
  at(time, look) {
    const { film, balls } = this;
    const key = `${time} ${look.version} ${film.revision}`;
    if (key === this.key) return;
    this.key = key;
    this.version++;
    this.factor = look.factor;
    film.positions(time, this.positions, look.factor);
    film.ballPoses(time, balls.poses, look.factor);
    for (let b = 0; b < this.opacity.length; b++) this.opacity[b] = look.opacityOf(b);
    for (let k = 0; k < balls.count; k++) balls.alpha[k] = this.opacity[film.balls[k].body];
    this.#colour(time, look);
    this.cut = this.#cut(look);
    this.moves = this.walls.map((wall) => wall.move(time));
    this.walls.forEach((wall, k) => wall.panes.forEach((pane) => pane.shadow?.cast(this, this.moves[k])));
  }

  /** Shares of the range per node; shown: [least, greatest, greatest of all | null], null: colours of bodies. constant: the one value there is, or null. */
  #colour(time, look) {
    const { film, values, balls } = this;
    const index = film.field(look.field);
    this.words = look.field === 'contact-status';
    this.shown = this.constant = null;
    if (index < 0) {
      film.balls.forEach(({ body }, k) => (balls.colours[k] = this.colours[body]));
      return;
    }
    const field = film.fields[index];
    film.values(index, time, values);
    film.ballValues(index, time, balls.values);
    this.map = this.words ? Int32Array.from(statusColours, fromHex) : isSigned(field) ? bothWays : ramp;
    const ends = this.words ? [0, 3] : look.range === 'frame' ? limitsNow(field, values, balls.values) : look.shared ? look.shared(look.field)[look.range] : limits(field, look.range);
    this.constant = this.words ? null : constant(field, ends);
    const scale = ends[1] > ends[0] && this.constant === null ? 1 / (ends[1] - ends[0]) : 0;
    for (let k = 0; k < values.length; k++) values[k] = values[k] === values[k] ? (values[k] - ends[0]) * scale : NO_VALUE;
    const last = this.map.length - 1;
    for (let k = 0; k < balls.count; k++) balls.colours[k] = this.map[Math.round(Math.min(1, Math.max(0, (balls.values[k] - ends[0]) * scale)) * last)];
    this.shown = [...ends, this.words || look.range === 'frame' ? null : beyond(field, ends)];
  }

  /** The plane of the cut: what has a x + b y + c z > d is not drawn. */
  #cut({ cut }) {
    if (!cut) return null;
    const { axis, share, flip } = cut;
    const sign = flip ? -1 : 1;
    const at = this.box[0][axis] + share * (this.box[1][axis] - this.box[0][axis]);
    return [0, 1, 2].map((i) => (i === axis ? sign : 0)).concat(sign * at);
  }
}
