// Opens the pages that tests/unit/test_page.sh made, in headless Chromium, and tries everything:
// node page.mjs MODULES CHROMIUM FOLDER [WORD]; WORD: only tests with it in their names. Writes FOLDER/seen.json, what the frames look like from the page.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { scale } from '../src/sheet.js';
import { layoutTests } from './layout.mjs';
import { rasterTests } from './rasters.mjs';
import { toolTests } from './tools.mjs';

const LONG = 1200000; // milliseconds that nothing here takes, however busy the machine is
const [modules, executablePath, folder, only = ''] = process.argv.slice(2);
const { chromium } = createRequire(resolve(modules, 'x'))('playwright-core');

/** A table as columns of numbers; words stay words. */
function table(path) {
  const [head, ...rows] = readFileSync(join(folder, path), 'utf8').trim().split('\n').map((line) => line.split(','));
  return Object.fromEntries(head.map((name, k) => [name, rows.map((row) => (Number.isNaN(Number(row[k])) ? row[k] : Number(row[k])))]));
}
const where = (t, column, word) => Object.fromEntries(Object.keys(t).map((name) => [name, t[name].filter((_, i) => t[column][i] === word)]));
const audit = (path) => JSON.parse(readFileSync(join(folder, path), 'utf8'));

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--enable-unsafe-swiftshader'], timeout: LONG });
const complaints = [];

const opened = {};

/** A page; those without options are opened once, tests set what they need. */
function open(path, options) {
  return options ? load(path, options) : (opened[path] ??= load(path, {}));
}

async function load(path, options) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(LONG);
  const page = await context.newPage();
  page.on('console', (m) => /GL Driver Message.*ReadPixels/.test(m.text()) || complaints.push(`${path}: console: ${m.text()}`));
  page.on('pageerror', (e) => complaints.push(`${path}: ${e.message}`));
  page.on('request', (r) => /^(file|data|blob):/.test(r.url()) || complaints.push(`${path}: asks for ${r.url()}`));
  await page.goto(`file://${resolve(folder, path)}`);
  await page.evaluate(() => window.carom.ready.then(() => {})); // not the whole of it
  return page;
}

const plotted = (page, id) => page.evaluate((which) => Array.from(carom.plots[which].u.data, (c) => Array.from(c)), id);
const time = (page) => page.evaluate(() => carom.clock.time);
const settle = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))));
/** The picture stands still: it is drawn again, finely, 150 ms after the last motion, by a timer that is older than this one. */
const stands = (page) => page.evaluate(() => new Promise((done) => setTimeout(done, 200)));
/** The picture, as a text that changes with every pixel, and how many colours it has. */
const picture = async (page, k = 0) => {
  await settle(page);
  return page.evaluate((which) => {
    const { raster } = carom.stages[which];
    let hash = 0;
    for (const p of raster.pixels) hash = (Math.imul(hash, 31) + p) | 0;
    return { hash, colours: new Set(raster.pixels).size };
  }, k);
};

