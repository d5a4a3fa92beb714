// Tools of the picture: bodies to hide or see through, a cut, a factor on displacements, the ruler.
import { make, number } from './format.js';
import { button, choice, menu, slider, toggle } from './parts.js';

const MOST_ROWS = 60;

/** Bodies by name; copies of one (stone.0, stone.1, ...) together: [[name, [body, ...]], ...] */
export function groupsOf(names) {
  const groups = new Map();
  names.forEach((name, b) => {
    const head = name.replace(/\.\d+$/, '');
    if (!groups.has(head)) groups.set(head, []);
    groups.get(head).push(b);
  });
  return [...groups].map(([name, list]) => [list.length > 1 ? `${name} × ${list.length}` : names[list[0]], list]);
}

export function bodiesMenu(names, look) {
  const groups = groupsOf(names);
  const rows = groups.slice(0, MOST_ROWS).map(([name, list]) => {
    const see = slider(`Opacity of ${name}`, 1, (v) => {
      look.setOpacity(list, v);
      show.box.checked = v > 0;
    });
    const show = toggle(name, true, (on) => {
      look.setOpacity(list, on ? 1 : 0);
      see.value = on ? 1 : 0;
    });
    return { element: make('div', { class: 'row' }, show.element, see), show, see, list };
  });
  const all = button('Show all', () => rows.forEach(({ show, see, list }) => {
    look.setOpacity(list, 1);
    show.box.checked = true;
    see.value = 1;
  }));
  return menu('Bodies', ...rows.map((r) => r.element), groups.length > MOST_ROWS ? make('p', { class: 'note' }, `${groups.length - MOST_ROWS} more bodies are always shown`) : null, all);
}

export function cutMenu(look, camera) {
  const state = { axis: 0, share: 0.5, flip: false };
  const where = make('span', { class: 'where' });
  const tell = (on) => {
    const [low, high] = camera.box.map((end) => end[state.axis]);
    where.textContent = on ? `${'xyz'[state.axis]} ${state.flip ? '>' : '<'} ${number(low + state.share * (high - low), 4)} is shown` : '';
    look.set({ cut: on ? { ...state } : null });
  };
  const axis = choice('Across', [['', 'no cut'], ['0', 'x'], ['1', 'y'], ['2', 'z']], '', (v) => {
    if (v !== '') state.axis = Number(v);
    tell(v !== '');
  });
  const place = slider('Place of the cut', state.share, (v) => {
    state.share = v;
    if (axis.select.value !== '') tell(true);
  });
  const side = toggle('other side', false, (on) => {
    state.flip = on;
    if (axis.select.value !== '') tell(true);
  });
  return menu('Cut', make('div', { class: 'row' }, axis.element, side.element), place, where);
}

export function factorChoice(look) {
  const factors = [0, 1, 2, 5, 10, 20, 50, 100, 1000];
  return choice('Displacements', factors.map((f) => [String(f), `${f}×`]), '1', (v) => look.set({ factor: Number(v) }));
}

/** A switch for the rulers of all stages. */
export function rulerSwitch(stages) {
  const rule = toggle('Ruler', false, (on) => stages.forEach((s) => s.hover?.measure(on)));
  rule.element.title = 'Click two points; the length between them is shown at all times';
  return { ...rule, watch: () => stages.forEach((s) => s.hover && (s.hover.told = (on) => (rule.box.checked = on))) };
}
