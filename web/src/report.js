// The page of one run.
import { account, booksContact, energyScale, judge, judgeBooks, losses, resolutionLine, rounding, taken, verdict, warnings } from './audit.js';
import { Camera } from './camera.js';
import { Clock } from './clock.js';
import { addControls } from './controls.js';
import { fieldsOf, fieldUnit, fieldWords, firstField } from './fields.js';
import { Hover } from './hover.js';
import { Look } from './look.js';
import { select } from './decode.js';
import { count, make, number, whole } from './format.js';
import { sceneBox } from './obstacles.js';
import { Plot } from './plots.js';
import { Probes } from './probes.js';
import { elementCount, isRigid, thinned, upright } from './run.js';
import { Stage } from './stage.js';
import { tellingTime } from './telling.js';

const axes = ['x', 'y', 'z'];
const any = (column) => column && column.some((v) => v !== 0);
export const solverThreshold = (run) => Math.max((run.deck?.time?.tolerance ?? 1e-11) * energyScale(run.history), rounding(run)) || 1e-11;

export function titleLine(holder, run, page) {
  const { deck, film, audit } = run;
  const elements = elementCount(run);
  const facts = [run.method?.name, `${deck.dimension}D`, film && count(film.bodies.length, 'body', 'bodies'), elements && count(elements, 'element'), `carom ${page.version}`, page.written];
  const { level, word } = judge(run);
  holder.append(
    make('header', {}, make('div', { class: 'heading' }, make('h1', {}, deck.title || 'Run'), make('p', { class: 'facts' }, facts.filter(Boolean).join(' · '))),
      make('span', { class: `badge ${level}` }, audit ? word : 'not finished')),
    make('p', { class: `verdict ${judgeBooks(run).level}` }, verdict(run)));
  const resolved = resolutionLine(run);
  if (resolved) holder.append(resolved);
  const said = warnings(run);
  if (said.length) holder.append(make('section', { class: 'warnings' }, make('h2', {}, count(said.length, 'warning')), make('ul', {}, ...said.map((text) => make('li', {}, text)))));
}

export function accountTable(run) {
  return make('table', { class: 'account' }, make('tbody', {}, ...account(run).map(([what, value, words]) => make('tr', {}, make('th', { scope: 'row' }, what), make('td', { class: 'value' }, value), make('td', { class: 'words' }, words)))));
}

export function section(holder, title, note) {
  const grid = make('div', { class: 'grid' });
  holder.append(make('section', {}, make('h2', {}, title), note ? make('p', { class: 'note' }, note) : null, grid));
  return grid;
}

/** Animation and controls; what is shown follows the clock. */
export function addStage(holder, run, clock) {
  const { film, deck } = run;
  const wanted = document.documentElement.dataset.field; // Run.show of the Python module
  const look = new Look(fieldsOf(film).includes(wanted) ? wanted : firstField(film));
  const camera = new Camera(film.dim, sceneBox(deck, film.box_low, film.box_high), upright(deck));
  const stage = new Stage(holder, film, deck, clock, look, camera);
  stage.units = run.units ?? {};
  const controls = addControls(holder, { clock, look, camera, times: film.times, fields: fieldsOf(film), names: run.bodyNames, arrows: film.forces > 0, stages: [stage], name: (deck.title || 'carom').replace(/[^\w-]+/g, '-') });
  const probes = new Probes(holder, run, look, clock);
  const hover = new Hover(stage, run.bodyNames, probes);
  return { stage, look, camera, controls, probes, hover };
}

// ---- plots ------------------------------------------------------------------------------------

/** A plot with the units of the run: unit is what the values are, an energy, a force, ... */
export const draw = (grid, run, { unit, ...spec }, clock, choose) => new Plot(grid, { value: kinds[unit], ...spec, unit: run.units?.[unit], time: run.units?.time }, clock, choose);
/** What values are called that have a unit of a kind. */
export const kinds = { energy: 'energy', force: 'force', impulse: 'momentum', angular: 'angular momentum', length: 'length', time: 'time' };

const pick = (table, names) => [table.columns.time, ...names.map((n) => table.columns[n])];

