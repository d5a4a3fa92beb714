// The page of a convergence study: every number with its error, its values level by level, the runs over each other.
import { Clock } from './clock.js';
import { curves, pictures, loadFilms } from './compare.js';
import { count, make, number, seconds } from './format.js';
import { decades, draw, frame, scale, sheet } from './sheet.js';

const colours = { converged: 'green', converging: '', 'pre-asymptotic': 'amber', noisy: 'amber', diverging: 'red' };
const last = (column) => column[column.length - 1];

/** As many digits as the error leaves. */
function sure(value, error) {
  const digits = error > 0 && value !== 0 ? Math.ceil(Math.log10(Math.abs(value) / error)) + 2 : 6;
  return number(value, Math.min(8, Math.max(2, digits)));
}

function verdict(q) {
  return make('span', { class: `badge ${colours[q.word]}` }, q.word);
}

function table(study, choose) {
  const head = ['Quantity', ...study.levels.map((l) => l.name), 'Order', 'Limit', 'Error of the deck', ''];
  const rows = study.quantities.map((q, k) => {
    const name = make('button', { class: 'plain', type: 'button' }, q.name);
    name.addEventListener('click', () => choose(k));
    return make('tr', {}, make('th', { scope: 'row' }, name), ...q.values.map((v, i) => make('td', {}, sure(v, q.errors[i]))),
      make('td', {}, q.order === null ? '–' : number(q.order, 2)), make('td', {}, sure(q.limit, last(q.errors))), make('td', {}, `± ${number(q.errors[0], 2)}`), make('td', {}, verdict(q)));
  });
  return make('div', { class: 'sideways' }, make('table', { class: 'compare' }, make('thead', {}, make('tr', {}, ...head.map((t) => make('th', {}, t)))), make('tbody', {}, ...rows)));
}

const place = (study, k) => frame.left + ((frame.right - frame.left) * (k + 0.5)) / study.levels.length;

function levelNames(svg, study) {
  study.levels.forEach((l, k) => svg.append(draw('text', { x: place(study, k), y: frame.bottom + 18, 'text-anchor': 'middle' }, l.change)));
}

/** Values with bars of their errors, and the limit as a line. */
function values(study, q) {
  const all = q.values.flatMap((v, k) => [v - q.errors[k], v + q.errors[k]]).concat(q.limit);
  const room = 0.05 * (Math.max(...all) - Math.min(...all)) || Math.abs(q.limit) || 1;
  const [low, high] = [Math.min(...all) - room, Math.max(...all) + room];
  const { svg, y } = sheet(`${q.name} by level`, low, high, ...scale(low, high));
  svg.append(draw('line', { x1: frame.left, x2: frame.right, y1: y(q.limit), y2: y(q.limit), class: 'limit' }));
  q.values.forEach((v, k) => {
    const x = place(study, k);
    svg.append(draw('line', { x1: x, x2: x, y1: y(v - q.errors[k]), y2: y(v + q.errors[k]), class: 'bar' }), draw('circle', { cx: x, cy: y(v), r: 4, class: 'dot' }));
  });
  levelNames(svg, study);
  return make('figure', { id: 'study-values' }, make('figcaption', {}, `${q.name}: values, their errors, and the limit`), svg);
}

/** The stated error by level, in double logarithms, with the slope of the observed order. */
function errors(study, q) {
  if (q.errors.filter((e) => e > 0).length < 2) return make('p', { class: 'note' }, `${q.name} is the same at every level.`);
  const { low, high, ticks } = decades(q.errors);
  const { svg, y } = sheet(`Error of ${q.name} by level`, low, high, ticks, (v) => number(10 ** v, 1));
  const points = q.errors.map((e, k) => [place(study, k), y(Math.log10(e))]).filter(([, v]) => Number.isFinite(v));
  svg.append(draw('polyline', { points: points.map((p) => p.join(',')).join(' '), class: 'line' }));
  for (const [cx, cy] of points) svg.append(draw('circle', { cx, cy, r: 4, class: 'dot' }));
  levelNames(svg, study);
  return make('figure', { id: 'study-errors' }, make('figcaption', {}, q.order === null ? `Stated error: ${q.word}, no order` : `Stated error, order ${number(q.order, 2)}`), svg);
}

/** The quantity that users ask for first. */
const first = (study) => Math.max(0, study.quantities.findIndex((q) => q.name === 'friction_loss'));

export async function buildConverge(main, page, runs) {
  const study = page.converge;
  const those = runs.filter((r) => r.history);
  const clock = new Clock(0, Math.max(...those.map((r) => last(r.history.columns.time)), 0));
  const chosen = make('div', { class: 'grid' });
  const choose = (k) => chosen.replaceChildren(...(study.quantities.length ? [values(study, study.quantities[k]), errors(study, study.quantities[k])] : []));
  const bad = study.quantities.filter((q) => q.word === 'noisy' || q.word === 'diverging').map((q) => q.name);
  const early = study.quantities.filter((q) => q.word === 'pre-asymptotic').map((q) => q.name);
  main.append(
    make('header', {}, make('div', { class: 'heading' }, make('h1', {}, page.title || 'Convergence'), make('p', { class: 'facts' }, `${count(study.levels.length, 'level')} · carom ${page.version} · ${page.written}`))),
    make('section', {}, make('h2', {}, 'Errors of the results'),
      bad.length ? make('p', {}, `These quantities do not converge regularly: ${bad.join(', ')}. Their stated errors are three times the spread of the levels. Use finer levels.`) : '',
      early.length ? make('p', {}, `For these quantities the levels are too coarse to show an order, or agree by accident: ${early.join(', ')}. Use finer or more levels.`) : '',
      bad.length || early.length ? '' : make('p', {}, 'Every quantity converges to a limit, or is within one per cent of it.'),
      table(study, choose),
      make('p', { class: 'note' }, 'Order: rate at which the differences between levels decrease. Limit: value to which the results converge. Error: stated error of the unchanged deck. If the order is between 0.5 and 2.25, this error is 1.25 times the distance from the limit. Otherwise it is up to three times the spread of the levels. Three levels do not prove an order. So no stated error is below 0.4 of their spread, and about one quantity in ten has a greater error than stated. No stated error is below the part of the energy that is not accounted for.'),
      study.apart === null ? '' : make('p', {}, `From t = ${number(study.apart, 4)} on, positions of the two finest levels differ by more than 1 % of the distance moved. Later results depend on the step.`)),
    chosen,
    make('section', {}, make('h2', {}, 'Levels'), make('table', { class: 'model' }, make('tbody', {}, ...study.levels.map((l) => make('tr', {}, make('td', {}, l.name), make('td', {}, l.change), make('td', {}, seconds(l.seconds))))))));
  choose(first(study));
  const shown = pictures(main, runs, clock);
  if (those.length) curves(main, runs, clock);
  await loadFilms(runs, shown, clock);
  return { clock, ...shown, stages: shown?.stages ?? [] };
}
