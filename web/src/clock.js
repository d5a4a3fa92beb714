// Time that several pictures and plots follow.
export class Signal {
  #listeners = new Set();
  on(f) {
    this.#listeners.add(f);
    return this;
  }
  tell(...about) {
    for (const f of this.#listeners) f(...about);
  }
}

export class Clock {
  constructor(start, end) {
    this.start = start;
    this.end = end;
    this.time = start;
    this.playing = false;
    this.speed = 1; // 1: the whole run in eight seconds
    this.changed = new Signal(); // the time is another
    this.switched = new Signal(); // it plays, or not
  }

  seek(time) {
    this.time = Math.min(this.end, Math.max(this.start, time));
    this.changed.tell(this.time);
  }

  play() {
    if (this.playing || !(this.end > this.start)) return;
    if (this.time >= this.end) this.time = this.start;
    this.playing = true;
    this.switched.tell(true);
    let before = null;
    const tick = (now) => {
      if (!this.playing) return;
      // a page that was hidden goes on where it was
      const passed = before === null ? 0 : Math.min(0.25, (now - before) / 1000);
      before = now;
      const next = this.time + (passed * this.speed * (this.end - this.start)) / 8;
      if (next >= this.end) {
        this.seek(this.end);
        this.pause();
        return;
      }
      this.seek(next);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.switched.tell(false);
    this.changed.tell(this.time);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }
}
