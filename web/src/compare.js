// The page of several methods on one problem: table, animations on one clock and camera, curves over each other.
import { energyScale, judge, judgeBooks } from './audit.js';
import { Camera } from './camera.js';
import { Clock } from './clock.js';
import { curve, dashes } from './colour.js';
import { addControls } from './controls.js';
import { select } from './decode.js';
import { addCosts } from './cost.js';
import { firstField, isSigned, limits } from './fields.js';
import { DRIFT, count, make, number, percent, seconds } from './format.js';
import { sceneBox } from './obstacles.js';
import { Plot } from './plots.js';
import { kinds, section, solverThreshold } from './report.js';
import { Hover } from './hover.js';
import { Look } from './look.js';
import { thinned, upright } from './run.js';
import { Stage } from './stage.js';
import { tellingTime } from './telling.js';

const last = (column) => column[column.length - 1];

/** Columns of the table: title, value of a run (least is best), text. */
const columns = [
  ['Energy drift', (r) => r.audit?.balance_relative, (v) => (v < 1e-3 ? number(v, 2) : percent(v))],
  ['Friction loss', (r) => r.audit?.friction_loss, (v) => number(v, 5), false],
  ['Momentum drift', (r) => r.audit?.momentum_drift, (v) => number(v, 2)],
  ['Angular drift', (r) => r.audit?.angular_drift, (v) => number(v, 2)],
  ['Deepest contact point', (r) => r.audit?.max_penetration, (v) => number(v, 3)],
  ['Steps', (r) => r.audit?.steps, (v) => String(v)],
  ['Iterations', (r) => r.audit?.iterations, (v) => String(v)],
  ['Time', (r) => r.audit?.wall_seconds, seconds],
];

function table(runs) {
  const completed = runs.filter((r) => r.history && judgeBooks(r).level === 'green');
  const best = columns.map(([, value, , judged]) => {
    const all = completed.map(value).filter((v) => v !== null && v !== undefined);
    return judged === false || all.length < 2 ? null : Math.min(...all);
  });
  const rows = runs.map((r, k) => {
    const mark = make('i', { class: 'mark', style: `border-top-color:${curve(k)()}` });
    // a run's own page lies beside this one
    const name = r.film ? make('a', { href: `${r.method.name}/report.html` }, r.label) : r.label;
    const head = make('th', { scope: 'row' }, mark, name);
    const { level, word } = r.history ? judge(r) : { level: 'red', word: 'refused' };
    const state = make('td', {}, make('span', { class: `badge ${level}` }, word));
    if (!r.history) return make('tr', {}, head, state, make('td', { colspan: columns.length, class: 'words' }, r.trouble));
    const cells = columns.map(([, value, text], c) => {
      const v = value(r);
      const is = v !== null && v !== undefined;
      return make('td', { class: is && v === best[c] && completed.includes(r) ? 'best' : null }, is ? text(v) : '–');
    });
    return make('tr', {}, head, state, ...cells);
  });
  const notes = runs.filter((r) => r.history && r.trouble).map((r) => make('p', { class: 'note' }, `${r.label}: ${r.trouble}`));
  return make('div', {}, make('div', { class: 'sideways' }, make('table', { class: 'compare methods' }, make('thead', {}, make('tr', {}, make('th', {}, 'Method'), make('th', {}, 'State'), ...columns.map(([t]) => make('th', {}, t)))), make('tbody', {}, ...rows))),
    ...notes,
    make('p', { class: 'note' }, `${DRIFT}. Momentum drift and angular drift: greatest change of the momenta, if no load, support or obstacle acts. Deepest contact point: greatest penetration. Bold: best value of the completed runs whose energy balance is correct.`));
}

