// Buttons for a clock, a look and a camera, whatever stages follow them; and the keyboard.
import { make, number } from './format.js';
import { fieldNames } from './stage.js';

const icons = {
  play: 'M5 3l11 7-11 7z',
  pause: 'M5 3h4v14H5zM11 3h4v14h-4z',
  back: 'M4 3h2v14H4zM16 3v14L7 10z',
  forth: 'M14 3h2v14h-2zM4 3v14l9-7z',
};

const icon = (name) => {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 20 20');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', icons[name]);
  svg.append(path);
  return svg;
};

const button = (name, title, onclick) => make('button', { type: 'button', class: 'icon', title, 'aria-label': title, onclick }, icon(name));

const choice = (label, options, value, onchange) => {
  const select = make('select', { 'aria-label': label, onchange: () => onchange(select.value) });
  for (const [key, text] of options) select.append(make('option', { value: key, selected: key === value }, text));
  return { element: make('label', { class: 'choice' }, make('span', {}, label), select), select };
};

const toggle = (label, on, onchange) => {
  const box = make('input', { type: 'checkbox', checked: on, onchange: () => onchange(box.checked) });
  return { element: make('label', { class: 'toggle' }, box, label), box };
};

/** times: of the frames; fields: names that can be coloured by; stages: what can be saved. */
export function addControls(holder, { clock, look, camera, times, fields, arrows, stages, name }) {
  const play = button('play', 'Play (space)', () => clock.toggle());
  const scrub = make('input', { type: 'range', class: 'scrub', min: 0, max: 1000, step: 'any', value: 0, 'aria-label': 'Time' });
  const span = () => clock.end - clock.start || 1;
  const step = (by) => {
    clock.pause();
    const near = 1e-9 * span();
    const next = by > 0 ? times.find((t) => t > clock.time + near) : times.findLast((t) => t < clock.time - near);
    if (next !== undefined) clock.seek(next);
  };
  scrub.addEventListener('input', () => {
    clock.pause();
    clock.seek(clock.start + (span() * scrub.value) / 1000);
  });
  clock.changed.on((t) => {
    if (document.activeElement !== scrub || clock.playing) scrub.value = (1000 * (t - clock.start)) / span();
    scrub.setAttribute('aria-valuetext', `t = ${number(t)}`);
  });
  clock.switched.on((playing) => {
    play.replaceChildren(icon(playing ? 'pause' : 'play'));
    play.title = playing ? 'Pause (space)' : 'Play (space)';
    play.setAttribute('aria-label', play.title);
  });

  const colour = choice('Colour', fields.map((f) => [f, fieldNames[f]]), look.field, (field) => look.set({ field }));
  const range = choice('Range', [['typical', 'typical'], ['run', 'whole run'], ['frame', 'this moment']], look.range, (value) => look.set({ range: value }));
  const speed = choice('Speed', [['0.1', '0.1×'], ['0.25', '0.25×'], ['0.5', '0.5×'], ['1', '1×'], ['2', '2×'], ['4', '4×']], '1', (v) => (clock.speed = Number(v)));
  const edges = toggle('Mesh', look.edges, (on) => look.set({ edges: on }));
  const forces = toggle('Forces', look.arrows, (on) => look.set({ arrows: on }));
  const views = camera.dim === 3 ? ['iso', 'front', 'side', 'top'] : ['iso'];
  const viewButtons = views.map((v) => make('button', { type: 'button', onclick: () => camera.reset(v) }, camera.dim === 3 ? v : 'Whole picture'));
  const save = make('button', { type: 'button', onclick: () => stages.forEach((s, k) => s.save(`${name}${stages.length > 1 ? `-${k + 1}` : ''}.png`)) }, 'Save PNG');

  holder.append(
    make('div', { class: 'controls' },
      make('div', { class: 'transport' }, button('back', 'Frame back (left arrow)', () => step(-1)), play, button('forth', 'Frame on (right arrow)', () => step(1)), scrub),
      make('div', { class: 'choices' }, colour.element, range.element, speed.element, edges.element, arrows && forces.element, make('span', { class: 'views' }, ...viewButtons), save)),
  );

  const next = () => {
    const field = fields[(fields.indexOf(look.field) + 1) % fields.length];
    colour.select.value = field;
    look.set({ field });
  };
  const zoom = (factor) => {
    const r = stages[0].canvas.getBoundingClientRect();
    camera.magnify(factor, 0, 0, r.width, r.height);
  };
  const keys = {
    ' ': () => clock.toggle(),
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    Home: () => clock.seek(clock.start),
    End: () => clock.seek(clock.end),
    c: next,
    m: () => edges.box.click(),
    f: () => arrows && forces.box.click(),
    r: () => camera.reset(),
    '+': () => zoom(1.25),
    '-': () => zoom(0.8),
  };
  document.addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || !(e.key in keys)) return;
    const tag = e.target.tagName;
    if (tag === 'SELECT' || tag === 'TEXTAREA' || (tag === 'INPUT' && (e.target.type !== 'range' || e.key !== ' '))) return;
    if ((tag === 'BUTTON' || tag === 'SUMMARY' || tag === 'A' || e.target.type === 'checkbox') && (e.key === ' ' || e.key === 'Enter')) return;
    e.preventDefault();
    keys[e.key]();
  });
  return { scrub, play, colour: colour.select, range: range.select };
}
