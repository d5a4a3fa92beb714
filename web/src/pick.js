// What lies under a place of the screen: the triangle or ball nearest to the eye, whoever drew the picture.

/** {node, body, place, depth} or null; x, y: pixels of the view. A ball has no node: its place is its centre. */
export function pick(scene, view, x, y) {
  return nearer(pickTriangle(scene, view, x, y), pickBall(scene, view, x, y));
}

const nearer = (a, b) => (!a || (b && b.depth > a.depth) ? b : a);

function pickTriangle(scene, view, x, y) {
  const { positions: p, opacity, cut, mesh: { corners, triangleBody, count } } = scene;
  const [[a, b, c], [d, e, f], [g, h, i]] = view.m;
  const [sx, sy, sz] = view.shift;
  const [X, Y, Z] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
  let best = null;
  for (let t = 0; t < count; t++) {
    if (!(opacity[triangleBody[t]] > 0)) continue;
    for (let k = 0; k < 3; k++) {
      const n = 3 * corners[3 * t + k];
      X[k] = a * p[n] + b * p[n + 1] + c * p[n + 2] + sx - x;
      Y[k] = d * p[n] + e * p[n + 1] + f * p[n + 2] + sy - y;
    }
    const u = X[1] * Y[2] - X[2] * Y[1];
    const v = X[2] * Y[0] - X[0] * Y[2];
    const w = X[0] * Y[1] - X[1] * Y[0];
    if (!((u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0)) || u + v + w === 0) continue;
    const share = [u, v, w].map((s) => s / (u + v + w));
    let depth = sz;
    const place = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      const n = 3 * corners[3 * t + k];
      for (let j = 0; j < 3; j++) place[j] += share[k] * p[n + j];
    }
    depth += g * place[0] + h * place[1] + i * place[2];
    if ((best && depth <= best.depth) || isCut(cut, place)) continue;
    const node = corners[3 * t + share.indexOf(Math.max(...share))];
    best = { node, body: triangleBody[t], place, depth };
  }
  return best;
}

function pickBall({ film, balls, cut, dim }, view, x, y) {
  let best = null;
  for (let k = 0; k < balls.count; k++) {
    if (!(balls.alpha[k] > 0)) continue;
    const centre = [balls.poses[8 * k], balls.poses[8 * k + 1], balls.poses[8 * k + 2]];
    const [cx, cy, cz] = view.of(centre);
    const r = balls.poses[8 * k + 3] * view.scale;
    const rest = r * r - (cx - x) ** 2 - (cy - y) ** 2;
    if (rest < 0 || isCut(cut, centre)) continue;
    const depth = cz + (dim === 3 ? Math.sqrt(rest) : 0);
    if (!best || depth > best.depth) best = { body: film.balls[k].body, ball: k, place: centre, depth };
  }
  return best;
}

const isCut = (cut, x) => cut !== null && cut[0] * x[0] + cut[1] * x[1] + cut[2] * x[2] > cut[3];

/** Where something that was picked is now: its node, or the centre of its ball. */
export function placeOf({ positions, balls }, { node, ball }) {
  return node === undefined ? [0, 1, 2].map((i) => balls.poses[8 * ball + i]) : [0, 1, 2].map((i) => positions[3 * node + i]);
}
