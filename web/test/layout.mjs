// Where things stand on the page: menus, headings and tables on screens of all sizes; points of contact.
import assert from 'node:assert/strict';
import { pale } from './contrast.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

export const layoutTests = ({ load, settle, table, where, time }) => ({
  async 'menus open where there is room'() {
    for (const height of [620, 1100]) {
      const page = await load('space/report.html', { viewport: { width: 1280, height } });
      await page.locator('.views').evaluate((e) => e.scrollIntoView({ block: 'end' }));
      for (const name of ['Bodies', 'Cut', 'Save']) {
        await page.click(`summary:has-text("${name}")`);
        await settle(page);
        const { top, bottom } = await page.locator('details[open] .sheet').evaluate((e) => e.getBoundingClientRect());
        assert.ok(top >= 0 && bottom <= height, `${name} is from ${top} to ${bottom} of ${height}`);
        await page.keyboard.press('Escape');
        assert.equal(await page.locator('details.menu[open]').count(), 0);
      }
      await page.context().close();
    }
  },

  async 'a phone: the heading has the whole width, columns of the account have words'() {
    const page = await load('unheld/report.html', PHONE);
    const { heading, badge, label } = await page.evaluate(() => {
      const box = (e) => e.getBoundingClientRect();
      const row = [...document.querySelectorAll('.account tr')].find((r) => r.textContent.includes('measured both ways'));
      return { heading: box(document.querySelector('.heading')).width, badge: box(document.querySelector('.badge')).right, label: box(row.cells[0]).width };
    });
    assert.ok(heading > 340 && badge <= 390, `heading ${heading}, badge to ${badge}`);
    assert.ok(label > 90, `two numbers leave ${label} for their name`);
    // the command of a deck in a deep folder stays in its box
    const [inner, outer] = await page.locator('.resolution').evaluate((e) => {
      e.querySelector('code').textContent = `carom converge ${'/folder'.repeat(12)}/deck.yaml`;
      return [e.scrollWidth, e.clientWidth];
    });
    assert.ok(inner <= outer && outer <= 390, `a long command: ${inner} of ${outer}`);
    await page.context().close();
  },

  async 'words can be read, on a light and on a dark ground'() {
    for (const path of ['flat/report.html', 'both/compare.html', 'study/converge.html'])
      for (const colorScheme of ['light', 'dark']) {
        const page = await load(path, { colorScheme });
        await page.evaluate(() => document.querySelectorAll('details').forEach((d) => (d.open = true)));
        assert.deepEqual(await pale(page), [], `${path}, ${colorScheme}`);
        await page.evaluate(() => document.querySelector('main').append(Object.assign(document.createElement('p'), { textContent: 'mist', style: 'color: #7f7f7f80' })));
        assert.match(String(await pale(page)), /^mist: /, 'what is pale is found');
        await page.context().close();
      }
  },

  async 'numbers below a plot, and nothing else'() {
    const page = await load('flat/report.html', PHONE);
    await page.click('#plot-energy summary');
    const details = page.locator('#plot-energy details.data');
    await details.locator('table').waitFor();
    const words = await details.evaluate((e) => [...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.textContent).join(''));
    assert.equal(words, '');
    // wider than the phone: it scrolls in its place
    const [inner, outer] = await details.locator('.scroll').evaluate((e) => [e.scrollWidth, e.clientWidth]);
    assert.ok(inner > outer && outer <= 390);
    await page.context().close();
  },

  async 'pages of several runs open where the force is greatest'() {
    const page = await load('both/compare.html', {});
    const f = where(table('both/dissipative/contacts.csv'), 'pair', 'skew');
    const size = f.time.map((_, i) => Math.hypot(f.filtered_x[i], f.filtered_y[i]));
    const at = f.time[size.indexOf(Math.max(...size))];
    const times = await page.evaluate(() => carom.runs[0].film.times);
    assert.equal(await time(page), times.reduce((a, b) => (Math.abs(b - at) < Math.abs(a - at) ? b : a)));
    assert.ok(at > times[0]);
    await page.context().close();
  },

  async 'points of contact: dots at the nodes that carry a force'() {
    const page = await load('flat/report.html', {});
    await settle(page);
    const dots = () => page.evaluate(() => {
      const { film, scene, view, canvas } = carom.stages[0];
      const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height }).getContext('2d', { willReadFrequently: true });
      copy.drawImage(canvas, 0, 0);
      const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
      let [red, all] = [0, 0];
      film.eachForce(carom.clock.time, (node) => {
        const [x, y] = view.of([0, 1, 2].map((i) => scene.positions[3 * node + i])).map(Math.floor);
        const k = 4 * (y * canvas.width + x);
        all++;
        if (data[k] > 150 && data[k + 1] < 90) red++;
      });
      return { red, all };
    });
    const { red, all } = await dots();
    assert.ok(all >= 4, `${all} points touch`);
    assert.equal(red, all);
    await page.locator('label.toggle', { hasText: 'Contact' }).click();
    await settle(page);
    assert.equal((await dots()).red, 0);
    await page.context().close();
  },
});
