// The editor: the deck to the left, what it describes and its run to the right.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { candidates } from './complete.js';
import { Film } from './film.js';
import { count, make, number } from './format.js';
import { adopt, Live } from './live.js';
import { Preview } from './preview.js';

const WAIT = 350; // milliseconds after the last key

const page = JSON.parse(document.getElementById('document').textContent);
document.title = `${page.name} – carom`;

/** Asks the server to do something; it wants the token of the printed address. */
async function ask(path, body = {}) {
  const answer = await fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Carom-Token': page.token }, body: JSON.stringify(body) });
  const json = answer.headers.get('Content-Type')?.startsWith('application/json');
  if (!answer.ok && !json) throw new Error(`${await answer.text()}`.trim());
  return json ? answer.json() : answer.text();
}

// ---- the page -------------------------------------------------------------------------------------

const main = document.querySelector('main');
const button = (text, title, onclick, kind = '') => make('button', { type: 'button', class: kind, title, onclick }, text);
const saveButton = button('Save', 'Save the deck (Ctrl-S)', () => save());
const runButton = button('Run', 'Save the deck and run it (Ctrl-Enter)', () => start(), 'main');
const stopButton = button('Stop', 'Finish the step, write a checkpoint, stop', () => ask('/stop').catch(complain));
const told = make('span', { class: 'note', role: 'status' });
const verdict = make('p', { class: 'verdict amber', role: 'status' }, 'Checking…');
const text = make('div', { class: 'text' });
const modelTab = make('div', { role: 'tabpanel' });
const runTab = make('div', { role: 'tabpanel', hidden: true });
const tabs = [['Model', modelTab], ['Run', runTab]].map(([name, panel]) => Object.assign(button(name, '', () => choose(panel)), { panel }));
stopButton.disabled = true;
main.replaceChildren(
  make('div', { class: 'bar' }, make('h1', {}, page.name), saveButton, runButton, stopButton, told, make('span', { class: 'space' }), make('span', { class: 'note' }, `carom ${page.version}`)),
  text,
  make('div', { class: 'shown' }, make('div', { class: 'tabs', role: 'tablist' }, ...tabs), modelTab, runTab));

function choose(panel) {
  for (const tab of tabs) {
    tab.panel.hidden = tab.panel !== panel;
    tab.setAttribute('role', 'tab');
    tab.setAttribute('aria-selected', String(tab.panel === panel));
  }
}
choose(modelTab);

const complain = (e) => (told.textContent = e.message);

// ---- the text -------------------------------------------------------------------------------------

let saved = page.text;
let schema = null;

const style = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.string, tags.content], color: 'var(--ink)' },
  { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
  { tag: [tags.number, tags.bool], color: 'var(--amber)' },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: 'var(--soft)' },
]);

