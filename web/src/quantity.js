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
  let [last, centre, scale] = [-1, 0, 0];
  for (let A = first; A < end; A++) {
    const b = nodeBody[A];
    if (b !== last) {
      last = b;
      centre = f.centre[3 * b + i] + share * (g.centre[3 * b + i] - f.centre[3 * b + i]) - start[3 * b + i];
      scale = bodies[b].reach / levels;
    }
    out[A - first] = centre + scale * (p[A] + share * (q[A] - p[A]));
  }
  return out;
}

/** Room for components, kept from picture to picture. */
const rooms = new WeakMap();
function room(film, many, n) {
  if (!rooms.has(film)) rooms.set(film, []);
  const list = rooms.get(film);
  for (let k = 0; k < many; k++) if (!(list[k]?.length >= n)) list[k] = new Float64Array(n);
  return list;
}

/** Components by their names; those that are zero all over the run are not in the page. */
function components(film, names, f, g, share, first, end) {
  const all = room(film, names.length, end - first);
  names.forEach((name, i) => {
    const k = film.coded.findIndex((c) => c.name === name);
    if (k >= 0) decode(film, k, f, g, share, first, end, all[i]);
    else all[i].fill(0, 0, end - first);
  });
  return all;
}

const size = ([x, y, z], out, n) => {
  for (let k = 0; k < n; k++) out[k] = Math.sqrt(x[k] * x[k] + y[k] * y[k] + z[k] * z[k]);
};

function vonMises([xx, yy, zz, xy, yz, xz], out, n) {
  for (let k = 0; k < n; k++) {
    const a = xx[k] - yy[k], b = yy[k] - zz[k], c = zz[k] - xx[k], d = xy[k], e = yz[k], f = xz[k];
    out[k] = Math.sqrt(0.5 * (a * a + b * b + c * c) + 3 * (d * d + e * e + f * f));
  }
}

const ANGLES = [0, 4, 2].map((k) => (k * Math.PI) / 3);

/** The k-th principal value, the greatest first (src/report/shown.c). */
export function principal([xx, yy, zz, d, e, f], k) {
  const mean = (xx + yy + zz) / 3;
  const a = xx - mean, b = yy - mean, c = zz - mean;
  const s = Math.sqrt((a * a + b * b + c * c + 2 * (d * d + e * e + f * f)) / 6);
  const det = a * (b * c - e * e) - d * (d * c - e * f) + f * (d * e - b * f);
  const cube = 2 * s * s * s;
  const third = cube > 0 ? Math.acos(Math.max(-1, Math.min(1, det / cube))) / 3 : 0;
  return mean + 2 * s * Math.cos(third + ANGLES[k]);
}

function principals(s, which, out, n) {
  const one = [0, 0, 0, 0, 0, 0];
  for (let k = 0; k < n; k++) {
    for (let i = 0; i < 6; i++) one[i] = s[i][k];
    out[k] = principal(one, which);
  }
}

const velocities = axes.map((a) => `velocity-${a}`);
const stresses = tensor.map((t) => `stress-${t}`);

/** Nodes that deform. */
function soft(film, name, f, g, share, first, end, out) {
  const coded = film.coded.findIndex((c) => c.name === name);
  const [kind, which] = name.split('-');
  const n = end - first;
  if (coded >= 0) decode(film, coded, f, g, share, first, end, out);
  else if (kind === 'displacement' && which) moved(film, axes.indexOf(which), f, g, share, first, end, out);
  else if (kind === 'displacement') size(room(film, 3, n).slice(0, 3).map((to, i) => moved(film, i, f, g, share, first, end, to)), out, n);
  else if (kind === 'velocity') size(components(film, velocities, f, g, share, first, end), out, n);
  else if (kind === 'principal') principals(components(film, stresses, f, g, share, first, end), Number(which) - 1, out, n);
  else vonMises(components(film, stresses, f, g, share, first, end), out, n);
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
