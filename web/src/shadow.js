// Soft shadows on a floor: what stands above is laid down along the light into a grid, which is then blurred.

const SIDE = 160; // cells of the grid, each way
const LEAN = [0.22, 0.14]; // how far the light leans along the sides of the floor, per height
const DEEP = 0.55; // the darkest

/** One floor: its corners [p00, p10, p11, p01] and its normal. */
export class Shadow {
  constructor({ points, normal }) {
    const less = (a, b) => a.map((v, i) => v - b[i]);
    this.corner = points[0];
    this.normal = normal;
    this.sides = [less(points[1], points[0]), less(points[3], points[0])];
    this.lengths = this.sides.map((s) => Math.hypot(...s));
    this.across = this.sides.map((s, k) => s.map((v) => v / this.lengths[k] ** 2)); // to shares of the sides
    this.size = SIDE;
    this.grid = new Float32Array(SIDE * SIDE);
    this.spare = new Float32Array(SIDE * SIDE);
    this.bytes = new Uint8Array(SIDE * SIDE);
  }

  /** Cells (column, row) and height of a place, with the floor moved by `move`. */
  #lay(x, y, z, move, out) {
    const { corner: c, normal: n, across: [a, b], lengths } = this;
    const X = x - c[0] - move[0], Y = y - c[1] - move[1], Z = z - c[2] - move[2];
    const h = X * n[0] + Y * n[1] + Z * n[2];
    out[0] = (X * a[0] + Y * a[1] + Z * a[2] + (LEAN[0] * h) / lengths[0]) * SIDE;
    out[1] = (X * b[0] + Y * b[1] + Z * b[2] + (LEAN[1] * h) / lengths[1]) * SIDE;
    out[2] = h;
  }

  /** Fills this.bytes: 0 in full light. scene: see scene.js. */
  cast(scene, move) {
    this.grid.fill(0);
    this.#castBalls(scene, move);
    this.#castTriangles(scene, move);
    this.#blur(this.grid, this.spare);
    this.#blur(this.spare, this.grid);
    for (let k = 0; k < this.bytes.length; k++) this.bytes[k] = Math.min(255, 255 * DEEP * this.grid[k]);
    return this.bytes;
  }

  /** What is high casts a fainter shadow. */
  #strength(h, size) {
    return h < -0.02 * size ? 0 : 1 / (1 + (h / (0.4 * size)) ** 2);
  }

  #castBalls({ balls, size }, move) {
    const { grid, lengths } = this;
    const p = [0, 0, 0];
    for (let k = 0; balls && k < balls.count; k++) {
      if (balls.alpha[k] < 1) continue;
      const radius = balls.poses[8 * k + 3];
      this.#lay(balls.poses[8 * k], balls.poses[8 * k + 1], balls.poses[8 * k + 2], move, p);
      const w = this.#strength(p[2] - radius, size);
      if (!(w > 0)) continue;
      const rx = (radius / lengths[0]) * SIDE, ry = (radius / lengths[1]) * SIDE;
      const bottom = Math.min(SIDE - 1, Math.floor(p[1] + ry - 0.5));
      for (let row = Math.max(0, Math.ceil(p[1] - ry - 0.5)); row <= bottom; row++) {
        const y = (row + 0.5 - p[1]) / ry;
        const half = rx * Math.sqrt(Math.max(0, 1 - y * y));
        const right = Math.min(SIDE - 1, Math.floor(p[0] + half - 0.5));
        for (let at = row * SIDE + Math.max(0, Math.ceil(p[0] - half - 0.5)); at <= row * SIDE + right; at++) if (grid[at] < w) grid[at] = w;
      }
    }
  }

  #castTriangles({ mesh, positions: x, opacity, size }, move) {
    const { corners, triangleBody, count } = mesh;
    const [p, q, r] = [[0, 0, 0], [0, 0, 0], [0, 0, 0]];
    for (let t = 0; t < count; t++) {
      if (opacity[triangleBody[t]] < 1) continue;
      const a = 3 * corners[3 * t], b = 3 * corners[3 * t + 1], c = 3 * corners[3 * t + 2];
      this.#lay(x[a], x[a + 1], x[a + 2], move, p);
      this.#lay(x[b], x[b + 1], x[b + 2], move, q);
      this.#lay(x[c], x[c + 1], x[c + 2], move, r);
      const w = this.#strength((p[2] + q[2] + r[2]) / 3, size);
      if (w > 0) this.#fill(p, q, r, w);
    }
  }

  #fill(p, q, r, w) {
    const area = (q[0] - p[0]) * (r[1] - p[1]) - (r[0] - p[0]) * (q[1] - p[1]);
    const top = Math.max(0, Math.floor(Math.min(p[1], q[1], r[1])));
    const bottom = Math.min(SIDE - 1, Math.floor(Math.max(p[1], q[1], r[1])));
    const left = Math.max(0, Math.floor(Math.min(p[0], q[0], r[0])));
    const right = Math.min(SIDE - 1, Math.floor(Math.max(p[0], q[0], r[0])));
    const slack = -0.4 * Math.abs(area); // cells that are only touched count too
    for (let row = top; row <= bottom; row++)
      for (let col = left; col <= right; col++) {
        const X = col + 0.5, Y = row + 0.5;
        const u = ((r[0] - q[0]) * (Y - q[1]) - (r[1] - q[1]) * (X - q[0])) * Math.sign(area);
        const v = ((p[0] - r[0]) * (Y - r[1]) - (p[1] - r[1]) * (X - r[0])) * Math.sign(area);
        if (u < slack || v < slack || Math.abs(area) - u - v < slack) continue;
        const at = row * SIDE + col;
        if (this.grid[at] < w) this.grid[at] = w;
      }
  }

  /** The mean of five cells along rows, then turned over: twice is a blur both ways. */
  #blur(from, to) {
    for (let row = 0; row < SIDE; row++) {
      let sum = 0;
      for (let col = -2; col < SIDE; col++) {
        if (col + 2 < SIDE) sum += from[row * SIDE + col + 2];
        if (col >= 3) sum -= from[row * SIDE + col - 3];
        if (col >= 0) to[col * SIDE + row] = sum / 5;
      }
    }
  }
}
