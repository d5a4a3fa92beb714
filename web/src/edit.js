// The editor: the deck to the left, what it describes and its run to the right.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab, redo, undo } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, ensureSyntaxTree, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { candidates } from './complete.js';
import { addItem, deckTree, nodeAt, setAt } from './decktree.js';
import { Film } from './film.js';
import { Form } from './form.js';
import { count, make, number } from './format.js';
import { Gallery } from './gallery.js';
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

/** Reads a list that the server has. A refusal is an error with the words of the server. */
async function read(path) {
  const answer = await fetch(path, { headers: { 'X-Carom-Token': page.token } });
  if (!answer.ok) throw new Error(`${await answer.text()}`.trim());
  return answer.json();
}

// ---- the page -------------------------------------------------------------------------------------

const main = document.querySelector('main');
const button = (text, title, onclick, kind = '') => make('button', { type: 'button', class: kind, title, onclick }, text);
const saveButton = button('Save', 'Save the deck (Ctrl-S)', () => save());
const runButton = button('Run', 'Save the deck and run it (Ctrl-Enter)', () => start(), 'main');
const stopButton = button('Stop', 'Finish the step, write a checkpoint, stop', () => ask('/stop').catch(complain));
const undoButton = button('Undo', 'Undo the last change (Ctrl-Z)', () => undo(editor));
const redoButton = button('Redo', 'Redo the last change that was undone (Ctrl-Y)', () => redo(editor));
const examplesButton = button('Examples', 'Begin with the deck of an example', () => gallery.open().catch(complain));
const told = make('span', { class: 'note', role: 'status' });
const verdict = make('p', { class: 'verdict amber', role: 'status' }, 'Checking…');
const text = make('div', { class: 'text' });
const modelTab = make('div', { role: 'tabpanel' });
const formTab = make('div', { role: 'tabpanel', hidden: true });
const runTab = make('div', { role: 'tabpanel', hidden: true });
const tabs = [['Model', modelTab], ['Form', formTab], ['Run', runTab]].map(([name, panel]) => Object.assign(button(name, '', () => choose(panel)), { panel }));
stopButton.disabled = true;
main.replaceChildren(
  make('div', { class: 'bar' }, make('h1', {}, page.name), examplesButton, undoButton, redoButton, saveButton, runButton, stopButton, told, make('span', { class: 'space' }), make('span', { class: 'note' }, `carom ${page.version}`)),
  text,
  make('div', { class: 'shown' }, make('div', { class: 'tabs', role: 'tablist' }, ...tabs), modelTab, formTab, runTab));

function choose(panel) {
  for (const tab of tabs) {
    tab.panel.hidden = tab.panel !== panel;
    tab.setAttribute('role', 'tab');
    tab.setAttribute('aria-selected', String(tab.panel === panel));
  }
  if (panel === formTab) showForm();
}

const complain = (e) => (told.textContent = e.message);

// ---- the text -------------------------------------------------------------------------------------

let saved = page.fresh ? null : page.text;
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
      EditorView.lineWrapping, yaml(), syntaxHighlighting(style), lintGutter(), autocompletion({ override: [complete] }),
      keymap.of([{ key: 'Mod-s', preventDefault: true, run: () => (save(), true) }, { key: 'Mod-Enter', run: () => (start(), true) },
        ...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap, indentWithTab]),
      EditorView.updateListener.of((u) => u.docChanged && changed()),
      EditorView.contentAttributes.of({ 'aria-label': `The deck ${page.name}` }),
    ],
  }),
});
text.append(verdict);
const current = () => editor.state.doc.toString();
const tree = () => deckTree(ensureSyntaxTree(editor.state, editor.state.doc.length, 5000)?.topNode, current());

/** Changes the text in one place; undo takes it back like anything typed. */
function change(what) {
  if (!what) return complain(new Error('this change cannot be made here: edit the text'));
  editor.dispatch({ changes: what, userEvent: 'input.form' });
}

// ---- form, gallery, hands on the model --------------------------------------------------------------

