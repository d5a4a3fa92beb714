// A z-buffer rasteriser on plain arrays: triangles with a value at every node, balls, lines, glass. One path for 2D and
// 3D; every side that belongs to an element is drawn as an edge, diagonals are not. glraster.js draws the same with WebGL.

const FAR = -3e38;

export const rgb = (r, g, b) => (255 << 24) | (b << 16) | (g << 8) | r;

/** Every channel times l / 256; red and blue at once, the products do not meet. */
const shade = (c, l) => (255 << 24) | ((Math.imul(c & 0xff00ff, l) >>> 8) & 0xff00ff) | ((Math.imul(c & 0xff00, l) >>> 8) & 0xff00);

const mix = (c, d, s) => { // s of 256 from c to d
  const r = (c & 255) + ((((d & 255) - (c & 255)) * s) >> 8);
  const g = ((c >>> 8) & 255) + (((((d >>> 8) & 255) - ((c >>> 8) & 255)) * s) >> 8);
  const b = ((c >>> 16) & 255) + (((((d >>> 16) & 255) - ((c >>> 16) & 255)) * s) >> 8);
  return (255 << 24) | (b << 16) | (g << 8) | r;
};

export const MARK = 205; // of 256: how bright the darker eighths of a ball are
export const RIM = 150; // and the rim of a disc
export const HOLLOW = 150; // of 256: how grey the inner side of a cut body is
const SLOTS = 1024; // depths that balls are sorted by
const NONE = [0, 0, 0];

/** Matrix from directions of the screen to those of a body turned by the quaternion q[at]; null: it has no marks. */
function bodyAxes(q, at, { m, scale }, out) {
  const w = q[at], x = q[at + 1], y = q[at + 2], z = q[at + 3];
  if (w === 0 && x === 0 && y === 0 && z === 0) return null;
  // columns of the rotation are the axes of the body
  for (let i = 0; i < 3; i++) {
    const X = i === 0 ? 1 - 2 * (y * y + z * z) : i === 1 ? 2 * (x * y - w * z) : 2 * (x * z + w * y);
    const Y = i === 0 ? 2 * (x * y + w * z) : i === 1 ? 1 - 2 * (x * x + z * z) : 2 * (y * z - w * x);
    const Z = i === 0 ? 2 * (x * z - w * y) : i === 1 ? 2 * (y * z + w * x) : 1 - 2 * (x * x + y * y);
    for (let k = 0; k < 3; k++) out[3 * i + k] = (X * m[k][0] + Y * m[k][1] + Z * m[k][2]) / scale;
  }
  return out;
}

/** An order of balls in which nearer ones come first, roughly: most of what is hidden is then not drawn. */
class Order {
  nearestFirst({ count: n, poses: p }, { m: [, , [a, b, c]] }, sorts) {
    if (this.list?.length !== n) [this.list, this.height, this.slot] = [new Uint32Array(n), new Float32Array(n), new Uint16Array(n)];
    const { list, height, slot, counts } = this;
    if (!sorts) for (let k = 0; k < n; k++) list[k] = k;
    if (!sorts) return list;
    let [low, high] = [Infinity, -Infinity];
    for (let k = 0; k < n; k++) {
      const z = (height[k] = a * p[8 * k] + b * p[8 * k + 1] + c * p[8 * k + 2]);
      if (z < low) low = z;
      if (z > high) high = z;
    }
    const scale = high > low ? (SLOTS - 1) / (high - low) : 0;
    counts.fill(0);
    for (let k = 0; k < n; k++) {
      slot[k] = (high - height[k]) * scale;
      counts[slot[k] + 1]++;
    }
    for (let s = 0; s < SLOTS; s++) counts[s + 1] += counts[s];
    for (let k = 0; k < n; k++) list[counts[slot[k]]++] = k;
    return list;
  }

  counts = new Uint32Array(SLOTS + 1);
}

