// carom view and carom view --edit in headless Chromium: node view.mjs MODULES CHROMIUM DECK [FOLDER for pictures].
// Works in the current folder; the program is $CAROM.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { candidates, placeOf } from '../src/complete.js';

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
    assert.match(await page.textContent('.resolution'), /^Resolution: not known; carom converge DECK will tell\. \d+ steps? per contact at least/);
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
