// Pictures and films as files: PNG, a sequence of PNG in a zip, GIF, WebM as the browser codes it.
import { download } from './download.js';
import { make } from './format.js';
import { Gif } from './gif.js';
import { button, choice, menu } from './parts.js';
import { zip } from './zip.js';

const SECONDS = 8; // of a film of the whole run
const GIF_WIDTH = 640;

const toBlob = (canvas) => new Promise((done) => canvas.toBlob(done));

/** The picture with its colour bar and its time, as one sees it; into a canvas of its own. */
export function compose(stage, to = document.createElement('canvas'), width = stage.canvas.width) {
  const { canvas } = stage;
  const height = 2 * Math.round((canvas.height * width) / canvas.width / 2);
  if (to.width !== width || to.height !== height) Object.assign(to, { width, height });
  const c = to.getContext('2d', { willReadFrequently: true });
  const s = width / stage.box.getBoundingClientRect().width;
  c.drawImage(canvas, 0, 0, width, height);
  writeBar(c, stage, s, height);
  c.font = `${13 * s}px system-ui, sans-serif`;
  c.textAlign = 'right';
  c.textBaseline = 'top';
  c.fillStyle = getComputedStyle(stage.face).color;
  c.fillText(stage.face.textContent, width - 18 * s, 16 * s);
  return to;
}

/** The texts of the colour bar, at the places they have on the page. */
function writeBar(c, stage, s, height) {
  const box = stage.box.getBoundingClientRect();
  const ramp = stage.bar.querySelector('.ramp');
  if (ramp) {
    const r = ramp.getBoundingClientRect();
    const { map } = stage.scene;
    for (let k = 0; k < 256; k++) {
      c.fillStyle = `rgb(${map[k] & 255} ${(map[k] >>> 8) & 255} ${(map[k] >>> 16) & 255})`;
      c.fillRect((r.left - box.left + (r.width * k) / 256) * s, (r.top - box.top) * s, (r.width / 256 + 0.6) * s, r.height * s);
    }
  }
  c.textBaseline = 'middle';
  for (const e of stage.bar.querySelectorAll('.title, .ends span, .more, .chip')) {
    const r = e.getBoundingClientRect();
    const style = getComputedStyle(e);
    c.font = `${style.fontWeight} ${parseFloat(style.fontSize) * s}px system-ui, sans-serif`;
    c.fillStyle = style.color;
    c.textAlign = 'left';
    const chip = e.querySelector('i');
    if (chip) {
      const b = chip.getBoundingClientRect();
      c.fillStyle = getComputedStyle(chip).backgroundColor;
      c.fillRect((b.left - box.left) * s, (b.top - box.top) * s, b.width * s, b.height * s);
      c.fillStyle = style.color;
    }
    c.fillText(e.textContent, (r.left - box.left + (chip ? 17 : 0)) * s, Math.min(height - 6 * s, (r.top - box.top + r.height / 2) * s));
  }
}

/** Times of a film's pictures: evenly over the run. */
const evenly = (clock, n) => Array.from({ length: n }, (_, k) => clock.start + ((clock.end - clock.start) * k) / Math.max(1, n - 1));

/** Calls each(canvas, k) for every time, one after the other; tell(share) as it goes on. */
async function shoot(stage, clock, times, width, each, tell) {
  const before = clock.time;
  const canvas = document.createElement('canvas');
  clock.pause();
  stage.filming = true;
  try {
    for (const [k, t] of times.entries()) {
      clock.seek(t);
      stage.draw();
      await each(compose(stage, canvas, width), k);
      tell((k + 1) / times.length);
      await new Promise((done) => setTimeout(done));
    }
  } finally {
    stage.filming = false;
    clock.seek(before);
    stage.request();
  }
}

const evenWidth = (stage, width) => 2 * Math.floor(Math.min(width, stage.canvas.width) / 2);

export async function pngSequence(stage, clock, times, tell = () => {}) {
  const files = [];
  await shoot(stage, clock, times, evenWidth(stage, stage.canvas.width), async (canvas, k) => {
    files.push([`frame-${String(k).padStart(4, '0')}.png`, new Uint8Array(await (await toBlob(canvas)).arrayBuffer())]);
  }, tell);
  return zip(files);
}

/** pictures a second; the run takes eight seconds at speed 1. */
export async function gif(stage, clock, { pictures = 15, speed = 1, tell = () => {} } = {}) {
  const times = evenly(clock, Math.max(2, Math.round((pictures * SECONDS) / speed)));
  const width = evenWidth(stage, GIF_WIDTH);
  const pixelsOf = (canvas) => new Uint32Array(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer);
  const samples = [];
  let size;
  await shoot(stage, clock, times.filter((_, k) => k % Math.ceil(times.length / 8) === 0), width, (canvas) => {
    size = [canvas.width, canvas.height];
    pixelsOf(canvas).forEach((p, k) => k % 61 === 0 && samples.push(p));
  }, () => {});
  const file = new Gif(...size, samples, Math.round(100 / pictures));
  await shoot(stage, clock, times, width, (canvas) => file.add(pixelsOf(canvas)), tell);
  return file.end();
}

const webmType = () => ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'].find((t) => globalThis.MediaRecorder?.isTypeSupported(t));

/** The browser records while pictures are shown one by one. */
export async function webm(stage, clock, { pictures = 30, speed = 1, tell = () => {} } = {}) {
  const width = evenWidth(stage, stage.canvas.width);
  const canvas = compose(stage, undefined, width);
  const stream = canvas.captureStream(0);
  const [track] = stream.getVideoTracks();
  const recorder = new MediaRecorder(stream, { mimeType: webmType(), videoBitsPerSecond: 8e6 });
  const chunks = [];
  recorder.ondataavailable = (e) => chunks.push(e.data);
  const stopped = new Promise((done) => (recorder.onstop = done));
  recorder.start();
  const start = performance.now();
  await shoot(stage, clock, evenly(clock, Math.max(2, Math.round((pictures * SECONDS) / speed))), width, async (picture, k) => {
    canvas.getContext('2d').drawImage(picture, 0, 0);
    // the recorder stamps pictures with the time at which they come
    const wait = start + (1000 * k) / pictures - performance.now();
    if (wait > 0) await new Promise((done) => setTimeout(done, wait));
    track.requestFrame();
  }, tell);
  recorder.stop();
  await stopped;
  return new Blob(chunks, { type: 'video/webm' });
}

export function saveMenu({ clock, times, stages, name }) {
  const said = make('span', { class: 'where', role: 'status' });
  const speed = choice('Film', [['0.5', 'slow, 16 s'], ['1', '8 s'], ['2', '4 s']], '1', () => {});
  const tell = (share) => (said.textContent = share < 1 ? `${Math.round(100 * share)} %` : '');
  const many = (k) => (stages.length > 1 ? `-${k + 1}` : '');
  const save = (make_, ending) => async () => {
    for (const [k, stage] of stages.entries()) download(await make_(stage), `${name}${many(k)}.${ending}`);
    said.textContent = '';
  };
  const pace = () => ({ speed: Number(speed.select.value), tell });
  return menu('Save',
    make('div', { class: 'row' }, button('PNG', save(async (stage) => { stage.draw(); return toBlob(compose(stage)); }, 'png')), button('PNG sequence', save((stage) => pngSequence(stage, clock, times, tell), 'zip'), 'Every frame, in a zip')),
    make('div', { class: 'row' }, webmType() ? button('WebM', save((stage) => webm(stage, clock, pace()), 'webm')) : null, button('GIF', save((stage) => gif(stage, clock, pace()), 'gif')), speed.element),
    said);
}
