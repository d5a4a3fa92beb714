// What one does with the picture: hover, click, hide, cut, measure, save; beside the numbers of the tables.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const near = (v, w, bound, what) => assert.ok(Math.abs(v - w) <= bound, `${what}: ${v} is not ${w} within ${bound}`);

/** Where a node, or a ball by its body, is on the page. */
const whereIs = (page, what) => page.evaluate((w) => {
  const stage = carom.stages[0];
  const { scene, view, canvas, film } = stage;
  const ball = film.balls.findIndex((b) => b.body === w.body);
  const x = w.node === undefined ? [0, 1, 2].map((i) => scene.balls.poses[8 * ball + i]) : [0, 1, 2].map((i) => scene.positions[3 * w.node + i]);
  const r = canvas.getBoundingClientRect();
  const s = r.width / canvas.width;
  const [px, py] = view.of(x);
  // a little towards the middle of the body, for nodes of its rim
  const b = w.node === undefined ? w.body : film.nodeBody[w.node];
  const { f, g, share } = film.at(carom.clock.time);
  const [cx, cy] = view.of([0, 1, 2].map((i) => f.centre[3 * b + i] + share * (g.centre[3 * b + i] - f.centre[3 * b + i])));
  const way = Math.hypot(cx - px, cy - py) || 1;
  return { at: [r.left + (px + (2 * (cx - px)) / way) * s, r.top + (py + (2 * (cy - py)) / way) * s], place: x };
}, what);

/** The surface node nearest to a place of the undeformed bodies. */
const nodeNear = (page, place, body) => page.evaluate(([p, b]) => {
  const { film } = carom.stages[0];
  let [best, least] = [0, Infinity];
  for (let k = 0; k < film.nodes; k++) {
    if (film.nodeBody[k] !== b) continue;
    const d = Math.hypot(...[0, 1, 2].map((i) => film.start[3 * b + i] + film.shape[3 * k + i] - (p[i] ?? 0)));
    if (d < least) [best, least] = [k, d];
  }
  return { node: best, number: film.nodeNumber[best], step: film.bodies[b].reach / film.levels };
}, [place, body]);

const number = (text) => {
  const [m, e] = text.replace('−', '-').split(' · 10');
  const digits = (e ?? '⁰').replace('⁻', '-').replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]/g, (c) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(c));
  return Number(m) * 10 ** Number(digits);
};

