// Puts the pages together: node build.mjs WEB MODULES OUT. Script and style become part of src/shell.html; OUT gets
// page.html (report, compare), view.html (a run that goes on) and edit.html (the editor).
import { createRequire } from 'node:module';
import { existsSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const [web, modules, out] = process.argv.slice(2);
const { buildSync } = createRequire(resolve(modules, 'x'))('esbuild');

const bundle = (entry, options) =>
  buildSync({
    entryPoints: [join(web, 'src', entry)],
    nodePaths: [resolve(modules)],
    bundle: true,
    minify: true,
    write: false,
    charset: 'utf8',
    target: ['chrome103', 'firefox113', 'safari16.4'],
    legalComments: 'none', // the licences stand at the foot of the page
    ...options,
  }).outputFiles[0].text.trim();

const licenceOf = (name) => {
  const folder = join(modules, ...name.split('/'));
  const file = existsSync(folder) && readdirSync(folder).find((f) => /^licen[cs]e/i.test(f));
  return file ? readFileSync(join(folder, file), 'utf8').trim() : '';
};

/** Each text once, with the names of what it covers. */
const licences = (names) => {
  const texts = new Map();
  for (const name of names) texts.set(licenceOf(name), [...(texts.get(licenceOf(name)) ?? []), name]);
  return [...texts].map(([text, covered]) => (covered.length > 1 || texts.size > 1 ? `${covered.join(', ')}\n\n${text}` : text)).join('\n\n');
};

const below = (scope) => readdirSync(join(modules, scope)).map((name) => `${scope}/${name}`);
const editor = ['uplot', ...below('@codemirror'), ...below('@lezer'), ...['crelt', 'style-mod', 'w3c-keyname', '@marijn/find-cluster-break'].filter((n) => existsSync(join(modules, n)))];
/** What stands in a page before its script runs, or where there is none. */
const main = (first, without, kind) => `<main${kind ? ` class="${kind}"` : ''}>${first && `<p>${first}</p>`}<noscript><p>${without}</p></noscript></main>`;
const pages = [
  { html: 'page.html', script: 'main.js', style: 'style.css', names: 'Plots: uPlot.', parts: ['uplot'],
    main: main('Reading…', 'This page draws with JavaScript. Without it: the numbers are in audit.json and history.csv beside this file.') },
  { html: 'view.html', script: 'view.js', style: 'view.css', names: 'Plots: uPlot.', parts: ['uplot'], main: main('Waiting for the run…', 'This page draws with JavaScript.') },
  { html: 'edit.html', script: 'edit.js', style: 'view.css', names: 'Plots: uPlot. Editor: CodeMirror 6.', parts: editor, main: main('', 'This page edits with JavaScript.', 'edit') },
];

const shell = readFileSync(join(web, 'src', 'shell.html'), 'utf8');
for (const { html, script, style, names, parts, main: words } of pages) {
  const code = bundle(script, { format: 'iife' }).replaceAll('</script', '<\\/script');
  const filled = { script: `<script>${code}</script>`, style: `<style>${bundle(style, {})}</style>`, main: words, names, licence: licences(parts).replaceAll('<', '&lt;') };
  writeFileSync(join(out, `${html}.tmp`), shell.replace(/<!--(script|style|licence|names|main)-->/g, (all, name) => filled[name]));
}
for (const { html } of pages) renameSync(join(out, `${html}.tmp`), join(out, html));
