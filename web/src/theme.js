// Light and dark, and white for paper; what canvases take for colours.
import { Signal } from './clock.js';

const light = {
  stage: '#f4f6f9', wall: '#4a5563', faint: '#a7b0bc', pane: '#c3ccd8', arrow: '#c2183c', floor: '#e6eaf0', solid: '#8a97a8',
  text: '#414b57', grid: '#e3e7ec', axis: '#aab3be', marker: '#c2183c',
  supports: '#0072b2', loads: '#b04a00', velocities: '#c2183c', slave: '#b0127b', master: '#00795a', // of the editor
};
const dark = {
  stage: '#10151b', wall: '#b4bfcc', faint: '#55616f', pane: '#3b4653', arrow: '#ff6b81', floor: '#27303b', solid: '#8a97a8',
  text: '#b7c1cc', grid: '#252d37', axis: '#4a5563', marker: '#ff6b81',
  supports: '#7cc0f4', loads: '#ff9d5c', velocities: '#ff8093', slave: '#ff8fd6', master: '#45d6a8',
};

const wantsDark = matchMedia('(prefers-color-scheme: dark)');
const onPaper = matchMedia('print');
let printing = false;

export const isPrinting = () => printing || onPaper.matches;

export const theme = {
  changed: new Signal(),
  get isDark() {
    return wantsDark.matches && !isPrinting();
  },
  get colours() {
    return isPrinting() ? { ...light, stage: '#ffffff' } : wantsDark.matches ? dark : light;
  },
};

wantsDark.addEventListener('change', () => theme.changed.tell());
onPaper.addEventListener('change', () => theme.changed.tell());
addEventListener('beforeprint', () => {
  printing = true;
  theme.changed.tell();
});
addEventListener('afterprint', () => {
  printing = false;
  theme.changed.tell();
});
