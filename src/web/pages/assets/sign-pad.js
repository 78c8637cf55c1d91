// Draws a signature with finger, pen or mouse. Its lines are in a box of fixed size, on screens of every size.

/** The shortest distance between points, in units of the box. */
const NEAREST = 4;
const PEN_WIDTH = 8;

/**
 * Draw on a canvas. `box` has the size of the box and the most lines and points. Callbacks: `drawn()` after a line has begun,
 * `full()` if no more fits.
 */
export function signaturePad(canvas, box, { drawn, full }) {
  let strokes = [];
  let current;
  let isLocked = false;

  const hasAllPoints = () => strokes.reduce((points, stroke) => points + stroke.length, 0) >= box.points;
  const within = (value, maximum) => Math.min(maximum, Math.max(0, Math.round(value)));
  const pointOf = (event) => {
    const shown = canvas.getBoundingClientRect();
    return [
      within(((event.clientX - shown.left) * box.width) / shown.width, box.width),
      within(((event.clientY - shown.top) * box.height) / shown.height, box.height),
    ];
  };

  function draw() {
    const ratio = devicePixelRatio || 1;
    const scale = (canvas.clientWidth / box.width) * ratio;
    canvas.width = canvas.clientWidth * ratio;
    canvas.height = canvas.clientHeight * ratio;
    const pen = canvas.getContext('2d');
    pen.scale(scale, scale);
    pen.strokeStyle = getComputedStyle(canvas).color;
    pen.lineWidth = PEN_WIDTH;
    pen.lineCap = 'round';
    pen.lineJoin = 'round';
    for (const stroke of strokes) {
      pen.beginPath();
      pen.moveTo(...stroke[0]);
      for (const point of stroke) pen.lineTo(...point);
      pen.stroke();
    }
  }

  canvas.addEventListener('pointerdown', (event) => {
    if (event.button > 0 || isLocked) return;
    if (strokes.length >= box.strokes || hasAllPoints()) return full();
    event.preventDefault();
    canvas.setPointerCapture(event.pointerId);
    current = { id: event.pointerId, stroke: [pointOf(event)] };
    strokes.push(current.stroke);
    drawn();
    draw();
  });
  canvas.addEventListener('pointermove', (event) => {
    if (event.pointerId !== current?.id) return;
    const [x, y] = pointOf(event);
    const [lastX, lastY] = current.stroke.at(-1);
    if (Math.hypot(x - lastX, y - lastY) < NEAREST) return;
    if (hasAllPoints()) {
      current = undefined;
      return full();
    }
    current.stroke.push([x, y]);
    draw();
  });
  for (const type of ['pointerup', 'pointercancel']) {
    canvas.addEventListener(type, () => {
      current = undefined;
    });
  }
  new ResizeObserver(draw).observe(canvas);

  return {
    get strokes() {
      return strokes;
    },
    set strokes(lines) {
      strokes = lines;
      draw();
    },
    /** While locked, nothing can be drawn. */
    lock(value) {
      isLocked = value;
      current = undefined;
    },
  };
}
