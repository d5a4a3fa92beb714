// Small parts of the controls: buttons, lists, switches, menus.
import { make } from './format.js';

const icons = {
  play: 'M5 3l11 7-11 7z',
  pause: 'M5 3h4v14H5zM11 3h4v14h-4z',
  back: 'M4 3h2v14H4zM16 3v14L7 10z',
  forth: 'M14 3h2v14h-2zM4 3v14l9-7z',
};

export const icon = (name) => {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 20 20');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', icons[name]);
  svg.append(path);
  return svg;
};

export const iconButton = (name, title, onclick) => make('button', { type: 'button', class: 'icon', title, 'aria-label': title, onclick }, icon(name));
export const button = (text, onclick, title) => make('button', { type: 'button', onclick, title }, text);

/** A list; options: [[key, text]], or groups [[name, [[key, text]]]] of them. */
export function choice(label, options, value, onchange) {
  const select = make('select', { 'aria-label': label, onchange: () => onchange(select.value) });
  const one = ([key, text]) => make('option', { value: key, selected: key === value }, text);
  for (const [key, text] of options) select.append(Array.isArray(text) ? make('optgroup', { label: key }, ...text.map(one)) : one([key, text]));
  return { element: make('label', { class: 'choice' }, make('span', {}, label), select), select };
}

export function toggle(label, on, onchange) {
  const box = make('input', { type: 'checkbox', checked: on, onchange: () => onchange(box.checked) });
  return { element: make('label', { class: 'toggle' }, box, label), box };
}

export function slider(label, value, oninput, more = {}) {
  const input = make('input', { type: 'range', min: 0, max: 1, step: 'any', value, 'aria-label': label, oninput: () => oninput(Number(input.value)), ...more });
  return input;
}

/** A button that opens a small sheet; a click elsewhere or Escape closes it. */
export function menu(label, ...children) {
  const sheet = make('div', { class: 'sheet' }, ...children);
  const details = make('details', { class: 'menu' }, make('summary', {}, label), sheet);
  // upwards where there is no room below
  details.addEventListener('toggle', () => {
    details.classList.remove('up');
    const { top, bottom } = sheet.getBoundingClientRect();
    details.classList.toggle('up', details.open && getComputedStyle(details).position === 'relative' && bottom > innerHeight && details.getBoundingClientRect().top > bottom - top);
  });
  document.addEventListener('pointerdown', (e) => details.contains(e.target) || details.removeAttribute('open'));
  details.addEventListener('keydown', (e) => {
    if (e.key !== 'Escape' || !details.open) return;
    details.open = false;
    details.firstElementChild.focus();
    e.stopPropagation();
  });
  return details;
}
