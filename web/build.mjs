// Puts the page together: node build.mjs WEB MODULES OUT. Script and style become part of page.html.
import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
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

const script = bundle('main.js', { format: 'iife' }).replaceAll('</script', '<\\/script');
const style = bundle('style.css', {});
const licence = readFileSync(join(modules, 'uplot', 'LICENSE'), 'utf8').replaceAll('<', '&lt;');

const parts = { script: `<script>${script}</script>`, style: `<style>${style}</style>`, licence };
const page = readFileSync(join(web, 'src', 'page.html'), 'utf8');
writeFileSync(out, page.replace(/<!--(script|style|licence)-->/g, (all, name) => parts[name]));
