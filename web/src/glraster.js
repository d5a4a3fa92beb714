// The raster of WebGL 2: the same pictures as raster.js, from the same numbers. Every stage has one; the context is shared.
import { RIM, MARK, HOLLOW } from './raster.js';
import { ROW } from './shaders.js';

const channels = (c) => [c & 255, (c >>> 8) & 255, (c >>> 16) & 255];
const rowsOf = (n) => Math.max(1, Math.ceil(n / ROW));

export class GlRaster {
  constructor(device) {
    this.name = 'webgl';
    this.device = device;
    this.#make();
  }

  #make() {
    this.generation = this.device.generation;
    this.textures = {};
    this.uploaded = {}; // what of which version is there
    this.buffers = {};
    this.lists = {};
  }

  /** A new picture of that size, of one colour. */
  begin(width, height, colour, view, scene) {
    const { device: { gl, canvas, generation } } = this;
    if (generation !== this.generation) this.#make();
    if (canvas.width < width || canvas.height < height) Object.assign(canvas, { width: Math.max(width, canvas.width), height: Math.max(height, canvas.height) });
    Object.assign(this, { width, height, view, scene, reach: reachOf(scene, view) });
    this.device.owner = this;
    gl.viewport(0, canvas.height - height, width, height);
    gl.clearColor(...channels(colour).map((c) => c / 255), 1);
    gl.clearDepth(1);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
    gl.disable(gl.CULL_FACE);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL); // of equals the later, as there
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  }

  /** The picture, onto a canvas; again(): paints it, if another stage has painted over it meanwhile. */
  show(context, again) {
    if (this.device.owner !== this) again();
    context.drawImage(this.device.canvas, 0, 0, this.width, this.height, 0, 0, this.width, this.height);
  }

  /** What all programs need, and what this one does. */
  #use(name, { ints = {}, floats = {}, through = false }) {
    const { gl, programs } = this.device;
    const { program, at } = programs[name];
    gl.useProgram(program);
    gl.uniform2f(at('size'), this.width, this.height);
    gl.uniform1f(at('reach'), this.reach);
    for (const [key, v] of Object.entries(ints)) Array.isArray(v) ? gl.uniform3iv(at(key), v) : gl.uniform1i(at(key), Number(v));
    for (const [key, v] of Object.entries(floats)) Array.isArray(v) ? gl[`uniform${v.length}fv`](at(key), v) : gl.uniform1f(at(key), v);
    if (through) gl.enable(gl.BLEND);
    else gl.disable(gl.BLEND);
    gl.depthMask(!through);
    return at;
  }

  #look(at, { m, shift }) {
    const { gl } = this.device;
    gl.uniformMatrix3fv(at('turn'), false, m.flat()); // its columns are our rows
    gl.uniform3fv(at('shift'), shift);
  }

  /** A texture with one list of numbers, in rows; sent again where the version is another. */
  #texture(unit, name, version, [inner, format, type], width, rows, make) {
    const { gl } = this.device;
    gl.activeTexture(gl.TEXTURE0 + unit);
    const isNew = !this.textures[name];
    gl.bindTexture(gl.TEXTURE_2D, (this.textures[name] ??= gl.createTexture()));
    if (this.uploaded[name] === version) return;
    const data = make();
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    if (isNew || this.uploaded[`${name} size`] !== width * rows) {
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl[inner], width, rows, 0, gl[format], gl[type], data);
      this.uploaded[`${name} size`] = width * rows;
    } else gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, width, rows, gl[format], gl[type], data);
    this.uploaded[name] = version;
  }

  /** A list of so many numbers each, filled up to whole rows. */
  #list(unit, name, version, kind, Type, each, make, n) {
    this.#texture(unit, name, version, kind, ROW, rowsOf(n), () => {
      const full = rowsOf(n) * ROW * each;
      const numbers = make();
      if (numbers.length === full) return numbers;
      if (this.lists[name]?.length !== full) this.lists[name] = new Type(full);
      this.lists[name].set(numbers);
      return this.lists[name];
    });
  }

  /** Corners, and the body with its sides: 4 numbers a triangle. */
  #mesh({ corners, sides, triangleBody, count }) {
    const data = new Uint32Array(4 * count);
    for (let t = 0; t < count; t++) {
      data.set(corners.subarray(3 * t, 3 * t + 3), 4 * t);
      data[4 * t + 3] = (triangleBody[t] << 3) | sides[t];
    }
    return data;
  }

  /** Colour and opacity of every body. */
  #bodies({ bodies, alpha }) {
    if (this.bodyData?.length !== 4 * bodies.length) this.bodyData = new Float32Array(4 * bodies.length);
    for (let b = 0; b < bodies.length; b++) {
      for (let i = 0; i < 3; i++) this.bodyData[4 * b + i] = ((bodies[b] >>> (8 * i)) & 255) / 255;
      this.bodyData[4 * b + 3] = alpha[b];
    }
    return this.bodyData;
  }

  triangles(mesh, positions, view, look) {
    const { gl } = this.device;
    const { scene: { version } } = this;
    const nodes = positions.length / 3;
    this.#list(0, 'mesh', mesh, ['RGBA32UI', 'RGBA_INTEGER', 'UNSIGNED_INT'], Uint32Array, 4, () => this.#mesh(mesh), mesh.count);
    this.#list(1, 'positions', version, ['RGB32F', 'RGB', 'FLOAT'], Float32Array, 3, () => positions, nodes);
    this.#list(2, 'bodies', version, ['RGBA32F', 'RGBA', 'FLOAT'], Float32Array, 4, () => this.#bodies(look), look.bodies.length);
    if (look.values) {
      this.#list(3, 'values', version, ['R32F', 'RED', 'FLOAT'], Float32Array, 1, () => look.values, nodes);
      this.#texture(4, 'map', look.colours, ['RGBA8', 'RGBA', 'UNSIGNED_BYTE'], look.colours.length, 1, () => new Uint8Array(look.colours.buffer));
    }
    const at = this.#use('triangles', {
      through: look.through,
      ints: {
        mesh: 0, positions: 1, bodies: 2, values: 3, map: 4, through: look.through, hasValues: Boolean(look.values), words: look.words, isLit: Boolean(look.light), isCut: Boolean(look.cut), quick: Boolean(look.quick),
        last: look.values ? look.colours.length - 1 : 0, nan: channels(look.nan), edge: channels(look.edgeColour), strength: Math.round(256 * look.edge), hollow: HOLLOW,
      },
      floats: { near: 0.75 * look.line, light: look.light ?? [0, 0, 1], cut: look.cut ?? [0, 0, 0, 0] },
    });
    this.#look(at, view);
    this.#array(null);
    gl.drawArrays(gl.TRIANGLES, 0, 3 * mesh.count);
  }

  /** The list of attributes to draw with: [[name, numbers, how many each, kind, bytes before, bytes a step], ...]; null: none. */
  #array(name, attributes = []) {
    const { gl } = this.device;
    const key = `array ${name}`;
    gl.bindVertexArray((this.buffers[key] ??= gl.createVertexArray()));
    attributes.forEach(([which, data, each, kind, from = 0, step = 0], place) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, (this.buffers[which] ??= gl.createBuffer()));
      if (data) gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
      gl.enableVertexAttribArray(place);
      if (kind === 'bytes') gl.vertexAttribIPointer(place, each, gl.UNSIGNED_BYTE, step, from);
      else gl.vertexAttribPointer(place, each, gl.FLOAT, false, step, from);
      gl.vertexAttribDivisor(place, 1);
    });
  }

  balls({ count, poses, colours, alpha }, view, look) {
    const { gl } = this.device;
    if (!count) return;
    const at = this.#use('balls', {
      through: look.through,
      ints: { through: look.through, isLit: Boolean(look.light), isCut: Boolean(look.cut), dull: MARK, rimmed: RIM },
      floats: { scale: view.scale, rim: look.rim, light: look.light ?? [0, 0, 1], cut: look.cut ?? [0, 0, 0, 0] },
    });
    this.#look(at, view);
    this.#array('balls', [['poses', poses, 4, 'floats', 0, 32], ['poses', null, 4, 'floats', 16, 32], ['tints', colours, 4, 'bytes'], ['alpha', alpha, 1, 'floats']]);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
  }

  lines({ count, ends, colours, thick }) {
    const { gl } = this.device;
    if (!count) return;
    this.#use('lines', {});
    this.#array('lines', [['ends', ends, 3, 'floats', 0, 24], ['ends', null, 3, 'floats', 12, 24], ['line tints', colours, 4, 'bytes'], ['thick', thick, 1, 'floats']]);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
  }

  /** Four corners of the screen in order. */
  #pane(name, corners, more) {
    const { gl } = this.device;
    const at = this.#use(name, more);
    gl.uniform3fv(at('corner'), corners.flat());
    this.#array(null);
    gl.drawArrays(gl.TRIANGLE_FAN, 0, 4);
  }

  floor(points, colour, shadow, light) {
    const base = channels(colour).map((c) => (c * Math.round(256 * light)) >> 8);
    const key = `shadow ${this.#number(shadow)}`;
    this.#texture(0, key, this.scene.version, ['R8', 'RED', 'UNSIGNED_BYTE'], shadow.size, shadow.size, () => shadow.bytes);
    this.#pane('floor', points, { ints: { shadow: 0, base } });
  }

  /** Shadows have a texture each. */
  #number(shadow) {
    this.shadows ??= [];
    if (!this.shadows.includes(shadow)) this.shadows.push(shadow);
    return this.shadows.indexOf(shadow);
  }

  glass(points, colour, strength) {
    this.#pane('glass', points, { through: true, ints: { base: channels(colour), strength: Math.round(256 * strength) } });
  }

  /** Gives back what it has on the card. */
  free() {
    const { gl } = this.device;
    for (const texture of Object.values(this.textures)) gl.deleteTexture(texture);
    for (const [name, one] of Object.entries(this.buffers)) name.startsWith('array') ? gl.deleteVertexArray(one) : gl.deleteBuffer(one);
    this.#make();
  }
}

/** How far anything can be from the plane of the picture, in pixels: depths are shares of it. */
function reachOf({ size, walls, moves, box, factor }, view) {
  const middle = [0, 1, 2].map((i) => (box[0][i] + box[1][i]) / 2);
  const away = Math.abs(view.of(middle)[2]);
  let most = size * (1 + Math.abs(factor)); // displacements are at most as long as the box
  walls.forEach((wall, k) => {
    wall.far ??= Math.max(0, ...[...wall.lines.flatMap(([a, b]) => [a, b]), ...wall.panes.flatMap((p) => p.points)].map((x) => Math.hypot(...x.map((v, i) => v - middle[i]))), wall.ball ? Math.hypot(...wall.ball.centre.map((v, i) => v - middle[i])) + wall.ball.radius : 0);
    most = Math.max(most, size + wall.far + Math.hypot(...moves[k]));
  });
  return away + view.scale * most;
}
