// The time at which a page opens: where there is most to see.

/** The time at which the sizes of a column of vectors are greatest; null: all are zero. */
function peak(table, names) {
  const columns = names.map((n) => table.columns[n]).filter(Boolean);
  let [best, at] = [0, null];
  for (let i = 0; i < table.rows; i++) {
    const size = columns.reduce((s, c) => s + c[i] * c[i], 0);
    if (size > best) [best, at] = [size, table.columns.time[i]];
  }
  return at;
}

/** A failed run: its end. Contact: the greatest (filtered) force. A crowd at rest, a press or plastic flow: the end. Else the greatest strain. */
export function tellingTime(run) {
  const { audit, film, history, tables, deck } = run;
  const { time } = history.columns;
  const end = time[time.length - 1];
  if ((audit && audit.completed === false) || deck.time?.analysis === 'quasi-static') return end;
  if (film && film.first_rigid === 0) return end;
  const contacts = tables.contacts;
  const names = (prefix) => ['x', 'y', 'z'].map((a) => `${prefix}${a}`);
  const force = contacts && (peak(contacts, names(contacts.columns.filtered_x ? 'filtered_' : 'f')));
  const { plastic } = history.columns; // what has flowed stays: the end shows all of it
  const flows = plastic && plastic[plastic.length - 1] > 0;
  const at = force ?? (flows ? end : peak(history, ['strain'])) ?? end;
  // a frame that the page holds
  return film ? film.times.reduce((a, b) => (Math.abs(b - at) < Math.abs(a - at) ? b : a)) : at;
}