function energyPlots(holder, run, clock) {
  const h = run.history.columns;
  const grid = section(holder, 'Energy');
  const optional = ['potential', 'penalty', 'friction_loss', ...losses, 'external_work'].filter((n) => h[n] && any(h[n]));
  const names = ['kinetic', ...(any(h.strain) || elementCount(run) ? ['strain'] : []), ...optional];
  const words = { kinetic: 'kinetic', strain: 'strain', potential: 'potential', penalty: 'contact springs', friction_loss: 'friction loss', plastic: 'plastic loss', viscous: 'viscous loss', drag: 'drag', external_work: 'external work' };
  const booked = booksContact(run) ? h.contact_work : null;
  const sum = Float64Array.from(h.energy, (e, i) => e + h.penalty[i] + h.friction_loss[i] + taken(h, i) - h.external_work[i] - (booked?.[i] ?? 0));
  draw(grid, run, {
    id: 'energy', unit: 'energy', title: 'Energies', data: [...pick(run.history, names), sum],
    series: [...names.map((n) => ({ label: words[n] })), { label: 'sum', colour: '#888888', dash: [], width: 2.4 }],
    note: optional.length ? `sum: energy + contact springs + losses − external work${booked ? ' − work of contact' : ''}; constant if the energy is fully accounted for` : 'sum: constant if the energy is fully accounted for',
  }, clock);
  const own = any(h.contact_work);
  draw(grid, run, {
    id: 'balance', unit: 'energy', title: own ? 'Balance: work of contact, and energy not accounted for (defect)' : 'Balance: energy not accounted for', data: pick(run.history, own ? ['balance', 'contact_work', 'defect'] : ['balance']),
    series: own ? [{ label: 'balance' }, { label: 'contact work' }, { label: 'defect' }] : [{ label: 'balance', hue: 4, dash: [] }],
    scale: 'asinh', threshold: solverThreshold(run), note: `linear up to ${number(solverThreshold(run), 2)} (solver tolerance times the greatest energy), logarithmic beyond`,
  }, clock);
}

const filterNote = (run) => {
  const given = run.deck.output?.filter;
  const over = typeof given === 'number' ? `${number(given)}${run.units?.time ? ` ${run.units.time}` : ''}` : 'four passages of a wave through the layer of elements at the contact';
  return `filtered: mean over ${over}, which preserves the impulse. The pale curves are the forces of single steps`;
};

function contactPlots(holder, run, clock) {
  const h = run.history.columns;
  const { contacts } = run.tables;
  if (!contacts || !any(h.contacts)) return;
  const dim = run.deck.dimension;
  const pairs = contacts.words.pair;
  const grid = section(holder, 'Contact');
  const letters = axes.slice(0, dim);
  const has = contacts.columns.filtered_x !== undefined;
  const columns = [...letters.map((a) => `f${a}`), ...(has ? letters.map((a) => `filtered_${a}`) : [])];
  const forces = (pair) => ({ data: pick(select(contacts, 'pair', pair), columns) });
  const seriesOf = has ? [...letters.map((a, k) => ({ label: `${a}, each step`, hue: k, pale: true })), ...letters.map((a, k) => ({ label: `${a}, filtered`, hue: k }))] : letters.map((a) => ({ label: `f${a}` }));
  const impulses = (pair) => ({ data: pick(select(contacts, 'pair', pair), ['normal', 'tangential'].flatMap((part) => letters.map((a) => `${part}_impulse_${a}`))) });
  const choose = (change) => (pairs.length > 1 ? [{ label: 'Pair', options: pairs, value: pairs[0], change }] : []);
  draw(grid, run, { id: 'force', unit: 'force', title: `Force on the first body${pairs.length === 1 ? `, ${pairs[0]}` : ''}`, ...forces(pairs[0]), series: seriesOf, note: has ? filterNote(run) : null }, clock, choose(forces));
  if (has) draw(grid, run, { id: 'impulse', value: 'impulse', unit: 'impulse', title: `Impulse on the first body${pairs.length === 1 ? `, ${pairs[0]}` : ''}`, ...impulses(pairs[0]), series: ['normal', 'tangential'].flatMap((part) => letters.map((a) => ({ label: `${part} ${a}` }))), note: 'since the start; the sum with the impulses of loads and reactions is the change of momentum' }, clock, choose(impulses));
  draw(grid, run, { id: 'points', value: 'points', title: 'Points in contact', data: pick(run.history, ['contacts', 'sticking']), series: [{ label: 'touching' }, { label: 'sticking' }], steps: true }, clock);
  if (any(h.max_penetration)) draw(grid, run, { id: 'penetration', value: 'overlap', unit: 'length', title: 'Deepest contact point', data: pick(run.history, ['max_penetration']), series: [{ label: 'overlap', hue: 4, dash: [] }] }, clock);
  const slips = (pair) => ({ data: pick(select(contacts, 'pair', pair), ['mean_slip', 'max_slip']) });
  if (any(contacts.columns.max_slip)) draw(grid, run, { id: 'slip', value: 'slip', unit: 'length', title: 'Slip of the slave nodes', ...slips(pairs[0]), series: [{ label: 'mean' }, { label: 'greatest' }] }, clock, choose(slips));
}

