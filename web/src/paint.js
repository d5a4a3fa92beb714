// Draws a scene with the software raster: floor, bodies, balls; then what shines through, with what lies behind it.
import { fromHex } from './colour.js';
import { theme } from './theme.js';

const LIGHT = [-0.35, -0.5, 0.79];
const GLASS = 0.22; // strength of walls
const SOLID = 0.5; // of balls that are obstacles

/** Square root of the mean area of a triangle. */
function meanSide({ corners, count }, x) {
  let sum = 0;
  for (let t = 0; t < count; t++) {
    const a = 3 * corners[3 * t], b = 3 * corners[3 * t + 1], c = 3 * corners[3 * t + 2];
    const ux = x[b] - x[a], uy = x[b + 1] - x[a + 1], uz = x[b + 2] - x[a + 2];
    const vx = x[c] - x[a], vy = x[c + 1] - x[a + 1], vz = x[c + 2] - x[a + 2];
    const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    sum += Math.sqrt(nx * nx + ny * ny + nz * nz) / 2;
  }
  return Math.sqrt(sum / (count || 1));
}

export function project({ m, shift }, x, s) {
  const [[a, b, c], [d, e, f], [g, h, i]] = m;
  const [p, q, r] = shift;
  for (let k = 0; k < x.length; k += 3) {
    const X = x[k], Y = x[k + 1], Z = x[k + 2];
    s[k] = a * X + b * Y + c * Z + p;
    s[k + 1] = d * X + e * Y + f * Z + q;
    s[k + 2] = g * X + h * Y + i * Z + r;
  }
  return s;
}

/** Tiny elements: fainter edges, then none. scale: pixels of the page per length. */
export function edgeStrength(scene, scale) {
  scene.side ??= meanSide(scene.mesh, scene.positions);
  return Math.min(0.62, Math.max(0, (scene.side * scale - 1.5) / 8));
}

/** The plane of the cut in places of the screen: [x, y, z, d]. */
export function cutOnScreen(cut, { m, shift, scale }) {
  if (!cut) return null;
  // rows of m are orthogonal and of length scale: its inverse is its transpose over the square of that
  const n = [0, 1, 2].map((k) => (cut[0] * m[k][0] + cut[1] * m[k][1] + cut[2] * m[k][2]) / scale ** 2);
  return [...n, cut[3] + n[0] * shift[0] + n[1] * shift[1] + n[2] * shift[2]];
}

/** Panes that face the eye, floors first; lines of a wall come with it. */
export function eachPane(scene, view, see) {
  scene.walls.forEach((wall, k) => {
    const move = scene.moves[k];
    for (const pane of wall.panes) {
      const { normal: n } = pane;
      const facing = n[0] * view.m[2][0] + n[1] * view.m[2][1] + n[2] * view.m[2][2] > 0;
      see(pane, pane.points.map((x) => view.of([x[0] + move[0], x[1] + move[1], x[2] + move[2]])), facing);
    }
  });
}

/** How a pane is lit: walls in different directions differ. */
export const paneLight = ({ normal }, up) => 0.9 + 0.1 * normal[up];

export class Painter {
  constructor(raster) {
    this.raster = raster;
  }

  paint(scene, view, { width, height, scale, edges, up }) {
    const { raster } = this;
    raster.resize(width, height);
    raster.clear(fromHex(theme.colours.stage));
    this.screen ??= new Float32Array(scene.positions.length);
    project(view, scene.positions, this.screen);
    if (scene.dim === 2) this.#lines(scene, view, scale);
    else this.#floors(scene, view, up);
    this.#bodies(scene, view, scale, edges, (a) => a >= 1);
    this.#balls(scene, view, scale, (a) => a >= 1);
    if (scene.dim === 3) {
      this.#lines(scene, view, scale);
      this.#glass(scene, view);
    }
    const through = (a) => a > 0 && a < 1;
    if (scene.opacity.some(through)) {
      this.#bodies(scene, view, scale, edges, through);
      this.#balls(scene, view, scale, through);
    }
  }

  #floors(scene, view, up) {
    const ground = fromHex(theme.colours.floor);
    eachPane(scene, view, (pane, points, facing) => facing && pane.shadow && this.raster.floor(points, ground, pane.shadow, paneLight(pane, up)));
  }

  #bodies(scene, view, scale, edges, is) {
    if (!scene.mesh.count) return;
    const { film } = scene;
    this.raster.triangles(scene.mesh, this.screen, {
      values: scene.shown ? scene.values : null,
      colours: scene.map,
      words: scene.words,
      bodies: scene.colours,
      alpha: scene.opacity,
      is,
      cut: cutOnScreen(scene.cut, view),
      nan: fromHex('#9aa0a8'),
      light: film.dim === 3 ? LIGHT : null,
      edge: edges ? edgeStrength(scene, view.scale / scale) : 0,
      edgeColour: fromHex('#101820'),
      lineColour: fromHex(theme.colours.wall),
      line: scale * 0.8,
    });
  }

  #balls({ balls, dim, cut }, view, scale, is) {
    const s = [0, 0, 0];
    for (let k = 0; k < balls.count; k++) {
      if (!is(balls.alpha[k])) continue;
      const p = balls.poses;
      const x = [p[8 * k], p[8 * k + 1], p[8 * k + 2]];
      if (cut && cut[0] * x[0] + cut[1] * x[1] + cut[2] * x[2] > cut[3]) continue;
      for (let i = 0; i < 3; i++) s[i] = view.m[i][0] * x[0] + view.m[i][1] * x[1] + view.m[i][2] * x[2] + view.shift[i];
      this.raster.ball(s, p[8 * k + 3] * view.scale, balls.colours[k], { light: dim === 3 ? LIGHT : null, turn: [p[8 * k + 4], p[8 * k + 5], p[8 * k + 6], p[8 * k + 7]], axes: view.m, scale: view.scale, alpha: balls.alpha[k], rim: scale });
    }
  }

  #lines(scene, view, scale) {
    const behind = scene.dim === 2 ? -scene.size : 0;
    const [strong, faint] = ['wall', 'faint'].map((name) => fromHex(theme.colours[name]));
    scene.walls.forEach((wall, k) => {
      const move = scene.moves[k];
      const at = (x) => view.of([x[0] + move[0], x[1] + move[1], x[2] + move[2] + behind]);
      for (const [from, to, thin] of wall.lines) this.raster.line(...at(from), ...at(to), thin ? faint : strong, thin ? scale : 1.6 * scale);
    });
  }

  #glass(scene, view) {
    const pane = fromHex(theme.colours.pane);
    eachPane(scene, view, (p, points, facing) => !(facing && p.shadow) && facing && this.raster.glass(points, pane, GLASS));
    scene.walls.forEach(({ ball }, k) => {
      if (!ball) return;
      const at = view.of(ball.centre.map((v, i) => v + scene.moves[k][i]));
      this.raster.ball(at, ball.radius * view.scale, fromHex(theme.colours.solid), { light: LIGHT, alpha: SOLID, axes: view.m, scale: view.scale, rim: 1 });
    });
  }
}