const form = new Form(formTab, change);
function showForm() {
  if (formTab.hidden) return;
  form.schema = schema;
  form.show(current(), tree());
}

const gallery = new Gallery(
  () => read('/examples.json'),
  ({ name, text: deck }) => {
    change({ from: 0, to: editor.state.doc.length, insert: deck });
    told.textContent = `the deck of ${name}, not saved`;
  });

/** The entry of the deck for a body of the model; -1: it is one of many with one entry. */
const entryOf = (name) => (nodeAt(tree(), ['bodies'])?.items ?? []).findIndex((item) => nodeAt(item.value, ['name'])?.text === name);

function moveBody(body, by) {
  const { name } = preview.stage.model.bodies[body];
  const entry = entryOf(name);
  if (entry < 0) return complain(new Error(`${name} has no entry of its own in the deck: edit the text`));
  const dim = preview.stage.film.dim;
  const path = ['bodies', entry, 'position'];
  const old = nodeAt(tree(), path)?.items?.map((item) => Number(item.value?.text)) ?? [];
  const place = Array.from({ length: dim }, (_, i) => Number(((old[i] || 0) + by[i]).toPrecision(8)));
  change(setAt(current(), tree(), path, `[${place.join(', ')}]`));
}

let first = null; // surface of a pair that waits for its other one
const acts = [
  ['Insert its name at the cursor', (name) => { editor.dispatch(editor.state.replaceSelection(name)); editor.focus(); }],
  ['Fix it with a support', (name) => change(addItem(current(), tree(), 'conditions', `{on: ${name}, fix: [${['x', 'y', 'z'].slice(0, preview.stage.film.dim).join(', ')}]}`))],
  ['Contact with the surface clicked next', (name) => {
    if (first && first !== name) change(addItem(current(), tree(), 'contact', `{between: [${first}, ${name}], friction: 0.2}`));
    told.textContent = first && first !== name ? `contact of ${first} and ${name}` : `${name}: click the other surface and choose this entry again`;
    first = first && first !== name ? null : name;
  }],
];

// ---- checking -------------------------------------------------------------------------------------

const preview = new Preview(modelTab, { moved: moveBody, acts });
choose(modelTab);
let waiting = null;
let asked = 0;
let good = false;
let pending = true; // the text has changed since it was last checked and shown

function changed() {
  told.textContent = current() === saved ? '' : saved === null ? 'a new deck, not saved' : 'not saved';
  showForm();
  pending = true;
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
  waiting = null;
  const mine = ++asked;
  try {
    const answer = await ask('/check', { text: current() });
    if (mine !== asked) return; // the text has changed since
    good = typeof answer === 'string';
    if (!good) {
      pending = false;
      verdict.className = 'verdict red';
      verdict.textContent = `${answer.line ? `Line ${answer.line}: ` : ''}${answer.message}`;
      mark(answer);
      return;
    }
    editor.dispatch(setDiagnostics(editor.state, []));
    const model = await showModel(answer);
    if (mine === asked && !waiting) pending = false;
    verdict.className = 'verdict green';
    const elements = model.bodies.reduce((sum, b) => sum + b.elements, 0);
    verdict.textContent = `Good: ${count(model.bodies.length, 'body', 'bodies')}, ${elements ? `${count(elements, 'element')}, ` : ''}mass ${number(model.mass, 5)}, ${count(Math.max(new Set(model.pairs.map((p) => p.name)).size, model.deck.contact?.length ?? 0), 'contact pair')}.`;
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

// also where the text does not have the focus
window.addEventListener('keydown', (e) => {
  if (!(e.ctrlKey || e.metaKey) || e.defaultPrevented || !['s', 'Enter'].includes(e.key)) return;
  e.preventDefault();
  if (e.key === 's') save();
  else start();
});

window.addEventListener('beforeunload', (e) => {
  if (current() !== saved) e.preventDefault();
});

read('/schema.json').then((s) => { schema = s; showForm(); }).catch(complain);
window.carom = { editor, live, preview, check, form, gallery, isGood: () => good && !pending };
if (page.fresh) told.textContent = 'a new deck, not saved';
check();
