// Numbers and small pieces of text.
const raised = { '-': '⁻', 0: '⁰', 1: '¹', 2: '²', 3: '³', 4: '⁴', 5: '⁵', 6: '⁶', 7: '⁷', 8: '⁸', 9: '⁹' };

/** What tables of many runs say below their column of energies. */
export const DRIFT = 'Energy drift: greatest error of the energy balance, which includes friction and loads, divided by the greatest energy';

export const power = (k) => '10' + String(k).replace(/./g, (c) => raised[c]);

/** A number with so many digits: 0.08679, 1.23 · 10⁻¹¹. */
export function number(v, digits = 4) {
  if (v === null || v === undefined || Number.isNaN(v)) return '–';
  if (!Number.isFinite(v)) return v > 0 ? '∞' : '−∞';
  if (v === 0) return '0';
  const size = Math.abs(v);
  if (size >= 1e-3 && size < 1e6) return minus(String(Number(v.toPrecision(digits))));
  const [mantissa, exponent] = v.toExponential(digits - 1).split('e');
  return minus(`${Number(mantissa)} · ${power(Number(exponent))}`);
}

/** The same, short, for axes. */
export function tick(v) {
  if (v === 0) return '0';
  const size = Math.abs(v);
  if (size >= 1e-3 && size < 1e5) return minus(String(Number(v.toPrecision(6))));
  const [mantissa, exponent] = v.toExponential(2).split('e');
  const m = Number(mantissa);
  const head = m === 1 ? '' : m === -1 ? '-' : `${m}·`;
  return minus(head + power(Number(exponent)));
}

const minus = (text) => text.replace(/^-/, '−');

export function percent(share) {
  const p = 100 * share;
  return p !== 0 && Math.abs(p) < 0.01 ? `${number(p, 2)} %` : `${Number(p.toPrecision(3))} %`;
}

/** 12 345, which no line breaks. */
export const whole = (n) => n.toLocaleString('en').replaceAll(',', '\u00a0');

export const count = (n, one, many = one + 's') => `${whole(n)} ${n === 1 ? one : many}`;

/** Correct digits of a relative error. */
export const digits = (relative) =>
  relative > 0 ? Math.max(0, Math.min(16, Math.floor(-Math.log10(relative)))) : 16;

export function seconds(s) {
  if (s < 100) return `${s.toFixed(s < 10 ? 2 : 1)} s`;
  return s < 6000 ? `${Math.round(s / 60)} min` : `${(s / 3600).toFixed(1)} h`;
}

/** An element: make('p', {class: 'note'}, 'text', child, ...). */
export function make(tag, attributes = {}, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) e.addEventListener(name.slice(2), value);
    else if (value === true) e.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) e.setAttribute(name, value);
  }
  e.append(...children.filter((c) => c !== null && c !== undefined && c !== false));
  return e;
}
