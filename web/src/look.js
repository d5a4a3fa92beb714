// What is shown and how; several stages may share one.
import { Signal } from './clock.js';

export class Look {
  constructor(field) {
    this.field = field;
    this.range = 'typical'; // 'run': least to greatest of the run; 'frame': of the moment
    this.edges = true;
    this.arrows = true;
    this.factor = 1; // on displacements
    this.cut = null; // {axis: 0..2, share: 0..1 of the scene, flip}
    this.opacity = new Map(); // of bodies that are not fully there; 0: hidden
    this.version = 0; // counts the changes
    this.changed = new Signal();
  }

  #tell() {
    this.version++;
    this.changed.tell();
  }

  set(changes) {
    Object.assign(this, changes);
    this.#tell();
  }

  /** Opacity of some bodies, 0 to 1. */
  setOpacity(bodies, opacity) {
    for (const b of bodies) {
      if (opacity < 1) this.opacity.set(b, opacity);
      else this.opacity.delete(b);
    }
    this.#tell();
  }

  opacityOf(body) {
    return this.opacity.get(body) ?? 1;
  }
}
