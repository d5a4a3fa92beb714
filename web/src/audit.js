// The audit in plain words: what was conserved, to how many digits, where the rest went.
import { count, digits, make, number, percent, seconds, whole } from './format.js';

const last = (column) => (column && column.length ? column[column.length - 1] : 0);
const greatest = (values) => values.reduce((m, v) => Math.max(m, Math.abs(v)), 0);

/** Greatest sum of the lengths of the bodies' momenta: what drifts are compared with. */
function momentumScale(bodies, names) {
  if (!bodies) return 0;
  const { time } = bodies.columns;
  let most = 0;
  let sum = 0;
  for (let i = 0; i < bodies.rows; i++) {
    if (i && time[i] !== time[i - 1]) sum = 0;
    sum += Math.hypot(...names.map((n) => bodies.columns[n][i]));
    most = Math.max(most, sum);
  }
  return most;
}

/** Greatest energy seen, potential counted from its start: what the balance is compared with (audit.json). */
export function energyScale(history) {
  const { kinetic, strain, potential } = history.columns;
  let most = 0;
  for (let i = 0; i < history.rows; i++) {
    const [own, height] = [kinetic[i] + strain[i] + taken(history.columns, i), potential[i] - potential[0]];
    most = Math.max(most, own, Math.abs(height), Math.abs(own + height));
  }
  return most;
}

/** Energy below which sums are rounding: 1e-12 of what stands in them, and of what lifts the bodies by the size of the smallest. A pile at rest has no other. */
export function rounding(run) {
  const { history, tables, deck, bodySize } = run;
  const { energy, potential } = history.columns;
  const { time, mass } = tables.bodies?.columns ?? { time: [], mass: [] };
  let weight = 0;
  for (let i = 0; i < mass.length && time[i] === time[0]; i++) weight += mass[i];
  weight *= (deck.conditions ?? []).reduce((g, c) => g + (c.gravity ? Math.hypot(...c.gravity) : 0), 0);
  return 1e-12 * (Math.max(greatest(energy), greatest(potential)) + weight * (bodySize ?? 0));
}

/** Energy there was to lose: at the start, what loads put in, and what the fall of the bodies set free. */
function budget(history) {
  const { kinetic, strain, penalty, potential, external_work: work } = history.columns;
  const fall = potential[0] - potential.reduce((least, v) => Math.min(least, v), potential[0]);
  return Math.max(energyScale(history), kinetic[0] + strain[0] + penalty[0] + Math.max(0, last(work)) + fall);
}

const kept = (drift, scale) => (scale > 0 && drift / scale < 1 ? `conserved to ${count(digits(drift / scale), 'digit')}` : drift === 0 ? 'conserved exactly' : 'not conserved');

/** Quasi-static runs: the balance is the error of the path, which shorter steps make smaller. */
const hasPath = ({ audit }) => typeof audit.path_error === 'number';

/** Does the method claim that its energy adds up? The mid-point rule does without contact only. */
const claims = ({ method, deck }) => Boolean(method?.balances) && !(method.name === 'midpoint' && deck.contact);

/** Greatest energy without explanation, and of the greatest energy; what a method books itself is explained. */
function unexplained(run) {
  const { audit, history } = run;
  const size = claims(run) ? audit.defect_max_abs : audit.balance_max_abs;
  if (size <= rounding(run)) return { size, share: Math.min(size / (energyScale(history) || 1), 1e-12) };
  return { size, share: size === audit.balance_max_abs ? audit.balance_relative : size / (energyScale(history) || 1) };
}

/** Losses of materials: columns of the history where a law has them, and their words. */
export const losses = ['plastic', 'viscous', 'drag'];
const lossWords = { plastic: 'plastic flow', viscous: 'viscosity', drag: 'drag' };

/** What materials have taken up to row i. */
export const taken = (h, i) => losses.reduce((sum, n) => sum + (h[n]?.[i] ?? 0), 0);

/** May impacts take energy? */
const isElastic = (deck) => !(deck.contact ?? []).some((c) => c.restitution < 1 || c.default?.restitution < 1);

/** Does the method book the work of its contact, and is there some? */
export const booksContact = (run) => claims(run) && Boolean(run.history.columns.contact_work?.some((v) => v));

/** What a method books as work of contact: share of the greatest energy, 0 where that is rounding. */
function contactShare(run) {
  const { audit, history } = run;
  const share = (claims(run) ? audit.contact_work : 0) / (energyScale(history) || 1);
  return Math.abs(share) > 1e-12 && Math.abs(audit.contact_work) > rounding(run) ? share : 0;
}

