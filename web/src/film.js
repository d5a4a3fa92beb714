// The frames of a run (src/report/film_code.c): positions, fields and forces at any time between them.
import { integers, readPart, reals, words } from './decode.js';

const NOT_A_NUMBER = 65535;

export class Film {
  constructor(description) {
    Object.assign(this, description);
    this.dim = this.dimension;
    this.frames = []; // as they arrive
    this.loaded = false;
    this.soft = this.first_rigid_node; // nodes of bodies that deform; those of rigid ones stand behind
    this.rigid = this.bodies.length - this.first_rigid;
  }

  /** Reads the mesh, then block by block; arrived(film) after each. */
  async load(arrived) {
    this.#readMesh(await readPart(this.mesh));
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
    for (let k = 0; k < n; k++) {
      this.corners[3 * k] = a[k];
      this.corners[3 * k + 1] = b[k];
      this.corners[3 * k + 2] = c[k];
    }
    this.sides = Uint8Array.from(next(n));
    this.triangleBody = next(n);
    this.nodeBody = next(this.nodes);
    this.forceNodes = next(this.forces);
    if (this.rigid) this.#readShapes(bytes, at);
  }

  /** Rigid bodies: where they begin, and their nodes from there. */
  #readShapes(bytes, at) {
    const n = this.nodes - this.soft;
    this.start = reals(bytes, at, 3 * this.rigid);
    at += 24 * this.rigid;
    this.shape = new Float32Array(3 * n);
    for (let i = 0; i < this.dim; i++, at += 2 * n) {
      const column = new Int16Array(words(bytes, at, n, null).buffer);
      for (let k = 0; k < n; k++) this.shape[3 * k + i] = (column[k] / 32767) * this.bodies[this.nodeBody[this.soft + k]].extent;
    }
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
      const offset = Array.from({ length: this.dim }, () => signed(this.soft));
      const fields = this.fields.map(() => next(this.soft));
      const centre = new Float64Array(3 * nb);
      for (let i = 0; i < this.dim; i++) {
        const low = next(nb);
        const high = next(nb);
        for (let b = 0; b < nb; b++)
          centre[3 * b + i] = this.low[i] + ((high[b] * 65536 + low[b]) / 4294967295) * this.size;
      }
      const force = Array.from({ length: this.dim }, () => signed(this.forces));
      const turn = this.rigid ? this.#readTurns(next, signed) : null;
      const speed = this.rigid && this.greatest_speed >= 0 ? Array.from({ length: this.dim === 2 ? 3 : 6 }, () => signed(this.rigid)) : null;
      before = frame;
      this.frames.push({ offset, fields, centre, force, turn, speed });
    }
  }

  /** Quaternions of the rigid bodies. */
  #readTurns(next, signed) {
    const q = new Float32Array(4 * this.rigid);
    if (this.dim === 2) {
      const angle = next(this.rigid);
      for (let b = 0; b < this.rigid; b++) {
        q[4 * b] = Math.cos((angle[b] / 65536) * Math.PI);
        q[4 * b + 3] = Math.sin((angle[b] / 65536) * Math.PI);
      }
    } else
      for (let i = 0; i < 4; i++) {
        const column = signed(this.rigid);
        for (let b = 0; b < this.rigid; b++) q[4 * b + i] = column[b] / 32767;
      }
    return q;
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
    const { soft: n, nodeBody: body, bodies } = this;
    const nb = this.first_rigid;
    const from = new Float64Array(nb);
    const scale = new Float64Array(nb);
    for (let b = 0; b < nb; b++) scale[b] = bodies[b].extent / this.levels;
    for (let i = 0; i < 3; i++) {
      if (i >= this.dim) {
        for (let A = 0; A < n; A++) out[3 * A + i] = 0;
        continue;
      }
      for (let b = 0; b < nb; b++) from[b] = f.centre[3 * b + i] + share * (g.centre[3 * b + i] - f.centre[3 * b + i]);
      const p = f.offset[i];
      const q = g.offset[i];
      for (let A = 0; A < n; A++) {
        const b = body[A];
        out[3 * A + i] = from[b] + scale[b] * (p[A] + share * (q[A] - p[A]));
      }
    }
    this.#eachRigid(f, g, share, (A, x, y, z, b, c) => {
      out[3 * A] = c[0] + x;
      out[3 * A + 1] = c[1] + y;
      out[3 * A + 2] = c[2] + z;
    });
    return out;
  }

  /** Calls see(node, x, y, z from the centre, number of the rigid body, its centre) between two frames. */
  #eachRigid(f, g, share, see) {
    if (!this.rigid) return;
    const { shape: s, soft, nodes, nodeBody } = this;
    const c = [0, 0, 0];
    let last = -1;
    let r00, r01, r02, r10, r11, r12, r20, r21, r22;
    for (let A = soft; A < nodes; A++) {
      const body = nodeBody[A];
      const b = body - this.first_rigid;
      if (b !== last) {
        last = b;
        for (let i = 0; i < 3; i++) c[i] = f.centre[3 * body + i] + share * (g.centre[3 * body + i] - f.centre[3 * body + i]);
        const p = f.turn, q = g.turn, at = 4 * b;
        // q and -q are the same turn: the shorter way
        const other = p[at] * q[at] + p[at + 1] * q[at + 1] + p[at + 2] * q[at + 2] + p[at + 3] * q[at + 3] < 0 ? -share : share;
        let w = (1 - share) * p[at] + other * q[at];
        let x = (1 - share) * p[at + 1] + other * q[at + 1];
        let y = (1 - share) * p[at + 2] + other * q[at + 2];
        let z = (1 - share) * p[at + 3] + other * q[at + 3];
        const size = Math.sqrt(w * w + x * x + y * y + z * z) || 1;
        w /= size;
        x /= size;
        y /= size;
        z /= size;
        r00 = 1 - 2 * (y * y + z * z);
        r01 = 2 * (x * y - w * z);
        r02 = 2 * (x * z + w * y);
        r10 = 2 * (x * y + w * z);
        r11 = 1 - 2 * (x * x + z * z);
        r12 = 2 * (y * z - w * x);
        r20 = 2 * (x * z - w * y);
        r21 = 2 * (y * z + w * x);
        r22 = 1 - 2 * (x * x + y * y);
      }
      const k = 3 * (A - soft);
      const X = s[k], Y = s[k + 1], Z = s[k + 2];
      see(A, r00 * X + r01 * Y + r02 * Z, r10 * X + r11 * Y + r12 * Z, r20 * X + r21 * Y + r22 * Z, b, c);
    }
  }

  /** What a field is at the nodes of rigid bodies: known from how they move; strained they are not. */
  #rigidValues(name, f, g, share, put) {
    const { shape, soft, start, speed_levels: levels, dim } = this;
    if (name === 'displacement')
      this.#eachRigid(f, g, share, (A, x, y, z, b, c) => {
        const k = 3 * (A - soft);
        put(A, Math.hypot(c[0] + x - start[3 * b] - shape[k], c[1] + y - start[3 * b + 1] - shape[k + 1], c[2] + z - start[3 * b + 2] - shape[k + 2]));
      });
    else if (name === 'velocity' && f.speed) {
      const [v, w] = [this.greatest_speed / levels, this.greatest_spin / levels];
      const of = (scale, i, b) => scale * (f.speed[i][b] + share * (g.speed[i][b] - f.speed[i][b]));
      let last = -1;
      let vx, vy, vz = 0, wx = 0, wy = 0, wz;
      this.#eachRigid(f, g, share, (A, x, y, z, b) => {
        if (b !== last) {
          last = b;
          vx = of(v, 0, b);
          vy = of(v, 1, b);
          if (dim === 3) {
            vz = of(v, 2, b);
            wx = of(w, 3, b);
            wy = of(w, 4, b);
          }
          wz = of(w, dim === 3 ? 5 : 2, b);
        }
        put(A, Math.hypot(vx + wy * z - wz * y, vy + wz * x - wx * z, vz + wx * y - wy * x));
      });
    } else for (let A = soft; A < this.nodes; A++) put(A, 0);
  }

  field(name) {
    return this.fields.findIndex((f) => f.name === name);
  }

  /** A field at a time, in shares of its range over the run (NaN stays), into out[nodes]. Words do not mix. */
  values(index, time, out) {
    const { k, share } = this.at(time);
    const { levels, name, range: [low, high] } = this.fields[index];
    const mix = levels > 3 ? share : 0;
    const f = this.frames[k];
    const g = this.frames[Math.min(k + 1, this.frames.length - 1)];
    const p = f.fields[index];
    const q = g.fields[index];
    for (let A = 0; A < this.soft; A++)
      out[A] = p[A] === NOT_A_NUMBER || q[A] === NOT_A_NUMBER ? NaN : (p[A] + mix * (q[A] - p[A])) / levels;
    const scale = high > low ? 1 / (high - low) : 0;
    if (this.rigid) this.#rigidValues(name, f, g, share, (A, v) => (out[A] = Math.min(1, Math.max(0, (v - low) * scale))));
    return out;
  }

  /** Share of its range below which 99 of 100 values lie that are not the least; 1 where that is most of it. */
  typical(index) {
    const { range: [low, high], typical } = this.fields[index];
    const share = high > low ? (typical - low) / (high - low) : 1;
    return share > 0 && share < 0.8 ? share : 1;
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
