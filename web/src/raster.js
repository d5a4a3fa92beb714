// A z-buffer rasteriser on plain arrays: triangles with a value at every node, lines, glass. One path for 2D and
// 3D; spec: every side that belongs to an element is drawn as an edge, diagonals are not.

const FAR = -3e38;

export const rgb = (r, g, b) => (255 << 24) | (b << 16) | (g << 8) | r;

const shade = (c, l) => // l of 256
  (255 << 24) | ((((c >>> 16) & 255) * l >> 8) << 16) | ((((c >>> 8) & 255) * l >> 8) << 8) | ((c & 255) * l >> 8);

const mix = (c, d, s) => { // s of 256 from c to d
  const r = (c & 255) + ((((d & 255) - (c & 255)) * s) >> 8);
  const g = ((c >>> 8) & 255) + (((((d >>> 8) & 255) - ((c >>> 8) & 255)) * s) >> 8);
  const b = ((c >>> 16) & 255) + (((((d >>> 16) & 255) - ((c >>> 16) & 255)) * s) >> 8);
  return (255 << 24) | (b << 16) | (g << 8) | r;
};

const MARK = 205; // of 256: how bright the darker eighths of a ball are
const RIM = 150; // and the rim of a disc

/** Light on a ball, of 256, by the cosine between its normal and the light. */
const ballLight = (c) => Math.round(256 * (0.5 + 0.5 * Math.max(0, c)));

/** Matrix from directions of the screen to those of a turned body. */
export function bodyAxes([w, x, y, z], axes, scale) {
  const R = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
  const out = [];
  for (let i = 0; i < 3; i++) for (let k = 0; k < 3; k++) out.push((R[0][i] * axes[k][0] + R[1][i] * axes[k][1] + R[2][i] * axes[k][2]) / scale);
  return out;
}

/** A grid of bytes at shares of its sides, between the middles of its cells; whole. */
function bilinear(bytes, size, s, t) {
  const x = Math.min(size - 1, Math.max(0, s * size - 0.5));
  const y = Math.min(size - 1, Math.max(0, t * size - 0.5));
  const [i, j] = [Math.min(size - 2, Math.floor(x)), Math.min(size - 2, Math.floor(y))];
  const [u, v] = [x - i, y - j];
  const k = j * size + i;
  return Math.round((1 - v) * ((1 - u) * bytes[k] + u * bytes[k + 1]) + v * ((1 - u) * bytes[k + size] + u * bytes[k + size + 1]));
}

export class Raster {
  constructor() {
    this.width = this.height = 0;
  }

  resize(width, height) {
    if (width === this.width && height === this.height) return;
    this.width = width;
    this.height = height;
    this.pixels = new Int32Array(width * height);
    this.depth = new Float32Array(width * height);
    this.image = new ImageData(new Uint8ClampedArray(this.pixels.buffer), width, height);
  }

  clear(colour) {
    this.pixels.fill(colour);
    this.depth.fill(FAR);
  }