/** Level and word of the bookkeeping at the end of a run. */
export function judgeBooks(run) {
  const { audit } = run;
  if (!audit) return { level: 'amber', word: 'not finished' };
  if (!audit.completed) return { level: 'red', word: 'failed' };
  const { share } = unexplained(run);
  const contact = contactShare(run);
  if (share > 1e-2) return hasPath(run) ? { level: 'amber', word: 'path error: shorten the steps' } : { level: 'red', word: 'energy does not add up' };
  if (claims(run) && share > 1e-6) return { level: 'red', word: 'violates its own energy balance' };
  if (contact > 1e-2) return { level: 'red', word: 'contact created energy' };
  if (audit.unseen_pairs > 0) return { level: 'amber', word: 'bodies overlap without contact force' };
  if (contact > 1e-3) return { level: 'amber', word: 'contact created energy' };
  if (contact < -1e-3 && isElastic(run.deck)) return { level: 'amber', word: 'contact lost energy' };
  if (share > 1e-3) return { level: 'amber', word: 'energy balance is approximate' };
  return { level: 'green', word: 'completed' };
}

/** Steps that a contact should have at least; ripple above which the force of single steps is noise. */
const FEW = 8;
const RIPPLES = 6;

/** Has the run a contact of very few steps? */
function isCoarse({ audit }) {
  const least = audit?.resolution?.steps_per_contact?.least ?? null;
  return least !== null && least < FEW;
}

/** Turn from facet to facet, in degrees, above which sliding and rolling ripple with the facets; error of a number that passes. */
const TURN = 10;
const SPRINGS = 0.1; // of the internal energy in hourglass springs: bending is theirs
const FAIR = 0.05;

/** Of the study that a run is a level of: are all of its numbers sure? */
const isSure = ({ study }) => study.quantities.every((q) => q.errors[study.level] <= FAIR * q.size);

/** Level and word of the whole run: books that add up do not make up for what is not resolved, and nobody knows without a study. */
export function judge(run) {
  const books = judgeBooks(run);
  if (books.level !== 'green') return books;
  if (run.study && warnings(run).length === 0) return isSure(run) ? { level: 'green', word: 'completed, errors below 5 %' } : { level: 'amber', word: 'completed, errors above 5 %' };
  if (isCoarse(run)) return { level: 'amber', word: 'completed, few steps per contact' };
  return warnings(run).length ? { level: 'amber', word: 'completed, with warnings' } : { level: 'grey', word: books.word };
}

/** What a study says about the first number that users ask for, and about all. */
function studied({ study }) {
  const { level, quantities } = study;
  const main = quantities.find((q) => q.name === 'friction_loss') ?? quantities[0];
  if (!main) return null;
  const sure = quantities.filter((q) => q.errors[level] <= FAIR * q.size).length;
  const [value, error] = [main.values[level], main.errors[level]];
  const places = error > 0 && value !== 0 ? Math.max(2, Math.min(8, Math.ceil(Math.log10(Math.abs(value) / error)) + 1)) : 6;
  return `${main.name.replaceAll('_', ' ')} ${number(value, places)} ± ${number(error, 2)} (${main.word}); ${sure} of ${count(quantities.length, 'result')} ${sure === 1 ? 'has an error' : 'have errors'} below 5 %`;
}

/** Steps per contact of each pair, where there are several but not many; of many pairs the one that has the fewest. */
function byPair(pairs) {
  const known = pairs.filter((p) => typeof p.steps_per_contact?.least === 'number');
  if (known.length < 2) return '';
  const shown = known.length <= 6 ? known : [known.reduce((a, b) => (b.steps_per_contact.least < a.steps_per_contact.least ? b : a))];
  return `; ${shown.map(({ pair, steps_per_contact: steps }) => `${pair} ${whole(steps.least)}, median ${whole(steps.median)}`).join('; ')}`;
}

/** Steps, elements and facets of contact, in words. */
function grain({ steps_per_contact: steps, pairs = [], ripple = null, penetration_layers: layers = null, elements_per_step: crossed = null, points_along: along = [], facet_turn: turn = null, volumetric_ratio: volume = null, hourglass_ratio: hourglass = null }) {
  const parts = [];
  if (typeof steps?.least === 'number') parts.push(`${count(steps.least, 'step')} per contact at least (median ${whole(steps.median)}${byPair(pairs)})`);
  if (ripple !== null) parts.push(`force ripple ${number(ripple, 2)}`);
  if (ripple !== null && layers > 1e-6) parts.push(`penetration ${percent(layers)} of a layer of elements`);
  if (crossed !== null) parts.push(`a wave crosses ${number(crossed, 2)} elements per step`);
  if (along.length) parts.push(`${along.join(' × ')} ${along.length === 1 && along[0] === 1 ? 'contact point' : 'contact points'}`);
  if (turn > 0) parts.push(`neighbouring facets differ by ${number(turn, 2)} degrees`);
  if (volume !== null) parts.push(`volumetric over deviatoric energy ${number(volume, 2)}`);
  if (hourglass !== null) parts.push(`hourglass springs store ${percent(hourglass)} of the internal energy`);
  return parts;
}