/** A grid of bytes at shares of its sides, between the middles of its cells; whole. */
function bilinear(bytes, size, s, t) {
  const x = Math.min(size - 1, Math.max(0, s * size - 0.5));
  const y = Math.min(size - 1, Math.max(0, t * size - 0.5));
  const i = Math.min(size - 2, Math.floor(x)), j = Math.min(size - 2, Math.floor(y));
  const u = x - i, v = y - j;
  const k = j * size + i;
  return Math.round((1 - v) * ((1 - u) * bytes[k] + u * bytes[k + 1]) + v * ((1 - u) * bytes[k + size] + u * bytes[k + size + 1]));
}

/** What stands for a value that there is not. */
export const NO_VALUE = -1e9;

export class Raster {
  constructor() {
    this.name = 'software';
    this.width = this.height = 0;
    this.axes = new Float64Array(9);
    this.order = new Order();
  }

  /** A new picture of that size, of one colour. */
  begin(width, height, colour) {
    if (width !== this.width || height !== this.height) {
      this.width = width;
      this.height = height;
      this.pixels = new Int32Array(width * height);
      this.depth = new Float32Array(width * height);
      this.image = new ImageData(new Uint8ClampedArray(this.pixels.buffer), width, height);
    }
    this.pixels.fill(colour);
    this.depth.fill(FAR);
  }

  /** The picture, onto a canvas. */
  show(context) {
    context.putImageData(this.image, 0, 0);
  }

  /** Places of the screen, from x[3 nodes] into an array of its own. */
  #project({ m, shift }, x) {
    if (this.screen?.length !== x.length) this.screen = new Float32Array(x.length);
    const s = this.screen;
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

