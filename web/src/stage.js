// A canvas that shows a film at the clock's time, as the look says, from where the camera is.
import { css, statusColours, statusNames } from './colour.js';
import { fieldUnit, fieldWords } from './fields.js';
import { make, number } from './format.js';
import { drawContact, drawAxes } from './overlay.js';
import { usableDevice, wanted, watchDevice } from './gl.js';
import { GlRaster } from './glraster.js';
import { Painter } from './paint.js';
import { Raster } from './raster.js';
import { Scene } from './scene.js';
import { isPrinting, theme } from './theme.js';

const SLOW = 14; // ms: a picture that takes longer is drawn coarser while it moves

export class Stage {
  constructor(holder, film, deck, clock, look, camera, label) {
    Object.assign(this, { film, deck, clock, look, camera });
    this.canvas = make('canvas', { tabindex: 0, role: 'img', 'aria-label': `Animation of the deformed bodies${label ? `, ${label}` : ''}` });
    this.bar = make('div', { class: 'colourbar' });
    this.face = make('div', { class: 'clockface' });
    this.box = make('div', { class: 'stage' }, this.canvas, this.bar, this.face);
    holder.append(this.box);
    this.context = this.canvas.getContext('2d', { alpha: false });
    this.choose();
    watchDevice(() => {
      this.choose();
      this.request();
    });
    this.cost = 0;
    this.drawn = 0; // pictures so far
    this.#listen();
  }

  /** WebGL where there is one that computes on a card, else the raster of this page; or as asked for: 'software', 'webgl'. */
  choose(asked = this.onlySoftware ? 'software' : wanted()) {
    const device = usableDevice(asked);
    this.raster?.free?.();
    this.raster = device ? new GlRaster(device) : new Raster();
    this.painter = new Painter(this.raster);
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
    const scale = isPrinting() ? 3 : this.isMoving() && this.cost > SLOW && !this.filming ? 1 : fine;
    const [width, height] = [Math.round(rect.width * scale), Math.round(rect.height * scale)];
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
    this.render(width, height, scale);
    this.over(scale);
    this.#writeBar();
    const over = this.clock.time > this.film.lastTime * (1 + 1e-9);
    this.hover?.refresh();
    this.face.textContent = `t = ${number(this.clock.time, 4)}${over ? `, ended at ${number(this.film.lastTime, 4)}` : ''}`;
    const spent = performance.now() - start;
    // what it costs, or would cost, at the fine scale
    this.cost = 0.7 * this.cost + 0.3 * spent * (fine / scale) ** 2;
    this.drawn++;
  }

  /** The picture without what lies over it. */
  render(width, height, scale) {
    const { film, camera, look } = this;
    this.scene ??= new Scene(film, this.deck, camera); // the mesh comes after the page
    this.scene.at(Math.min(this.clock.time, film.lastTime), look);
    this.view = camera.projection(width, height);
    this.shown = this.scene.shown;
    const quick = this.isMoving() && !this.filming;
    this.paint = () => this.painter.paint(this.scene, this.view, { width, height, scale, edges: look.edges, up: camera.up, quick });
    this.paint();
  }

  /** The picture again with what lies over it: the pointer has moved, but nothing else. */
  over(scale = this.canvas.width / this.box.getBoundingClientRect().width) {
    if (!this.view) return;
    this.raster.show(this.context, this.paint);
    if (this.look.arrows) drawContact(this, scale);
    if (this.camera.dim === 3) drawAxes(this, scale);
    this.hover?.draw(scale);
  }

  get positions() {
    return this.scene.positions;
  }

  get size() {
    return this.scene.size;
  }

  #writeBar() {
    const { look, shown } = this;
    const { constant } = this.scene;
    const key = JSON.stringify([look.field, shown, look.range, constant]);
    if (key === this.barKey) return;
    this.barKey = key;
    const unit = this.units?.[fieldUnit(look.field)];
    const title = make('div', { class: 'title' }, `${fieldWords(look.field)}${unit ? `, ${unit}` : ''}`);
    if (look.field === 'contact-status')
      this.bar.replaceChildren(title, ...statusNames.map((name, k) => make('div', { class: 'chip' }, make('i', { style: `background:${statusColours[k]}` }), name)));
    else if (!shown) this.bar.replaceChildren(title);
    else if (constant !== null)
      this.bar.replaceChildren(title, make('div', { class: 'chip' }, make('i', { style: `background:${css(this.scene.map[0])}` }), constant === 0 && (shown[0] || shown[1]) ? '0 everywhere (below the rounding error)' : `${number(constant, 4)} everywhere`));
    else {
      const stops = [0, 32, 64, 96, 128, 160, 192, 224, 255].map((k) => css(this.scene.map[k])).join(',');
      this.bar.replaceChildren(title, make('div', { class: 'ramp', style: `background:linear-gradient(90deg,${stops})` }),
        make('div', { class: 'ends' }, make('span', {}, (shown[2] && shown[0] < 0 ? '≤ ' : '') + number(shown[0], 3)), shown[0] < 0 ? make('span', {}, '0') : '', make('span', {}, (shown[2] ? '≥ ' : '') + number(shown[1], 3))),
        shown[2] ? make('div', { class: 'more' }, `greatest ${number(shown[2], 3)}`) : '');
    }
  }
}
