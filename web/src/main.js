// Reads what the program put into the page and builds it.
import { energyScale } from './audit.js';
import { buildCompare } from './compare.js';
import { buildConverge } from './converge.js';
import { buildReport } from './report.js';
import { buildSweep } from './sweep.js';
import { theDevice } from './gl.js';
import { plots } from './plots.js';
import { readRun } from './run.js';

async function start() {
  const page = JSON.parse(document.getElementById('document').textContent);
  const runs = [];
  for (const description of page.runs) runs.push(await readRun(description));
  const main = document.querySelector('main');
  main.replaceChildren();
  document.title = `${page.title ?? runs[0]?.deck?.title ?? 'Run'} – carom`;
  const several = { compare: buildCompare, converge: buildConverge, sweep: buildSweep }[page.kind];
  const built = several ? await several(main, page, runs) : await buildReport(main, page, runs[0]);
  return { page, runs, plots, energyScale, theDevice, ...built };
}

// for tests, and for the curious: await carom.ready
window.carom = { ready: start() };
window.carom.ready.then((all) => Object.assign(window.carom, all)).catch((e) => {
  document.querySelector('main').prepend(Object.assign(document.createElement('p'), { className: 'verdict red', textContent: `This page could not be built: ${e.message}` }));
  throw e;
});
