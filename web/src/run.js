// A run of the page: its tables, film and what is known of it.
import { readTable } from './decode.js';
import { findRounding } from './fields.js';
import { Film } from './film.js';

/** Smallest body: twice its greatest extent. */
const smallest = (film) => Math.min(...film.bodies.map((b) => 2 * b.extent).filter((e) => e > 0));

export async function readRun(description) {
  const run = { ...description, tables: {} };
  run.label ??= run.method?.name ?? 'run';
  for (const [name, table] of Object.entries(description.tables)) run.tables[name] = await readTable(table);
  run.history = run.tables.history;
  if (description.film) {
    run.film = new Film(description.film);
    run.bodySize = smallest(description.film);
    findRounding(run.film, run.deck ?? {});
    const names = run.tables.bodies?.words.body ?? [];
    run.bodyNames = run.film.bodies.map((_, b) => names[b] ?? `body ${b + 1}`);
  }
  return run;
}

/** Is a body of the film rigid? Its cells are then only its picture. */
export const isRigid = (run, b) => b >= run.film.first_rigid;

export const elementCount = (run) => run.film?.bodies.reduce((s, b, k) => s + (isRigid(run, k) ? 0 : b.elements), 0) ?? 0;

/** What the page leaves out of a run, in words; empty: nothing. */
export function thinned(run) {
  const notes = [];
  const { film } = run;
  if (film) {
    if (film.every > 1) notes.push(`only every ${film.every}th frame of the run is shown`);
    if (film.levels < 32767) notes.push('displacements are rounded to 1/4000 of the greatest displacement');
    if (film.fields.some((f) => f.levels === 255)) notes.push('fields are rounded to 256 steps');
    if (!film.parts) notes.push('components of velocity and stress are left out');
  }
  for (const [name, table] of Object.entries(run.tables)) if (table.every > 1) notes.push(`of ${name}.csv only every ${table.every}th time is in this page`);
  return notes;
}

/** The upright axis of a 3D run: against gravity, else z. */
export function upright(deck) {
  const g = (deck.conditions ?? []).map((c) => c.gravity).find((v) => Array.isArray(v) && v.length === 3);
  if (!g || !g.some((v) => v)) return 2;
  return g.map(Math.abs).indexOf(Math.max(...g.map(Math.abs)));
}