export function pictures(holder, runs, clock) {
  const shown = runs.filter((r) => r.film);
  if (!shown.length) return null;
  const { film, deck } = shown[0];
  const low = [0, 1, 2].map((i) => Math.min(...shown.map((r) => r.film.box_low[i])));
  const high = [0, 1, 2].map((i) => Math.max(...shown.map((r) => r.film.box_high[i])));
  const wild = shown.length > 1 && tame(shown);
  const camera = new Camera(film.dim, sceneBox(deck, ...(wild ?? [low, high])), upright(deck));
  const fields = [...new Set(shown.flatMap((r) => r.film.fields.map((f) => f.name))), ...(film.bodies.length > 1 ? ['body'] : [])];
  const look = new Look(firstField(film));
  const grid = make('div', { class: 'stages' });
  const stages = shown.map((r) => {
    const cell = make('div', {}, make('h3', {}, make('i', { class: 'mark', style: `border-top-color:${curve(runs.indexOf(r))()}` }), r.label));
    grid.append(cell);
    const stage = new Stage(cell, r.film, r.deck, clock, look, camera, r.label);
    stage.units = r.units ?? {};
    new Hover(stage, r.bodyNames, null);
    return stage;
  });
  // one range of colours and one length of arrows for all, or they could not be compared
  look.greatestForce = Math.max(...middle(shown.map((r) => r.film.greatest_force))) || undefined;
  look.shared = (name) => {
    const have = shown.map((r) => ({ film: r.film, index: r.film.field(name) })).filter(({ index }) => index >= 0);
    const span = (mode) => {
      const ends = have.map(({ film: f, index }) => limits(f.fields[index], mode));
      const top = Math.max(...(mode === 'typical' ? middle(ends.map((e) => e[1])) : ends.map((e) => e[1])));
      return [have.some(({ film: f, index }) => isSigned(f.fields[index])) ? -top : Math.min(...ends.map((e) => e[0])), top];
    };
    return { typical: span('typical'), run: span('run') };
  };
  holder.append(make('section', {}, make('h2', {}, 'Side by side'), grid));
  const controls = addControls(holder, { clock, look, camera, times: longest(shown).film.times, fields, names: shown[0].bodyNames, arrows: shown.some((r) => r.film.forces > 0), stages, name: 'compare' });
  return { stages, look, camera, controls };
}

/** Values without those more than twice the median: a method that goes wild does not darken the others. */
function middle(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const median = sorted[(sorted.length - 1) >> 1];
  const kept = sorted.filter((v) => v <= 2 * median);
  return kept.length ? kept : sorted;
}

/** The box of the runs whose bodies stay together; null: all do. */
function tame(shown) {
  const size = (r) => Math.hypot(...[0, 1, 2].map((i) => r.film.box_high[i] - r.film.box_low[i]));
  const kept = shown.filter((r) => size(r) <= 2 * Math.min(...shown.map(size)));
  if (kept.length === shown.length) return null;
  return [[0, 1, 2].map((i) => Math.min(...kept.map((r) => r.film.box_low[i]))), [0, 1, 2].map((i) => Math.max(...kept.map((r) => r.film.box_high[i])))];
}

const longest = (runs) => runs.reduce((a, b) => (b.film.lastTime > a.film.lastTime ? b : a));

/** Curves of several runs on one time axis, the union of their times: between its own times a run is interpolated (steps: has the
 * value of the step), beyond its end it has none. */
function together(parts, steps) {
  const times = Float64Array.from(new Set(parts.flatMap(({ time }) => Array.from(time)))).sort();
  const data = parts.map(({ time, values }) => {
    const column = new Array(times.length).fill(null);
    let k = 0;
    for (let i = 0; i < times.length && k < time.length; i++) {
      if (times[i] === time[k]) column[i] = values[k++];
      else if (k > 0 && steps) column[i] = values[k];
      else if (k > 0) column[i] = values[k - 1] + ((values[k] - values[k - 1]) * (times[i] - time[k - 1])) / (time[k] - time[k - 1]);
    }
    return column;
  });
  return [times, ...data];
}