  /**
   * Draws triangles. mesh: {corners, sides, count}; screen: x, y (pixels) and z (greater is nearer) of the nodes,
   * 3 numbers each; look: {colours: 256 of them, values per node in 0..1 | null, bodies: colours where there are no
   * values, words: values are words, not amounts, nan: colour, light: [x, y, z] | null, edge: strength 0..1, edgeColour, line: width,
   * lineColour, alpha: opacity of every body, is(alpha): whether to draw it now, cut: [x, y, z, d] | null: beyond this plane of the
   * screen nothing is drawn, and what is seen from behind is greyer}. What is not opaque leaves the depths as they are.
   */
  triangles(mesh, screen, look) {
    const { corners, sides, triangleBody, count } = mesh;
    const { width, height, pixels, depth } = this;
    const { values, colours, words, nan, light, line, bodies, alpha, cut } = look;
    const drawn = Array.from(alpha, look.is);
    const dark = look.edgeColour;
    const strength = Math.round(256 * look.edge);
    const last = values ? colours.length - 1 : 0;

    for (let t = 0; t < count; t++) {
      const body = triangleBody[t];
      if (!drawn[body]) continue;
      const through = alpha[body] < 1 ? Math.round(256 * alpha[body]) : 0;
      const a = 3 * corners[3 * t];
      let b = 3 * corners[3 * t + 1];
      let c = 3 * corners[3 * t + 2];
      let flags = strength ? sides[t] : 0;
      const x0 = screen[a];
      const y0 = screen[a + 1];
      if (a === c) {
        const value = values ? values[a / 3] : 0;
        const inner = !values ? bodies[body] : value === value ? colours[Math.round(Math.min(1, Math.max(0, value)) * last)] : nan;
        this.#dot(x0, y0, screen[a + 2], 7 * line, look.lineColour);
        this.#dot(x0, y0, screen[a + 2], 5.5 * line, inner);
        continue;
      }
      if (b === c) {
        this.line(x0, y0, screen[a + 2], screen[b], screen[b + 1], screen[b + 2], look.lineColour, 2 * line);
        continue;
      }
      let area = (screen[b] - x0) * (screen[c + 1] - y0) - (screen[c] - x0) * (screen[b + 1] - y0);
      if (area === 0) continue;
      const behind = area > 0; // the surface turns clockwise on a screen whose y points down
      if (area < 0) { // turn it round
        const other = b;
        b = c;
        c = other;
        area = -area;
        flags = ((flags & 1) << 2) | (flags & 2) | ((flags & 4) >> 2);
      }
      const x1 = screen[b], y1 = screen[b + 1], x2 = screen[c], y2 = screen[c + 1];
      const left = Math.max(0, Math.ceil(Math.min(x0, x1, x2) - 0.5));
      const right = Math.min(width - 1, Math.floor(Math.max(x0, x1, x2) - 0.5));
      const top = Math.max(0, Math.ceil(Math.min(y0, y1, y2) - 0.5));
      const bottom = Math.min(height - 1, Math.floor(Math.max(y0, y1, y2) - 0.5));
      if (left > right || top > bottom) continue;

      // edge functions: u belongs to the side 1-2, v to 2-0, w to 0-1; all positive inside
      const ux = y1 - y2, uy = x2 - x1, vx = y2 - y0, vy = x0 - x2, wx = y0 - y1, wy = x1 - x0;
      const inverse = 1 / area;
      const z0 = screen[a + 2], z1 = screen[b + 2], z2 = screen[c + 2];
      const near = line * 0.75;
      const tw = flags & 1 ? near * Math.hypot(wx, wy) : -1;
      const tu = flags & 2 ? near * Math.hypot(ux, uy) : -1;
      const tv = flags & 4 ? near * Math.hypot(vx, vy) : -1;

      let d0 = 0, d1 = 0, d2 = 0;
      let cuts = false;
      if (cut) {
        d0 = cut[0] * x0 + cut[1] * y0 + cut[2] * z0 - cut[3];
        d1 = cut[0] * x1 + cut[1] * y1 + cut[2] * z1 - cut[3];
        d2 = cut[0] * x2 + cut[1] * y2 + cut[2] * z2 - cut[3];
        if (d0 > 0 && d1 > 0 && d2 > 0) continue;
        cuts = d0 > 0 || d1 > 0 || d2 > 0;
      }
      const hollow = cut && behind;

      let l = 256;
      if (light) {
        const nx = (y1 - y0) * (z2 - z0) - (z1 - z0) * (y2 - y0);
        const ny = (z1 - z0) * (x2 - x0) - (x1 - x0) * (z2 - z0);
        const size = Math.hypot(nx, ny, area);
        l = Math.round(256 * (0.6 + 0.4 * Math.abs((nx * light[0] + ny * light[1] + area * light[2]) / size)));
        if (l > 256) l = 256;
      }
      let s0 = 0, s1 = 0, s2 = 0;
      let flat = 0;
      let isFlat = true;
      if (values) {
        s0 = values[a / 3];
        s1 = values[b / 3];
        s2 = values[c / 3];
        isFlat = !(s0 === s0 && s1 === s1 && s2 === s2);
        flat = nan;
      } else flat = bodies[body];

      const px = left + 0.5, py = top + 0.5;
      let uRow = ux * (px - x1) + uy * (py - y1);
      let vRow = vx * (px - x2) + vy * (py - y2);
      let wRow = wx * (px - x0) + wy * (py - y0);
      for (let y = top; y <= bottom; y++, uRow += uy, vRow += vy, wRow += wy) {
        let u = uRow, v = vRow, w = wRow;
        let at = y * width + left;
        for (let x = left; x <= right; x++, at++, u += ux, v += vx, w += wx) {
          if (u < 0 || v < 0 || w < 0) continue;
          const z = (u * z0 + v * z1 + w * z2) * inverse;
          if (z < depth[at] || (cuts && u * d0 + v * d1 + w * d2 > 0)) continue;
          let colour = flat;
          if (!isFlat) {
            const s = words ? (u >= v && u >= w ? s0 : v >= w ? s1 : s2) : (u * s0 + v * s1 + w * s2) * inverse;
            let i = (s * last + 0.5) | 0;
            if (i < 0) i = 0;
            else if (i > last) i = last;
            colour = colours[i];
          }
          if (hollow) colour = mix(colour, nan, 150);
          if (l < 256) colour = shade(colour, l);
          if (u < tu || v < tv || w < tw) colour = mix(colour, dark, strength);
          if (through) pixels[at] = mix(pixels[at], colour, through);
          else {
            depth[at] = z;
            pixels[at] = colour;
          }
        }
      }
    }
  }