function reactionPlots(holder, run, clock) {
  const { reactions } = run.tables;
  if (!reactions || !['fx', 'fy', 'fz', 'work'].some((n) => any(reactions.columns[n]))) return;
  const letters = axes.slice(0, run.deck.dimension);
  const moments = run.deck.dimension === 2 ? ['mz'] : ['mx', 'my', 'mz'];
  const grid = section(holder, 'Reactions', 'Forces that supports, prescribed motions and obstacles exert on the bodies. Moments are about the origin.');
  chosenPlot(grid, run, 'reaction', 'Reaction of', reactions, 'name', { force: letters.map((a) => `f${a}`), moment: moments, impulse: letters.map((a) => `impulse_${a}`), work: ['work'] }, clock);
  chosenPlot(grid, run, 'reaction2', 'Reaction of', reactions, 'name', { work: ['work'], moment: moments, impulse: letters.map((a) => `impulse_${a}`), force: letters.map((a) => `f${a}`) }, clock);
}

function momentumPlots(holder, run, clock) {
  const { audit, deck } = run;
  const free = audit && audit.momentum_drift !== null;
  const grid = section(holder, 'Momentum', free ? 'No load, support or obstacle acts on the bodies. The plots show changes since the start.' : null);
  const scale = (names) => {
    const size = Math.max(...names.map((n) => run.history.columns[n].reduce((m, v) => Math.max(m, Math.abs(v)), 0)));
    return 1e-13 * (size || 1);
  };
  const changes = (names) => [run.history.columns.time, ...names.map((n) => run.history.columns[n].map((v, i, all) => v - all[0]))];
  const linear = axes.slice(0, deck.dimension).map((a) => `momentum_${a}`);
  const angular = deck.dimension === 2 ? ['angular_z'] : axes.map((a) => `angular_${a}`);
  const labels = (names) => names.map((n) => ({ label: n.slice(-1) }));
  for (const [id, title, names, unit] of [['momentum', 'Linear momentum', linear, 'impulse'], ['angular', 'Angular momentum about the origin', angular, 'angular']])
    draw(grid, run, free
      ? { id, unit, title: `${title}, change`, data: changes(names), series: labels(names), scale: 'asinh', threshold: scale(names) }
      : { id, unit, title, data: pick(run.history, names), series: labels(names) }, clock);
}

const unitOf = { displacement: 'length', position: 'length', centroid: 'length', slip: 'length', velocity: 'velocity', 'contact force': 'force', 'contact pressure': 'stress', force: 'force', momentum: 'impulse', spin: 'spin', energy: 'energy', moment: 'moment', impulse: 'impulse', work: 'energy' };

/** Plots with a choice of a name (a probe, a body) and of a group of columns. */
function chosenPlot(grid, run, id, title, table, column, groups, clock) {
  const names = table.words[column];
  let name = names[0];
  let group = Object.keys(groups)[0];
  const show = () => ({ data: pick(select(table, column, name), groups[group]), series: groups[group].map((label) => ({ label })), value: group, unit: run.units?.[unitOf[group]] });
  const choices = [{ label: 'What', options: Object.keys(groups), value: group, change: (g) => { group = g; return show(); } }];
  if (names.length > 1) choices.unshift({ label: title, options: names, value: name, change: (n) => { name = n; return show(); } });
  return new Plot(grid, { id, title: names.length > 1 ? title : `${title} ${name}`, ...show(), zero: false, time: run.units?.time }, clock, choices);
}