async function saved(page, click) {
  const [file] = await Promise.all([page.waitForEvent('download'), click()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

export const toolTests = ({ open, load, settle, picture, plotted, table, where, time }) => ({
  async 'the pointer shows value, node and place; a click draws the curve of the node'() {
    const page = await load('flat/report.html', {});
    const p = where(table('flat/probes.csv'), 'probe', 'A');
    const { node, number: called, step } = await nodeNear(page, [p.x[0] - p.ux[0], p.y[0] - p.uy[0]], 0);
    await page.selectOption('select[aria-label="Colour"]', 'displacement-x');
    const frame = await page.evaluate(() => {
      const { times } = carom.stages[0].film;
      carom.clock.seek(times[times.length - 10]);
      return times;
    });
    await settle(page);
    await page.locator('.stage canvas').scrollIntoViewIfNeeded();
    const { at, place } = await whereIs(page, { node });
    await page.mouse.move(...at);
    await page.waitForSelector('.tip:not([hidden])');
    const rows = await page.locator('.tip > *').allTextContents();
    const i = p.time.indexOf(frame[frame.length - 10]);
    near(number(rows[0]), p.ux[i], step + 1e-3 * Math.abs(p.ux[i]), 'value under the pointer');
    assert.equal(rows[1], 'displacement x');
    assert.equal(rows[2], `left, node ${called}`);
    const [, x, y] = rows[3].match(/x (\S+(?: · \S+)?)  y (.*)$/);
    near(number(x), place[0], 1e-4, 'x');
    near(number(y), place[1], 1e-4, 'y');
    near(place[0], p.x[i], step + 1e-6, 'place of the probe');

    await page.mouse.click(...at);
    const [times, curve] = await plotted(page, 'clicked');
    assert.deepEqual(times, frame);
    times.forEach((t, k) => near(curve[k], p.ux[p.time.indexOf(t)], step, `curve at ${t}`));
    // the curve follows the colour
    await page.selectOption('select[aria-label="Colour"]', 'velocity-y');
    const again = (await plotted(page, 'clicked'))[1];
    const speed = await page.evaluate(() => carom.stages[0].film.fields.find((f) => f.name === 'velocity-y').range);
    times.forEach((t, k) => near(again[k], p.vy[p.time.indexOf(t)], (speed[1] - speed[0]) / 4095, `velocity at ${t}`));
    await page.mouse.click(...at);
    assert.equal(await page.locator('#plot-clicked').count(), 0, 'a second click takes it away');
    await page.mouse.move(2, 2);
    await page.waitForSelector('.tip[hidden]', { state: 'attached' });
    await page.context().close();
  },

  async 'the page opens where the force is greatest'() {
    const page = await load('flat/report.html', {});
    const f = where(table('flat/contacts.csv'), 'pair', 'skew');
    const size = f.time.map((_, i) => Math.hypot(f.filtered_x[i], f.filtered_y[i]));
    const at = f.time[size.indexOf(Math.max(...size))];
    const times = await page.evaluate(() => carom.stages[0].film.times);
    const expected = times.reduce((a, b) => (Math.abs(b - at) < Math.abs(a - at) ? b : a));
    assert.equal(await time(page), expected);
    assert.ok(expected > times[0]);
    const [scrub, start, end] = await page.evaluate(() => [Number(document.querySelector('.scrub').value), carom.clock.start, carom.clock.end]);
    near(scrub, (1000 * (expected - start)) / (end - start), 0.01, 'the slider stands there too');
    await page.context().close();
  },

  async 'bodies are hidden and seen through; displacements take a factor'() {
    const page = await load('flat/report.html', {});
    await settle(page);
    const ground = () => page.evaluate(() => {
      const { pixels } = carom.stages[0].raster;
      return pixels.reduce((n, p) => n + (p === pixels[0] ? 1 : 0), 0) / pixels.length;
    });
    const both = await ground();
    const { node } = await nodeNear(page, [-0.8, 0], 0);
    const felt = async () => page.evaluate((p) => carom.hover.at(...p), (await whereIs(page, { node })).at);
    assert.equal((await felt()).node, node);
    await page.click('summary:has-text("Bodies")');
    await page.locator('.sheet .toggle', { hasText: 'left' }).click();
    await settle(page);
    const one = await ground();
    assert.ok(one > both + 0.05, 'one is gone');
    assert.equal(await felt(), null, 'and is not felt');
    await page.locator('input[aria-label="Opacity of left"]').fill('0.5');
    await settle(page);
    near(await ground(), both, 0.002, 'half of it covers as much');
    assert.equal((await felt()).node, node);
    await page.click('button:has-text("Show all")');
    await page.keyboard.press('Escape');
    await page.selectOption('select[aria-label="Displacements"]', '0');
    await settle(page);
    const off = await page.evaluate(() => {
      const { film, scene } = carom.stages[0];
      let worst = 0;
      for (let k = 0; k < 3 * film.nodes; k++) worst = Math.max(worst, Math.abs(scene.positions[k] - film.start[3 * film.nodeBody[Math.floor(k / 3)] + (k % 3)] - film.shape[k]));
      return worst;
    });
    near(off, 0, 1e-6, 'undeformed');
    await page.context().close();
  },

  async 'a cut takes away what is beyond it'() {
    const page = await load('space/report.html', {});
    await settle(page);
    const whole = (await picture(page)).hash;
    await page.click('summary:has-text("Cut")');
    await page.selectOption('select[aria-label="Across"]', '1');
    await settle(page);
    assert.notEqual((await picture(page)).hash, whole);
    const seen = () => page.evaluate(() => {
      const stage = carom.stages[0];
      const [, , , d] = stage.scene.cut;
      const found = [];
      for (let x = 20; x < stage.canvas.width; x += 40) for (let y = 20; y < stage.canvas.height; y += 40) {
        const p = stage.hover.at(stage.canvas.getBoundingClientRect().left + x / 2, stage.canvas.getBoundingClientRect().top + y / 2);
        if (p) found.push(p.place[1]);
      }
      return { d, found };
    });
    const { d, found } = await seen();
    assert.ok(found.length > 5 && found.every((y) => y <= d + 1e-9));
    await page.locator('.sheet .toggle', { hasText: 'other side' }).click();
    await settle(page);
    const other = await seen();
    assert.ok(other.found.length > 5 && other.found.every((y) => -y <= other.d + 1e-9));
    await page.selectOption('select[aria-label="Across"]', '');
    assert.equal((await picture(page)).hash, whole);
    await page.context().close();
  },

  async 'the ruler'() {
    const page = await load('flat/report.html', {});
    await settle(page);
    const canvas = () => page.evaluate(() => carom.stages[0].canvas.toDataURL());
    await page.locator('label.toggle', { hasText: 'Ruler' }).click();
    const nodes = [await nodeNear(page, [-0.8, 0], 0), await nodeNear(page, [0.8, 0], 1)];
    const before = await canvas();
    for (const { node } of nodes) {
      const { at } = await whereIs(page, { node });
      await page.mouse.click(...at);
    }
    await page.mouse.move(2, 2);
    await settle(page);
    assert.deepEqual(await page.evaluate(() => carom.hover.ends.map((e) => e.node)), nodes.map((n) => n.node));
    assert.equal(await page.locator('#plot-clicked').count(), 0);
    const [a, b] = [await whereIs(page, nodes[0]), await whereIs(page, nodes[1])];
    assert.match(await page.locator('.measured').textContent(), /^length /);
    near(number((await page.locator('.measured').textContent()).match(/length ([^\s:]+)/)[1]), Math.hypot(...a.place.map((v, i) => v - b.place[i])), 1e-3, 'length');
    assert.notEqual(await canvas(), before);
    await page.locator('label.toggle', { hasText: 'Ruler' }).click();
    assert.equal(await page.evaluate(() => carom.hover.ends.length), 0);
    await page.context().close();
  },

  async 'balls on a floor: bodies by colour, shadow, marks that roll'() {
    const page = await load('balls/report.html', {});
    await settle(page);
    const seen = await page.evaluate(() => {
      const stage = carom.stages[0];
      const { film, scene, view, raster } = stage;
      carom.clock.seek(0);
      stage.draw();
      const sum = (x) => {
        const [px, py] = view.of(x).map(Math.floor);
        const p = raster.pixels[py * raster.width + px];
        return (p & 255) + ((p >>> 8) & 255) + ((p >>> 16) & 255);
      };
      return { field: stage.look.field, balls: film.balls.length, triangles: film.triangles, depth: scene.size,
        // the light leans along the sides of the floor: the shadow lies beside the ball
        shade: [0, 1, 2, 3].map((k) => sum([0.4 + 0.12 * Math.cos((k * Math.PI) / 2), 0.4 + 0.12 * Math.sin((k * Math.PI) / 2), 0])), free: sum([0.2, 0.2, 0]) };
    });
    assert.deepEqual([seen.field, seen.balls, seen.triangles], ['body', 10, 0]);
    assert.ok(Math.min(...seen.shade) < 0.9 * seen.free, `shadow ${seen.shade} beside ${seen.free}`);
    // a quarter of a turn: the mark has gone from one place of the ball to another
    const marks = await page.evaluate(() => {
      const stage = carom.stages[0];
      const grab = (t) => {
        carom.clock.seek(t);
        stage.draw();
        const { film, scene, view, raster } = stage;
        const k = film.balls.length - 1;
        const [cx, cy] = view.of([0, 1, 2].map((i) => scene.balls.poses[8 * k + i])).map(Math.round);
        const r = Math.round(0.6 * 0.15 * view.scale);
        const out = [];
        for (let y = -r; y <= r; y += 3) for (let x = -r; x <= r; x += 3) out.push(raster.pixels[(cy + y) * raster.width + cx + x]);
        return out;
      };
      const [a, b, c] = [grab(0), grab(0), grab(0.1)];
      const differ = (p, q) => p.filter((v, i) => v !== q[i]).length / p.length;
      return [differ(a, b), differ(a, c)];
    });
    assert.equal(marks[0], 0);
    assert.ok(marks[1] > 0.2, 'it has rolled');
    // the centre of the ball that rolls: x = -0.5 + t
    const { body } = await page.evaluate(() => carom.stages[0].film.balls.at(-1));
    const { at } = await whereIs(page, { body });
    await page.mouse.click(...at);
    await page.selectOption('select[aria-label="Colour"]', 'displacement-x');
    const [times, moved] = await plotted(page, 'clicked');
    times.forEach((t, k) => near(moved[k], t, 1e-4, `rolls at ${t}`));
    await page.context().close();
  },

  async 'plots are saved as CSV and SVG'() {
    const page = await load('flat/report.html', {});
    const h = table('flat/history.csv');
    const csv = await saved(page, () => page.locator('#plot-energy .files button', { hasText: 'CSV' }).click());
    assert.equal(csv.name, 'energy.csv');
    const [head, ...rows] = csv.bytes.toString().trim().split('\n').map((line) => line.split(','));
    assert.deepEqual(head.slice(0, 3), ['time', 'kinetic', 'strain']);
    assert.deepEqual(rows.map((r) => Number(r[1])), h.kinetic);
    assert.deepEqual(rows.map((r) => Number(r[0])), h.time);
    const svg = await saved(page, () => page.locator('#plot-energy .files button', { hasText: 'SVG' }).click());
    const drawn = await page.evaluate((text) => {
      const doc = new DOMParser().parseFromString(text, 'image/svg+xml');
      const paths = [...doc.querySelectorAll('path[clip-path]')].map((p) => p.getAttribute('d').split(/[ML]/).slice(1).map((q) => q.split(' ').map(Number)));
      return { error: doc.querySelector('parsererror')?.textContent ?? '', paths, words: [...doc.querySelectorAll('text')].map((t) => t.textContent) };
    }, svg.bytes.toString());
    assert.equal(drawn.error, '');
    assert.equal(drawn.paths.length, 5);
    assert.ok(drawn.words.includes('time') && drawn.words.includes('energy') && drawn.words.includes('kinetic'));
    // heights of the curve are those of the numbers, on one scale
    const ys = drawn.paths[0].map((q) => q[1]);
    const [top, bottom] = [h.kinetic.indexOf(Math.max(...h.kinetic)), h.kinetic.indexOf(Math.min(...h.kinetic))];
    const scale = (ys[bottom] - ys[top]) / (h.kinetic[top] - h.kinetic[bottom]);
    h.kinetic.forEach((v, i) => near(ys[i], ys[top] + scale * (h.kinetic[top] - v), 0.05, `height ${i}`));
    await page.context().close();
  },

  async 'films: PNG sequence, GIF, WebM'() {
    const page = await load('balls/report.html', { viewport: { width: 500, height: 600 } });
    await page.click('summary:has-text("Save")');
    const zip = await saved(page, () => page.click('button:has-text("PNG sequence")'));
    const end = zip.bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
    const frames = await page.evaluate(() => carom.stages[0].film.times.length);
    assert.equal(zip.bytes.readUInt16LE(end + 10), frames);
    assert.equal(zip.bytes.toString('latin1').split('\x89PNG').length - 1, frames);
    await page.selectOption('select[aria-label="Film"]', '2');
    const film = await saved(page, () => page.click('.sheet button:has-text("GIF")'));
    const gif = await page.evaluate(async (text) => {
      const decoder = new ImageDecoder({ data: Uint8Array.from(atob(text), (c) => c.charCodeAt(0)), type: 'image/gif' });
      await decoder.tracks.ready;
      await decoder.completed;
      const track = decoder.tracks.selectedTrack;
      const { image } = await decoder.decode({ frameIndex: track.frameCount - 1 });
      const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight);
      const c = canvas.getContext('2d', { willReadFrequently: true });
      c.drawImage(image, 0, 0);
      image.close();
      const got = c.getImageData(0, 0, canvas.width, canvas.height).data;
      carom.clock.seek(carom.clock.end);
      carom.stages[0].draw();
      c.drawImage(carom.stages[0].canvas, 0, 0, canvas.width, canvas.height);
      const now = c.getImageData(0, 0, canvas.width, canvas.height).data;
      let off = 0;
      for (let k = 0; k < got.length; k += 4) if (Math.abs(got[k] - now[k]) + Math.abs(got[k + 1] - now[k + 1]) + Math.abs(got[k + 2] - now[k + 2]) > 60) off++;
      return { count: track.frameCount, share: off / (got.length / 4) };
    }, film.bytes.toString('base64'));
    assert.equal(gif.count, 60);
    assert.ok(gif.share < 0.03, `${gif.share} of the last picture is another`); // text lies over it
    const webm = await saved(page, () => page.click('.sheet button:has-text("WebM")'));
    assert.equal(webm.bytes.subarray(0, 4).toString('hex'), '1a45dfa3');
    const plays = await page.evaluate((text) => new Promise((done, fail) => {
      const video = document.createElement('video');
      video.onloadeddata = () => done([video.videoWidth, video.videoHeight]);
      video.onerror = () => fail(new Error(video.error.message));
      video.src = URL.createObjectURL(new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], { type: 'video/webm' }));
    }), webm.bytes.toString('base64'));
    assert.ok(plays[0] > 200 && plays[1] > 200);
    await page.context().close();
  },
});
