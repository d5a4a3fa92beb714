// What can be shown by colours: names, units, groups, and the range that the colours span.

const ROUNDING = 1e-12; // of the scale of a quantity: doubles have 16 digits, of which sums and solvers take some
const SINGLE = 5e-7; // of the values: frames hold single precision

/** [name, words, unit, group] */
const table = [
  ['displacement', 'displacement', 'length', 'Motion'],
  ...['x', 'y', 'z'].map((a) => [`displacement-${a}`, `displacement ${a}`, 'length', 'Motion']),
  ['velocity', 'velocity', 'velocity', 'Motion'],
  ...['x', 'y', 'z'].map((a) => [`velocity-${a}`, `velocity ${a}`, 'velocity', 'Motion']),
  ['von-mises', 'von Mises stress', 'stress', 'Stress'],
  ['principal-1', 'principal stress 1 (greatest)', 'stress', 'Stress'],
  ['principal-2', 'principal stress 2', 'stress', 'Stress'],
  ['principal-3', 'principal stress 3 (least)', 'stress', 'Stress'],
  ...['xx', 'yy', 'zz', 'xy', 'yz', 'xz'].map((a) => [`stress-${a}`, `stress ${a}`, 'stress', 'Stress']),
  ['contact-pressure', 'contact pressure', 'stress', 'Contact'],
  ['contact-status', 'contact status', null, 'Contact'],
  ['plastic_strain', 'plastic strain', null, 'Material'],
  ['plastic_work', 'plastic work per volume', 'stress', 'Material'],
  ['viscous_work', 'viscous work per volume', 'stress', 'Material'],
  ['temperature_rise', 'rise of temperature', null, 'Material'],
  ['body', 'body', null, 'Bodies'],
];

const rows = new Map(table.map(([name, words, unit, group]) => [name, { words, unit, group }]));

export const fieldWords = (name) => rows.get(name)?.words ?? name;
/** Which unit the values have: a key of the run's units, or null. */
export const fieldUnit = (name) => ({ stress: 'stress', 'contact-force': 'force' })[name] ?? rows.get(name)?.unit ?? null;

/** Names in groups, for a list: [[group, [name, ...]], ...] */
export function grouped(names) {
  const groups = new Map();
  for (const name of names) {
    const { group } = rows.get(name) ?? { group: 'Others' };
    groups.set(group, [...(groups.get(group) ?? []), name]);
  }
  return [...groups];
}

/** Colours of a field with both signs are symmetric about zero; rounding has no sign. */
export const isSigned = (field) => field.least < -Math.max(SINGLE * field.greatest, field.rounding ?? 0);

// ---- what is only rounding ------------------------------------------------------------------------

const moduli = /^(lambda|shear|young|bulk|c10|c01|mu)(_\d+)?$/;

/** The scale of a field's values, from the deck: strains of one, motions as far as the scene in the time of the film; null: none is known. */
function scaleOf({ name, unit }, film, deck) {
  const size = Math.hypot(...film.box_high.map((v, i) => v - film.box_low[i]));
  const span = film.times[film.times.length - 1] - film.times[0];
  const stiff = (deck.materials ?? []).flatMap((m) => Object.entries(m).filter(([key]) => moduli.test(key)).flatMap(([, v]) => v)).filter((v) => typeof v === 'number');
  if (unit === 'length') return size;
  if (unit === 'velocity') return span > 0 ? size / span : null;
  if (unit === 'stress') return stiff.length ? Math.max(...stiff.map(Math.abs)) : null;
  return name === 'plastic_strain' ? 1 : null;
}

/** Notes in every field below which size its values are rounding. */
export function findRounding(film, deck) {
  for (const field of film.fields) field.rounding = ROUNDING * (scaleOf({ name: field.name, unit: fieldUnit(field.name) }, film, deck) ?? 0);
}

/** The value that a range is, where it is but one: a number, or null. Sizes below rounding are 0. */
export function constant(field, [low, high]) {
  const most = Math.max(Math.abs(low), Math.abs(high));
  if (most <= (field.rounding ?? 0)) return 0;
  return high - low <= SINGLE * most ? (low + high) / 2 : null;
}

/** Least and greatest value that have a colour of their own; mode: 'typical' or 'run'. */
export function limits(field, mode) {
  const { range: [least, high], typical } = field;
  const low = Math.abs(least) <= SINGLE * high ? 0 : least;
  if (isSigned(field)) {
    const most = Math.max(-low, high);
    const end = mode === 'typical' && typical > (field.rounding ?? 0) && typical < 0.8 * most ? typical : most;
    return [-end, end];
  }
  const share = high > low ? (typical - low) / (high - low) : 1;
  return [low, mode === 'typical' && share > 0 && share < 0.8 && typical > (field.rounding ?? 0) ? typical : high];
}

/** The same for one moment: values of all nodes, and of balls. */
export function limitsNow(field, ...lists) {
  let [least, greatest] = [Infinity, -Infinity];
  for (const list of lists)
    for (const v of list) {
      if (v < least) least = v;
      if (v > greatest) greatest = v;
    }
  if (!(greatest >= least)) return [0, 0];
  if (!isSigned(field)) return [least, greatest];
  const most = Math.max(-least, greatest);
  return [-most, most];
}

/** The greatest size of all values, if it has no colour of its own; else null. */
export const beyond = (field, [, to]) => {
  const most = isSigned(field) ? Math.max(-field.least, field.greatest) : field.greatest;
  return to < most * (1 - 1e-6) ? most : null;
};

/** What to colour by at first: bodies in a crowd of rigid ones, else the stress. */
export function firstField(film) {
  if (film.first_rigid === 0 && film.bodies.length > 1) return 'body';
  const named = (name) => film.fields.find((f) => f.name === name && f.greatest > (f.rounding ?? 0))?.name;
  return named('von-mises') ?? named('displacement') ?? film.fields.find((f) => f.name === 'velocity')?.name ?? film.fields[0]?.name ?? 'body';
}

/** All that a film can be coloured by. */
export const fieldsOf = (film) => [...film.fields.map((f) => f.name), ...(film.bodies.length > 1 ? ['body'] : [])];
