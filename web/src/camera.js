// Where one looks from: parallel projection; in 2D along z, in 3D around an upright axis.
import { Signal } from './clock.js';

const STRIP = 0.13; // share of the height, at the bottom, that is left to the scale of the colours

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

export class Camera {
  /** box: [low, high] of everything; up: index of the upright axis in 3D. */
  constructor(dim, box, up = 2) {
    this.dim = dim;
    this.box = box;
    this.up = up;
    this.changed = new Signal();
    this.reset();
  }

  reset(view = 'iso') {
    const views = { iso: [-60, 22], front: [-90, 0], side: [0, 0], top: [-90, 90] };
    [this.azimuth, this.elevation] = views[view].map((a) => (a * Math.PI) / 180);
    this.zoom = 1;
    this.focus = [0, 1, 2].map((i) => (this.box[0][i] + this.box[1][i]) / 2);
    this.changed.tell();
  }

  /** Right, up and towards the eye. */
  axes() {
    if (this.dim === 2) return [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
    const e = [0, 1, 2].map((i) => (i === this.up ? 1 : 0));
    const a = [0, 1, 2].map((i) => (i === (this.up + 1) % 3 ? 1 : 0));
    const b = cross(e, a);
    const [ca, sa, ce, se] = [Math.cos(this.azimuth), Math.sin(this.azimuth), Math.cos(this.elevation), Math.sin(this.elevation)];
    const eye = [0, 1, 2].map((i) => ce * (ca * a[i] + sa * b[i]) + se * e[i]);
    const right = [0, 1, 2].map((i) => -sa * a[i] + ca * b[i]);
    return [right, cross(eye, right), eye];
  }

  /** Pixels per length at which the whole box fits. */
  fit(width, height) {
    const axes = this.axes();
    const size = axes.map((axis) => [0, 1, 2].reduce((s, i) => s + Math.abs(axis[i]) * (this.box[1][i] - this.box[0][i]), 0));
    return Math.min((0.9 * width) / (size[0] || size[1] || 1), ((0.95 - STRIP) * height) / (size[1] || size[0] || 1));
  }

  /** A function from space to [x, y, z] on a screen of that size; z grows towards the eye. */
  projection(width, height) {
    const axes = this.axes();
    const scale = this.zoom * this.fit(width, height);
    const m = axes.map((axis, k) => axis.map((v) => (k === 1 ? -v : v) * scale));
    const shift = m.map((row, k) => (k === 0 ? width / 2 : k === 1 ? ((1 - STRIP) * height) / 2 : 0) - row.reduce((s, v, i) => s + v * this.focus[i], 0));
    return { m, shift, scale, of: (x) => m.map((row, k) => row[0] * x[0] + row[1] * x[1] + row[2] * x[2] + shift[k]) };
  }

  turn(dx, dy) {
    this.azimuth -= dx * 0.008;
    this.elevation = Math.min(Math.PI / 2, Math.max(-Math.PI / 2, this.elevation + dy * 0.008));
    this.changed.tell();
  }

  /** Moves the picture by pixels, of a screen of that size. */
  pan(dx, dy, width, height) {
    const axes = this.axes();
    const scale = this.zoom * this.fit(width, height);
    for (let i = 0; i < 3; i++) this.focus[i] += (-dx * axes[0][i] + dy * axes[1][i]) / scale;
    this.changed.tell();
  }

  /** Zooms by a factor about a point of the screen, measured from its middle. */
  magnify(factor, x, y, width, height) {
    const before = this.zoom;
    this.zoom = Math.min(200, Math.max(0.2, this.zoom * factor));
    const gain = this.zoom / before;
    this.pan(x * (1 - gain), (y + (STRIP * height) / 2) * (1 - gain), width, height);
  }
}
