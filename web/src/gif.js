// A GIF from pictures: one palette for all, found from samples of them, and LZW (GIF89a).

/** 256 colours that stand for the sampled ones: boxes of colours are halved at the median of their longest side. */
export function palette(samples, count = 256) {
  const span = (box) => {
    let best = [0, 0];
    for (let i = 0; i < 3; i++) {
      let [low, high] = [255, 0];
      for (const c of box) {
        const v = (c >>> (8 * i)) & 255;
        if (v < low) low = v;
        if (v > high) high = v;
      }
      if (high - low >= best[1]) best = [i, high - low];
    }
    return best;
  };
  const boxes = [{ list: samples, side: span(samples) }];
  while (boxes.length < count) {
    boxes.sort((a, b) => b.side[1] * Math.sqrt(b.list.length) - a.side[1] * Math.sqrt(a.list.length));
    const { list, side: [i, width] } = boxes[0];
    if (!width) break;
    list.sort((a, b) => ((a >>> (8 * i)) & 255) - ((b >>> (8 * i)) & 255));
    const middle = list.length >> 1;
    boxes.splice(0, 1, ...[list.slice(0, middle), list.slice(middle)].map((half) => ({ list: half, side: span(half) })));
  }
  const mean = (list, i) => Math.round(list.reduce((s, c) => s + ((c >>> (8 * i)) & 255), 0) / list.length);
  return boxes.map(({ list }) => [mean(list, 0), mean(list, 1), mean(list, 2)]);
}

/** The nearest colour of the palette, remembered by five bits a channel. */
function finder(colours) {
  const known = new Int16Array(32768).fill(-1);
  return (c) => {
    const key = ((c >>> 3) & 31) | (((c >>> 11) & 31) << 5) | (((c >>> 19) & 31) << 10);
    if (known[key] >= 0) return known[key];
    let [best, least] = [0, Infinity];
    colours.forEach(([r, g, b], k) => {
      const d = (r - (c & 255)) ** 2 + (g - ((c >>> 8) & 255)) ** 2 + (b - ((c >>> 16) & 255)) ** 2;
      if (d < least) [best, least] = [k, d];
    });
    return (known[key] = best);
  };
}

/** LZW of eight-bit words, in blocks of up to 255 bytes. */
function lzw(words, out) {
  const [clear, end] = [256, 257];
  let table = new Map();
  let [next, bits, buffer, filled, block] = [258, 9, 0, 0, []];
  const flush = (all) => {
    while (block.length > 255 || (all && block.length)) {
      const part = block.splice(0, 255);
      out.push(part.length, ...part);
    }
  };
  const put = (code) => {
    buffer |= code << filled;
    filled += bits;
    while (filled >= 8) {
      block.push(buffer & 255);
      buffer >>>= 8;
      filled -= 8;
    }
    if (block.length > 4096) flush(false);
  };
  put(clear);
  let prefix = words[0];
  for (let k = 1; k < words.length; k++) {
    const key = (prefix << 8) | words[k];
    const code = table.get(key);
    if (code !== undefined) {
      prefix = code;
      continue;
    }
    put(prefix);
    if (next < 4096) {
      table.set(key, next++);
      if (next > 1 << bits && bits < 12) bits++;
    } else {
      put(clear);
      table = new Map();
      [next, bits] = [258, 9];
    }
    prefix = words[k];
  }
  put(prefix);
  put(end);
  if (filled) block.push(buffer & 255);
  flush(true);
  out.push(0);
}

const word = (v) => [v & 255, (v >>> 8) & 255];

export class Gif {
  /** samples: pixels (integers) of all pictures; delay in hundredths of a second. */
  constructor(width, height, samples, delay) {
    this.colours = palette(samples);
    this.near = finder(this.colours);
    this.delay = delay;
    this.parts = [];
    const table = Array.from({ length: 256 }, (_, k) => this.colours[k] ?? [0, 0, 0]).flat();
    this.size = [...word(width), ...word(height)];
    const loop = [0x21, 0xff, 11, ...new TextEncoder().encode('NETSCAPE2.0'), 3, 1, 0, 0, 0];
    this.parts.push(Uint8Array.from([...new TextEncoder().encode('GIF89a'), ...this.size, 0xf7, 0, 0, ...table, ...loop]));
  }

  add(pixels) {
    const words = Uint8Array.from(pixels, this.near);
    const out = [0x21, 0xf9, 4, 0, ...word(this.delay), 0, 0, 0x2c, 0, 0, 0, 0, ...this.size, 0, 8];
    lzw(words, out);
    this.parts.push(Uint8Array.from(out));
  }

  end() {
    return new Blob([...this.parts, Uint8Array.of(0x3b)], { type: 'image/gif' });
  }
}
