// The two rasters of the page beside each other, WebGL lost and found, and colours of what is only rounding.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const SMALL = { viewport: { width: 640, height: 560 } };

/** In the page: the picture by both rasters. How much colours differ in the mean, of 255, and how many pixels of the ground are another's farther than a pixel from an outline. */
const beside = () => {
  const stage = carom.stages[0];
  const drawn = ['software', 'webgl'].map((raster) => {
    stage.choose(raster);
    stage.draw();
    const canvas = Object.assign(document.createElement('canvas'), { width: stage.canvas.width, height: stage.canvas.height });
    const c = canvas.getContext('2d', { willReadFrequently: true });
    stage.raster.show(c, stage.paint);
    return { name: stage.raster.name, pixels: new Uint32Array(c.getImageData(0, 0, canvas.width, canvas.height).data.buffer), width: canvas.width };
  });
  const [{ pixels: a, width }, { pixels: b }] = drawn;
  let [sum, astray, covered] = [0, 0, 0];
  const isGround = (p) => p === a[0];
  for (let k = 0; k < a.length; k++) {
    for (const s of [0, 8, 16]) sum += Math.abs(((a[k] >>> s) & 255) - ((b[k] >>> s) & 255)) / 3;
    if (!isGround(a[k])) covered++;
    if (isGround(a[k]) === isGround(b[k])) continue;
    const around = [-1, 0, 1].flatMap((i) => [-1, 0, 1].map((j) => a[k + i * width + j]));
    if (around.every((p) => isGround(p) === isGround(a[k]))) astray++;
  }
  stage.choose();
  stage.draw();
  return { names: drawn.map((d) => d.name), mean: sum / a.length, astray, covered: covered / a.length };
};

async function same(page, what, least = 0.03) {
  const { names, mean, astray, covered } = await page.evaluate(beside);
  assert.deepEqual(names, ['software', 'webgl']);
  assert.ok(covered > least, `${what}: there is something to see (${covered})`);
  assert.ok(mean < 0.5, `${what}: colours differ by ${mean} of 255 in the mean`);
  assert.equal(astray, 0, `${what}: outlines are within a pixel`);
}

