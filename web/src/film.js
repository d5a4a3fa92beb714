// The frames of a run (src/report/film_code.c): where nodes and bodies are, and forces, at any time between frames.
import { integers, readPart, reals, words } from './decode.js';
import { evaluate } from './quantity.js';

const FINE = 4194303; // levels of positions at the start
const LARGE = 4e6; // bytes of a block that is not read at a stretch

const breath = () => new Promise((done) => setTimeout(done));

export class Film {
  constructor(description) {
    Object.assign(this, description);
    this.dim = this.dimension;
    this.frames = []; // as they arrive; those that have not are missing
    this.revision = 0; // counts arrivals
    this.loaded = false;
    this.soft = this.first_rigid_node; // nodes of bodies that deform; those of rigid ones stand behind
    this.rigid = this.bodies.length - this.first_rigid;
    this.coded = this.fields.filter((f) => f.levels !== undefined);
    this.balls = this.bodies.flatMap((b, k) => (b.ball > 0 ? [{ body: k, radius: b.ball }] : []));
  }

  /** Reads the mesh, then block by block, the one that holds a time before the others; arrived(film) after each. */
  async load(arrived, time = this.times[0]) {
    this.#readMesh(await readPart(this.mesh));
    let at = 0;
    const blocks = this.blocks.map(({ part, frames }) => ({ part, frames, first: (at += frames) - frames }));
    const wanted = blocks.findLast(({ first }) => this.times[first] <= time) ?? blocks[0];
    for (const block of [wanted, ...blocks.filter((b) => b !== wanted)]) {
      await this.#readBlock(await readPart(block.part), block);
      this.revision++;
      arrived?.(this);
      await breath(); // the page stays alive
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
    this.nodeNumber = next(this.nodes); // in the field files
    this.forceNodes = next(this.forces);
    this.start = reals(bytes, at, 3 * this.bodies.length); // centres before any displacement
    at += 24 * this.bodies.length;
    this.shape = new Float32Array(3 * this.nodes); // nodes from there
    for (let i = 0; i < this.dim; i++) {
      const column = next(this.nodes);
      for (let k = 0; k < this.nodes; k++) this.shape[3 * k + i] = (column[k] / FINE) * this.bodies[this.nodeBody[k]].extent;
    }
  }

  async #readBlock(bytes, { frames: count, first }) {
    const nb = this.bodies.length;
    let at = 0;
    let before = null;
    for (let f = 0; f < count; f++) {
      if (f && bytes.length > LARGE) await breath();
      const frame = [];
      const next = (n) => {
        frame.push(words(bytes, at, n, before && before[frame.length]));
        at += 2 * n;
        return frame[frame.length - 1];
      };
      const signed = (n) => new Int16Array(next(n).buffer);
      const moved = Array.from({ length: this.dim }, () => signed(this.soft));
      const fields = this.coded.map(() => next(this.soft));
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
      this.frames[first + f] = { moved, fields, centre, force, turn, speed };
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

  /** The two frames around a time, and how far it is from the first to the second. */
  at(time) {
    const last = this.frames.length - 1;
    let k = 0;
    let high = last;
    while (k < high) {
      const middle = (k + high + 1) >> 1;
      if (this.times[middle] <= time) k = middle;
      else high = middle - 1;
    }
    if (!this.frames[k]) k = this.#nearest(k);
    const g = this.frames[k + 1];
    const share = g ? Math.min(1, Math.max(0, (time - this.times[k]) / (this.times[k + 1] - this.times[k]))) : 0;
    return { f: this.frames[k], g: g ?? this.frames[k], share, k };
  }

  /** The frame nearest to the k-th that is there already. */
  #nearest(k) {
    let [low, high] = [k, k];
    while (low >= 0 && !this.frames[low]) low--;
    while (high < this.frames.length && !this.frames[high]) high++;
    return low >= 0 && (high >= this.frames.length || k - low <= high - k) ? low : high;
  }

  /** Positions at a time into out[3 nodes]; displacements times `factor`. */
  positions(time, out, factor = 1) {
    const { f, g, share } = this.at(time);
    const { soft: n, nodeBody: body, bodies, shape, start, dim } = this;
    const nb = this.first_rigid;
    const from = new Float64Array(nb);
    const scale = new Float64Array(nb);
    for (let b = 0; b < nb; b++) scale[b] = (factor * bodies[b].reach) / this.levels;
    for (let i = 0; i < 3; i++) {
      if (i >= dim) {
        for (let A = 0; A < n; A++) out[3 * A + i] = 0;
        continue;
      }
      for (let b = 0; b < nb; b++) {
        const now = f.centre[3 * b + i] + share * (g.centre[3 * b + i] - f.centre[3 * b + i]);
        from[b] = start[3 * b + i] + factor * (now - start[3 * b + i]);
      }
      const p = f.moved[i];
      const q = g.moved[i];
      for (let A = 0; A < n; A++) {
        const b = body[A];
        out[3 * A + i] = from[b] + shape[3 * A + i] + scale[b] * (p[A] + share * (q[A] - p[A]));
      }
    }
    this.eachRigid(f, g, share, n, this.nodes, (A, x, y, z, b, c) => {
      const k = 3 * (b + nb);
      out[3 * A] = start[k] + factor * (c[0] - start[k]) + x;
      out[3 * A + 1] = start[k + 1] + factor * (c[1] - start[k + 1]) + y;
      out[3 * A + 2] = start[k + 2] + factor * (c[2] - start[k + 2]) + z;
    });
    return out;
  }

  /** Rotation of rigid body b between two frames, as a quaternion. */
  turnOf(f, g, share, b, out) {
    const p = f.turn, q = g.turn, at = 4 * b;
    // q and -q are the same turn: the shorter way
    const other = p[at] * q[at] + p[at + 1] * q[at + 1] + p[at + 2] * q[at + 2] + p[at + 3] * q[at + 3] < 0 ? -share : share;
    let size = 0;
    for (let i = 0; i < 4; i++) {
      out[i] = (1 - share) * p[at + i] + other * q[at + i];
      size += out[i] * out[i];
    }
    size = Math.sqrt(size) || 1;
    for (let i = 0; i < 4; i++) out[i] /= size;
    return out;
  }

  /** Calls see(node, x, y, z from the centre, number of the rigid body, its centre) for nodes from `first` to `end`. */
  eachRigid(f, g, share, first, end, see) {
    const { shape: s, nodeBody } = this;
    const c = [0, 0, 0];
    const q = [1, 0, 0, 0];
    let last = -1;
    let r00, r01, r02, r10, r11, r12, r20, r21, r22;
    for (let A = Math.max(first, this.soft); A < end; A++) {
      const body = nodeBody[A];
      const b = body - this.first_rigid;
      if (b !== last) {
        last = b;
        for (let i = 0; i < 3; i++) c[i] = f.centre[3 * body + i] + share * (g.centre[3 * body + i] - f.centre[3 * body + i]);
        const [w, x, y, z] = this.turnOf(f, g, share, b, q);
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
      const X = s[3 * A], Y = s[3 * A + 1], Z = s[3 * A + 2];
      see(A, r00 * X + r01 * Y + r02 * Z, r10 * X + r11 * Y + r12 * Z, r20 * X + r21 * Y + r22 * Z, b, c);
    }
  }

  /** Velocity and spin of rigid body b between two frames. */
  speedOf(f, g, share, b) {
    const [v, w] = [this.greatest_speed / this.speed_levels, this.greatest_spin / this.speed_levels];
    const of = (scale, i) => (f.speed ? scale * (f.speed[i][b] + share * (g.speed[i][b] - f.speed[i][b])) : 0);
    return this.dim === 2 ? [of(v, 0), of(v, 1), 0, 0, 0, of(w, 2)] : [of(v, 0), of(v, 1), of(v, 2), of(w, 3), of(w, 4), of(w, 5)];
  }

  /** Balls at a time: eight numbers each, centre, radius, quaternion. */
  ballPoses(time, out, factor = 1) {
    const { f, g, share } = this.at(time);
    const q = [1, 0, 0, 0];
    for (let k = 0; k < this.balls.length; k++) {
      const { body, radius } = this.balls[k];
      for (let i = 0; i < 3; i++) {
        const from = this.start[3 * body + i];
        out[8 * k + i] = from + factor * (f.centre[3 * body + i] + share * (g.centre[3 * body + i] - f.centre[3 * body + i]) - from);
      }
      out[8 * k + 3] = radius;
      this.turnOf(f, g, share, body - this.first_rigid, q);
      for (let i = 0; i < 4; i++) out[8 * k + 4 + i] = q[i];
    }
    return out;
  }

  field(name) {
    return this.fields.findIndex((f) => f.name === name);
  }

  /** A field at a time into out[nodes]; NaN where there is no number. Words do not mix. */
  values(index, time, out) {
    const { f, g, share } = this.at(time);
    evaluate(this, this.fields[index].name, f, g, share, 0, this.nodes, out);
    return out;
  }

  /** A field at the centres of the balls, into out[balls]. */
  ballValues(index, time, out) {
    const { f, g, share } = this.at(time);
    this.balls.forEach(({ body }, k) => (out[k] = this.#centreValue(this.fields[index].name, f, g, share, body)));
    return out;
  }

  #centreValue(name, f, g, share, body) {
    const [kind, axis] = name.split('-');
    let v = [0, 0, 0];
    if (kind === 'velocity') v = this.speedOf(f, g, share, body - this.first_rigid);
    else if (kind === 'displacement') v = [0, 1, 2].map((i) => f.centre[3 * body + i] + share * (g.centre[3 * body + i] - f.centre[3 * body + i]) - this.start[3 * body + i]);
    return axis ? v['xyz'.indexOf(axis)] ?? 0 : Math.hypot(v[0], v[1], v[2]);
  }

  /** A field at one node, or at the centre of a ball (by its body), between two frames. */
  #one(name, f, g, share, { node, body }) {
    if (node === undefined) return this.#centreValue(name, f, g, share, body);
    const one = new Float64Array(1);
    evaluate(this, name, f, g, share, node, node + 1, one);
    return one[0];
  }

  /** The same at a time, and in all frames. */
  valueAt(index, time, what) {
    const { f, g, share } = this.at(time);
    return this.#one(this.fields[index].name, f, g, share, what);
  }

  series(index, what) {
    return Float64Array.from(this.frames, (f) => f ? this.#one(this.fields[index].name, f, f, 0, what) : NaN);
  }

  /** Contact forces at a time: calls see(node, fx, fy, fz). */
  eachForce(time, see) {
    const { f, g, share } = this.at(time);
    const scale = this.greatest_force / 32767;
    for (let a = 0; a < this.forces; a++) {
      const v = [0, 0, 0];
      for (let i = 0; i < this.dim; i++) v[i] = scale * (f.force[i][a] + share * (g.force[i][a] - f.force[i][a]));
      if (v[0] || v[1] || v[2]) see(this.forceNodes[a], v[0], v[1], v[2]);
    }
  }
}
