// Plots over time: uPlot with our axes, colours for light, dark and paper, a marker at the clock's time.
import uPlot from 'uplot';
import { curve, dashes } from './colour.js';
import { make, number, power, tick } from './format.js';
import { download } from './download.js';
import { csvOf, svgOf } from './sheetfile.js';
import { isPrinting, theme } from './theme.js';

const HEIGHT = 246;
const PAPER = { width: 330, height: 180 }; // on A4, two in a row
const MOST_ROWS = 400; // of the table below a plot
const MOST_CHOICES = 300; // of a list that is made at once

/** All plots of the page, by id. */
export const plots = {};

/** 0 and signed powers of ten, not more than fits. */
function asinhSplits(threshold) {
  return (u, axis, min, max) => {
    const first = Math.ceil(Math.log10(threshold) - 1e-9);
    const last = Math.floor(Math.log10(Math.max(Math.abs(min), Math.abs(max), threshold)) + 1e-9);
    const every = Math.max(1, Math.ceil((last - first + 1) / (min < 0 && max > 0 ? 3 : 5)));
    const splits = [0];
    for (let k = last; k >= first; k -= every) {
      if (max >= 10 ** k) splits.push(10 ** k);
      if (min <= -(10 ** k)) splits.unshift(-(10 ** k));
    }
    return splits.sort((a, b) => a - b);
  };
}

const exact = (v) => (v === 0 ? '0' : (v < 0 ? '−' : '') + power(Math.round(Math.log10(Math.abs(v)))));

/** Room for zero, noise and drift alike. */
const asinhRange = (threshold) => (u, min, max) => [
  min < 0 ? -2 * Math.max(-min, threshold) : -0.3 * threshold,
  max > 0 ? 2 * Math.max(max, threshold) : 0.3 * threshold,
];

const linearRange = (zero) => (u, min, max) => {
  if (min === null || min === undefined || !Number.isFinite(min)) return [0, 1];
  let [low, high] = zero ? [Math.min(0, min), Math.max(0, max)] : [min, max];
  if (low === high) [low, high] = low === 0 ? [-1, 1] : [low - 0.1 * Math.abs(low), high + 0.1 * Math.abs(high)];
  const room = 0.06 * (high - low);
  return [low < 0 || !zero ? low - room : low, high > 0 || !zero ? high + room : high];
};

const reach = (columns) => columns.reduce((m, c) => c.reduce((n, v) => Math.max(n, Math.abs(v ?? 0)), m), 0);

function valueAxis(spec) {
  // all within the linear part: a plain axis as wide as that
  if (spec.scale === 'asinh' && reach(spec.data.slice(1)) <= spec.threshold)
    return { scale: { range: [-1.05 * spec.threshold, 1.05 * spec.threshold] }, axis: { values: (u, v) => v.map(tick) } };
  if (spec.scale === 'asinh')
    return { scale: { distr: 4, asinh: spec.threshold, range: asinhRange(spec.threshold) }, axis: { splits: asinhSplits(spec.threshold), filter: (u, splits) => splits, values: (u, v) => v.map(exact) } };
  if (spec.scale === 'log') return { scale: { distr: 3, range: (u, min, max) => [min / 2, max * 2] }, axis: { values: (u, v) => v.map((x) => (x === null ? '' : tick(x))) } };
  return { scale: { range: linearRange(spec.zero !== false) }, axis: { values: (u, v) => v.map(tick) } };
}

/** The name of an axis, with its unit where the deck gives one. */
const word = (name, unit) => {
  const label = [name, unit].filter(Boolean).join(', ');
  return label ? { label, labelSize: 18, labelGap: 0, labelFont: '12px system-ui, sans-serif' } : {};
};

function options(spec, width, seek) {
  const { scale, axis } = valueAxis(spec);
  const ink = { stroke: () => theme.colours.text, font: '12px system-ui, sans-serif', grid: { stroke: () => theme.colours.grid, width: 1 }, ticks: { stroke: () => theme.colours.axis, width: 1, size: 5 } };
  return {
    width,
    height: HEIGHT,
    cursor: { sync: { key: 'time' }, points: { size: 6 }, drag: { x: true, y: false }, focus: { prox: 24 } },
    focus: { alpha: 0.35 },
    legend: { markers: { width: 2, fill: () => 'transparent', dash: (u, i) => ((u.series[i].dash?.length ?? 0) > 0 ? 'dashed' : 'solid') } },
    scales: { x: { time: false }, y: scale },
    axes: [{ ...ink, ...word('time', spec.time), size: 30, values: (u, v) => v.map(tick) }, { ...ink, ...word(spec.value, spec.unit), size: 62, ...axis }],
    series: [{ label: 'time', value: (u, v) => number(v, 5) }, ...spec.series.map((s, k) => ({
      label: s.label,
      stroke: s.pale ? () => `${curve(s.hue ?? k)()}55` : s.colour ?? curve(s.hue ?? k),
      dash: s.pale ? [] : s.dash ?? dashes[(s.hue ?? k) % dashes.length],
      width: s.pale ? 1 : s.width ?? 1.7,
      points: { show: spec.data[0].length === 1 },
      value: (u, v) => number(v, 5),
      paths: spec.steps ? uPlot.paths.stepped({ align: -1 }) : undefined,
      spanGaps: true,
    }))],
    hooks: { ready: [(u) => watchClicks(u, seek)] },
  };
}