export const rasterTests = ({ load, settle }) => ({
  async 'both rasters draw the same picture'() {
    const flat = await load('flat/report.html', SMALL);
    await same(flat, 'stress');
    await flat.selectOption('select[aria-label="Colour"]', 'contact-status');
    await same(flat, 'words');
    await flat.evaluate(() => {
      carom.look.set({ field: 'body' });
      carom.look.setOpacity([1], 0.4);
      carom.camera.magnify(3, 20, 10, 500, 400);
    });
    await same(flat, 'bodies by colour, one seen through');
    await flat.context().close();
    const space = await load('space/report.html', SMALL);
    await same(space, 'space');
    await space.evaluate(() => carom.look.set({ cut: { axis: 1, share: 0.4, flip: false }, factor: 5 }));
    await same(space, 'a cut, and displacements five times');
    await space.context().close();
    const balls = await load('balls/report.html', SMALL);
    await same(balls, 'balls, their marks, floor and shadows');
    await balls.evaluate(() => {
      carom.look.set({ field: 'velocity', cut: { axis: 0, share: 0.5, flip: true } });
      carom.look.setOpacity([0, 1, 2], 0.5);
      carom.camera.turn(120, 60);
    });
    await same(balls, 'balls seen through, cut and from elsewhere');
    await balls.context().close();
    for (const name of ['ellipse', 'mixed']) {
      const page = await load(`${name}/report.html`, SMALL);
      await same(page, name, 0.01);
      await page.context().close();
    }
  },

  async 'a picture that moves leaves out only what is hidden'() {
    for (const name of ['space', 'mixed']) {
      const page = await load(`${name}/report.html`, SMALL);
      const off = await page.evaluate(() => {
        const stage = carom.stages[0];
        const grab = (moving) => {
          stage.isMoving = () => moving;
          stage.cost = 0; // as fine as at rest
          stage.draw();
          return stage.raster.pixels.slice();
        };
        const [a, b] = [grab(false), grab(true)];
        return a.reduce((n, p, k) => n + (p !== b[k] ? 1 : 0), 0) / a.filter((p) => p !== a[0]).length;
      });
      assert.ok(off < 0.002, `${name}: ${off} of the pixels of bodies differ`); // at outlines a face may be seen from both sides
      await page.context().close();
    }
  },

  async 'the raster is chosen: by the address, by the driver'() {
    const page = await load('space/report.html#raster=webgl', SMALL);
    assert.equal(await page.evaluate(() => carom.stages[0].raster.name), 'webgl');
    assert.match(await page.evaluate(() => carom.theDevice().driver), /swiftshader|llvmpipe/i);
    await page.context().close();
    // a driver that computes on the processor is no reason to leave our own raster
    const own = await load('space/report.html', SMALL);
    assert.equal(await own.evaluate(() => carom.stages[0].raster.name), 'software');
    await own.context().close();
  },

  async 'WebGL: plays, is hovered, saved, lost and found'() {
    const page = await load('space/report.html#raster=webgl', SMALL);
    await settle(page);
    const shot = () => page.evaluate(() => carom.stages[0].canvas.toDataURL());
    const still = await shot();
    await page.evaluate(() => carom.clock.seek(carom.clock.start));
    await settle(page);
    assert.notEqual(await shot(), still, 'another time is another picture');
    // the pointer: a mark over the picture, which is there again without it
    const clean = await shot();
    const at = await page.evaluate(() => {
      const { canvas } = carom.stages[0];
      canvas.scrollIntoView();
      const r = canvas.getBoundingClientRect();
      for (let y = 5; y < r.height; y += 4) for (let x = 5; x < r.width; x += 4) if (carom.hover.at(r.left + x, r.top + y)) return [r.left + x + 3, r.top + y + 3];
      return null;
    });
    await page.mouse.move(...at);
    await page.waitForSelector('.tip:not([hidden])');
    assert.notEqual(await shot(), clean);
    await page.mouse.move(1, 1);
    await page.waitForSelector('.tip[hidden]', { state: 'attached' });
    assert.equal(await shot(), clean);
    // what is saved is what is seen
    await page.click('summary:has-text("Save")');
    const [file] = await Promise.all([page.waitForEvent('download'), page.click('.sheet button:text-is("PNG")')]);
    const off = await page.evaluate(async (text) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${text}`)).blob());
      const { canvas } = carom.stages[0];
      const c = new OffscreenCanvas(image.width, image.height).getContext('2d', { willReadFrequently: true });
      const read = (picture) => {
        c.drawImage(picture, 0, 0, image.width, image.height);
        return c.getImageData(0, image.height / 4, image.width, image.height / 2).data;
      };
      const [a, b] = [read(image).slice(), read(canvas)];
      return a.reduce((n, v, k) => n + (Math.abs(v - b[k]) > 8 ? 1 : 0), 0) / a.length;
    }, readFileSync(await file.path()).toString('base64'));
    assert.ok(off < 0.01, `${off} of the picture is another in the file`);
    // without WebGL the other raster goes on, and WebGL comes back
    await page.evaluate(() => {
      globalThis.lose = carom.theDevice().gl.getExtension('WEBGL_lose_context');
      lose.loseContext();
    });
    await page.waitForFunction(() => carom.stages[0].raster.name === 'software' && carom.stages[0].raster.pixels);
    await settle(page);
    assert.ok((await page.evaluate(() => new Set(carom.stages[0].raster.pixels).size)) > 10, 'there is a picture');
    await page.evaluate(() => lose.restoreContext());
    await page.waitForFunction(() => carom.stages[0].raster.name === 'webgl');
    await settle(page);
    assert.equal(await shot(), clean);
    await page.context().close();
  },

  async 'the block of frames that is shown comes first'() {
    const page = await load('flat/report.html', SMALL);
    const [shown, revision, all] = await page.evaluate(async () => {
      const { film } = carom.runs[0];
      const wanted = film.times[film.times.length - 3];
      const again = new film.constructor(carom.page.runs[0].film);
      let seen;
      await again.load((f) => (seen ??= [f.times[f.at(wanted).k] === wanted, f.revision]), wanted);
      return [...seen, again.frames.filter(Boolean).length === film.times.length];
    });
    assert.deepEqual([shown, revision, all], [true, 1, true]);
    await page.context().close();
  },

  async 'rounding has one colour, and is called so'() {
    const page = await load('drifts/report.html', SMALL);
    await settle(page);
    const { greatest } = await page.evaluate(() => carom.stages[0].film.fields.find((f) => f.name === 'von-mises'));
    assert.ok(greatest > 0 && greatest < 1e-9, `the stress is noise (${greatest})`);
    assert.equal(await page.evaluate(() => carom.look.field), 'displacement', 'a page does not open with noise');
    const shown = async (field, range) => {
      await page.evaluate((f) => carom.look.set({ ...f, edges: false }), { field, range });
      await settle(page);
      return [await page.locator('.colourbar .chip, .colourbar .ends').textContent(), await page.evaluate(() => new Set(carom.stages[0].raster.pixels).size)];
    };
    for (const range of ['typical', 'run', 'frame'])
      for (const field of ['von-mises', 'stress-xy', 'principal-1']) assert.deepEqual(await shown(field, range), ['0 everywhere (below the rounding error)', 2], `${field}, ${range}`);
    // the velocity of the deck, everywhere: one colour and its value
    assert.deepEqual(await shown('velocity', 'run'), [`${Math.hypot(0.31, 0.17).toPrecision(4)} everywhere`, 2]);
    // a component that is positive but for rounding begins at nothing
    await page.evaluate(() => carom.clock.seek(carom.clock.end));
    assert.match((await shown('displacement-x', 'run'))[0], /^00\.093/);
    await page.context().close();
  },
});
