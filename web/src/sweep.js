// The page of a sweep: a number over the parameters, as lines or as a map of colours; a click opens the run.
import { css, curve, ramp } from './colour.js';
import { DRIFT, make, number, tick, whole } from './format.js';
import { draw, frame, sheet } from './sheet.js';

const isNumber = (text) => text.trim() !== '' && Number.isFinite(Number(text));

/** Ticks of an axis: few round numbers. */
function round(low, high) {
  const step = 10 ** Math.floor(Math.log10((high - low) / 3));
  const by = [1, 2, 5, 10].map((k) => k * step).find((s) => (high - low) / s <= 6);
  const ticks = [];
  for (let v = Math.ceil(low / by) * by; v <= high + 1e-9 * by; v += by) ticks.push(Math.abs(v) < 1e-9 * by ? 0 : v);
  return ticks;
}

/** Places of the values of a key along an axis: by their size where all are numbers, else evenly. */
function places(key, from, to) {
  const all = key.values.map(Number);
  const low = Math.min(...all);
  const high = Math.max(...all);
  if (!key.values.every(isNumber) || !(high > low)) return key.values.map((_, k) => from + ((to - from) * (k + 0.5)) / key.values.length);
  return all.map((v) => from + (to - from) * (0.04 + (0.92 * (v - low)) / (high - low)));
}

const open = (run, mark, words) => {
  const link = draw('a', { href: `${run.name}/report.html`, 'aria-label': words }, mark);
  link.prepend(draw('title', {}, words));
  return link;
};

const described = (study, picks, run, name) => `${study.keys.map((k, i) => `${k.name} = ${k.values[picks[i]]}`).join(', ')}: ${name} ${run.found[name] === undefined ? run.trouble || run.status : number(run.found[name], 6)}`;

/** The number of a run from the picks of its values; the last key changes fastest. */
const runAt = (study, picks) => study.runs[picks.reduce((sum, p, i) => sum * study.keys[i].values.length + p, 0)];

function axisNames(svg, key, xs) {
  const every = Math.ceil(xs.length / 8);
  xs.forEach((x, k) => k % every || svg.append(draw('text', { x, y: frame.bottom + 18, 'text-anchor': 'middle' }, isNumber(key.values[k]) ? tick(Number(key.values[k])) : key.values[k])));
  svg.append(draw('text', { x: (frame.left + frame.right) / 2, y: frame.height - 4, 'text-anchor': 'middle' }, key.name));
}

/** Lines over the first key, one per value of the second. */
function lines(study, name, rest) {
  const [key, second] = study.keys;
  const values = study.runs.map((r) => r.found[name]).filter(Number.isFinite);
  if (!values.length) return make('p', { class: 'note' }, `No run has ${name}.`);
  const room = 0.05 * (Math.max(...values) - Math.min(...values)) || Math.abs(values[0]) || 1;
  const [low, high] = [Math.min(...values) - room, Math.max(...values) + room];
  const { svg, y } = sheet(`${name} over ${key.name}`, low, high, round(low, high), (v) => tick(Number(v.toPrecision(6))));
  const xs = places(key, frame.left, frame.right);
  const many = second ? second.values.length : 1;
  for (let j = 0; j < many; j++) {
    const points = xs.map((x, i) => ({ x, run: runAt(study, [i, ...(second ? [j] : []), ...rest]), picks: [i, ...(second ? [j] : []), ...rest] })).filter((p) => Number.isFinite(p.run.found[name]));
    const colour = curve(j)();
    svg.append(draw('polyline', { points: points.map((p) => `${p.x},${y(p.run.found[name])}`).join(' '), class: 'line', style: `stroke: ${colour}` }));
    for (const p of points) svg.append(open(p.run, draw('circle', { cx: p.x, cy: y(p.run.found[name]), r: 4.5, class: 'cell', style: `fill: ${colour}` }), described(study, p.picks, p.run, name)));
  }
  axisNames(svg, key, xs);
  const legend = second && make('p', { class: 'note' }, ...second.values.flatMap((v, j) => [make('span', { style: `color: ${curve(j)()}` }, '● '), `${second.name} = ${v}   `]));
  return make('figure', { id: 'sweep-lines' }, make('figcaption', {}, `${name} over ${key.name}`), svg, legend);
}

