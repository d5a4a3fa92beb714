// A canvas that shows a film at the clock's time, as the look says, from where the camera is.
import { css, fromHex, ramp, set, statusColours, statusNames } from './colour.js';
import { make, number } from './format.js';
import { obstacles } from './obstacles.js';
import { Raster } from './raster.js';
import { fieldUnits } from './run.js';
import { isPrinting, theme } from './theme.js';
import { Signal } from './clock.js';

export const fieldNames = {
  displacement: 'displacement',
  velocity: 'velocity',
  'von-mises': 'von Mises stress',
  'contact-pressure': 'contact pressure',
  'contact-status': 'contact status',
  plastic_strain: 'plastic strain',
  plastic_work: 'plastic work per volume',
  viscous_work: 'viscous work per volume',
  temperature_rise: 'rise of temperature',
  body: 'body',
};

/** What is shown and how; several stages may share one. */
export class Look {
  constructor(field) {
    this.field = field;
    this.range = 'typical'; // 'run': least to greatest of the run; 'frame': of the moment
    this.edges = true;
    this.arrows = true;
    this.changed = new Signal();
  }
  set(changes) {
    Object.assign(this, changes);
    this.changed.tell();
  }
}

const LIGHT = [-0.35, -0.5, 0.79];
const SLOW = 14; // ms: a picture that takes longer is drawn coarser while it moves

/** Square root of the mean area of a triangle. */
function meanSide({ corners, triangles }, x) {
  let sum = 0;
  for (let t = 0; t < triangles; t++) {
    const a = 3 * corners[3 * t], b = 3 * corners[3 * t + 1], c = 3 * corners[3 * t + 2];
    const ux = x[b] - x[a], uy = x[b + 1] - x[a + 1], uz = x[b + 2] - x[a + 2];
    const vx = x[c] - x[a], vy = x[c + 1] - x[a + 1], vz = x[c + 2] - x[a + 2];
    const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    sum += Math.sqrt(nx * nx + ny * ny + nz * nz) / 2;
  }
  return Math.sqrt(sum / (triangles || 1));
}

export class Stage {
  constructor(holder, film, deck, clock, look, camera, label) {
    Object.assign(this, { film, deck, clock, look, camera });
    this.canvas = make('canvas', { tabindex: 0, role: 'img', 'aria-label': `Animation of the deformed bodies${label ? `, ${label}` : ''}` });
    this.bar = make('div', { class: 'colourbar' });
    this.face = make('div', { class: 'clockface' });
    this.box = make('div', { class: 'stage' }, this.canvas, this.bar, this.face);
    holder.append(this.box);
    this.context = this.canvas.getContext('2d', { alpha: false });
    this.raster = new Raster();
    this.positions = new Float32Array(3 * film.nodes);
    this.screen = new Float32Array(3 * film.nodes);
    this.values = new Float32Array(film.nodes);
    this.cost = 0;
    this.drawn = 0; // pictures so far
    const size = Math.hypot(...camera.box[0].map((v, i) => camera.box[1][i] - v)) || 1;
    this.size = size;
    this.walls = obstacles(deck, [0, 1, 2].map((i) => (camera.box[0][i] + camera.box[1][i]) / 2), size);
    this.#listen();
  }

