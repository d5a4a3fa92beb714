// Small drawings as SVG: a frame with ticks, marks by class (style.css).
import { number } from './format.js';

const SVG = 'http://www.w3.org/2000/svg';
export const frame = { width: 460, height: 260, left: 74, right: 444, top: 16, bottom: 220 };

export function draw(name, attributes, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/** A frame with lines at the ticks of the axis on the left; returns the drawing and the map of values to heights. */
export function sheet(title, low, high, ticks, text) {
  const y = (v) => frame.bottom - ((frame.bottom - frame.top) * (v - low)) / (high - low);
  const svg = draw('svg', { viewBox: `0 0 ${frame.width} ${frame.height}`, role: 'img', 'aria-label': title, class: 'study' });
  for (const v of ticks) svg.append(draw('line', { x1: frame.left, x2: frame.right, y1: y(v), y2: y(v), class: 'grid' }), draw('text', { x: frame.left - 6, y: y(v) + 4, 'text-anchor': 'end' }, text(v)));
  return { svg, y };
}

/** Whole powers of ten around some positive numbers, as exponents. */
export function decades(values) {
  const logs = values.filter((v) => v > 0).map((v) => Math.log10(v));
  const low = Math.floor(Math.min(...logs) - 0.1);
  const high = Math.ceil(Math.max(...logs) + 0.1);
  return { low, high, ticks: Array.from({ length: high - low + 1 }, (_, i) => low + i) };
}

function nice(low, high) {
  const step = 10 ** Math.floor(Math.log10((high - low) / 3));
  const by = [1, 2, 5, 10].map((k) => k * step).find((s) => (high - low) / s <= 6);
  const ticks = [];
  for (let v = Math.ceil(low / by) * by; v <= high + 1e-9 * by; v += by) ticks.push(Math.abs(v) < 1e-9 * by ? 0 : v);
  return ticks;
}

/** Ticks and their words: as many digits as tell neighbours apart. Where that takes more than seven, the ticks are told by their
 * distance from one of them. */
export function scale(low, high) {
  const ticks = nice(low, high);
  const [size, by] = [Math.max(Math.abs(low), Math.abs(high)), ticks.length > 1 ? ticks[1] - ticks[0] : high - low];
  const digits = Math.max(4, Math.ceil(Math.log10(size / by)) + 1);
  if (digits <= 7) return [ticks, (v) => number(v, digits)];
  const base = ticks[ticks.length >> 1];
  return [ticks, (v) => (v === base ? number(base, 6) : `${v > base ? '+' : ''}${number(v - base, 2)}`)];
}
