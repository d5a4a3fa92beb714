// Opens pages in headless Chromium and plays them: node measure.mjs MODULES CHROMIUM SECONDS PAGE... A line for every page and raster:
// size, time to the first picture and to all frames, pictures a second, and the processor time of the main thread for a picture,
// which other programs on the machine change least. RASTERS="software webgl auto" chooses what is measured.
import { createRequire } from 'node:module';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';

const LONG = 600000; // milliseconds that nothing here takes
const [modules, executablePath, seconds, ...pages] = process.argv.slice(2);
const rasters = (process.env.RASTERS ?? 'software webgl auto').split(' ');
const { chromium } = createRequire(resolve(modules, 'x'))('playwright-core');

/** In the page: when the first picture stood, counted from the moment at which the browser began. */
const watch = () => {
  const look = () => {
    const canvas = document.querySelector('.stage canvas');
    if (canvas && canvas.width !== 300) globalThis.firstPicture = performance.now(); // it had no size before
    else requestAnimationFrame(look);
  };
  addEventListener('DOMContentLoaded', () => requestAnimationFrame(look));
};

/** Plays for some seconds; how many pictures, and how wide. */
const play = async (span) => {
  const { clock, stages: [stage] } = carom;
  const again = setInterval(() => clock.playing || clock.play(), 20);
  clock.seek(clock.start);
  await new Promise((done) => setTimeout(done, 1000 * span));
  clearInterval(again);
  return { drawn: stage.drawn, now: performance.now(), width: stage.canvas.width, raster: stage.raster.name };
};

async function measure(path, raster) {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'], timeout: LONG });
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(LONG);
  const page = await context.newPage();
  const metrics = await context.newCDPSession(page);
  await metrics.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busy = async () => (await metrics.send('Performance.getMetrics')).metrics.find((m) => m.name === 'TaskDuration').value;
  await page.addInitScript(watch);
  await page.goto(`file://${resolve(path)}#raster=${raster}`, { waitUntil: 'commit' });
  await page.waitForFunction(() => globalThis.firstPicture);
  await page.evaluate(() => carom.ready.then(() => {}));
  const opened = await page.evaluate(() => ({ first: globalThis.firstPicture, all: performance.now() }));
  const opening = await busy();
  const before = await page.evaluate(play, 0.5); // it finds how fine it can draw
  const start = await busy();
  const after = await page.evaluate(play, Number(seconds));
  const spent = (await busy()) - start;
  await browser.close();
  const n = after.drawn - before.drawn;
  return { ...opened, opening, rate: (1000 * n) / (after.now - before.now), cost: (1000 * spent) / n, width: after.width, raster: after.raster };
}

const cells = (list) => console.log(`| ${list.join(' | ')} |`);
cells(['page', 'asked for', 'drawn by', 'MB', 'first picture, s', 'all frames, s', 'processor time to open, s', 'pictures a second', 'processor time a picture, ms', 'pixels across']);
cells(Array(10).fill('---'));
for (const path of pages)
  for (const raster of rasters) {
    const m = await measure(path, raster);
    cells([path, raster, m.raster, (statSync(path).size / 1e6).toFixed(1), (m.first / 1000).toFixed(2), (m.all / 1000).toFixed(2), m.opening.toFixed(2), m.rate.toFixed(1), m.cost.toFixed(1), m.width]);
  }