  #listen() {
    const later = () => this.request();
    this.clock.changed.on(later);
    this.clock.switched.on(later);
    this.look.changed.on(later);
    this.camera.changed.on(later);
    new ResizeObserver(later).observe(this.box);
    theme.changed.on(() => (isPrinting() ? this.draw() : later())); // paper does not wait
    this.#watchPointers();
  }

  /** Draws with the next picture of the screen, once. */
  request() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  #watchPointers() {
    const down = new Map();
    const { canvas, camera } = this;
    const moving = () => {
      this.moved = performance.now();
      clearTimeout(this.settle);
      this.settle = setTimeout(() => this.request(), 150);
    };
    canvas.addEventListener('pointerdown', (e) => {
      down.set(e.pointerId, [e.clientX, e.clientY]);
      canvas.setPointerCapture(e.pointerId);
    });
    const up = (e) => down.delete(e.pointerId);
    canvas.addEventListener('pointerup', up);
    canvas.addEventListener('pointercancel', up);
    canvas.addEventListener('contextmenu', (e) => e.preventDefault());
    canvas.addEventListener('pointermove', (e) => {
      const before = down.get(e.pointerId);
      if (!before) return;
      const now = [e.clientX, e.clientY];
      const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
      const { width, height } = this.canvas.getBoundingClientRect();
      moving();
      if (down.size === 2) {
        const other = [...down].find(([id]) => id !== e.pointerId)[1];
        const span = (p) => Math.max(10, Math.hypot(p[0] - other[0], p[1] - other[1]));
        const { left, top } = canvas.getBoundingClientRect();
        camera.magnify(span(now) / span(before), (now[0] + other[0]) / 2 - left - width / 2, (now[1] + other[1]) / 2 - top - height / 2, width, height);
        camera.pan(dx / 2, dy / 2, width, height);
      } else if (camera.dim === 3 && !e.shiftKey && !(e.buttons & 2)) camera.turn(dx, dy);
      else camera.pan(dx, dy, width, height);
      down.set(e.pointerId, now);
    });
    canvas.addEventListener('wheel', (e) => {
      // the wheel scrolls the page unless the picture has been clicked
      if (!e.ctrlKey && document.activeElement !== canvas) return;
      e.preventDefault();
      moving();
      const r = canvas.getBoundingClientRect();
      camera.magnify(Math.exp(-e.deltaY * 0.0015), e.clientX - r.left - r.width / 2, e.clientY - r.top - r.height / 2, r.width, r.height);
    }, { passive: false });
    canvas.addEventListener('dblclick', () => camera.reset());
  }

  isMoving() {
    return this.clock.playing || performance.now() - (this.moved ?? -1e9) < 140;
  }

  draw() {
    if (!this.film.frames.length) return;
    const rect = this.box.getBoundingClientRect();
    if (!rect.width || !rect.height) return;
    const start = performance.now();
    const fine = Math.max(2, Math.min(3, devicePixelRatio || 1));
    const scale = isPrinting() ? 3 : this.isMoving() && this.cost > SLOW ? 1 : fine;
    const [width, height] = [Math.round(rect.width * scale), Math.round(rect.height * scale)];
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
    this.render(width, height, scale);
    this.context.putImageData(this.raster.image, 0, 0);
    if (this.look.arrows) this.#drawArrows(scale);
    if (this.camera.dim === 3) this.#drawAxes(scale);
    this.#writeBar();
    const over = this.clock.time > this.film.lastTime * (1 + 1e-9);
    this.face.textContent = `t = ${number(this.clock.time, 4)}${over ? `, ended at ${number(this.film.lastTime, 4)}` : ''}`;
    const spent = performance.now() - start;
    // what it costs, or would cost, at the fine scale
    this.cost = 0.7 * this.cost + 0.3 * spent * (fine / scale) ** 2;
    this.drawn++;
  }

  /** The picture without arrows, into the raster. */
  render(width, height, scale) {
    const { film, raster, camera, look } = this;
    const time = Math.min(this.clock.time, film.lastTime);
    const view = camera.projection(width, height);
    raster.resize(width, height);
    raster.clear(fromHex(theme.colours.stage));
    film.positions(time, this.positions);
    this.#project(view);
    this.view = view;
    if (camera.dim === 2) this.#drawWalls(view, time, scale);
    const index = film.field(look.field);
    const words = look.field === 'contact-status';
    this.shown = index < 0 ? null : this.#scale(index, time, words);
    raster.triangles({ corners: film.corners, sides: film.sides, count: film.triangles }, this.screen, {
      values: index < 0 ? null : this.values,
      colours: words ? Int32Array.from(statusColours, fromHex) : ramp,
      words,
      triangle: (t) => fromHex(set[film.triangleBody[t] % set.length]),
      nan: fromHex('#9aa0a8'),
      light: camera.dim === 3 ? LIGHT : null,
      edge: look.edges ? this.#edgeStrength(view.scale / scale) : 0,
      edgeColour: fromHex('#101820'),
      lineColour: fromHex(theme.colours.wall),
      line: scale * 0.8,
    });
    if (camera.dim === 3) this.#drawWalls(view, time, scale);
  }

  /** Tiny elements: fainter edges, then none. scale: pixels per length. */
  #edgeStrength(scale) {
    this.side ??= meanSide(this.film, this.positions);
    return Math.min(0.62, Math.max(0, (this.side * scale - 1.5) / 8));
  }

  #project({ m, shift }) {
    const { positions: x, screen: s } = this;
    const [[a, b, c], [d, e, f], [g, h, i]] = m;
    const [p, q, r] = shift;
    for (let k = 0; k < x.length; k += 3) {
      const X = x[k], Y = x[k + 1], Z = x[k + 2];
      s[k] = a * X + b * Y + c * Z + p;
      s[k + 1] = d * X + e * Y + f * Z + q;
      s[k + 2] = g * X + h * Y + i * Z + r;
    }
  }

  /** Values at the nodes in shares of the range shown; returns the range. */
  #scale(index, time, words) {
    const { film, values, look } = this;
    const [low, high] = film.fields[index].range;
    film.values(index, time, values);
    if (words) return [low, high];
    if (look.range !== 'frame') {
      const [from, to] = this.#limits(index);
      const [a, b] = [(high - low) / (to - from || 1), (low - from) / (to - from || 1)];
      if (a !== 1 || b !== 0) for (let k = 0; k < values.length; k++) values[k] = a * values[k] + b;
      const { greatest } = film.fields[index];
      return [from, to, to < greatest * (1 - 1e-6) ? greatest : null];
    }
    let least = Infinity;
    let greatest = -Infinity;
    for (const v of values) {
      if (v < least) least = v;
      if (v > greatest) greatest = v;
    }
    if (!(greatest > least)) return [low + (high - low) * (least || 0), low + (high - low) * (least || 0)];
    for (let k = 0; k < values.length; k++) values[k] = (values[k] - least) / (greatest - least);
    return [low + (high - low) * least, low + (high - low) * greatest];
  }

  /** Least and greatest value that have a colour of their own; look.shared(name): where stages are compared. */
  #limits(index) {
    const { film, look } = this;
    const [low, high] = film.fields[index].range;
    if (look.shared) return look.shared(look.field)[look.range];
    return [low, look.range === 'typical' ? low + film.typical(index) * (high - low) : high];
  }

  #drawWalls(view, time, scale) {
    const behind = this.camera.dim === 2 ? -this.size : 0;
    const [strong, faint, pane] = ['wall', 'faint', 'pane'].map((name) => fromHex(theme.colours[name]));
    for (const wall of this.walls) {
      const move = wall.move(time);
      const at = (x) => view.of([x[0] + move[0], x[1] + move[1], x[2] + move[2] + behind]);
      for (const points of wall.panes) this.raster.glass(points.map(at), pane, 0.35);
      for (const [from, to, thin] of wall.lines) this.raster.line(...at(from), ...at(to), thin ? faint : strong, thin ? scale : 2 * scale);
    }
  }

  /** Contact forces: from the node into its body, the greatest of the run a seventh of the scene. */
  #drawArrows(scale) {
    const { film, context: c, view } = this;
    if (!film.forces || !film.greatest_force) return;
    const time = Math.min(this.clock.time, film.lastTime);
    const side = Math.min(this.canvas.width, this.canvas.height);
    const length = (0.16 * side) / (this.look.greatestForce ?? film.greatest_force) / view.scale;
    c.strokeStyle = c.fillStyle = theme.colours.arrow;
    c.lineWidth = 1.5 * scale;
    film.eachForce(time, (node, fx, fy, fz) => {
      const x = [0, 1, 2].map((i) => this.positions[3 * node + i]);
      const [x0, y0] = view.of(x);
      const s = length * Math.min(1, (0.4 * side) / (length * view.scale * Math.hypot(fx, fy, fz)));
      const [x1, y1] = view.of([x[0] + s * fx, x[1] + s * fy, x[2] + s * fz]);
      const size = Math.hypot(x1 - x0, y1 - y0);
      if (size < 1.5 * scale) return;
      const head = Math.min(6 * scale, 0.5 * size);
      const [ex, ey] = [(x1 - x0) / size, (y1 - y0) / size];
      c.beginPath();
      c.moveTo(x0, y0);
      c.lineTo(x1 - ex * head, y1 - ey * head);
      c.stroke();
      c.beginPath();
      c.moveTo(x1, y1);
      c.lineTo(x1 - ex * head - ey * head * 0.5, y1 - ey * head + ex * head * 0.5);
      c.lineTo(x1 - ex * head + ey * head * 0.5, y1 - ey * head - ex * head * 0.5);
      c.fill();
    });
  }

  /** Which way x, y and z go, in the corner. */
  #drawAxes(scale) {
    const { context: c, camera } = this;
    const [right, up, eye] = camera.axes();
    const length = 26 * scale;
    const [x0, y0] = [this.canvas.width - 1.7 * length, this.canvas.height - 1.7 * length];
    c.strokeStyle = c.fillStyle = theme.colours.text;
    c.lineWidth = 1.4 * scale;
    c.font = `${12 * scale}px system-ui, sans-serif`;
    c.textAlign = 'center';
    c.textBaseline = 'middle';
    ['x', 'y', 'z'].forEach((name, i) => {
      if (Math.abs(eye[i]) > 0.98) return; // straight at the eye
      const [dx, dy] = [right[i], -up[i]];
      c.beginPath();
      c.moveTo(x0, y0);
      c.lineTo(x0 + dx * length, y0 + dy * length);
      c.stroke();
      const size = Math.hypot(dx, dy);
      c.fillText(name, x0 + dx * length + (dx / size) * 9 * scale, y0 + dy * length + (dy / size) * 9 * scale);
    });
  }

  #writeBar() {
    const { look, shown } = this;
    const key = JSON.stringify([look.field, shown, look.range]);
    if (key === this.barKey) return;
    this.barKey = key;
    const unit = this.units?.[fieldUnits[look.field]];
    const title = make('div', { class: 'title' }, `${fieldNames[look.field]}${unit ? `, ${unit}` : ''}`);
    if (look.field === 'contact-status')
      this.bar.replaceChildren(title, ...statusNames.map((name, k) => make('div', { class: 'chip' }, make('i', { style: `background:${statusColours[k]}` }), name)));
    else if (!shown) this.bar.replaceChildren(title);
    else {
      const stops = [0, 32, 64, 96, 128, 160, 192, 224, 255].map((k) => css(ramp[k])).join(',');
      this.bar.replaceChildren(title, make('div', { class: 'ramp', style: `background:linear-gradient(90deg,${stops})` }),
        make('div', { class: 'ends' }, make('span', {}, number(shown[0], 3)), make('span', {}, (shown[2] ? '≥ ' : '') + number(shown[1], 3))),
        shown[2] ? make('div', { class: 'more' }, `greatest ${number(shown[2], 3)}`) : '');
    }
  }

  /** The picture as it is, as a file. */
  save(name) {
    this.draw();
    this.canvas.toBlob((blob) => {
      const link = make('a', { href: URL.createObjectURL(blob), download: name });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
  }
}
