// Error against cost: every method a line over its levels, in double logarithms.
import { curve } from './colour.js';
import { make, number } from './format.js';
import { decades, draw, frame, sheet } from './sheet.js';

/** The study's values of one quantity that lie on the plot: seconds and stated errors above 0. */
function points(study, name) {
  const q = study?.quantities.find((other) => other.name === name);
  return q ? q.errors.map((error, k) => ({ error, seconds: study.levels[k].seconds })).filter((p) => p.error > 0 && p.seconds > 0) : [];
}

function plot(runs, studies, name) {
  const lines = studies.map((study) => points(study, name));
  const all = lines.flat();
  if (!all.length) return make('p', { class: 'note' }, `${name} is the same at every level.`);
  const costs = decades(all.map((p) => p.seconds));
  const errors = decades(all.map((p) => p.error));
  const { svg, y } = sheet(`Error of ${name} against seconds`, errors.low, errors.high, errors.ticks, (v) => number(10 ** v, 1));
  const x = (v) => frame.left + ((frame.right - frame.left) * (v - costs.low)) / (costs.high - costs.low);
  for (const v of costs.ticks) svg.append(draw('text', { x: x(v), y: frame.bottom + 18, 'text-anchor': 'middle' }, `${number(10 ** v, 1)} s`));
  lines.forEach((line, k) => {
    const style = `stroke:${curve(k)()};fill:none;stroke-width:2`;
    const where = line.map((p) => [x(Math.log10(p.seconds)), y(Math.log10(p.error))]);
    svg.append(draw('polyline', { points: where.map((p) => p.join(',')).join(' '), style }));
    where.forEach(([cx, cy], i) => svg.append(draw('circle', { cx, cy, r: 4, style: `fill:${curve(k)()}` }, draw('title', {}, `${runs[k].label}, level ${i}: ± ${number(line[i].error, 2)} in ${number(line[i].seconds, 2)} s`))));
  });
  return make('figure', { id: 'cost' }, make('figcaption', {}, `Stated error of ${name} against the time of the run: lower left is better`), svg);
}

export function addCosts(main, runs, studies) {
  const names = [...new Set(studies.filter(Boolean).flatMap((s) => s.quantities.map((q) => q.name)))];
  if (!names.length) return;
  const holder = make('div', {});
  const choice = make('select', { 'aria-label': 'Quantity' }, ...names.map((name) => make('option', { value: name }, name)));
  choice.value = names.includes('friction_loss') ? 'friction_loss' : names[0];
  const show = () => holder.replaceChildren(plot(runs, studies, choice.value));
  choice.addEventListener('change', show);
  const marks = runs.map((r, k) => make('span', { class: 'toggle' }, make('i', { class: 'mark', style: `border-top-color:${curve(k)()}` }), r.label));
  main.append(make('section', {}, make('h2', {}, 'Error against cost'), make('p', { class: 'choices' }, choice, ...marks), make('div', { class: 'grid' }, holder)));
  show();
}
