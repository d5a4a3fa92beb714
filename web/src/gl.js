// The one WebGL 2 context of a page, which all its stages share: browsers give only a few. It says whether to use it.
import { Signal } from './clock.js';
import { sources } from './shaders.js';

/** Drivers that compute on the processor are slower than the raster of this page. */
const inSoftware = /swiftshader|llvmpipe|softpipe|software|basic render|warp/i;

function driverOf(gl) {
  const plain = String(gl.getParameter(gl.RENDERER));
  if (!/webkit|mozilla/i.test(plain)) return plain; // some browsers hide it behind an extension
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  return info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : plain;
}

function compile(gl, [vertex, fragment]) {
  const program = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost())
    throw new Error(`WebGL: ${gl.getProgramInfoLog(program)} ${gl.getAttachedShaders(program).map((s) => gl.getShaderInfoLog(s)).join(' ')}`);
  const places = new Map();
  const at = (name) => {
    if (!places.has(name)) places.set(name, gl.getUniformLocation(program, name));
    return places.get(name);
  };
  return { program, at };
}

class Device {
  constructor() {
    this.canvas = document.createElement('canvas');
    this.changed = new Signal(); // lost, or there again
    this.generation = 0; // what was made before is gone
    this.gl = this.canvas.getContext('webgl2', { antialias: false, alpha: false, depth: true, preserveDrawingBuffer: true, powerPreference: 'high-performance' });
    if (!this.gl) return;
    this.driver = driverOf(this.gl);
    this.#prepare();
    this.canvas.addEventListener('webglcontextlost', (e) => {
      e.preventDefault();
      this.works = false;
      this.changed.tell();
    });
    this.canvas.addEventListener('webglcontextrestored', () => {
      this.#prepare();
      this.changed.tell();
    });
  }

  /** Programs; without them there is no WebGL for us. */
  #prepare() {
    this.generation++;
    try {
      this.programs = Object.fromEntries(Object.entries(sources).map(([name, text]) => [name, compile(this.gl, text)]));
      this.works = !this.gl.isContextLost();
    } catch (e) {
      this.works = false;
      this.trouble = e.message;
    }
  }
}

let device = null;

/** What the address asks for after `#raster=`: software, webgl, or auto. */
export const wanted = () => new URLSearchParams(location.hash.slice(1)).get('raster') ?? 'auto';

/** The device, if stages shall draw with it now; else null. asked: software, webgl, or auto. */
export function usableDevice(asked) {
  if (asked === 'software') return null;
  device ??= new Device();
  if (!device.works) return null;
  return asked === 'webgl' || !inSoftware.test(device.driver) ? device : null;
}

/** Calls f when WebGL is lost or there again. */
export function watchDevice(f) {
  device?.changed.on(f);
}

/** For tests. */
export const theDevice = () => device;
