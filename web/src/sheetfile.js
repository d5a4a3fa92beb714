// A plot as a file: its numbers as CSV, its curves as SVG.
import { curve, dashes } from './colour.js';
import { tick } from './format.js';

const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** time and every curve, with all digits; empty where there is no number. */
export function csvOf({ data, series }) {
  const head = ['time', ...series.map((s) => s.label)].map(quoted).join(',');
  const rows = Array.from(data[0], (_, i) => data.map((c) => (c[i] === null || c[i] === undefined || Number.isNaN(c[i]) ? '' : String(c[i]))).join(','));
  return `${head}\n${rows.join('\n')}\n`;
}

const escape = (text) => String(text).replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
const f = (v) => Number(v.toFixed(2));

/** What is to be seen of the plot, as it is zoomed, on white. */
export function svgOf({ u, spec }) {
  const [left, top, width, height] = [78, 34, 560, 280];
  const { x, y } = u.scales;
  const wide = u.over.clientWidth || u.bbox.width, high = u.over.clientHeight || u.bbox.height;
  const X = (v) => left + (u.valToPos(v, 'x') / wide) * width;
  const Y = (v) => top + (u.valToPos(v, 'y') / high) * height;
  const text = (at, s, more = '') => `<text x="${f(at[0])}" y="${f(at[1])}" ${more}>${escape(s)}</text>`;
  const out = [text([left, 20], spec.title, 'font-weight="600" font-size="14"')];
  const ticks = (axis, scale) => (axis._splits ?? [scale.min, scale.max]).filter((v) => v !== null && v >= scale.min && v <= scale.max);
  for (const v of ticks(u.axes[0], x)) out.push(`<path class="g" d="M${f(X(v))} ${top}v${height}"/>`, text([X(v), top + height + 16], tick(v), 'text-anchor="middle"'));
  for (const v of ticks(u.axes[1], y)) out.push(`<path class="g" d="M${left} ${f(Y(v))}h${width}"/>`, text([left - 6, Y(v) + 4], tick(v), 'text-anchor="end"'));
  out.push(`<rect x="${left}" y="${top}" width="${width}" height="${height}" fill="none" stroke="#888"/>`);
  if (u.axes[0].label) out.push(text([left + width / 2, top + height + 36], u.axes[0].label, 'text-anchor="middle"'));
  if (u.axes[1].label) out.push(text([0, 0], u.axes[1].label, `text-anchor="middle" transform="translate(14 ${top + height / 2}) rotate(-90)"`));
  out.push(`<clipPath id="c"><rect x="${left}" y="${top}" width="${width}" height="${height}"/></clipPath>`);
  spec.series.forEach((s, k) => {
    const hue = s.hue ?? k;
    const colour = s.colour ?? curve(hue)();
    const dash = (s.pale ? [] : s.dash ?? dashes[hue % dashes.length]).join(' ');
    let [d, pen] = ['', false];
    spec.data[k + 1].forEach((v, i) => {
      if (v === null || v === undefined || Number.isNaN(v)) return (pen = false);
      const [px, py] = [f(X(spec.data[0][i])), f(Y(v))];
      d += pen ? (spec.steps ? `H${px}V${py}` : `L${px} ${py}`) : `M${px} ${py}`;
      pen = true;
    });
    out.push(`<path d="${d}" fill="none" stroke="${colour}" stroke-width="1.5"${s.pale ? ' opacity="0.35"' : ''}${dash ? ` stroke-dasharray="${dash}"` : ''} clip-path="url(#c)"/>`);
    const at = [left + width + 14, top + 8 + 18 * k];
    out.push(`<path d="M${at[0]} ${at[1]}h22" stroke="${colour}" stroke-width="2"${dash ? ` stroke-dasharray="${dash}"` : ''}/>`, text([at[0] + 28, at[1] + 4], s.label));
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 820 ${top + height + 46}" font-family="system-ui, sans-serif" font-size="12" fill="#222"><style>.g{stroke:#ddd}</style><rect width="100%" height="100%" fill="#fff"/>${out.join('')}</svg>`;
}