  /**
   * Draws triangles. mesh: {corners, sides, triangleBody, count}; positions: 3 numbers a node; view: see camera.js; look: {through:
   * bodies that are seen through, else those that are not, alpha: opacity of every body, colours: 256 of them or fewer, values per node in
   * 0..1 or NO_VALUE | null, bodies: colours where there are no values, words: values are words, not amounts, nan: colour of no value,
   * light: [x, y, z] | null, edge: strength 0..1, edgeColour, line: width, cut: [x, y, z, d] | null: beyond this plane of the screen
   * nothing is drawn, and what is seen from behind is greyer, quick: what is seen from behind is left out}. What is seen through leaves the depths as they are.
   */
  triangles(mesh, positions, view, look) {
    const screen = this.#project(view, positions);
    const { corners, sides, triangleBody, count } = mesh;
    const { width, height, pixels, depth } = this;
    const { values, colours, words, nan, light, line, bodies, alpha, cut, quick, through: glassy } = look;
    const dark = look.edgeColour;
    const strength = Math.round(256 * look.edge);
    const last = values ? colours.length - 1 : 0;
    const near = line * 0.75;

    for (let t = 0; t < count; t++) {
      const body = triangleBody[t];
      const opacity = alpha[body];
      if (glassy ? !(opacity > 0 && opacity < 1) : opacity < 1) continue;
      const first = corners[3 * t];
      let second = corners[3 * t + 1];
      let third = corners[3 * t + 2];
      const a = 3 * first, b = 3 * second, c = 3 * third;
      const x0 = screen[a], y0 = screen[a + 1];
      let x1 = screen[b], y1 = screen[b + 1], x2 = screen[c], y2 = screen[c + 1];
      const left = Math.max(0, Math.ceil(Math.min(x0, x1, x2) - 0.5));
      const right = Math.min(width - 1, Math.floor(Math.max(x0, x1, x2) - 0.5));
      if (left > right) continue;
      const top = Math.max(0, Math.ceil(Math.min(y0, y1, y2) - 0.5));
      const bottom = Math.min(height - 1, Math.floor(Math.max(y0, y1, y2) - 0.5));
      if (top > bottom) continue;
      let area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
      if (area === 0) continue;
      let flags = strength ? sides[t] : 0;
      const behind = area > 0; // the surface turns clockwise on a screen whose y points down
      if (behind && quick) continue;
      if (area < 0) { // turn it round
        const other = second;
        second = third;
        third = other;
        const x = x1, y = y1;
        x1 = x2;
        y1 = y2;
        x2 = x;
        y2 = y;
        area = -area;
        flags = ((flags & 1) << 2) | (flags & 2) | ((flags & 4) >> 2);
      }

      // edge functions: u belongs to the side 1-2, v to 2-0, w to 0-1; all positive inside
      const ux = y1 - y2, uy = x2 - x1, vx = y2 - y0, vy = x0 - x2, wx = y0 - y1, wy = x1 - x0;
      const inverse = 1 / area;
      const z0 = screen[a + 2], z1 = screen[3 * second + 2], z2 = screen[3 * third + 2];
      const tw = flags & 1 ? near * Math.sqrt(wx * wx + wy * wy) : -1;
      const tu = flags & 2 ? near * Math.sqrt(ux * ux + uy * uy) : -1;
      const tv = flags & 4 ? near * Math.sqrt(vx * vx + vy * vy) : -1;

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
        const size = Math.sqrt(nx * nx + ny * ny + area * area);
        l = Math.min(256, Math.round(256 * (0.6 + 0.4 * Math.abs((nx * light[0] + ny * light[1] + area * light[2]) / size))));
      }
      let s0 = 0, s1 = 0, s2 = 0;
      let flat = 0;
      let isFlat = true;
      if (values) {
        s0 = values[first];
        s1 = values[second];
        s2 = values[third];
        isFlat = s0 === NO_VALUE || s1 === NO_VALUE || s2 === NO_VALUE;
        flat = nan;
      } else flat = bodies[body];
      const through = glassy ? Math.round(256 * opacity) : 0;

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
          if (hollow) colour = mix(colour, nan, HOLLOW);
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

  /**
   * Balls, or discs where there is no light: {count, poses: centre, radius, quaternion (0: no marks) of each, colours, alpha}; look:
   * {through, light, cut: [x, y, z, d] of space | null, rim: width of the rim of a disc}. Opposite eighths of a turned ball are darker,
   * which shows how it rolls.
   */
  balls(balls, view, look) {
    const { m, shift } = view;
    const { poses: p, alpha, colours, count } = balls;
    const { cut, through } = look;
    const order = this.order.nearestFirst(balls, view, !through && look.light);
    for (let j = 0; j < count; j++) {
      const k = order[j];
      if (through ? !(alpha[k] > 0 && alpha[k] < 1) : alpha[k] < 1) continue;
      const x = p[8 * k], y = p[8 * k + 1], z = p[8 * k + 2];
      if (cut && cut[0] * x + cut[1] * y + cut[2] * z > cut[3]) continue;
      this.#ball(m[0][0] * x + m[0][1] * y + m[0][2] * z + shift[0], m[1][0] * x + m[1][1] * y + m[1][2] * z + shift[1],
        m[2][0] * x + m[2][1] * y + m[2][2] * z + shift[2], p, 8 * k + 4, p[8 * k + 3] * view.scale, colours[k], through ? Math.round(256 * alpha[k]) : 0, look, view);
    }
  }

