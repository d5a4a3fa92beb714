// The frames of a run (src/report/film_code.c): positions, fields and forces at any time between them.
import { integers, readPart, words } from './decode.js';

const NOT_A_NUMBER = 65535;

export class Film {
  constructor(description) {
    Object.assign(this, description);
    this.dim = this.dimension;
    this.frames = []; // as they arrive
    this.loaded = false;
    this.counts = this.fields.map((f) => new Uint32Array(f.levels + 1)); // how often each value occurs
  }

  /** Reads the mesh, then block by block; arrived(film) after each. */
  async load(arrived) {
    this.#readMesh(await readPart(this.mesh));
    this.meshed?.(this);
    for (const block of this.blocks) {
      this.#readBlock(await readPart(block.part), block.frames);
      arrived?.(this);
      await new Promise((done) => setTimeout(done)); // the page stays alive
    }
    this.loaded = true;
    return this;
  }

  #readMesh(bytes) {
    const n = this.triangles;
    let at = 0;
    const next = (length) => {
      const array = integers(bytes, at, length);
      at += 4 * length;
      return array;
    };
    const [a, b, c] = [next(n), next(n), next(n)];
    this.corners = new Int32Array(3 * n);
    for (let k = 0; k < n; k++) this.corners.set([a[k], b[k], c[k]], 3 * k);
    this.sides = Uint8Array.from(next(n));
    this.triangleBody = next(n);
    this.nodeBody = next(this.nodes);
    this.forceNodes = next(this.forces);
  }

  #readBlock(bytes, count) {
    const nb = this.bodies.length;
    let at = 0;
    let before = null;
    for (let f = 0; f < count; f++) {
      const frame = [];
      const next = (n) => {
        frame.push(words(bytes, at, n, before && before[frame.length]));
        at += 2 * n;
        return frame[frame.length - 1];
      };
      const signed = (n) => new Int16Array(next(n).buffer);
      const offset = Array.from({ length: this.dim }, () => signed(this.nodes));
      const fields = this.fields.map(() => next(this.nodes));
      fields.forEach((values, k) => {
        const counts = this.counts[k];
        for (let A = 0; A < values.length; A++) if (values[A] !== NOT_A_NUMBER) counts[values[A]]++;
      });
      const centre = new Float64Array(3 * nb);
      for (let i = 0; i < this.dim; i++) {
        const low = next(nb);
        const high = next(nb);
        for (let b = 0; b < nb; b++)
          centre[3 * b + i] = this.low[i] + ((high[b] * 65536 + low[b]) / 4294967295) * this.size;
      }
      const force = Array.from({ length: this.dim }, () => signed(this.forces));
      before = frame;
      this.frames.push({ offset, fields, centre, force });
    }
  }

  get lastTime() {
    return this.times[this.times.length - 1];
  }

  /** The frame at or before a time, and how far it is to the next. */
  at(time) {
    const last = this.frames.length - 1;
    let k = 0;
    let high = last;
    while (k < high) {
      const middle = (k + high + 1) >> 1;
      if (this.times[middle] <= time) k = middle;
      else high = middle - 1;
    }
    if (k >= last) return { k: last, share: 0 };
    const share = (time - this.times[k]) / (this.times[k + 1] - this.times[k]);
    return { k, share: Math.min(1, Math.max(0, share)) };
  }

  /** Positions at a time into out[3 nodes]. */
  positions(time, out) {
    const { k, share } = this.at(time);
    const f = this.frames[k];
    const g = this.frames[Math.min(k + 1, this.frames.length - 1)];
    const n = this.nodes;
    const body = this.nodeBody;
    for (let i = 0; i < 3; i++) {
      if (i >= this.dim) {
        for (let A = 0; A < n; A++) out[3 * A + i] = 0;
        continue;
      }
      const from = this.bodies.map((_, b) => f.centre[3 * b + i] + share * (g.centre[3 * b + i] - f.centre[3 * b + i]));
      const scale = this.bodies.map((b) => b.extent / this.levels);
      const p = f.offset[i];
      const q = g.offset[i];
      for (let A = 0; A < n; A++) {
        const b = body[A];
        out[3 * A + i] = from[b] + scale[b] * (p[A] + share * (q[A] - p[A]));
      }
    }
    return out;
  }

  field(name) {
    return this.fields.findIndex((f) => f.name === name);
  }

  /** A field at a time, in shares of its range over the run (NaN stays), into out[nodes]. Words do not mix. */
  values(index, time, out) {
    const { k, share } = this.at(time);
    const { levels } = this.fields[index];
    const mix = levels > 3 ? share : 0;
    const p = this.frames[k].fields[index];
    const q = this.frames[Math.min(k + 1, this.frames.length - 1)].fields[index];
    for (let A = 0; A < this.nodes; A++)
      out[A] = p[A] === NOT_A_NUMBER || q[A] === NOT_A_NUMBER ? NaN : (p[A] + mix * (q[A] - p[A])) / levels;
    return out;
  }

  /** Share of its range below which 99 of 100 values lie that are not the least; 1 where that is most of it. */
  typical(index) {
    const counts = this.counts[index];
    const total = counts.reduce((sum, n) => sum + n, 0) - counts[0];
    let left = total / 100;
    let k = counts.length - 1;
    while (k > 0 && left >= counts[k]) left -= counts[k--];
    const share = k / (counts.length - 1);
    return total && share < 0.8 ? share : 1;
  }

  /** Contact forces at a time: calls see(node, fx, fy, fz). */
  eachForce(time, see) {
    const { k, share } = this.at(time);
    const f = this.frames[k].force;
    const g = this.frames[Math.min(k + 1, this.frames.length - 1)].force;
    const scale = this.greatest_force / 32767;
    for (let a = 0; a < this.forces; a++) {
      const v = [0, 0, 0];
      for (let i = 0; i < this.dim; i++) v[i] = scale * (f[i][a] + share * (g[i][a] - f[i][a]));
      if (v[0] || v[1] || v[2]) see(this.forceNodes[a], v[0], v[1], v[2]);
    }
  }
}