/** What is known about the resolution of a finished run: level, the command that tells more or what it told, numbers in words. */
export function resolution(run) {
  if (!run.audit) return null;
  const known = run.audit.resolution ?? {};
  const parts = grain(known);
  if (run.audit.rejected_steps > 0) parts.push(count(run.audit.rejected_steps, 'rejected step'));
  if (run.audit.searched_steps > 0) parts.push(`${count(run.audit.searched_steps, 'step')} found by backtracking only`);
  if (typeof run.audit.min_det_f === 'number' && run.audit.min_det_f < 0.5) parts.push(`least det F ${number(run.audit.min_det_f, 2)}`);
  const noisy = isCoarse(run) || known.ripple > RIPPLES;
  const faceted = known.facet_turn > TURN;
  const springy = known.hourglass_ratio > SPRINGS;
  const words = [parts.length ? `${parts.join(', ')}.` : '', noisy ? 'Contact forces of single steps are only noise at this step size; use impulses or the filtered force.' : '', faceted ? 'Forces of sliding and rolling contact oscillate from facet to facet.' : ''];
  const deck = /^# deck: (.+)$/m.exec(run.yaml ?? '')?.[1] ?? 'DECK';
  const program = /^# program: (.+)$/m.exec(run.yaml ?? '')?.[1] ?? 'carom';
  return {
    level: run.study ? (isSure(run) ? 'green' : 'amber') : noisy || springy ? 'amber' : 'grey',
    command: `${program} converge ${deck}`,
    found: run.study ? studied(run) : null,
    words: words.filter(Boolean).map((text) => ` ${text[0].toUpperCase()}${text.slice(1)}`).join(''),
  };
}

/** The line of the page. */
export function resolutionLine(run) {
  const known = resolution(run);
  if (!known) return null;
  const start = known.found ? [`Resolution: ${known.found}.`] : ['Resolution: not known; ', make('code', {}, known.command), ' estimates it.'];
  return make('p', { class: `resolution ${known.level}` }, ...start, known.words);
}

/** What the run warned of, but for why it failed, which the verdict says. */
export const warnings = ({ audit, warnings: log }) => (audit?.warnings ?? log ?? []).filter((text) => text !== audit?.failure);

/** How deep bodies overlap: as measured, both ways. Rigid bodies among themselves are not measured; there it is that of contact points. */
const deepestOverlap = ({ overlap_ab: ab, overlap_ba: ba, max_penetration: points }) => Math.max(ab ?? 0, ba ?? 0) || points;

/** Two sentences: the books, and what happened. */
export function verdict(run) {
  const { audit, history } = run;
  const time = last(history.columns.time);
  if (!audit) return `Not finished: so far ${count(last(history.columns.step), 'step')} to t = ${number(time)}.`;
  const parts = [];
  if (audit.completed) parts.push(`Finished after ${count(audit.steps, 'step')} at t = ${number(time)} in ${seconds(audit.wall_seconds)}`);
  else parts.push(`Stopped at t = ${number(time)} after ${count(audit.steps, 'step')}${audit.failure ? `: ${audit.failure.replace(/^gave up at t = \S+ /, 'gave up ')}` : ''}`);
  const { share: r } = unexplained(run);
  const contact = contactShare(run);
  const books = r < 1e-6 ? `every joule is accounted for (${number(r, 2)})` : r < 1e-3 ? `the energy is accounted for to ${count(digits(r), 'digit')}` : hasPath(run) ? `the path error is ${percent(r)} of the energy` : `${percent(r)} of the energy is not accounted for`;
  if (audit.friction_loss > rounding(run)) parts.push(`friction dissipated ${percent(audit.friction_loss / (budget(history) || 1))} of the energy`);
  for (const n of losses) if (audit[n] > rounding(run)) parts.push(`${lossWords[n]} dissipated ${percent(audit[n] / (budget(history) || 1))}`);
  if (contact) parts.push(contact < 0 ? `${isElastic(run.deck) ? 'contact' : 'impacts'} dissipated ${percent(-audit.contact_work / (budget(history) || 1))}` : `contact created ${percent(contact)}`);
  const overlap = deepestOverlap(audit);
  if (overlap > 0) parts.push(`bodies overlap by ${number(overlap, 3)} at most${run.bodySize ? ` (${percent(overlap / run.bodySize)} of the smallest body)` : ''}`);
  if (audit.unseen_pairs > 0) parts.push(`${count(audit.unseen_pairs, 'pair')} of bodies ${audit.unseen_pairs > 1 ? 'overlap' : 'overlaps'} where no contact force acts`);
  return `Bookkeeping: ${books}. ${parts.join('; ')}.`;
}