const tests = {
  async 'plots hold the numbers of the tables'() {
    const page = await open('flat/report.html');
    const h = table('flat/history.csv');
    const sum = h.energy.map((e, i) => e + h.penalty[i] + h.friction_loss[i] - h.external_work[i]);
    assert.deepEqual(await plotted(page, 'energy'), [h.time, h.kinetic, h.strain, h.penalty, h.friction_loss, sum]);
    assert.deepEqual((await plotted(page, 'balance')).slice(0, 2), [h.time, h.balance]);
    const change = (c) => c.map((v) => v - c[0]);
    assert.deepEqual(await plotted(page, 'momentum'), [h.time, change(h.momentum_x), change(h.momentum_y)]);
    assert.deepEqual(await plotted(page, 'angular'), [h.time, change(h.angular_z)]);
    assert.deepEqual(await plotted(page, 'penetration'), [h.time, h.max_penetration]);
    assert.deepEqual(await plotted(page, 'points'), [h.time, h.contacts, h.sticking]);
    assert.deepEqual((await plotted(page, 'iterations'))[1].slice(1), h.iterations.slice(1));
    assert.deepEqual((await plotted(page, 'step'))[1].slice(1), h.h.slice(1));
    const f = where(table('flat/contacts.csv'), 'pair', 'skew');
    assert.deepEqual(await plotted(page, 'force'), [f.time, f.fx, f.fy, f.filtered_x, f.filtered_y]);
    assert.deepEqual((await plotted(page, 'impulse')).slice(0, 3), [f.time, f.normal_impulse_x, f.normal_impulse_y]);
    const p = where(table('flat/probes.csv'), 'probe', 'A');
    assert.deepEqual(await plotted(page, 'probe'), [p.time, p.ux, p.uy]);
    await page.selectOption('#plot-probe select', 'contact force');
    assert.deepEqual(await plotted(page, 'probe'), [p.time, p.fx, p.fy]);
    const b = where(table('flat/bodies.csv'), 'body', 'right');
    await page.selectOption('#plot-body select >> nth=0', 'right');
    await page.selectOption('#plot-body select >> nth=1', 'momentum');
    assert.deepEqual(await plotted(page, 'body'), [b.time, b.px, b.py]);
    const x = where(table('flat/extremes.csv'), 'body', 'left');
    assert.deepEqual((await plotted(page, 'extreme')).slice(0, 2), [x.time, x.max]);

    // the legend shows the values at the animation's time, the table below all of them
    const i = h.time.length - 20;
    await page.evaluate((t) => carom.clock.seek(t), h.time[i]);
    const legend = await page.locator('#plot-energy .u-series', { hasText: 'kinetic' }).locator('.u-value').textContent();
    assert.equal(Number(legend), Number(h.kinetic[i].toPrecision(5)));
    await page.click('#plot-energy summary');
    const cells = await page.locator('#plot-energy .numbers tbody tr').nth(i).locator('td').allTextContents();
    assert.deepEqual(cells.slice(0, 3).map(Number), [h.time[i], h.kinetic[i], h.strain[i]]);
  },

  async 'the audit in words says what audit.json says'() {
    const page = await open('flat/report.html');
    const a = audit('flat/audit.json');
    const value = async (row) => {
      const text = await page.locator('.account tr', { hasText: row }).first().locator('.value').textContent();
      const [m, e] = text.replace('−', '-').split(' · 10');
      const digits = (e ?? '⁰').replace('⁻', '-').replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]/g, (c) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(c));
      return Number(m) * 10 ** Number(digits);
    };
    const near = (v, w, digits) => assert.ok(Math.abs(v - w) <= 0.51 * 10 ** (1 - digits) * Math.abs(w), `${v} is not ${w}`);
    near(await value('Energy at the start'), a.energy_initial, 6);
    near(await value('Lost to friction'), a.friction_loss, 6);
    near(await value('Not accounted for'), a.balance_max_abs, 3);
    near(await value('Linear momentum'), a.momentum_drift, 3);
    near(await value('Deepest contact point'), a.max_penetration, 3);
    // the verdict names the overlap of the bodies, the one that the table says was measured
    const both = (await page.locator('.account tr', { hasText: 'measured both ways' }).locator('.value').textContent()).split(',').map((text) => text.trim());
    const deepest = a.overlap_ab > a.overlap_ba ? both[0] : both[1];
    assert.ok((await page.locator('.verdict').textContent()).includes(`bodies overlap by ${deepest} at most`), deepest);
    const words = await page.locator('.account tr', { hasText: 'Not accounted for' }).locator('.words').textContent();
    assert.match(words, new RegExp(`adds up to ${Math.floor(-Math.log10(a.balance_relative))} digits`));
    // the scale of the page is the scale of the audit
    const scale = await page.evaluate(() => carom.energyScale(carom.runs[0].history));
    assert.ok(Math.abs(a.balance_max_abs / scale / a.balance_relative - 1) < 1e-12);
    assert.match(await page.locator('.verdict').textContent(), /Finished after \d+ steps/);
    assert.match(await page.locator('.deck pre').textContent(), /method: dissipative/);
  },

  async 'warnings of the run, of one that is not over, and of one that gave up'() {
    const shown = async (path) => (await open(path)).locator('.warnings li').allTextContents();
    const { warnings } = audit('warned/audit.json');
    assert.ok(warnings.length === 2 && warnings[0].includes('no `contact`') && warnings[1].includes('<b>'));
    assert.deepEqual(await shown('warned/report.html'), warnings);
    assert.equal(await (await open('warned/report.html')).locator('.warnings h2').textContent(), '2 warnings');
    assert.deepEqual(await shown('half/report.html'), warnings);
    assert.deepEqual(await shown('still/report.html'), []);
    // why it gave up stands in the verdict
    const gave = audit('wild/explicit/audit.json');
    assert.ok(gave.warnings.includes(gave.failure));
    assert.deepEqual(await shown('wild/explicit/report.html'), gave.warnings.filter((text) => text !== gave.failure));
  },

  async 'a run whose bodies overlap where nothing holds them is not green'() {
    const page = await open('unheld/report.html');
    assert.equal(audit('unheld/audit.json').unseen_pairs, 1);
    assert.equal(await page.locator('.badge.amber').textContent(), 'bodies overlap without contact force');
    assert.match(await page.locator('.verdict').textContent(), /1 pair of bodies overlaps where no contact force acts/);
    assert.match(await page.locator('.account tr', { hasText: 'measured both ways' }).locator('.words').textContent(), /without contact force/);
  },

  async 'books that add up do not hide that contact has few steps'() {
    const said = async (run) => {
      const page = await open(`${run}/report.html`);
      assert.match(await page.locator('.verdict.green').textContent(), /^Bookkeeping: every joule is accounted for \(/);
      return { page, text: await page.locator('.resolution').textContent() };
    };
    const fine = await said('fine');
    const coarse = await said('coarse');
    for (const [run, { text }] of [['fine', fine], ['coarse', coarse]]) {
      const { least, median } = audit(`${run}/audit.json`).resolution.steps_per_contact;
      assert.ok(text.replace(/not known; \S+ converge/, 'not known; carom converge').startsWith(`Resolution: not known; carom converge spring.yaml estimates it. ${least} steps per contact at least (median ${median}), force ripple `), text);
    }
    // its contact springs are soft on purpose, and the run warns of them
    assert.equal(await fine.page.locator('.badge.amber').textContent(), 'completed, with warnings');
    assert.equal(await (await open('study/level-2/report.html')).locator('.badge.green').count(), 1);
    assert.equal(await fine.page.locator('.resolution.grey').count(), 1);
    assert.doesNotMatch(fine.text, /noise/);
    assert.equal(await coarse.page.locator('.badge.amber').textContent(), 'completed, few steps per contact');
    assert.equal(await coarse.page.locator('.resolution.amber').count(), 1);
    assert.match(coarse.text, /contact forces of single steps are only noise at this step size; use impulses/i);
  },

  async 'elements and facets of contact are named'() {
    const page = await open('round/report.html');
    const text = await page.locator('.resolution').textContent();
    const { points_along: along, facet_turn: turn, elements_per_step: crossed } = audit('round/audit.json').resolution;
    assert.ok(Math.abs(turn - 15) < 1e-9);
    assert.ok(text.includes(`a wave crosses ${Number(crossed.toPrecision(2))} elements per step, ${along[0]} contact point`), text);
    assert.match(text, /neighbouring facets differ by 15 degrees.*Forces of sliding and rolling contact oscillate from facet to facet\./);
    assert.doesNotMatch(await (await open('fine/report.html')).locator('.resolution').textContent(), /facets/);
  },

  async 'a study: words, values, errors, levels'() {
    const page = await open('study/converge.html');
    const rows = readFileSync(join(folder, 'study/converge.csv'), 'utf8').trim().split('\n').map((r) => r.split(','));
    const of = Object.fromEntries(rows[0].map((name, k) => [name, k]));
    const tip = rows.find((r) => r[0] === '"tip.ux"');
    const shown = await page.locator('.compare tbody tr', { hasText: 'tip.ux' }).locator('td').allTextContents();
    for (let k = 0; k < 3; k++) assert.ok(Math.abs(Number(shown[k]) - Number(tip[of[`value_${k}`]])) <= 0.01 * Number(tip[of[`error_${k}`]]), `${shown[k]} for ${tip[of[`value_${k}`]]}`);
    assert.equal(shown[3], Number(tip[of.order]).toPrecision(2));
    assert.equal(shown[5], `± ${Number(Number(tip[of.error_0]).toPrecision(2))}`);
    assert.equal(shown[6], tip[of.word]);
    assert.equal(await page.locator('.compare tbody tr').count(), rows.length - 1);
    // a click on a name draws that number: a dot and a bar for each level, errors that do not rise
    await page.click('.compare button:has-text("tip.ux")');
    assert.match(await page.locator('#study-values figcaption').textContent(), /^tip\.ux: values/);
    assert.equal(await page.locator('#study-values .dot').count(), 3);
    assert.equal(await page.locator('#study-values .bar').count(), 3);
    const heights = await page.locator('#study-errors .dot').evaluateAll((dots) => dots.map((d) => Number(d.getAttribute('cy'))));
    assert.ok(heights.length === 3 && heights[0] < heights[1] && heights[1] <= heights[2], 'errors do not rise from level to level');
    assert.match(await page.locator('.model').textContent(), /level-0step 0\.5.*level-2step 0\.125/);
    const phone = await open('study/converge.html', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
    assert.ok((await phone.evaluate(() => document.documentElement.scrollWidth)) <= 390, 'fits a phone');
    await phone.context().close();
  },

  async 'a level of a study says how sure it is'() {
    // one per cent at the finest level, five times that at the first
    const said = async (k) => {
      const page = await open(`study/level-${k}/report.html`);
      return [await page.locator('.badge').textContent(), await page.locator('.resolution').getAttribute('class'), await page.locator('.resolution').textContent()];
    };
    const { study } = JSON.parse(await (await open('study/level-2/report.html')).locator('#document').textContent()).runs[0];
    assert.equal(study.level, 2);
    const sure = (k) => study.quantities.filter((q) => q.errors[k] <= 0.05 * q.size).length;
    assert.ok(sure(2) === study.quantities.length && sure(0) < study.quantities.length, 'the levels differ');
    const fine = await said(2);
    assert.deepEqual(fine.slice(0, 2), ['completed, errors below 5 %', 'resolution green']);
    assert.match(fine[2], new RegExp(`^Resolution: .* ± .*; ${sure(2)} of ${study.quantities.length} results have errors below 5 %`));
    const coarse = await said(0);
    assert.deepEqual(coarse.slice(0, 2), ['completed, errors above 5 %', 'resolution amber']);
  },

  async 'reactions are shown, and units stand at the axes'() {
    const page = await open('fine/report.html');
    const r = where(table('fine/reactions.csv'), 'name', 'floor');
    assert.deepEqual(await plotted(page, 'reaction'), [r.time, r.fx, r.fy]);
    await page.selectOption('#plot-reaction select', 'impulse');
    assert.deepEqual(await plotted(page, 'reaction'), [r.time, r.impulse_x, r.impulse_y]);
    assert.deepEqual(await plotted(page, 'reaction2'), [r.time, r.work]);
    const words = (id) => page.evaluate((which) => carom.plots[which].u.axes.map((a) => a.label), id);
    assert.deepEqual(await words('energy'), ['time, ms', 'energy, J']);
    assert.deepEqual(await words('force'), ['time, ms', 'force, kN']);
    assert.deepEqual(await words('reaction'), ['time, ms', 'impulse, kN ms']);
    assert.deepEqual(await words('penetration'), ['time, ms', 'overlap, mm']);
    assert.match(await page.locator('.account tr', { hasText: 'Energy at the start' }).locator('.value').textContent(), / J$/);
    const bare = await open('flat/report.html');
    assert.deepEqual(await bare.evaluate(() => carom.plots.energy.u.axes.map((a) => a.label)), ['time', 'energy']);
  },

  async 'a pile at rest is not judged by its rounding'() {
    const page = await open('still/report.html');
    assert.equal(await page.locator('.badge').textContent(), 'completed');
    const said = await page.locator('.verdict').textContent();
    assert.match(said, /Bookkeeping: every joule is accounted for \(/);
    assert.doesNotMatch(said, /friction dissipated|impacts dissipated|contact/);
  },

  async 'what friction and impacts took is part of what there was'() {
    const page = await open('fallen/report.html');
    const a = audit('fallen/audit.json');
    const h = table('fallen/history.csv');
    const said = await page.locator('.verdict').textContent();
    const [friction, impacts] = [/friction dissipated (\S+) %/, /impacts dissipated (\S+) %/].map((words) => Number(words.exec(said)[1]));
    assert.ok(-a.contact_work > 0.3 && a.friction_loss > 0, 'both took something');
    const there = h.kinetic[0] + h.potential[0] - Math.min(...h.potential);
    assert.ok(Math.abs(friction - (100 * a.friction_loss) / there) < 0.051 && Math.abs(impacts - (-100 * a.contact_work) / there) < 0.051, said);
    assert.ok(friction + impacts <= 100.1, said);
    const sum = (await plotted(page, 'energy')).at(-1);
    assert.ok(Math.max(...sum) - Math.min(...sum) < 1e-9 * there, 'the sum is flat');
    assert.match(await page.locator('.resolution').textContent(), /estimates it\.( [A-Z]|$)/);
  },

  async 'ticks of a study can be told apart'() {
    for (const [low, high] of [[500, 500 + 1e-6], [303, 309], [-2e-9, 1e-9], [9.913, 9.931], [-5.0378e-7, -5.0377e-7]]) {
      const [ticks, text] = scale(low, high);
      const words = ticks.map(text);
      assert.ok(ticks.length >= 2 && new Set(words).size === words.length, `${words}`);
      assert.ok(words.every((word) => word.length < 16), `${words}`);
    }
    assert.deepEqual(scale(500, 500 + 1e-6)[0].map(scale(500, 500 + 1e-6)[1]).filter((word) => !/^[+−]/.test(word)), ['500'], 'one tick says where they are');
  },

  async 'plays, scrubs, obeys buttons and keys'() {
    const page = await open('flat/report.html');
    const { start, end, times } = await page.evaluate(() => ({ start: carom.clock.start, end: carom.clock.end, times: carom.stages[0].film.times }));
    await page.evaluate(() => carom.clock.seek(carom.clock.start));
    const first = await picture(page);
    assert.ok(first.colours >= 3, 'bodies, edges and ground are to be seen');

    await page.selectOption('select[aria-label="Speed"]', '0.25');
    await page.click('button[aria-label^="Play"]');
    await page.waitForFunction((t) => carom.clock.time > t, start + 0.02 * (end - start));
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press('Space');
    assert.equal(await page.evaluate(() => carom.clock.playing), false);
    const stopped = await time(page);
    assert.ok(stopped > start && stopped < end);

    await page.locator('.scrub').evaluate((e) => { e.value = 800; e.dispatchEvent(new Event('input')); });
    assert.ok(Math.abs((await time(page)) - (start + 0.8 * (end - start))) < 1e-9 * (end - start));
    const later = await picture(page);
    assert.notEqual(later.hash, first.hash);
    assert.ok(later.colours > 20, 'stress shows');

    await page.locator('.scrub').blur();
    await page.keyboard.press('Home');
    assert.equal(await time(page), start);
    await page.keyboard.press('ArrowRight');
    assert.equal(await time(page), times[1]);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await time(page), times[1]);
    await page.keyboard.press('End');
    assert.equal(await time(page), end);

    // a click on a plot moves the animation
    await page.locator('#plot-energy .u-over').click(); // in its middle
    assert.ok(Math.abs((await time(page)) - (start + end) / 2) < 0.02 * (end - start));
  },

  async 'colours, ranges, mesh and forces'() {
    const page = await open('flat/report.html');
    await page.evaluate(() => carom.clock.seek(0.9 * carom.clock.end));
    const seen = new Set([(await picture(page)).hash]);
    for (const field of ['displacement', 'velocity', 'contact-pressure', 'contact-status', 'body']) {
      await page.selectOption('select[aria-label="Colour"]', field);
      const { hash } = await picture(page);
      assert.ok(!seen.has(hash), `${field} looks like another`);
      seen.add(hash);
    }
    await page.selectOption('select[aria-label="Colour"]', 'contact-status');
    await settle(page);
    assert.match(await page.locator('.colourbar').textContent(), /sticking.*slipping/);
    await page.selectOption('select[aria-label="Colour"]', 'velocity');
    const whole = (await picture(page)).hash;
    await page.selectOption('select[aria-label="Range"]', 'frame');
    assert.notEqual((await picture(page)).hash, whole);
    const edges = (await picture(page)).hash;
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press('m');
    assert.notEqual((await picture(page)).hash, edges);
    await page.keyboard.press('c');
    assert.equal(await page.evaluate(() => carom.look.field), 'velocity-x');
    // arrows lie on the canvas, not in the raster
    const canvas = () => page.evaluate(() => carom.stages[0].canvas.toDataURL());
    const before = await canvas();
    await page.keyboard.press('f');
    await settle(page);
    assert.notEqual(await canvas(), before);
  },

  async 'in space: turn, zoom, views'() {
    const page = await open('space/report.html');
    await page.evaluate(() => carom.clock.seek(carom.clock.end));
    const still = (await picture(page)).hash;
    await page.locator('.stage canvas').scrollIntoViewIfNeeded();
    const box = await page.locator('.stage canvas').boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + 80, box.y + box.height / 2 + 30, { steps: 3 });
    await page.mouse.up();
    await stands(page);
    const turned = (await picture(page)).hash;
    assert.notEqual(turned, still);
    const before = await page.evaluate(() => carom.stages[0].moved);
    await page.mouse.wheel(0, -300);
    await page.waitForFunction((t) => carom.stages[0].moved > t, before);
    await stands(page);
    const zoomed = (await picture(page)).hash;
    assert.notEqual(zoomed, turned);
    await page.click('.views button:has-text("top")');
    const top = (await picture(page)).hash;
    await page.click('.views button:has-text("iso")');
    assert.notEqual(top, (await picture(page)).hash);
    assert.equal((await picture(page)).hash, still, 'back to where it was');
    const h = table('space/history.csv');
    const change = (c) => c.map((v) => v - c[0]);
    assert.deepEqual(await plotted(page, 'angular'), [h.time, change(h.angular_x), change(h.angular_y), change(h.angular_z)]);
  },

  async 'frames are those of the field files'() {
    // compared with what VTK reads, by the script that called
    const seen = {};
    for (const name of ['flat', 'space', 'ellipse', 'mixed']) {
      const page = await open(`${name}/report.html`);
      seen[name] = await page.evaluate(() => {
        const { film } = carom.stages[0];
        const frames = [0, film.times.length >> 1, film.times.length - 1];
        return frames.map((k) => {
          const forces = [];
          film.eachForce(film.times[k], (node, ...f) => forces.push([node, ...f]));
          return {
            frame: k, time: film.times[k], extent: film.bodies.map((b) => b.extent), nodeBody: Array.from(film.nodeBody), node: Array.from(film.nodeNumber),
            reach: film.bodies.map((b) => b.reach ?? 0), position_levels: film.levels,
            positions: Array.from(film.positions(film.times[k], new Float32Array(3 * film.nodes))),
            forces, greatest: film.greatest_force, dim: film.dim,
            first_rigid: film.first_rigid, speed: film.greatest_speed, spin: film.greatest_spin, speed_levels: film.speed_levels,
            fields: film.fields.map((f, i) => ({ ...f, values: Array.from(film.values(i, film.times[k], new Float32Array(film.nodes))) })),
          };
        });
      });
    }
    writeFileSync(join(folder, 'seen.json'), JSON.stringify(seen));
  },

  async 'rigid bodies: outline and one mark, no net of triangles'() {
    const drawn = (path) => open(path).then((page) => page.evaluate(() => {
      const { film } = carom.stages[0];
      const sides = {}; // per body: sides drawn, each once
      for (let t = 0; t < film.triangles; t++)
        for (let i = 0; i < 3; i++) {
          const [a, b] = [film.corners[3 * t + i], film.corners[3 * t + ((i + 1) % 3)]];
          if (film.sides[t] & (1 << i)) (sides[film.triangleBody[t]] ??= new Set()).add(`${Math.min(a, b)} ${Math.max(a, b)}`);
        }
      return Object.fromEntries(Object.entries(sides).map(([b, s]) => [b, s.size]));
    }));
    assert.deepEqual(await drawn('ellipse/report.html'), { 0: 32 + 1 }); // 32 of the outline, a diameter
    const { 1: ball, 2: brick } = await drawn('mixed/report.html');
    assert.equal(ball, undefined); // round by itself
    assert.equal(brick, 12);
    const balls = await (await open('mixed/report.html')).evaluate(() => carom.stages[0].film.balls);
    assert.equal(balls.length, 1);
    assert.equal(balls[0].body, 1);
    assert.ok(Math.abs(balls[0].radius - 0.4) < 1e-6);
  },

  async 'compare: table, one clock, curves'() {
    const page = await open('both/compare.html');
    const rows = await page.locator('.compare tbody tr').allTextContents();
    assert.equal(rows.length, 4);
    assert.match(rows[0], /dissipative.*completed/);
    assert.match(rows[2], /^newmark/);
    assert.match(rows[3], /^explicit/);
    const stages = await page.evaluate(() => carom.stages.length);
    assert.ok(stages >= 3);
    await page.evaluate(() => carom.clock.seek(1.85));
    for (let k = 0; k < 3; k++) assert.ok((await picture(page, k)).colours > 3);
    const before = (await picture(page, 1)).hash;
    await page.evaluate(() => carom.camera.magnify(1.5, 0, 0, 300, 200));
    assert.notEqual((await picture(page, 1)).hash, before, 'the camera is everybody’s');
    const data = await plotted(page, 'balance');
    for (const [k, name] of ['dissipative', 'velocity-update', 'newmark'].entries()) {
      const h = table(`both/${name}/history.csv`);
      assert.deepEqual(h.time.map((t) => data[k + 1][data[0].indexOf(t)]), h.balance, name);
    }
    await page.click('button[aria-label^="Play"]');
    await page.waitForFunction(() => carom.clock.time > 1.86);
  },

  async 'compare: a method that gives up, one that refuses'() {
    const page = await open('wild/compare.html');
    const rows = await page.locator('.compare tbody tr').allTextContents();
    assert.match(rows[0], /^midpoint.*completed/);
    assert.match(rows[1], /^explicit.*failed/);
    await page.evaluate(() => carom.clock.seek(carom.clock.end));
    await settle(page);
    assert.match(await page.locator('.stages > div').nth(1).textContent(), /ended at/);
    assert.match(await page.locator('main').textContent(), /explicit: gave up at t = /);
    const none = await open('none/compare.html');
    assert.match((await none.locator('.compare tbody tr').allTextContents())[0], /^explicit.*refused.*quasi-static/);
  },

  async 'a small page says what it leaves out'() {
    const page = await open('thin/report.html');
    const foot = await page.locator('.foot').textContent();
    assert.match(foot, /To keep this page small, only every \d+th frame/);
    assert.match(foot, /of history.csv only every \d+th time/);
    const h = table('thin/history.csv');
    const [times, kinetic] = await plotted(page, 'energy');
    assert.ok(times.length < h.time.length && times.at(-1) === h.time.at(-1), 'thinner, and to the end');
    assert.deepEqual(kinetic, times.map((t) => h.kinetic[h.time.indexOf(t)]));
    const film = await page.evaluate(() => ({ last: carom.stages[0].film.lastTime, n: carom.stages[0].film.frames.length }));
    assert.equal(film.last, h.time.at(-1));
    await page.evaluate(() => carom.clock.seek(carom.clock.end));
    assert.ok((await picture(page)).colours > 20);
    const whole = await open('flat/report.html');
    assert.ok(film.n < (await whole.evaluate(() => carom.stages[0].film.frames.length)));
    assert.match(await whole.locator('.foot').textContent(), /Every frame and every row/);
  },

  async 'without frames, without contact'() {
    const page = await open('bare/report.html');
    assert.equal(await page.locator('.stage').count(), 0);
    const h = table('bare/history.csv');
    assert.deepEqual((await plotted(page, 'energy')).slice(0, 3), [h.time, h.kinetic, h.strain]);
  },

  async 'phone, dark, paper'() {
    for (const path of ['flat/report.html', 'both/compare.html']) {
      const phone = await open(path, { viewport: { width: 390, height: 844 }, colorScheme: 'dark', hasTouch: true, isMobile: true });
      const { wide, ground } = await phone.evaluate(() => ({ wide: document.documentElement.scrollWidth, ground: getComputedStyle(document.body).backgroundColor }));
      assert.ok(wide <= 390, `${path} is ${wide} wide on a phone`);
      // every method is to be seen, however many
      const hidden = await phone.evaluate(() => {
        const table = document.querySelector('.compare');
        if (!table) return 0;
        for (let k = 0; k < 8; k++) table.tBodies[0].append(table.tBodies[0].rows[0].cloneNode(true));
        return table.offsetHeight - table.parentElement.clientHeight;
      });
      assert.ok(hidden <= 1, `${hidden} of the table are out of sight`);
      assert.equal(ground, 'rgb(12, 17, 22)');
      await phone.context().close();
    }
    const page = await open('flat/report.html', { colorScheme: 'dark' });
    const pdf = await page.pdf({ format: 'A4', printBackground: true, preferCSSPageSize: true });
    assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
    assert.match(pdf.toString('latin1'), /\/MediaBox \[0 0 59[45](\.\d+)? 84[12](\.\d+)?\]/);
    await page.emulateMedia({ media: 'print' });
    await settle(page);
    const print = await page.evaluate(() => ({
      ground: getComputedStyle(document.body).backgroundColor,
      controls: getComputedStyle(document.querySelector('.controls')).display,
      plots: Object.values(carom.plots).map((p) => p.u.width),
    }));
    assert.deepEqual([print.ground, print.controls], ['rgb(255, 255, 255)', 'none']);
    assert.ok(print.plots.every((w) => w <= 340), 'two plots fit beside each other on A4');
    // the table of six columns of numbers is as wide as the paper between its margins, A4 less twice 13 mm
    const compared = await load('both/compare.html', { viewport: { width: Math.round(((210 - 26) / 25.4) * 96), height: 1000 } });
    await compared.emulateMedia({ media: 'print' });
    const [table, room] = await compared.evaluate(() => [document.querySelector('.compare').scrollWidth, document.querySelector('main').clientWidth]);
    assert.ok(table <= room, `the table of methods is ${table} wide, the paper ${room}`);
  },
};

Object.assign(tests, toolTests({ open, load, settle, stands, picture, plotted, table, where, time }), rasterTests({ load, settle }), layoutTests({ load, settle, table, where, time }));

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  if (!name.includes(only)) continue;
  const start = Date.now();
  try {
    await test();
    console.log(`ok    ${name} (${Date.now() - start} ms)`);
  } catch (e) {
    failed++;
    console.log(`FAIL  ${name}\n${e.stack}`);
  }
}
for (const c of complaints) console.log(`FAIL  ${c}`);
await browser.close();
process.exit(failed || complaints.length ? 1 : 0);