/** Colours over the first two keys. */
function map(study, name, rest) {
  const [key, second] = study.keys;
  const values = study.runs.map((r) => r.found[name]).filter(Number.isFinite);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const svg = draw('svg', { viewBox: `0 0 ${frame.width} ${frame.height}`, role: 'img', 'aria-label': `${name} over ${key.name} and ${second.name}`, class: 'study' });
  const width = (frame.right - frame.left) / key.values.length;
  const height = (frame.bottom - frame.top) / second.values.length;
  key.values.forEach((_, i) => second.values.forEach((__, j) => {
    const picks = [i, j, ...rest];
    const run = runAt(study, picks);
    const v = run.found[name];
    const fill = Number.isFinite(v) ? `fill: ${css(ramp[Math.round(255 * (high > low ? (v - low) / (high - low) : 0.5))])}` : '';
    svg.append(open(run, draw('rect', { x: frame.left + i * width, y: frame.bottom - (j + 1) * height, width: width - 1, height: height - 1, class: fill ? 'cell' : 'cell none', style: fill }), described(study, picks, run, name)));
  }));
  axisNames(svg, key, key.values.map((_, i) => frame.left + (i + 0.5) * width));
  const every = Math.ceil(second.values.length / 8);
  second.values.forEach((v, j) => j % every || svg.append(draw('text', { x: frame.left - 6, y: frame.bottom - (j + 0.5) * height + 4, 'text-anchor': 'end' }, isNumber(v) ? tick(Number(v)) : v)));
  return make('figure', { id: 'sweep-map' }, make('figcaption', {}, `${name} over ${key.name} and ${second.name}: from ${number(low, 4)} (dark) to ${number(high, 4)} (bright)`), svg);
}

function table(study, name) {
  const head = [...study.keys.map((k) => k.name), name, 'energy drift', 'time, s', 'run'];
  const rows = study.runs.map((run, k) => {
    const picks = study.keys.map((_, i) => Math.floor(k / study.keys.slice(i + 1).reduce((n, other) => n * other.values.length, 1)) % study.keys[i].values.length);
    return make('tr', {}, ...picks.map((p, i) => make(i ? 'td' : 'th', i ? {} : { scope: 'row' }, study.keys[i].values[p])), make('td', {}, number(run.found[name], 6)), make('td', {}, number(run.found.balance_relative, 2)), make('td', {}, number(run.found.wall_seconds, 3)),
      make('td', {}, make('a', { href: `${run.name}/report.html` }, run.name), run.status === 'completed' ? '' : make('span', { class: 'badge red', title: run.trouble }, run.status)));
  });
  return make('div', { class: 'sideways' }, make('table', { class: 'compare' }, make('thead', {}, make('tr', {}, ...head.map((t) => make('th', {}, t)))), make('tbody', {}, ...rows)));
}

export async function buildSweep(main, page) {
  const study = page.sweep;
  const bad = study.runs.filter((r) => r.status !== 'completed').length;
  const shown = make('div', { class: 'grid' });
  const rows = make('div', {});
  const words = make('select', { id: 'sweep-number', 'aria-label': 'number to show' }, ...study.numbers.map((n) => make('option', {}, n)));
  const picks = study.keys.slice(2).map((k) => make('select', { 'aria-label': k.name }, ...k.values.map((v, i) => make('option', { value: i }, `${k.name} = ${v}`))));
  const show = () => {
    const rest = picks.map((p) => Number(p.value));
    shown.replaceChildren(lines(study, words.value, rest), ...(study.keys.length > 1 ? [map(study, words.value, rest)] : []));
    rows.replaceChildren(table(study, words.value));
  };
  for (const control of [words, ...picks]) control.addEventListener('change', show);
  main.append(
    make('header', {}, make('div', { class: 'heading' }, make('h1', {}, page.title || 'Sweep'), make('p', { class: 'facts' }, `${whole(study.runs.length)} runs over ${study.keys.map((k) => k.name).join(', ')} · carom ${page.version} · ${page.written}`))),
    make('section', {}, make('p', {}, bad ? `${bad} of ${whole(study.runs.length)} runs did not complete; they are grey on the map, and marked in the table.` : 'All runs completed. A click on a mark opens its run.'), make('p', {}, words, ...picks)),
    shown, make('section', {}, make('h2', {}, 'All runs'), rows, make('p', { class: 'note' }, `${DRIFT}. The page of a run shows which part of this error the method reports as work of contact.`)));
  show();
  return { stages: [] };
}