export function curves(main, runs, clock) {
  const those = runs.filter((r) => r.history);
  const threshold = Math.max(...those.map(solverThreshold));
  const units = those[0]?.units ?? {};
  const series = those.map((r) => ({ label: r.label, hue: runs.indexOf(r), dash: dashes[runs.indexOf(r) % dashes.length] }));
  const add = (grid, id, title, values, more = {}) =>
    new Plot(grid, { id, title, data: together(those.map((r) => ({ time: r.history.columns.time, values: values(r.history.columns, r) })), more.steps), series, value: kinds[more.unit], ...more, unit: units[more.unit], time: units.time }, clock);
  const scale = Math.max(...those.map((r) => energyScale(r.history))) || 1;

  const energy = section(main, 'Energy');
  add(energy, 'energy', 'Energy: kinetic, strain and potential', (h) => h.energy, { zero: false, unit: 'energy' });
  add(energy, 'balance', 'Balance: energy that the method created (+) or lost (−)', (h) => h.balance, { unit: 'energy', scale: 'asinh', threshold, note: `linear up to ${number(threshold, 2)}, logarithmic beyond` });
  add(energy, 'kinetic', 'Kinetic energy', (h) => h.kinetic, { unit: 'energy' });
  add(energy, 'strain', 'Strain energy', (h) => h.strain, { unit: 'energy' });
  if (those.some((r) => last(r.history.columns.friction_loss))) add(energy, 'friction', 'Friction loss', (h) => h.friction_loss, { unit: 'energy' });

  const contact = those.filter((r) => r.tables.contacts);
  if (contact.length) {
    const grid = section(main, 'Contact');
    const pairs = [...new Set(contact.flatMap((r) => r.tables.contacts.words.pair))];
    const force = (pair) => ({
      data: together(those.map((r) => {
        const t = r.tables.contacts?.words.pair.includes(pair) ? select(r.tables.contacts, 'pair', pair).columns : { time: [], fx: [] };
        const [x, y, z] = ['x', 'y', 'z'].map((a) => t[`filtered_${a}`] ?? t[`f${a}`]);
        return { time: t.time, values: Array.from(x, (v, i) => Math.hypot(v, y[i], z[i])) };
      })),
    });
    new Plot(grid, { id: 'force', value: 'force', title: `Size of the filtered contact force${pairs.length === 1 ? `, ${pairs[0]}` : ''}`, series, ...force(pairs[0]), unit: units.force, time: units.time }, clock, pairs.length > 1 ? [{ label: 'Pair', options: pairs, value: pairs[0], change: force }] : []);
    add(grid, 'penetration', 'Deepest contact point', (h) => h.max_penetration, { unit: 'length' });
  }

  const momentum = section(main, 'Momentum');
  const size = (names) => (h) => h.time.map((_, i) => Math.hypot(...names.map((n) => h[n][i] - h[n][0])));
  add(momentum, 'momentum', 'Change of the linear momentum', size(['momentum_x', 'momentum_y', 'momentum_z']), { scale: 'asinh', threshold: 1e-12 * scale });
  add(momentum, 'angular', 'Change of the angular momentum', size(['angular_x', 'angular_y', 'angular_z']), { scale: 'asinh', threshold: 1e-12 * scale });

  const steps = section(main, 'Steps');
  const later = (name) => (h) => Array.from(h[name], (v, i) => (i ? v : null));
  add(steps, 'step', 'Step size', later('h'), { unit: 'time', steps: true, scale: 'log' });
  add(steps, 'iterations', 'Iterations per step', later('iterations'), { steps: true });
}

/** Reads the frames of all runs; the page opens where there is most to see of the first. */
export async function loadFilms(runs, shown, clock) {
  const those = runs.filter((r) => r.film);
  if (!those.length) return;
  clock.seek(tellingTime(those[0]));
  for (const r of those) await r.film.load(() => shown.stages.forEach((s) => s.film === r.film && r.film.revision === 1 && s.request()), clock.time);
  shown.stages.forEach((s) => s.request());
}

export async function buildCompare(main, page, runs) {
  const those = runs.filter((r) => r.history);
  const end = Math.max(...those.map((r) => last(r.history.columns.time)), 0);
  const clock = new Clock(0, end);
  main.append(make('header', {}, make('div', { class: 'heading' }, make('h1', {}, page.title || 'Comparison'), make('p', { class: 'facts' }, `${count(runs.length, 'method')} compared · carom ${page.version} · ${page.written}`))), table(runs));
  if (page.compare) addCosts(main, runs, page.compare);
  const shown = pictures(main, runs, clock);
  if (those.length) curves(main, runs, clock);
  const notes = those.flatMap((r) => thinned(r).map((t) => `${r.label}: ${t}`));
  main.append(
    make('section', {}, make('h2', {}, 'Methods'), make('div', { class: 'sideways' }, make('table', { class: 'model' }, make('tbody', {}, ...those.map((r) => make('tr', {}, make('td', {}, r.method.name), make('td', {}, r.method.help), make('td', {}, r.method.citation))))))),
    those[0] ? make('section', {}, make('h2', {}, 'Deck as run'), make('details', { class: 'deck' }, make('summary', {}, `run.yaml of ${those[0].label}`), make('pre', {}, those[0].yaml))) : '',
    make('section', { class: 'foot' }, make('p', {}, notes.length ? `To keep this page small: ${notes.join('; ')}.` : 'Every frame and every row of the runs is in this page.')));
  await loadFilms(runs, shown, clock);
  return { clock, ...shown, stages: shown?.stages ?? [] };
}
