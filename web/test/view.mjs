// carom view and carom view --edit in headless Chromium: node view.mjs MODULES CHROMIUM DECK [FOLDER for pictures].
// Works in the current folder; the program is $CAROM.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { candidates, placeOf } from '../src/complete.js';
import { addItem, deckTree, nodeAt, removeAt, setAt } from '../src/decktree.js';

const LONG = 1200000; // milliseconds that nothing here takes, however busy the machine is
const [modules, executablePath, deckPath, pictures] = process.argv.slice(2);
const { chromium } = createRequire(resolve(modules, 'x'))('playwright-core');
const deck = readFileSync(deckPath, 'utf8');
const children = [];

/** Starts the program; resolves with its first line. */
function carom(...words) {
  const child = spawn(process.env.CAROM, words, { stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  return new Promise((done) => child.stdout.once('data', (d) => done({ child, line: String(d).split('\n')[0] })));
}
const over = (child) => new Promise((done) => (child.exitCode !== null ? done(child.exitCode) : child.once('exit', done)));

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'], timeout: LONG });
const complaints = [];

async function open(address) {
  const page = await (await browser.newContext({ viewport: { width: 1400, height: 900 } })).newPage();
  page.setDefaultTimeout(LONG);
  page.on('console', (m) => complaints.push(`console: ${m.text()}`));
  page.on('pageerror', (e) => complaints.push(e.message));
  page.on('request', (r) => r.url().startsWith(new URL(address).origin) || /^(data|blob):/.test(r.url()) || complaints.push(`asks for ${r.url()}`));
  await page.goto(address);
  return page;
}
const wait = (page, what, arg) => page.waitForFunction(what, arg, { timeout: LONG, polling: 100 });
const picture = (page, name) => pictures && page.screenshot({ path: join(pictures, name) });

/** Labels on the model: inside, apart from each other, ink and plate with a contrast of 4.5; on both grounds. */
async function labelsAreRead(page) {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(() => new Promise((done) => {
      carom.preview.stage.request();
      requestAnimationFrame(() => requestAnimationFrame(done));
    }));
    const labels = await page.evaluate(() => {
      const { stage } = carom.preview;
      const light = (d, k) => [0, 1, 2].map((i) => d[k + i] / 255).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
      const copy = Object.assign(document.createElement('canvas'), { width: stage.canvas.width, height: stage.canvas.height }).getContext('2d', { willReadFrequently: true });
      copy.drawImage(stage.canvas, 0, 0);
      return stage.labels.map(({ text, x, y, width, height }) => {
        const rim = 2 * stage.unit;
        const { data } = copy.getImageData(x + rim, y + rim, width - 2 * rim, height - 2 * rim);
        const all = Array.from({ length: data.length / 4 }, (_, k) => light(data, 4 * k));
        return { text, x, y, width, height, ratio: (Math.max(...all) + 0.05) / (Math.min(...all) + 0.05), wide: stage.canvas.width, high: stage.canvas.height };
      });
    });
    assert.deepEqual(labels.map((l) => l.text).sort(), ['left.outer', 'right.outer', 'skew'].sort());
    for (const l of labels) {
      assert.ok(l.ratio >= 4.5, `${l.text} has a contrast of ${l.ratio} (${colorScheme})`);
      assert.ok(l.x >= 0 && l.y >= 0 && l.x + l.width <= l.wide && l.y + l.height <= l.high, `${l.text} is inside`);
      for (const m of labels) assert.ok(m === l || l.x >= m.x + m.width || m.x >= l.x + l.width || l.y >= m.y + m.height || m.y >= l.y + l.height, `${l.text} lies on ${m.text}`);
    }
  }
}

const tests = {
  async 'a run is followed to its end'() {
    // held up until the page has seen it go on: how fast the program is must not matter
    const frames = () => (existsSync('goes/fields.pvd') ? readFileSync('goes/fields.pvd', 'utf8').split('timestep=').length - 1 : 0);
    const begin = async (steps) => {
      const { child } = await carom('run', deckPath, '-o', 'goes', '--force', '--set', `time.steps=[[1.6, 1], [${0.8 / steps}, ${steps}]]`, '--set', 'output.frames=60');
      while (frames() < 6 && child.exitCode === null) await new Promise((done) => setTimeout(done, 5));
      child.kill('SIGSTOP');
      assert.ok(frames() >= 6, 'the run goes on');
      if (frames() < 60) return child;
      child.kill('SIGCONT'); // this script slept until the end: again with more steps, so that something is left to see
      await over(child);
      rmSync('goes', { recursive: true });
      return begin(4 * steps);
    };
    const child = await begin(200);
    const { line } = await carom('view', 'goes');
    const page = await open(line);
    await wait(page, () => window.carom?.film?.frames.length > 3 && carom.plots && document.querySelector('.badge'));
    assert.equal(await page.textContent('.badge'), 'running');
    const first = await page.evaluate(() => [carom.film.frames.length, carom.rows, carom.clock.time]);
    child.kill('SIGCONT');
    await wait(page, ([frames, rows]) => carom.film.frames.length > frames && carom.rows > rows, first);
    assert.ok((await page.evaluate(() => carom.clock.time)) > first[2], 'the picture stays with the newest frame');
    await picture(page, 'live.png');
    // whoever looks back is left there
    await page.evaluate(() => carom.clock.seek(carom.film.times[1]));
    assert.equal(await over(child), 0);
    // books that add up are no word about resolution: two lines, and no green for what nobody knows
    await wait(page, () => document.querySelector('.badge').textContent.startsWith('completed'));
    assert.equal(await page.locator('.badge.green').count(), 0);
    assert.match(await page.textContent('.verdict'), /^Bookkeeping: every joule is accounted for \(.*Finished after/);
    assert.match(await page.textContent('.resolution'), /^Resolution: not known; carom converge DECK estimates it\. \d+ steps? per contact at least/);
    const [head, ...rows] = readFileSync('goes/history.csv', 'utf8').trim().split('\n').map((r) => r.split(','));
    await wait(page, (n) => carom.rows === n && carom.plots.energy.u.data[0].length === n, rows.length);
    const column = (name) => rows.map((r) => Number(r[head.indexOf(name)]));
    const shown = await page.evaluate(() => [carom.plots.energy.u.data[0], carom.plots.energy.u.data[1], carom.plots.balance.u.data[1]].map((c) => Array.from(c)));
    assert.deepEqual(shown, [column('time'), column('kinetic'), column('balance')]);
    const times = [...readFileSync('goes/fields.pvd', 'utf8').matchAll(/timestep="([^"]*)"/g)].map((m) => Number(m[1]));
    await wait(page, (n) => carom.film.frames.length === n, times.length);
    (await page.evaluate(() => [...carom.film.times])).forEach((t, k) => assert.ok(Math.abs(t - times[k]) < 1e-14 * 10, `${t} is ${times[k]}`));
    assert.equal(await page.evaluate(() => carom.clock.time === carom.film.times[1]), true);
    assert.match(await page.textContent('.news'), /done 100 %/);
    assert.equal(await page.getAttribute('.news a', 'href'), '/report.html');
    // the report, now that it has ended
    await page.goto(line);
    await page.evaluate(() => window.carom.ready);
    assert.equal(await page.evaluate(() => carom.stages[0].film.times.length), times.length);
  },

  async 'places in a deck'() {
    const at = (text) => {
      const lines = text.split('\n');
      const k = lines.findIndex((l) => l.includes('|'));
      const column = lines[k].indexOf('|');
      lines[k] = lines[k].replace('|', '');
      return placeOf(lines, k, column);
    };
    assert.deepEqual(at('|'), { path: [], key: null });
    assert.deepEqual(at('time:\n  |'), { path: ['time'], key: null });
    assert.deepEqual(at('time:\n  method: |'), { path: ['time'], key: 'method' });
    assert.deepEqual(at('time: {method: |'), { path: ['time'], key: 'method' });
    assert.deepEqual(at('time: {step: 1, |'), { path: ['time'], key: null });
    assert.deepEqual(at('bodies:\n  - name: a\n    |'), { path: ['bodies', '[]'], key: null });
    assert.deepEqual(at('bodies:\n  - |'), { path: ['bodies', '[]'], key: null });
    assert.deepEqual(at('bodies:\n- name: a\n  mesh: {disc: {|'), { path: ['bodies', '[]', 'mesh', 'disc'], key: null });
    assert.deepEqual(at('bodies:\n  - name: a\n    mesh:\n      disc: {center: [0, 0], |'), { path: ['bodies', '[]', 'mesh', 'disc'], key: null });
    assert.deepEqual(at('contact:\n  - {between: [a, b], friction: 0.1}\n  - {|'), { path: ['contact', '[]'], key: null });
    assert.deepEqual(at('output:\n  fields: [velocity, |'), { path: ['output', 'fields'], key: '[]' });
    assert.deepEqual(at('bodies:\n  - name: a\ntime:\n  |'), { path: ['time'], key: null });
    assert.deepEqual(at('title: "a: {b"\n|'), { path: [], key: null });
  },

  async 'a deck is set up and run'() {
    mkdirSync('desk');
    writeFileSync('desk/deck.yaml', deck);
    const { line } = await carom('view', '--edit', 'desk/deck.yaml');
    const page = await open(line);
    await wait(page, () => window.carom?.isGood());
    await wait(page, () => document.querySelector('.verdict.green') && carom.preview.stage.drawn > 0);
    assert.match(await page.textContent('.verdict'), /2 bodies, 384 elements.*1 contact pair/);
    await page.getByLabel('Surfaces').check();
    await wait(page, () => carom.preview.stage.counts.surfaces === 2);
    assert.deepEqual(await page.evaluate(() => carom.preview.stage.counts), { surfaces: 2, supports: 0, loads: 0, velocities: 1, contact: 1 });
    await picture(page, 'model.png');
    await labelsAreRead(page);
    const [inner, outer] = await page.locator('.cm-scroller').evaluate((e) => [e.scrollWidth, e.clientWidth]);
    assert.ok(inner <= outer, `long lines go on in the next: ${inner} of ${outer}`);

    // a mistake is shown where it is
    const set = (text) => page.evaluate((t) => carom.editor.dispatch({ changes: { from: 0, to: carom.editor.state.doc.length, insert: t } }), text);
    await set(deck.replace('friction: 0.2', 'fricton: 0.2'));
    await wait(page, () => document.querySelector('.verdict.red') && document.querySelector('.cm-lintRange-error'));
    const wrong = deck.split('\n').findIndex((l) => l.includes('friction: 0.2')) + 1;
    assert.match(await page.textContent('.verdict'), new RegExp(`^Line ${wrong}: .*did you mean "friction"`));
    assert.equal(await page.textContent('.cm-lintRange-error'), 'fricton');
    await picture(page, 'mistake.png');

    // words from the schema: keys, then values
    const offered = async (text) => {
      await set(text);
      await page.evaluate(() => {
        carom.editor.focus();
        carom.editor.dispatch({ selection: { anchor: carom.editor.state.doc.length }, scrollIntoView: true });
      });
      await page.keyboard.press('Control+Space');
      await page.waitForSelector('.cm-tooltip-autocomplete li');
      const list = await page.$$eval('.cm-tooltip-autocomplete .cm-completionLabel', (all) => all.map((e) => e.textContent));
      return list;
    };
    assert.ok((await offered(`${deck}\nmethods:\n  newmark:\n    `)).includes('beta'));
    await picture(page, 'words.png');
    await page.keyboard.press('Escape');
    const methods = await offered(deck.slice(0, deck.indexOf('method:') + 'method: '.length));
    assert.ok(methods.includes('dissipative') && methods.includes('newmark'), String(methods));
    await page.keyboard.press('Escape');
    const bodies = await offered(`${deck.slice(0, deck.indexOf('contact:'))}  - name: third\n    mesh: {`);
    assert.ok(bodies.includes('disc') && bodies.includes('block'), String(bodies));
    await page.keyboard.press('Escape');

    // it runs, is followed, and its deck is what was saved
    const short = deck.replace('[0.01, 250]', '[0.01, 120]').replace('frames: 125', 'frames: 10');
    await set(short);
    await wait(page, () => document.querySelector('.verdict.green'));
    assert.equal(await page.textContent('.bar .note'), 'not saved');
    await page.getByRole('button', { name: 'Run', exact: true }).first().click();
    await wait(page, () => carom.live.last?.step > 0);
    await wait(page, () => carom.live.state?.audit?.completed && !carom.live.state.child.running);
    assert.equal(readFileSync('desk/deck.yaml', 'utf8'), short);
    await wait(page, () => carom.live.film?.frames.length >= 3 && document.querySelector('.badge')?.textContent.startsWith('completed'));
    await picture(page, 'ran.png');
    assert.equal(JSON.parse(readFileSync('desk/deck.out/audit.json', 'utf8')).steps, 121);
    // a run that is refused says why
    await set(short.replace('model: saint-venant-kirchhoff', 'model: jelly'));
    await page.evaluate(() => carom.editor.focus());
    await page.keyboard.press('Control+Enter');
    await wait(page, () => document.querySelector('.bar .note').textContent.includes('jelly'));
    await set(readFileSync('desk/deck.yaml', 'utf8')); // nothing left to lose
  },

  async 'a change leaves the rest of the text'() {
    const { yamlLanguage } = createRequire(resolve(modules, 'x'))('@codemirror/lang-yaml');
    const text = 'carom: 1   # one\nbodies:\n  - name: a   # first\n    mesh: {block: {from: [0, 0], to: [1, 2]}}\n    angle: 20  # degrees\n  - {name: b, material: m}\ncontact: []\ntime: {step: 0.1}\n';
    const changed = (what, ...words) => {
      const tree = deckTree(yamlLanguage.parser.parse(text).topNode, text);
      const c = what(text, tree, ...words);
      return c && text.slice(0, c.from) + c.insert + text.slice(c.to);
    };
    const tree = deckTree(yamlLanguage.parser.parse(text).topNode, text);
    assert.equal(nodeAt(tree, ['bodies', 0, 'mesh', 'block', 'to', 1]).text, '2');
    assert.equal(changed(setAt, ['bodies', 0, 'angle'], '30'), text.replace('angle: 20  #', 'angle: 30  #'));
    assert.equal(changed(setAt, ['bodies', 0, 'position'], '[1, 0]'), text.replace('# degrees\n', '# degrees\n    position: [1, 0]\n'));
    assert.equal(changed(setAt, ['bodies', 1, 'position'], '[1, 0]'), text.replace('material: m}', 'material: m, position: [1, 0]}'));
    assert.equal(changed(setAt, ['time', 'end'], '2'), text.replace('step: 0.1}', 'step: 0.1, end: 2}'));
    assert.equal(changed(setAt, ['output', 'frames'], '9'), `${text.trimEnd()}\noutput: {frames: 9}\n`);
    assert.equal(changed(removeAt, ['bodies', 0, 'angle']), text.replace('    angle: 20  # degrees\n', ''));
    assert.equal(changed(removeAt, ['bodies', 0, 'name']), text.replace('name: a   # first\n    mesh', 'mesh'));
    assert.equal(changed(removeAt, ['bodies', 1, 'name']), text.replace('{name: b, material', '{material'));
    assert.equal(changed(removeAt, ['bodies', 1]), text.replace('  - {name: b, material: m}\n', ''));
    assert.equal(changed(addItem, 'bodies', '{name: c}'), text.replace('material: m}\n', 'material: m}\n  - {name: c}\n'));
    assert.equal(changed(addItem, 'contact', '{x: 1}'), text.replace('contact: []', 'contact: [{x: 1}]'));
    assert.equal(changed(addItem, 'obstacles', '{x: 1}'), `${text}\nobstacles:\n  - {x: 1}\n`);
  },

  async 'a new deck is made by hand'() {
    const { line } = await carom('view', '--edit', 'desk/new.yaml');
    const page = await open(line);
    const text = () => page.evaluate(() => carom.editor.state.doc.toString());
    const settled = (what) => wait(page, (w) => carom.isGood() && document.querySelector('.verdict.green') && carom.editor.state.doc.toString().includes(w), what);
    await settled('A block drops on a plate');
    assert.ok(!existsSync('desk/new.yaml'), 'nothing is written before it is saved');
    assert.equal(await page.textContent('.bar .note'), 'a new deck, not saved');
    const template = await text();

    // the form: a number, a word, a key more, an entry more; comments stay; undo takes all back
    await page.getByRole('tab', { name: 'Form' }).click();
    await page.getByLabel('contact 0 friction', { exact: true }).fill('0.35');
    await page.keyboard.press('Enter');
    await settled('friction: 0.35');
    assert.equal(await text(), template.replace('friction: 0.2', 'friction: 0.35'));
    await page.getByLabel('time method', { exact: true }).selectOption('midpoint');
    await settled('method: midpoint');
    await page.getByLabel('Add a key to bodies 1', { exact: true }).selectOption('spin');
    await settled('spin: ');
    await page.getByRole('button', { name: 'Add to materials' }).click();
    await settled('material-2');
    await picture(page, 'form.png');
    for (let k = 0; k < 4; k++) await page.getByRole('button', { name: 'Undo' }).click();
    assert.equal(await text(), template);
    await page.getByRole('button', { name: 'Redo' }).click();
    assert.equal(await text(), template.replace('friction: 0.2', 'friction: 0.35'));
    await page.getByRole('button', { name: 'Undo' }).click();

    // a body is dragged: by as much as its middle moves on the screen
    await page.getByRole('tab', { name: 'Model' }).click();
    await settled('friction: 0.2');
    await page.getByLabel('Drag bodies').check();
    const where = (body) => page.evaluate((b) => {
      const { stage } = carom.preview;
      const r = stage.canvas.getBoundingClientRect();
      const [x, y] = stage.view.of(stage.model.bodies[b].centre);
      return [r.left + (x * r.width) / stage.canvas.width, r.top + (y * r.height) / stage.canvas.height, stage.view.scale * r.width / stage.canvas.width];
    }, body);
    await page.getByText('Drag bodies').scrollIntoViewIfNeeded();
    const [x, y, scale] = await where(0);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 40, y - 20, { steps: 4 });
    await page.mouse.up();
    await wait(page, () => /position: \[0\.0/.test(carom.editor.state.doc.toString()));
    const place = (await text()).match(/position: \[([-\d.e]+), ([-\d.e]+)\]/).slice(1).map(Number);
    assert.ok(Math.abs(place[0] - 40 / scale) < 2 / scale && Math.abs(place[1] - 0.045 - 20 / scale) < 2 / scale, `${place}, ${40 / scale}`);
    assert.equal((await text()).replace(/position: .*/, ''), template.replace(/position: .*/, ''));
    await wait(page, (p) => carom.isGood() && carom.preview.stage.view && Math.abs(carom.preview.stage.model.deck.bodies[0].position?.[0] - p) < 1e-9, place[0]);

    // a surface is clicked: its name, and a support on it
    const side = await page.evaluate(() => {
      const { stage } = carom.preview;
      const s = stage.model.surfaces.find((t) => t.name === 'bottom' && stage.model.bodies[t.body].name === 'plate');
      const facet = s.facets[s.facets.length >> 1];
      const r = stage.canvas.getBoundingClientRect();
      const p = facet.map((n) => stage.view.of([0, 1, 2].map((i) => stage.positions[3 * n + i])));
      return [r.left + ((p[0][0] + p[1][0]) / 2 * r.width) / stage.canvas.width, r.top + ((p[0][1] + p[1][1]) / 2 * r.height) / stage.canvas.height];
    });
    await page.mouse.click(side[0], side[1] + 3);
    assert.equal(await page.textContent('.stage .menu b'), 'plate.bottom');
    await picture(page, 'surface.png');
    await page.getByRole('menuitem', { name: 'Fix it with a support' }).click();
    await settled('{on: plate.bottom, fix: [x, y]}');
    assert.ok((await text()).includes('  - {on: plate.right, fix: [x, y]}\n  - {on: plate.bottom, fix: [x, y]}\n'));

    // an example takes the place of all, and undo brings the deck back
    const mine = await text();
    await page.getByRole('button', { name: 'Examples' }).click();
    await page.getByLabel('Search the examples').fill('skew impact');
    await page.waitForFunction(() => [...document.querySelectorAll('.example')].filter((e) => !e.hidden).length === 1);
    await picture(page, 'gallery.png');
    await page.locator('.example:not([hidden])').click();
    await settled('Skew impact');
    assert.equal(await text(), deck);
    await page.getByRole('button', { name: 'Undo' }).click();
    assert.equal(await text(), mine);
    await page.keyboard.press('Control+s');
    await wait(page, () => document.querySelector('.bar .note').textContent === 'saved');
    assert.equal(readFileSync('desk/new.yaml', 'utf8'), mine);
  },

  async 'no page complains'() {
    // a refused check answers 200; streams that end with their page are no errors
    assert.deepEqual(complaints, []);
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  const began = Date.now();
  try {
    await test();
    console.log(`${name}: ${((Date.now() - began) / 1000).toFixed(1)} s`);
  } catch (e) {
    failed++;
    console.log(`FAILED: ${name}: ${e.stack}`);
  }
}
await browser.close();
for (const child of children) child.kill('SIGTERM');
await Promise.all(children.map(over));
process.exit(failed ? 1 : 0);