function bodyPlots(holder, run, clock) {
  const { probes, bodies, extremes } = run.tables;
  const dim = run.deck.dimension;
  const of = (prefix) => axes.slice(0, dim).map((a) => `${prefix}${a}`);
  if (probes) {
    const grid = section(holder, 'Probes');
    chosenPlot(grid, run, 'probe', 'Probe', probes, 'probe', { displacement: of('u'), velocity: of('v'), position: of(''), 'contact force': of('f'), 'contact pressure': ['pressure'], slip: ['slip'] }, clock);
    chosenPlot(grid, run, 'probe2', 'Probe', probes, 'probe', { velocity: of('v'), displacement: of('u'), position: of(''), 'contact force': of('f'), 'contact pressure': ['pressure'], slip: ['slip'] }, clock);
  }
  if (!bodies) return;
  const grid = section(holder, 'Bodies');
  const spin = dim === 2 ? ['spin_z'] : axes.map((a) => `spin_${a}`);
  const groups = { centroid: of(''), momentum: of('p'), spin, energy: ['kinetic', ...(any(bodies.columns.strain) ? ['strain'] : [])] };
  if (any(bodies.columns.angle)) groups.angle = ['angle'];
  chosenPlot(grid, run, 'body', 'Body', bodies, 'body', groups, clock);
  if (!extremes) {
    chosenPlot(grid, run, 'body2', 'Body', bodies, 'body', { energy: groups.energy, ...groups }, clock);
    return;
  }
  const fields = extremes.words.field;
  const each = (field) => {
    const t = select(extremes, 'field', field);
    const which = extremes.words.body.slice(0, 8);
    t.words.body = extremes.words.body;
    const parts = which.map((b) => select(t, 'body', b));
    return { data: [parts[0].columns.time, ...parts.map((p) => p.columns.max)], series: which.map((label) => ({ label })), value: fieldWords(field), unit: run.units?.[fieldUnit(field)] };
  };
  new Plot(grid, { id: 'extreme', time: run.units?.time, title: fields.length > 1 ? 'Greatest value in each body' : `Greatest ${fields[0]} in each body`, ...each(fields[0]) }, clock,
    fields.length > 1 ? [{ label: 'Field', options: fields, value: fields[0], change: each }] : []);
}

function solverPlots(holder, run, clock) {
  const h = run.history.columns;
  const grid = section(holder, 'Steps');
  const steps = h.h.subarray(1); // row 0 is the start
  const [least, most] = [Math.min(...sample(steps)), Math.max(...sample(steps))];
  const data = (column) => [h.time, Array.from(column, (v, i) => (i ? v : null))];
  draw(grid, run, { id: 'step', value: 'step size', unit: 'time', title: 'Step size', data: data(h.h), series: [{ label: 'h' }], steps: true, scale: least > 0 && most > 20 * least ? 'log' : 'linear' }, clock);
  if (any(h.iterations)) draw(grid, run, { id: 'iterations', value: 'iterations', title: 'Iterations per step', data: data(h.iterations), series: [{ label: 'iterations', hue: 2, dash: [] }], steps: true }, clock);
}

const sample = (array) => (array.length > 50000 ? array.filter((_, i) => i % Math.ceil(array.length / 50000) === 0) : array);

// ---- words --------------------------------------------------------------------------------------

const short = (v) => (Array.isArray(v) ? `(${v.map((x) => (x === null ? '–' : typeof x === 'number' ? number(x) : x)).join(', ')})` : typeof v === 'number' ? number(v) : String(v));

/** A table; columns in which nothing stands are left out. */
function grown(head, rows) {
  const used = head.map((_, k) => rows.some((row) => row[k] !== '' && row[k] !== null && row[k] !== undefined));
  head = head.filter((_, k) => used[k]);
  rows = rows.map((row) => row.filter((_, k) => used[k]));
  return make('div', { class: 'scroll' }, make('table', { class: 'model' }, make('thead', {}, make('tr', {}, ...head.map((t) => make('th', {}, t)))), make('tbody', {}, ...rows.map((row) => make('tr', {}, ...row.map((t) => make('td', {}, t)))))));
}

