// Draws a scene: floor, bodies, balls; then what shines through, with what lies behind it. The raster is the software one
// (raster.js) or WebGL's (glraster.js): both have begin, floor, triangles, balls, lines, glass and show, and make the same picture.
import { fromHex } from './colour.js';
import { NO_VALUE } from './raster.js';
import { theme } from './theme.js';

const LIGHT = [-0.35, -0.5, 0.79];
const GLASS = 0.22; // strength of walls
const SOLID = 0.5; // of balls that are obstacles
const NO_NUMBER = '#9aa0a8'; // the colour of a value that is none

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

/** Lines of the screen, in arrays that grow. */
class Lines {
  constructor() {
    this.#make(256);
  }

  #make(room) {
    const old = this.ends ? this : { ends: [], colours: [], thick: [] };
    const [ends, colours, thick] = [new Float32Array(6 * room), new Int32Array(room), new Float32Array(room)];
    ends.set(old.ends);
    colours.set(old.colours);
    thick.set(old.thick);
    Object.assign(this, { room, ends, colours, thick, count: this.count ?? 0 });
  }

  add(from, to, colour, thick) {
    if (this.count === this.room) this.#make(2 * this.room);
    const k = this.count++;
    this.ends.set(from, 6 * k);
    this.ends.set(to, 6 * k + 3);
    this.colours[k] = colour;
    this.thick[k] = thick;
  }
}

/** Room for n balls. */
const room = (n) => ({ count: n, poses: new Float32Array(8 * n), colours: new Int32Array(n), alpha: new Float32Array(n) });

export class Painter {
  constructor(raster) {
    this.raster = raster;
    this.list = new Lines();
  }

  paint(scene, view, { width, height, scale, edges, up, quick }) {
    const { raster } = this;
    raster.begin(width, height, fromHex(theme.colours.stage), view, scene);
    if (scene.dim === 2) this.#lines(scene, view, scale);
    else this.#floors(scene, view, up);
    this.#bodies(scene, view, scale, edges, false, quick);
    if (scene.dim === 3) {
      this.#lines(scene, view, scale);
      this.#glass(scene, view);
    }
    if (scene.opacity.some((a) => a > 0 && a < 1)) this.#bodies(scene, view, scale, edges, true);
  }

  #floors(scene, view, up) {
    const ground = fromHex(theme.colours.floor);
    eachPane(scene, view, (pane, points, facing) => facing && pane.shadow && this.raster.floor(points, ground, pane.shadow, paneLight(pane, up)));
  }

  /** All bodies, of which some are seen through, or the others. */
  #bodies(scene, view, scale, edges, through, quick) {
    const { mesh, balls, dim, cut } = scene;
    const light = dim === 3 ? LIGHT : null;
    const look = {
      through,
      values: scene.shown ? scene.values : null,
      colours: scene.map,
      words: scene.words,
      bodies: scene.colours,
      alpha: scene.opacity,
      cut: cutOnScreen(cut, view),
      nan: fromHex(NO_NUMBER),
      light,
      quick: quick && light && !cut && !through, // surfaces are closed: their inside is hidden unless elements are turned inside out
      edge: edges ? edgeStrength(scene, view.scale / scale) : 0,
      edgeColour: fromHex('#101820'),
      line: scale * 0.8,
    };
    if (mesh.count) this.raster.triangles(mesh, scene.positions, view, look);
    if (mesh.thin.length && !through) this.#thin(scene, view, scale);
    if (balls.count) this.raster.balls(balls, view, { through, light, cut, rim: scale });
  }

  /** Rods and bodies without extent. */
  #thin({ mesh: { corners, thin, triangleBody }, positions: x, opacity, colours, values, shown, map }, view, scale) {
    const place = (node) => [x[3 * node], x[3 * node + 1], x[3 * node + 2]];
    const strong = fromHex(theme.colours.wall);
    const dots = thin.filter((t) => corners[3 * t] === corners[3 * t + 2]);
    this.dots ??= [room(dots.length), room(dots.length)];
    dots.forEach((t, k) => {
      const node = corners[3 * t];
      const body = triangleBody[t];
      const value = Math.round(Math.min(1, Math.max(0, values[node])) * ((map?.length ?? 1) - 1));
      [[7, strong], [5.5, !shown ? colours[body] : values[node] === NO_VALUE ? fromHex(NO_NUMBER) : map[value]]].forEach(([radius, colour], i) => {
        this.dots[i].poses.set([...place(node), (0.8 * scale * radius) / view.scale], 8 * k);
        this.dots[i].colours[k] = colour;
        this.dots[i].alpha[k] = opacity[body];
      });
    });
    if (dots.length) for (const list of this.dots) this.raster.balls(list, view, { through: false, light: null, cut: null, rim: 0 });
    this.list.count = 0;
    for (const t of thin) {
      if (corners[3 * t] === corners[3 * t + 2] || opacity[triangleBody[t]] < 1) continue;
      this.list.add(view.of(place(corners[3 * t])), view.of(place(corners[3 * t + 1])), strong, 1.6 * scale);
    }
    this.raster.lines(this.list);
  }

  #lines(scene, view, scale) {
    const behind = scene.dim === 2 ? -scene.size : 0;
    const [strong, faint] = ['wall', 'faint'].map((name) => fromHex(theme.colours[name]));
    this.list.count = 0;
    scene.walls.forEach((wall, k) => {
      const move = scene.moves[k];
      const at = (x) => view.of([x[0] + move[0], x[1] + move[1], x[2] + move[2] + behind]);
      for (const [from, to, thin] of wall.lines) this.list.add(at(from), at(to), thin ? faint : strong, thin ? scale : 1.6 * scale);
    });
    this.raster.lines(this.list);
  }

  #glass(scene, view) {
    const pane = fromHex(theme.colours.pane);
    eachPane(scene, view, (p, points, facing) => !p.shadow && facing && this.raster.glass(points, pane, GLASS));
    const round = scene.walls.filter(({ ball }) => ball);
    if (!round.length) return;
    this.solids ??= room(round.length);
    round.forEach((wall, k) => {
      const move = scene.moves[scene.walls.indexOf(wall)];
      this.solids.poses.set([...wall.ball.centre.map((v, i) => v + move[i]), wall.ball.radius, 0, 0, 0, 0], 8 * k);
      this.solids.colours[k] = fromHex(theme.colours.solid);
      this.solids.alpha[k] = SOLID;
    });
    this.raster.balls(this.solids, view, { through: true, light: LIGHT, cut: null, rim: 1 });
  }
}