  /** A body without extent. */
  #dot(x, y, z, radius, colour) {
    const { width, height, pixels, depth } = this;
    for (let row = Math.max(0, Math.floor(y - radius)); row <= Math.min(height - 1, y + radius); row++)
      for (let col = Math.max(0, Math.floor(x - radius)); col <= Math.min(width - 1, x + radius); col++) {
        const at = row * width + col;
        if (Math.hypot(col + 0.5 - x, row + 0.5 - y) > radius || z < depth[at]) continue;
        depth[at] = z;
        pixels[at] = colour;
      }
  }

  /**
   * A ball, or a disc where there is no light: at [x, y, z] of the screen; look: {light, turn: quaternion | undefined, axes: rows
   * of the projection, scale: their length, alpha, rim}. Opposite eighths of a turned ball are darker, which shows how it rolls.
   */
  ball([cx, cy, cz], radius, colour, { light, turn, axes, scale, alpha = 1, rim }) {
    const { width, height, pixels, depth } = this;
    const through = alpha < 1 ? Math.round(256 * alpha) : 0;
    const top = Math.max(0, Math.ceil(cy - radius - 0.5));
    const bottom = Math.min(height - 1, Math.floor(cy + radius - 0.5));
    // from the screen to the body: rows of its axes
    const b = turn ? bodyAxes(turn, axes, scale) : null;
    const dull = shade(colour, MARK);
    const inner = Math.max(0, radius - rim) ** 2;
    for (let row = top; row <= bottom; row++) {
      const dy = row + 0.5 - cy;
      const half = Math.sqrt(Math.max(0, radius * radius - dy * dy));
      const right = Math.min(width - 1, Math.floor(cx + half - 0.5));
      for (let col = Math.max(0, Math.ceil(cx - half - 0.5)); col <= right; col++) {
        const at = row * width + col;
        const dx = col + 0.5 - cx;
        const dz = light ? Math.sqrt(Math.max(0, radius * radius - dx * dx - dy * dy)) : 0;
        if (cz + dz < depth[at]) continue;
        let c = colour;
        if (b) {
          const X = b[0] * dx + b[1] * dy + b[2] * dz;
          const Y = b[3] * dx + b[4] * dy + b[5] * dz;
          const Z = light ? b[6] * dx + b[7] * dy + b[8] * dz : 1;
          if (X > 0 !== Y > 0 !== Z > 0) c = dull;
        }
        if (light) c = shade(c, ballLight((dx * light[0] + dy * light[1] + dz * light[2]) / radius));
        else if (dx * dx + dy * dy > inner) c = shade(colour, RIM);
        if (through) pixels[at] = mix(pixels[at], c, through);
        else {
          depth[at] = cz + dz;
          pixels[at] = c;
        }
      }
    }
  }

  /** A floor: four screen points in order; shadow: its grid of bytes over the sides 0-1 and 0-3. */
  floor([p, q, , r], colour, { bytes, size }, light) {
    const { width, height, pixels, depth } = this;
    const [ax, ay, az] = [q[0] - p[0], q[1] - p[1], q[2] - p[2]];
    const [bx, by, bz] = [r[0] - p[0], r[1] - p[1], r[2] - p[2]];
    const det = ax * by - ay * bx;
    if (Math.abs(det) < 1e-9) return;
    const plain = shade(colour, Math.round(256 * light));
    const xs = [p[0], q[0], r[0], q[0] + bx];
    const ys = [p[1], q[1], r[1], q[1] + by];
    for (let row = Math.max(0, Math.ceil(Math.min(...ys) - 0.5)); row <= Math.min(height - 1, Math.max(...ys) - 0.5); row++)
      for (let col = Math.max(0, Math.ceil(Math.min(...xs) - 0.5)); col <= Math.min(width - 1, Math.max(...xs) - 0.5); col++) {
        const X = col + 0.5 - p[0], Y = row + 0.5 - p[1];
        const s = (X * by - Y * bx) / det;
        const t = (ax * Y - ay * X) / det;
        if (s < 0 || t < 0 || s > 1 || t > 1) continue;
        const at = row * width + col;
        const z = p[2] + s * az + t * bz;
        if (z < depth[at]) continue;
        depth[at] = z;
        const dark = bilinear(bytes, size, s, t);
        pixels[at] = dark ? shade(plain, 256 - dark) : plain;
      }
  }

  /** A line with depth. */
  line(x0, y0, z0, x1, y1, z1, colour, thick = 1) {
    const { width, height, pixels, depth } = this;
    const steps = Math.ceil(Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0), 1));
    if (!(steps < 20000)) return;
    const half = (thick - 1) / 2;
    const steep = Math.abs(y1 - y0) > Math.abs(x1 - x0);
    for (let i = 0; i <= steps; i++) {
      const s = i / steps;
      const x = x0 + s * (x1 - x0);
      const y = y0 + s * (y1 - y0);
      const z = z0 + s * (z1 - z0);
      for (let d = -half; d <= half; d++) {
        const col = Math.floor(steep ? x + d : x);
        const row = Math.floor(steep ? y : y + d);
        if (col < 0 || row < 0 || col >= width || row >= height) continue;
        const at = row * width + col;
        if (z < depth[at]) continue;
        depth[at] = z;
        pixels[at] = colour;
      }
    }
  }

  /** A convex polygon as glass: screen points [x, y, z]; strength 0..1. What lies behind shines through. */
  glass(points, colour, strength) {
    const { width, height, pixels, depth } = this;
    const s = Math.round(256 * strength);
    for (let k = 1; k + 1 < points.length; k++) {
      let [p, q, r] = [points[0], points[k], points[k + 1]];
      let area = (q[0] - p[0]) * (r[1] - p[1]) - (r[0] - p[0]) * (q[1] - p[1]);
      if (area === 0) continue;
      if (area < 0) {
        [q, r] = [r, q];
        area = -area;
      }
      const left = Math.max(0, Math.ceil(Math.min(p[0], q[0], r[0]) - 0.5));
      const right = Math.min(width - 1, Math.floor(Math.max(p[0], q[0], r[0]) - 0.5));
      const top = Math.max(0, Math.ceil(Math.min(p[1], q[1], r[1]) - 0.5));
      const bottom = Math.min(height - 1, Math.floor(Math.max(p[1], q[1], r[1]) - 0.5));
      for (let y = top; y <= bottom; y++)
        for (let x = left; x <= right; x++) {
          const X = x + 0.5, Y = y + 0.5;
          const u = (r[0] - q[0]) * (Y - q[1]) - (r[1] - q[1]) * (X - q[0]);
          const v = (p[0] - r[0]) * (Y - r[1]) - (p[1] - r[1]) * (X - r[0]);
          const w = area - u - v;
          // a side that two triangles share is painted once
          if (u < 0 || v < 0 || w < 0 || (k > 1 && (points[k] === q ? w : v) === 0)) continue;
          const at = y * width + x;
          if ((u * p[2] + v * q[2] + w * r[2]) / area < depth[at]) continue;
          pixels[at] = mix(pixels[at], colour, s);
        }
    }
  }
}