/** Rows [what, value, in words] of the account. */
export function account(run) {
  const { audit, history, tables } = run;
  const h = history.columns;
  const scale = energyScale(history);
  const start = h.energy[0];
  const end = last(h.energy);
  const share = (v) => (scale > 0 ? `${percent(v / scale)} of the greatest energy` : '');
  const energy = (v, n) => `${number(v, n)}${run.units?.energy ? ` ${run.units.energy}` : ''}`;
  const length = (v) => `${number(v, 3)}${run.units?.length ? ` ${run.units.length}` : ''}`;
  const rows = [
    ['Energy at the start', energy(start, 6), 'kinetic, strain and potential energy'],
    ['Energy at the end', energy(end, 6), end < start ? `${energy(start - end, 4)} less` : end > start ? `${energy(end - start, 4)} more` : 'unchanged'],
    ['Lost to friction', energy(last(h.friction_loss), 6), Math.abs(last(h.friction_loss)) > rounding(run) ? `${percent(last(h.friction_loss) / (budget(history) || 1))} of the energy${greatest(h.external_work) ? ' that was available, with the work of loads' : ''}` : 'nothing'],
  ];
  for (const n of losses) if (h[n] && greatest(h[n])) rows.push([`Lost to ${lossWords[n]}`, energy(last(h[n]), 6), `${percent(last(h[n]) / (budget(history) || 1))} of the energy`]);
  if (greatest(h.external_work)) rows.push(['Work of loads and supports', energy(last(h.external_work), 6), last(h.external_work) >= 0 ? 'energy added from outside' : 'energy removed']);
  if (greatest(h.penalty)) rows.push(['Stored in contact springs', energy(last(h.penalty), 4), `at the end; at most ${energy(greatest(h.penalty), 4)}`]);
  if (!audit) return rows;

  const contact = contactShare(run);
  if (contact) rows.push([contact < 0 ? (isElastic(run.deck) ? 'Lost in contact' : 'Lost in impacts') : 'Created by contact', energy(Math.abs(audit.contact_work), 4), contact < 0 ? `${percent(-audit.contact_work / (budget(history) || 1))} of the energy, as the method reports it` : `${percent(contact)} of the greatest energy, as the method reports it`]);
  const { size, share: r } = unexplained(run);
  rows.push([hasPath(run) ? 'Path error' : 'Not accounted for', energy(size, 3), r < 1e-3 ? `at most, so the energy adds up to ${count(digits(r), 'digit')}` : `at most, ${share(size)}`]);
  if (audit.momentum_drift === null) rows.push(['Momentum', '–', 'not evaluated, because supports, obstacles or loads act']);
  else {
    rows.push(['Linear momentum', number(audit.momentum_drift, 3), `change at most: ${kept(audit.momentum_drift, momentumScale(tables.bodies, ['px', 'py', 'pz']))}`]);
    rows.push(['Angular momentum', number(audit.angular_drift, 3), `change at most: ${kept(audit.angular_drift, momentumScale(tables.bodies, ['jx', 'jy', 'jz']))}`]);
  }
  if (audit.overlap_ab > 0 || audit.overlap_ba > 0) rows.push(['Bodies overlap, measured both ways', `${number(audit.overlap_ab, 3)},\n${number(audit.overlap_ba, 3)}`, audit.unseen_pairs > 0 ? `${number(audit.unseen, 3)} of it without contact force` : 'depth of the first side in the second, then of the second in the first']);
  if (audit.max_penetration > 0) rows.push(['Deepest contact point', length(audit.max_penetration), `greatest depth behind its facet, with or without contact force${run.bodySize ? `; ${percent(audit.max_penetration / run.bodySize)} of the smallest body` : ''}`]);
  const { events } = tables;
  if (events && events.every === 1) {
    const stuck = events.columns.state.filter((v) => events.words.state[v] === 'stick').length;
    rows.push(['Impacts', count(events.rows, 'impact'), `${stuck} stuck, ${events.rows - stuck} slid`]);
  }
  if (audit.min_det_f !== null) rows.push(['Strongest compression', number(audit.min_det_f, 3), 'least ratio of current to original volume']);
  rows.push(['Steps', count(audit.steps, 'step'), `${count(audit.iterations, 'iteration')}, ${count(audit.rejected_steps, 'rejected step')}`]);
  rows.push(['Time', seconds(audit.wall_seconds), audit.steps ? `${number((1000 * audit.wall_seconds) / audit.steps, 3)} ms per step` : '']);
  return rows;
}
