// Words that are hard to read: contrast of every text of a page with the ground behind it (WCAG 2.1, 1.4.3).

/** In the page: texts below a ratio, as "text: ratio". Letters above 24 pixels may have 3, what is disabled or hidden is left out. */
export const pale = (page, least = 4.5) => page.evaluate((bound) => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const colours = new Map();
  const paint = (css) => { // any notation, by what the browser paints
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = css;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const parse = (css) => colours.get(css) ?? colours.set(css, paint(css)).get(css); // a page has few
  const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
  const ground = (e) => {
    if (!e) return parse(getComputedStyle(document.documentElement).colorScheme.includes('dark') && matchMedia('(prefers-color-scheme: dark)').matches ? '#121212' : '#fff');
    const own = parse(getComputedStyle(e).backgroundColor);
    return own[3] === 1 ? own : over(own, ground(e.parentElement));
  };
  const light = (colour) => colour.slice(0, 3).map((v) => v / 255).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const found = new Set();
  for (const e of document.body.querySelectorAll('*')) {
    const text = [...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.textContent.trim()).join(' ').trim();
    if (!text || !e.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) || e.closest('canvas, script, style, :disabled')) continue;
    const style = getComputedStyle(e);
    const under = ground(e);
    const [a, b] = [light(over(parse(e instanceof SVGElement ? style.fill : style.color), under)), light(under)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < (parseFloat(style.fontSize) >= 24 ? 3 : bound)) found.add(`${text.slice(0, 40)}: ${ratio.toFixed(2)}`);
  }
  return [...found];
}, least);