  /** One of them at a place of the screen; q[at]: its quaternion. */
  #ball(cx, cy, cz, q, at, radius, colour, through, { light, rim }, view) {
    const { width, height, pixels, depth } = this;
    const top = Math.max(0, Math.ceil(cy - radius - 0.5));
    const bottom = Math.min(height - 1, Math.floor(cy + radius - 0.5));
    const b = bodyAxes(q, at, view, this.axes);
    const dull = b ? shade(colour, MARK) : colour;
    const rimmed = shade(colour, RIM);
    const inner = Math.max(0, radius - Math.min(rim, radius / 8)) ** 2; // small discs keep their colour
    const square = radius * radius;
    const nearest = light ? cz + radius : cz;
    const [lx, ly, lz] = light ? [(128 * light[0]) / radius, (128 * light[1]) / radius, (128 * light[2]) / radius] : NONE;
    for (let row = top; row <= bottom; row++) {
      const dy = row + 0.5 - cy;
      const half = Math.sqrt(Math.max(0, square - dy * dy));
      const right = Math.min(width - 1, Math.floor(cx + half - 0.5));
      const first = Math.max(0, Math.ceil(cx - half - 0.5));
      let place = row * width + first;
      for (let col = first; col <= right; col++, place++) {
        if (nearest < depth[place]) continue;
        const dx = col + 0.5 - cx;
        const dz = light ? Math.sqrt(Math.max(0, square - dx * dx - dy * dy)) : 0;
        if (cz + dz < depth[place]) continue;
        let c = colour;
        if (b) {
          const X = b[0] * dx + b[1] * dy + b[2] * dz;
          const Y = b[3] * dx + b[4] * dy + b[5] * dz;
          const Z = light ? b[6] * dx + b[7] * dy + b[8] * dz : 1;
          if (X > 0 !== Y > 0 !== Z > 0) c = dull;
        }
        if (light) {
          const l = lx * dx + ly * dy + lz * dz;
          c = shade(c, l > 0 ? (128.5 + l) | 0 : 128);
        } else if (dx * dx + dy * dy > inner) c = rimmed;
        if (through) pixels[place] = mix(pixels[place], c, through);
        else {
          depth[place] = cz + dz;
          pixels[place] = c;
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
    const low = (i, more) => Math.ceil(Math.min(p[i], q[i], r[i], q[i] + more) - 0.5);
    const high = (i, more) => Math.floor(Math.max(p[i], q[i], r[i], q[i] + more) - 0.5);
    const [left, right] = [Math.max(0, low(0, bx)), Math.min(width - 1, high(0, bx))];
    const [top, bottom] = [Math.max(0, low(1, by)), Math.min(height - 1, high(1, by))];
    const [sx, sy, tx, ty] = [by / det, -bx / det, -ay / det, ax / det]; // shares of the sides, per pixel
    for (let row = top; row <= bottom; row++) {
      const Y = row + 0.5 - p[1];
      for (let col = left; col <= right; col++) {
        const X = col + 0.5 - p[0];
        const s = X * sx + Y * sy;
        const t = X * tx + Y * ty;
        if (s < 0 || t < 0 || s > 1 || t > 1) continue;
        const at = row * width + col;
        const z = p[2] + s * az + t * bz;
        if (z < depth[at]) continue;
        depth[at] = z;
        const dark = bilinear(bytes, size, s, t);
        pixels[at] = dark ? shade(plain, 256 - dark) : plain;
      }
    }
  }

  /** Lines with depth: {count, ends: two places of the screen each, colours, thick: pixels}. */
  lines({ count, ends: e, colours, thick }) {
    for (let k = 0; k < count; k++) this.#line(e[6 * k], e[6 * k + 1], e[6 * k + 2], e[6 * k + 3], e[6 * k + 4], e[6 * k + 5], colours[k], thick[k]);
  }

  #line(x0, y0, z0, x1, y1, z1, colour, thick) {
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
      const inverse = 1 / area;
      const ux = q[1] - r[1], uy = r[0] - q[0], vx = r[1] - p[1], vy = p[0] - r[0];
      const isFirst = points[k] === q;
      for (let y = top; y <= bottom; y++) {
        let u = ux * (left + 0.5 - q[0]) + uy * (y + 0.5 - q[1]);
        let v = vx * (left + 0.5 - r[0]) + vy * (y + 0.5 - r[1]);
        for (let at = y * width + left; at <= y * width + right; at++, u += ux, v += vx) {
          const w = area - u - v;
          // a side that two triangles share is painted once
          if (u < 0 || v < 0 || w < 0 || (k > 1 && (isFirst ? w : v) === 0)) continue;
          if ((u * p[2] + v * q[2] + w * r[2]) * inverse < depth[at]) continue;
          pixels[at] = mix(pixels[at], colour, s);
        }
      }
    }
  }
}