/** A click that is no drag moves the animation. */
function watchClicks(u, seek) {
  let from = null;
  u.over.addEventListener('pointerdown', (e) => (from = [e.clientX, e.clientY]));
  u.over.addEventListener('pointerup', (e) => {
    if (from && Math.hypot(e.clientX - from[0], e.clientY - from[1]) < 4) seek(u.posToVal(e.clientX - u.over.getBoundingClientRect().left, 'x'));
    from = null;
  });
}

/** The numbers as a table, made when it is opened. */
function dataTable(plot) {
  const details = make('details', { class: 'data' }, make('summary', {}, 'Numbers'));
  details.addEventListener('toggle', () => {
    if (!details.open) return;
    const { data, series } = plot.spec;
    const every = Math.ceil(data[0].length / MOST_ROWS);
    const rows = [];
    for (let i = 0; i < data[0].length; i += every) rows.push(make('tr', {}, ...data.map((column) => make('td', {}, column[i] === null ? '' : String(column[i])))));
    const table = make('table', { class: 'numbers' }, make('thead', {}, make('tr', {}, ...['time', ...series.map((s) => s.label)].map((t) => make('th', {}, t)))), make('tbody', {}, ...rows));
    details.replaceChildren(details.firstElementChild, make('div', { class: 'scroll' }, table), every > 1 ? make('p', { class: 'note' }, `Every ${every}th row; all are in the csv files of the run.`) : '');
  });
  return details;
}

export class Plot {
  /**
   * spec: {id, title, note, data: [time, ...], series: [{label, colour, dash, pale}], scale: linear | asinh | log,
   * threshold, zero, steps, value: name of the values, unit, time: units of both axes}; choose: [{label, options, value, change(value) -> {data, series}}].
   */
  constructor(holder, spec, clock, choose = []) {
    this.spec = spec;
    this.clock = clock;
    this.area = make('div', { class: 'plot', role: 'img', 'aria-label': `Plot: ${spec.title}` });
    const selects = choose.map(({ label, options: list, value, change }) => {
      const select = make('select', { 'aria-label': label, onchange: () => this.update(change(select.value)) });
      const fill = () => {
        if (select.length < list.length) select.replaceChildren(...list.map((o) => make('option', { value: o, selected: o === value }, o)));
      };
      if (list.length <= MOST_CHOICES) fill();
      else { // ten thousand bodies: only for those who ask
        select.append(make('option', { value }, value));
        for (const event of ['pointerdown', 'focus']) select.addEventListener(event, fill);
      }
      return select;
    });
    this.figure = make('figure', { id: `plot-${spec.id}` }, make('figcaption', {}, make('h3', {}, spec.title), ...selects, this.#files()), this.area, spec.note ? make('p', { class: 'note' }, spec.note) : null, dataTable(this));
    holder.append(this.figure);
    plots[spec.id] = this;
    this.#build();
    new ResizeObserver(() => this.resize()).observe(this.figure);
    new IntersectionObserver(([seen]) => {
      this.isAway = !seen.isIntersecting;
      this.mark();
    }).observe(this.figure);
    theme.changed.on(() => {
      this.resize();
      this.u.redraw(false, true);
    });
    clock.changed.on(() => this.mark());
  }

  /** Buttons that save the numbers and the drawing. */
  #files() {
    const save = (ending, type, text) => make('button', { type: 'button', class: 'plain', 'aria-label': `Save ${this.spec.title} as ${ending.toUpperCase()}`, onclick: () => download(new Blob([text()], { type }), `${this.spec.id}.${ending}`) }, ending.toUpperCase());
    return make('span', { class: 'files' }, save('csv', 'text/csv', () => csvOf(this.spec)), save('svg', 'image/svg+xml', () => svgOf(this)));
  }

  #build() {
    this.u?.destroy();
    this.u = new uPlot(options(this.spec, this.#width(), (t) => this.clock.seek(t)), this.spec.data, this.area);
    this.marker = make('div', { class: 'marker' });
    this.u.over.append(this.marker);
    this.mark();
  }

  #width() {
    return isPrinting() ? PAPER.width : Math.max(240, Math.floor(this.area.getBoundingClientRect().width || 400));
  }

  resize() {
    const [width, height] = [this.#width(), isPrinting() ? PAPER.height : HEIGHT];
    if (width !== this.u.width || height !== this.u.height) this.u.setSize({ width, height });
    this.mark();
  }

  update(changes) {
    Object.assign(this.spec, changes);
    this.#build();
  }

  /** The marker at the clock's time; the legend shows the values there while no pointer is on a plot. */
  mark() {
    const { u, clock } = this;
    if (this.isAway && clock.playing) return; // it is done when it comes into sight
    const x = u.valToPos(clock.time, 'x');
    const inside = x >= 0 && x <= u.bbox.width / devicePixelRatio; // asking for clientWidth would lay out the page
    this.marker.style.display = inside ? '' : 'none';
    if (inside) this.marker.style.transform = `translateX(${x}px)`;
    const now = performance.now();
    if (u.cursor.left >= 0 || (clock.playing && now - (this.told ?? 0) < 120)) return;
    this.told = now;
    u.setLegend({ idx: u.valToIdx(clock.time) });
  }
}
