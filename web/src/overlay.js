// What lies over the picture: arrows of forces, the axes, marks of probes and the ruler. Drawn on the canvas itself.
import { number } from './format.js';
import { theme } from './theme.js';

const DOT = 2.2; // radius of a point of contact, in pixels of the page

/** Contact: a dot at every node that carries a force, and the force from there into its body, the greatest of the run a seventh of the scene. */
export function drawContact({ film, context: c, view, scene, canvas, clock, look }, scale) {
  if (!film.forces || !film.greatest_force) return;
  const time = Math.min(clock.time, film.lastTime);
  const side = Math.min(canvas.width, canvas.height);
  const length = (0.16 * side) / (look.greatestForce ?? film.greatest_force) / view.scale;
  c.strokeStyle = c.fillStyle = theme.colours.arrow;
  c.lineWidth = 1.5 * scale;
  film.eachForce(time, (node, fx, fy, fz) => {
    if (look.opacityOf(film.nodeBody[node]) === 0) return;
    const x = [0, 1, 2].map((i) => scene.positions[3 * node + i]);
    const [x0, y0] = view.of(x);
    const s = length * Math.min(1, (0.4 * side) / (length * view.scale * Math.hypot(fx, fy, fz)));
    const [x1, y1] = view.of([x[0] + s * fx, x[1] + s * fy, x[2] + s * fz]);
    const size = Math.hypot(x1 - x0, y1 - y0);
    c.beginPath();
    c.arc(x0, y0, DOT * scale, 0, 2 * Math.PI);
    c.fill();
    if (size < 1.5 * scale) return;
    const head = Math.min(6 * scale, 0.5 * size);
    const [ex, ey] = [(x1 - x0) / size, (y1 - y0) / size];
    c.beginPath();
    c.moveTo(x0, y0);
    c.lineTo(x1 - ex * head, y1 - ey * head);
    c.stroke();
    c.beginPath();
    c.moveTo(x1, y1);
    c.lineTo(x1 - ex * head - ey * head * 0.5, y1 - ey * head + ex * head * 0.5);
    c.lineTo(x1 - ex * head + ey * head * 0.5, y1 - ey * head - ex * head * 0.5);
    c.fill();
  });
}

/** Which way x, y and z go, in the corner. */
export function drawAxes({ context: c, camera, canvas }, scale) {
  const [right, up, eye] = camera.axes();
  const length = 26 * scale;
  const [x0, y0] = [canvas.width - 1.7 * length, canvas.height - 1.7 * length];
  c.strokeStyle = c.fillStyle = theme.colours.text;
  c.lineWidth = 1.4 * scale;
  c.font = `${12 * scale}px system-ui, sans-serif`;
  c.textAlign = 'center';
  c.textBaseline = 'middle';
  ['x', 'y', 'z'].forEach((name, i) => {
    if (Math.abs(eye[i]) > 0.98) return; // straight at the eye
    const [dx, dy] = [right[i], -up[i]];
    c.beginPath();
    c.moveTo(x0, y0);
    c.lineTo(x0 + dx * length, y0 + dy * length);
    c.stroke();
    const size = Math.hypot(dx, dy);
    c.fillText(name, x0 + dx * length + (dx / size) * 9 * scale, y0 + dy * length + (dy / size) * 9 * scale);
  });
}

/** A ring around a place of the screen, and a word beside it. */
export function drawMark(c, [x, y], colour, scale, word) {
  c.lineWidth = 3.5 * scale;
  c.strokeStyle = theme.colours.stage;
  for (const [width, stroke] of [[3.6, theme.colours.stage], [1.8, colour]]) {
    c.lineWidth = width * scale;
    c.strokeStyle = stroke;
    c.beginPath();
    c.arc(x, y, 5 * scale, 0, 2 * Math.PI);
    c.stroke();
  }
  if (word) drawWord(c, [x + 9 * scale, y], word, colour, scale, 'left');
}

function drawWord(c, [x, y], word, colour, scale, align) {
  c.font = `600 ${12 * scale}px system-ui, sans-serif`;
  c.textAlign = align;
  c.textBaseline = 'middle';
  c.lineWidth = 4 * scale;
  c.lineJoin = 'round';
  c.strokeStyle = theme.colours.stage;
  c.strokeText(word, x, y);
  c.fillStyle = colour;
  c.fillText(word, x, y);
}

/** The ruler between two places of space, with its length. */
export function drawRuler({ context: c, view, units }, [from, to], scale) {
  const [p, q] = [view.of(from), view.of(to)];
  const colour = theme.colours.text;
  for (const [width, stroke] of [[4, theme.colours.stage], [1.6, colour]]) {
    c.lineWidth = width * scale;
    c.strokeStyle = stroke;
    c.beginPath();
    c.moveTo(p[0], p[1]);
    c.lineTo(q[0], q[1]);
    c.stroke();
  }
  drawMark(c, p, colour, scale);
  drawMark(c, q, colour, scale);
  const unit = units?.length ? ` ${units.length}` : '';
  drawWord(c, [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2 - 12 * scale], `${number(Math.hypot(...to.map((v, i) => v - from[i])), 4)}${unit}`, colour, scale, 'center');
}