export function modelTables(holder, run) {
  const { deck, film, tables } = run;
  const list = make('section', {}, make('h2', {}, 'Model'));
  const masses = tables.bodies?.columns.mass;
  list.append(grown(['body', 'shape', 'elements', 'mass', 'material', 'starts with'], (deck.bodies ?? []).slice(0, 100).map((b) => {
    const shape = b.mesh ?? b.rigid ?? {};
    const names = tables.bodies?.words.body ?? [];
    const copies = b.repeat ? names.filter((n) => n.startsWith(`${b.name}.`)).length : 0;
    const which = names.indexOf(copies ? `${b.name}.0` : b.name);
    const start = ['velocity', 'spin'].filter((k) => b[k] !== undefined && b[k] !== 0).map((k) => `${k} ${short(b[k])}`).join(', ') || 'rest';
    const kind = Object.keys(shape).find((k) => typeof shape[k] === 'object') ?? (shape.file ? 'mesh file' : '');
    return [copies ? `${b.name} × ${copies}` : b.name, b.rigid ? `rigid ${kind}` : kind, which >= 0 && film && !isRigid(run, which) ? whole(film.bodies[which].elements) : '', which >= 0 ? number(masses[which], 5) : '', b.material ?? '', start];
  })));
  if (deck.materials) list.append(grown(['material', 'model', 'constants'], deck.materials.map((m) => [m.name, m.model, Object.entries(m).filter(([k, v]) => typeof v === 'number').map(([k, v]) => `${k} ${number(v)}`).join(', ')])));
  // methods of impacts between rigid bodies know restitution, the others penalties
  const strikes = run.method?.name === 'efda';
  const penalties = (p) => (strikes ? '' : [p.normal_penalty, p.tangential_penalty].map((v) => short(v ?? 'auto')).join(', '));
  if (deck.contact) list.append(grown(['contact', 'friction', 'restitution', 'penalties (normal, tangential)'], deck.contact.map((c) => {
    const p = c.default ?? c;
    return [c.name ?? c.between?.join(' – ') ?? 'every other pair', number(p.friction ?? 0), strikes ? number(p.restitution ?? 1) : '', penalties(p)];
  })));
  holder.append(list);
}

export function deckAndFoot(holder, run, page) {
  const notes = thinned(run);
  holder.append(
    make('section', {}, make('h2', {}, 'Deck as run'), make('details', { class: 'deck' }, make('summary', {}, 'run.yaml: the deck with all defaults, the program and the machine'), make('pre', {}, run.yaml))),
    make('section', { class: 'foot' },
      run.method?.citation ? make('p', {}, `Method: ${run.method.name}, ${run.method.help}. Source: ${run.method.citation}.`) : null,
      make('p', {}, notes.length ? `To keep this page small, ${notes.join('; ')}. The files of the run contain all data.` : 'Every frame and every row of the run is in this page.'),
      make('p', {}, `Numbers and plots come from the tables of the run with all their digits; the animation is less precise. Written by carom ${page.version} on ${page.written}.`)));
}

/** Builds the page; resolves when all frames are there. */
export async function buildReport(main, page, run) {
  const end = run.history.columns.time[run.history.rows - 1];
  const clock = new Clock(0, end);
  clock.start = run.history.columns.time[0];
  clock.time = clock.start;
  titleLine(main, run, page);
  const picture = make('div', { class: 'picture' });
  const table = make('aside', {}, make('h2', {}, 'Where the energy went'), accountTable(run));
  main.append(make('div', { class: run.film ? 'top' : 'top alone' }, run.film ? picture : null, table));
  const shown = run.film ? addStage(picture, run, clock) : null;
  energyPlots(main, run, clock);
  contactPlots(main, run, clock);
  reactionPlots(main, run, clock);
  momentumPlots(main, run, clock);
  bodyPlots(main, run, clock);
  solverPlots(main, run, clock);
  modelTables(main, run);
  deckAndFoot(main, run, page);
  clock.seek(tellingTime(run));
  if (run.film) await run.film.load(() => shown.stage.request(), clock.time);
  shown?.stage.request();
  return { clock, stages: shown ? [shown.stage] : [], ...shown };
}
