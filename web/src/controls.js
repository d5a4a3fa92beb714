// Buttons for a clock, a look and a camera, whatever stages follow them; and the keyboard.
import { fieldWords, grouped } from './fields.js';
import { make, number } from './format.js';
import { button, choice, icon, iconButton, toggle } from './parts.js';
import { saveMenu } from './save.js';
import { bodiesMenu, cutMenu, factorChoice, rulerSwitch } from './tools.js';

/** times: of the frames; fields: names that can be coloured by; names: of the bodies; stages: what can be saved. */
export function addControls(holder, { clock, look, camera, times, fields, names, arrows, stages, name }) {
  const play = iconButton('play', 'Play (space)', () => clock.toggle());
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

  const colour = choice('Colour', grouped(fields).map(([group, list]) => [group, list.map((f) => [f, fieldWords(f)])]), look.field, (field) => look.set({ field }));
  const range = choice('Range', [['typical', 'typical'], ['run', 'whole run'], ['frame', 'this moment']], look.range, (value) => look.set({ range: value }));
  const speed = choice('Speed', [['0.1', '0.1×'], ['0.25', '0.25×'], ['0.5', '0.5×'], ['1', '1×'], ['2', '2×'], ['4', '4×']], '1', (v) => (clock.speed = Number(v)));
  const edges = toggle('Mesh', look.edges, (on) => look.set({ edges: on }));
  const forces = toggle('Contact', look.arrows, (on) => look.set({ arrows: on }));
  forces.element.title = 'Points of contact and their forces (f)';
  const views = camera.dim === 3 ? ['iso', 'front', 'side', 'top'] : ['iso'];
  const viewButtons = views.map((v) => button(camera.dim === 3 ? v : 'Whole picture', () => camera.reset(v)));
  const ruler = rulerSwitch(stages);
  holder.append(
    make('div', { class: 'controls' },
      make('div', { class: 'transport' }, iconButton('back', 'Previous frame (left arrow)', () => step(-1)), play, iconButton('forth', 'Next frame (right arrow)', () => step(1)), scrub),
      make('div', { class: 'choices' }, colour.element, range.element, speed.element, edges.element, arrows && forces.element),
      make('div', { class: 'choices' }, make('span', { class: 'views' }, ...viewButtons), names && names.length > 1 && bodiesMenu(names, look), camera.dim === 3 && cutMenu(look, camera), factorChoice(look).element, ruler.element, saveMenu({ clock, times, stages, name }))),
  );
  ruler.watch();

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
    l: () => ruler.box.click(),
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
