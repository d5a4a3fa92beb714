// Colour maps and sets.
import { rgb } from './raster.js';
import { theme } from './theme.js';

// a polynomial through viridis, without its darkest end: even steps for the eye, also without red or green
const viridis = [
  [0.2777273272234177, 0.1050930431085774, -0.3308618287255563, -4.634230498983486, 6.228269936347081, 4.776384997670288, -5.435455855934631],
  [0.005407344544966578, 1.404613529898575, 0.214847559468213, -5.799100973351585, 14.17993336680509, -13.74514537774601, 4.645852612178535],
  [0.3340998053353061, 1.384590162594685, 0.09509516302823659, -19.33244095627987, 56.69055260068105, -65.35303263337234, 26.3124352495832],
];

const channel = (c, s) => Math.round(255 * Math.min(1, Math.max(0, c.reduceRight((sum, k) => sum * s + k, 0))));

export const ramp = Int32Array.from({ length: 256 }, (_, i) => rgb(...viridis.map((c) => channel(c, 0.22 + (0.78 * i) / 255))));

export const css = (colour) => `rgb(${colour & 255} ${(colour >>> 8) & 255} ${(colour >>> 16) & 255})`;

export const fromHex = (hex) => rgb(...[1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16)));

// Okabe and Ito's set, told apart by all eyes, in an order that alternates light and dark
export const set = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#d55e00', '#56b4e9', '#7f7f7f', '#b8a900'];
const onDark = ['#4ba3e3', '#f0b63a', '#2fc79b', '#e39ac6', '#ff8a4c', '#8fd0f7', '#a8a8a8', '#d8cc3e'];

/** The k-th colour of a curve, on the ground of the moment. */
export const curve = (k) => () => (theme.isDark ? onDark : set)[k % set.length];
export const dashes = [[], [8, 4], [2, 3], [10, 3, 2, 3], [5, 3], [1, 2], [12, 4], [6, 2, 2, 2]];

/** What the contact status of a node is called (docs/manual.md). */
export const statusNames = ['open', 'sticking', 'slipping', 'pressed, no friction'];
export const statusColours = ['#c9ced6', '#0072b2', '#d55e00', '#e6b800'];
