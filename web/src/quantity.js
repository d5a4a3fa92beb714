// Values of a field at nodes between two frames: coded fields as they are, the others from components and positions.
const NOT_A_NUMBER = 65535;

const axes = ['x', 'y', 'z'];
const tensor = ['xx', 'yy', 'zz', 'xy', 'yz', 'xz'];

/** A coded field of the nodes that deform, from `first` to `end`. */
function decode(film, k, f, g, share, first, end, out) {
  const { levels, range: [low, high] } = film.coded[k];
  const [p, q] = [f.fields[k], g.fields[k]];
  const mix = levels > 3 ? share : 0; // words do not mix
  const scale = (high - low) / levels;
  for (let A = first; A < end; A++)
    out[A - first] = p[A] === NOT_A_NUMBER || q[A] === NOT_A_NUMBER ? NaN : low + scale * (p[A] + mix * (q[A] - p[A]));
}

/** A component of the displacement of nodes that deform. */
function moved(film, i, f, g, share, first, end, out) {
  const { nodeBody, bodies, levels, start } = film;
  if (i >= film.dim) return out.fill(0, 0, end - first);
  const [p, q] = [f.moved[i], g.moved[i]];
  for (let A = first; A < end; A++) {
    const b = nodeBody[A];
    const centre = f.centre[3 * b + i] + share * (g.centre[3 * b + i] - f.centre[3 * b + i]);
    out[A - first] = centre - start[3 * b + i] + (bodies[b].reach / levels) * (p[A] + share * (q[A] - p[A]));
  }
  return out;
}

/** Components by their names; those that are zero all over the run are not in the page. */
function components(film, names, f, g, share, first, end) {
  return names.map((name) => {
    const k = film.coded.findIndex((c) => c.name === name);
    const out = new Float64Array(end - first);
    if (k >= 0) decode(film, k, f, g, share, first, end, out);
    return out;
  });
}

const size = ([x, y, z], out, n) => {
  for (let k = 0; k < n; k++) out[k] = Math.sqrt(x[k] * x[k] + y[k] * y[k] + z[k] * z[k]);
};

const vonMises = ([a, b, c, d, e, f]) =>
  Math.sqrt(0.5 * ((a - b) ** 2 + (b - c) ** 2 + (c - a) ** 2) + 3 * (d * d + e * e + f * f));

/** The k-th principal value, the greatest first (src/report/shown.c). */
export function principal([xx, yy, zz, d, e, f], k) {
  const mean = (xx + yy + zz) / 3;
  const a = xx - mean, b = yy - mean, c = zz - mean;
  const s = Math.sqrt((a * a + b * b + c * c + 2 * (d * d + e * e + f * f)) / 6);
  const det = a * (b * c - e * e) - d * (d * c - e * f) + f * (d * e - b * f);
  const cube = 2 * s * s * s;
  const third = cube > 0 ? Math.acos(Math.max(-1, Math.min(1, det / cube))) / 3 : 0;
  return mean + 2 * s * Math.cos(third + ([0, 4, 2][k] * Math.PI) / 3);
}

function ofStress(film, rule, f, g, share, first, end, out) {
  const s = components(film, tensor.map((t) => `stress-${t}`), f, g, share, first, end);
  const one = [0, 0, 0, 0, 0, 0];
  for (let k = 0; k < end - first; k++) {
    for (let i = 0; i < 6; i++) one[i] = s[i][k];
    out[k] = rule(one);
  }
}

/** Nodes that deform. */
function soft(film, name, f, g, share, first, end, out) {
  const coded = film.coded.findIndex((c) => c.name === name);
  const [kind, which] = name.split('-');
  if (coded >= 0) decode(film, coded, f, g, share, first, end, out);
  else if (kind === 'displacement' && which) moved(film, axes.indexOf(which), f, g, share, first, end, out);
  else if (kind === 'displacement') size(axes.map((_, i) => moved(film, i, f, g, share, first, end, new Float64Array(end - first))), out, end - first);
  else if (kind === 'velocity') size(components(film, axes.map((a) => `velocity-${a}`), f, g, share, first, end), out, end - first);
  else if (kind === 'principal') ofStress(film, (s) => principal(s, Number(which) - 1), f, g, share, first, end, out);
  else ofStress(film, vonMises, f, g, share, first, end, out);
}

/** Nodes of rigid bodies: known from how they move; strained they are not. */
function rigid(film, name, f, g, share, first, end, put) {
  const [kind, which] = name.split('-');
  const i = axes.indexOf(which);
  const pick = (x, y, z) => (i === 0 ? x : i === 1 ? y : i === 2 ? z : Math.sqrt(x * x + y * y + z * z));
  const { shape, start, first_rigid: nb } = film;
  if (kind === 'displacement')
    film.eachRigid(f, g, share, first, end, (A, x, y, z, b, c) => {
      const [k, s] = [3 * A, 3 * (b + nb)];
      put(A, pick(c[0] + x - start[s] - shape[k], c[1] + y - start[s + 1] - shape[k + 1], c[2] + z - start[s + 2] - shape[k + 2]));
    });
  else if (kind === 'velocity' && f.speed) {
    let last = -1;
    let v;
    film.eachRigid(f, g, share, first, end, (A, x, y, z, b) => {
      if (b !== last) v = film.speedOf(f, g, share, (last = b));
      put(A, pick(v[0] + v[4] * z - v[5] * y, v[1] + v[5] * x - v[3] * z, v[2] + v[3] * y - v[4] * x));
    });
  } else for (let A = Math.max(first, film.soft); A < end; A++) put(A, 0);
}

/** The field at nodes from `first` to `end`, between frames f and g, into out from its beginning. */
export function evaluate(film, name, f, g, share, first, end, out) {
  if (first < film.soft) soft(film, name, f, g, share, first, Math.min(end, film.soft), out);
  if (end > film.soft) rigid(film, name, f, g, share, first, end, (A, v) => (out[A - first] = v));
}
