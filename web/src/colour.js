// Colour maps and sets.
import { rgb } from './raster.js';
import { theme } from './theme.js';

// a polynomial through viridis, without its darkest end: even steps for the eye, also without red or green
const viridis = [
  [0.2777273272234177, 0.1050930431085774, -0.3308618287255563, -4.634230498983486, 6.228269936347081, 4.776384997670288, -5.435455855934631],
  [0.005407344544966578, 1.404613529898575, 0.214847559468213, -5.799100973351585, 14.17993336680509, -13.74514537774601, 4.645852612178535],
  [0.3340998053353061, 1.384590162594685, 0.09509516302823659, -19.33244095627987, 56.69055260068105, -65.35303263337234, 26.3124352495832],
];

const byte = (v) => Math.round(255 * Math.min(1, Math.max(0, v)));
const channel = (c, s) => byte(c.reduceRight((sum, k) => sum * s + k, 0));

export const ramp = Int32Array.from({ length: 256 }, (_, i) => rgb(...viridis.map((c) => channel(c, 0.22 + (0.78 * i) / 255))));

/** Oklab (Ottosson 2020), in which equal steps look equal, to a colour of the screen. */
function fromOklab(L, a, b) {
  const [l, m, s] = [L + 0.3963377774 * a + 0.2158037573 * b, L - 0.1055613458 * a - 0.0638541728 * b, L - 0.0894841775 * a - 1.291485548 * b].map((v) => v ** 3);
  const linear = [4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s, -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s, -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s];
  return rgb(...linear.map((v) => byte(v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055)));
}

/** For values of both signs: blue, pale at zero, red; both halves get darker alike. */
export const bothWays = Int32Array.from({ length: 256 }, (_, i) => {
  const s = (2 * i) / 255 - 1;
  const t = Math.abs(s);
  const hue = ((s < 0 ? 255 : 32) * Math.PI) / 180;
  const chroma = 0.15 * Math.sin(Math.min(1, 1.25 * t) * (Math.PI / 2));
  return fromOklab(0.94 - 0.5 * t, chroma * Math.cos(hue), chroma * Math.sin(hue));
});

export const css = (colour) => `rgb(${colour & 255} ${(colour >>> 8) & 255} ${(colour >>> 16) & 255})`;

export const fromHex = (hex) => rgb(...[1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16)));

// Okabe and Ito's set, told apart by all eyes, in an order that alternates light and dark
export const set = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#d55e00', '#56b4e9', '#7f7f7f', '#b8a900'];
const onDark = ['#4ba3e3', '#f0b63a', '#2fc79b', '#e39ac6', '#ff8a4c', '#8fd0f7', '#a8a8a8', '#d8cc3e'];

// calmer, for crowds: equal lightness and chroma, hues apart
const crowd = Array.from({ length: 12 }, (_, k) => {
  const hue = (((k * 5) % 12) / 12) * 2 * Math.PI + 0.6;
  return fromOklab(0.72 - 0.05 * (k % 3), 0.105 * Math.cos(hue), 0.105 * Math.sin(hue));
});

/** Colour of every body. */
export const bodyColours = (n) => Int32Array.from({ length: n }, (_, b) => (n > set.length ? crowd[b % crowd.length] : fromHex(set[b % set.length])));

/** The k-th colour of a curve, on the ground of the moment. */
export const curve = (k) => () => (theme.isDark ? onDark : set)[k % set.length];
export const dashes = [[], [8, 4], [2, 3], [10, 3, 2, 3], [5, 3], [1, 2], [12, 4], [6, 2, 2, 2]];

/** What the contact status of a node is called (docs/manual.md). */
export const statusNames = ['open', 'sticking', 'slipping', 'contact without friction'];
export const statusColours = ['#c9ced6', '#0072b2', '#d55e00', '#e6b800'];