function complete(context) {
  if (!schema) return null;
  const word = context.matchBefore(/[\w-]*/);
  const before = context.state.doc.lineAt(context.pos).text.slice(0, context.pos - context.state.doc.lineAt(context.pos).from);
  if (/(^|\s)#/.test(before) || (!word.text && !context.explicit && !/[:,{[-]\s+$/.test(before))) return null;
  const doc = context.state.doc;
  const lines = Array.from({ length: doc.lines }, (_, k) => doc.line(k + 1).text);
  const at = doc.lineAt(context.pos);
  const list = candidates(schema, lines, at.number - 1, context.pos - at.from);
  return list.length ? { from: word.from, validFor: /^[\w-]*$/, options: list.map((c) => ({ label: c.label, detail: c.detail, info: c.info || undefined, type: c.value ? 'enum' : 'property', apply: c.value ? c.label : `${c.label}: ` })) } : null;
}

const editor = new EditorView({
  parent: text,
  state: EditorState.create({
    doc: page.text,
    extensions: [
      lineNumbers(), highlightActiveLineGutter(), highlightActiveLine(), history(), drawSelection(), indentOnInput(), indentUnit.of('  '), bracketMatching(), closeBrackets(),
      yaml(), syntaxHighlighting(style), lintGutter(), autocompletion({ override: [complete] }),
      keymap.of([{ key: 'Mod-s', preventDefault: true, run: () => (save(), true) }, { key: 'Mod-Enter', run: () => (start(), true) },
        ...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap, indentWithTab]),
      EditorView.updateListener.of((u) => u.docChanged && changed()),
      EditorView.contentAttributes.of({ 'aria-label': `The deck ${page.name}` }),
    ],
  }),
});
text.append(verdict);
const current = () => editor.state.doc.toString();

// ---- checking -------------------------------------------------------------------------------------

const preview = new Preview(modelTab);
let waiting = null;
let asked = 0;
let good = false;

function changed() {
  told.textContent = current() === saved ? '' : 'not saved';
  clearTimeout(waiting);
  waiting = setTimeout(check, WAIT);
}

/** A mistake where it is: from its column to the end of the word. */
function mark({ line, column, message }) {
  const { doc } = editor.state;
  const at = doc.line(Math.min(Math.max(1, line || 1), doc.lines));
  const from = Math.min(at.to, at.from + Math.max(0, (column || 1) - 1));
  const length = doc.sliceString(from, at.to).match(/^[^\s,:{}[\]]+/)?.[0].length ?? 0;
  editor.dispatch(setDiagnostics(editor.state, [{ from, to: Math.max(from + length, from), severity: 'error', message }]));
}

async function check() {
  const mine = ++asked;
  try {
    const answer = await ask('/check', { text: current() });
    if (mine !== asked) return; // the text has changed since
    good = typeof answer === 'string';
    if (!good) {
      verdict.className = 'verdict red';
      verdict.textContent = `${answer.line ? `Line ${answer.line}: ` : ''}${answer.message}`;
      mark(answer);
      return;
    }
    editor.dispatch(setDiagnostics(editor.state, []));
    const model = await showModel(answer);
    verdict.className = 'verdict green';
    const elements = model.bodies.reduce((sum, b) => sum + b.elements, 0);
    verdict.textContent = `Good: ${count(model.bodies.length, 'body', 'bodies')}, ${elements ? `${count(elements, 'element')}, ` : ''}mass ${number(model.mass, 5)}, ${count(Math.max(model.pairs.length, model.deck.contact?.length ?? 0), 'contact pair')}.`;
  } catch (e) {
    if (mine !== asked) return;
    verdict.className = 'verdict amber';
    verdict.textContent = `The deck could not be checked: ${e.message}`;
  }
}

async function showModel(answer) {
  const { film, model, drop } = adopt(answer);
  const loaded = await new Film(film).load();
  drop();
  preview.show(loaded, model);
  return model;
}

// ---- saving and running ---------------------------------------------------------------------------

async function save() {
  try {
    const now = current();
    const answer = await ask('/save', { text: now });
    if (answer.good) saved = now;
    told.textContent = answer.good ? 'saved' : answer.message;
  } catch (e) {
    complain(e);
  }
}

const live = new Live(runTab, page.token);
live.changed.on(({ child }) => {
  runButton.disabled = Boolean(child?.running);
  stopButton.disabled = !child?.running;
  if (child && !child.running && child.code > 0 && child.code !== 130) told.textContent = child.said.trim().split('\n').pop() || `the run failed (${child.code})`;
  else if (child && !child.running) told.textContent = child.code === 130 ? 'stopped' : 'the run has finished';
});

async function start() {
  try {
    const now = current();
    const answer = await ask('/run', { text: now });
    if (!answer.good) {
      told.textContent = answer.message;
      return;
    }
    saved = now;
    told.textContent = 'running';
    choose(runTab);
  } catch (e) {
    complain(e);
  }
}

window.addEventListener('beforeunload', (e) => {
  if (current() !== saved) e.preventDefault();
});

fetch('/schema.json', { headers: { 'X-Carom-Token': page.token } }).then((r) => r.json()).then((s) => (schema = s)).catch(complain);
window.carom = { editor, live, preview, check, isGood: () => good };
check();
