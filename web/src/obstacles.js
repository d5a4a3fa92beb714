// Obstacles of the deck as surfaces, lines and balls, at a time.

const add = (a, b, s = 1) => a.map((v, i) => v + s * b[i]);
const dot = (a, b) => a.reduce((s, v, i) => s + v * b[i], 0);
const pad = (v) => [v[0] ?? 0, v[1] ?? 0, v[2] ?? 0];
const unit = (v) => v.map((c) => c / Math.hypot(...v));

function across(n) { // two directions across a normal, in 3D
  const other = Math.abs(n[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
  const a = unit([n[1] * other[2] - n[2] * other[1], n[2] * other[0] - n[0] * other[2], n[0] * other[1] - n[1] * other[0]]);
  return [a, [n[1] * a[2] - n[2] * a[1], n[2] * a[0] - n[0] * a[2], n[0] * a[1] - n[1] * a[0]]];
}

/** In 2D a line, hatched on the solid side; in 3D a pane with a grid. */
function plane(dim, { point, normal }, middle, size) {
  const n = unit(pad(normal));
  const foot = add(middle, n, dot(n, add(pad(point), middle, -1)));
  const lines = [];
  if (dim === 2) {
    const along = [n[1], -n[0], 0];
    const step = size / 36;
    lines.push([add(foot, along, -size), add(foot, along, size)]);
    for (let s = -size; s < size; s += step) {
      const p = add(foot, along, s);
      lines.push([p, add(add(p, n, -0.8 * step), along, -0.8 * step), true]);
    }
    return { lines, panes: [] };
  }
  const [a, b] = across(n);
  const half = 0.62 * size;
  const at = (s, t) => add(add(foot, a, s * half), b, t * half);
  for (let k = -4; k <= 4; k++) {
    lines.push([at(k / 4, -1), at(k / 4, 1), true]);
    lines.push([at(-1, k / 4), at(1, k / 4), true]);
  }
  return { lines, panes: [{ normal: n, points: [at(-1, -1), at(1, -1), at(1, 1), at(-1, 1)] }] };
}

/** Bodies are inside: walls that look inwards. */
function box(dim, { from, to }) {
  const [p, q] = [pad(from), pad(to)];
  const corner = (k) => [k & 1 ? q[0] : p[0], k & 2 ? q[1] : p[1], k & 4 ? q[2] : p[2]];
  const lines = [];
  for (let k = 0; k < (dim === 2 ? 4 : 8); k++)
    for (let i = 0; i < dim; i++) if (!(k & (1 << i))) lines.push([corner(k), corner(k | (1 << i))]);
  const panes = [];
  for (let i = 0; i < 3 && dim === 3; i++)
    for (const high of [0, 1]) {
      const [j, l] = [1 << ((i + 1) % 3), 1 << ((i + 2) % 3)];
      const k = high << i;
      panes.push({ normal: [0, 1, 2].map((c) => (c === i ? 1 - 2 * high : 0)), points: [corner(k), corner(k | j), corner(k | j | l), corner(k | l)] });
    }
  return { lines, panes };
}

function round(dim, { center, radius, side }) {
  const c = pad(center);
  const lines = [];
  const rings = dim === 2 || side === 'inside' ? (dim === 2 ? [[[1, 0, 0], [0, 1, 0]]] : [[[1, 0, 0], [0, 1, 0]], [[0, 1, 0], [0, 0, 1]], [[0, 0, 1], [1, 0, 0]]]) : [];
  for (const [a, b] of rings)
    for (let k = 0; k < 96; k++) {
      const at = (j) => add(add(c, a, radius * Math.cos((j * Math.PI) / 48)), b, radius * Math.sin((j * Math.PI) / 48));
      lines.push([at(k), at(k + 1)]);
    }
  return { lines, panes: [], ball: dim === 3 && side !== 'inside' ? { centre: c, radius } : null };
}

/** [{lines: [from, to, thin], panes: [{normal, points}], ball, move(t)}] of a deck, for a scene of that middle and size. */
export function obstacles(deck, middle, size) {
  const dim = deck.dimension === 3 ? 3 : 2;
  return (deck.obstacles ?? []).map((o) => ({
    ...(o.plane ? plane(dim, o.plane, middle, size) : o.box ? box(dim, o.box) : round(dim, o.circle ?? o.sphere)),
    move: (t) => pad((o.velocity ?? [0, 0, 0]).map((v, i) => v * t + (((o.acceleration ?? [])[i] ?? 0) * t * t) / 2)),
  }));
}

/** The box of the bodies, widened by obstacles that surround or meet them. */
export function sceneBox(deck, low, high) {
  const p = [...low];
  const q = [...high];
  const size = Math.hypot(...high.map((v, i) => v - low[i]));
  const shut = (from, to) => {
    // whole where bodies are small in it; of a tall box with a heap at its bottom only the part around the heap
    const share = Math.max(...from.map((v, i) => (high[i] - low[i]) / (to[i] - v)));
    const room = share < 0.5 && share > 0.03 ? Infinity : size > 0 ? 0.3 * size : Infinity;
    from.forEach((v, i) => { p[i] = Math.min(p[i], Math.max(v, low[i] - room)); q[i] = Math.max(q[i], Math.min(to[i], high[i] + room)); });
  };
  for (const o of deck.obstacles ?? []) {
    if (o.box) shut(o.box.from, o.box.to);
    const r = o.circle ?? o.sphere;
    if (r) shut(r.center.map((v) => v - r.radius), r.center.map((v) => v + r.radius));
  }
  return [p, q];
}
