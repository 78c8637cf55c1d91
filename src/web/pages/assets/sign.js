// Draws a signature with finger, pen or mouse, and sends it. Nothing is sent before the button is pressed.
const form = document.getElementById('sign');
if (form) begin();

function begin() {
  const canvas = form.querySelector('canvas');
  const said = document.getElementById('said');
  const { dataset } = form;
  const [width, height] = [Number(dataset.width), Number(dataset.height)];
  const [strokesMaximum, pointsMaximum] = [Number(dataset.strokes), Number(dataset.points)];
  /** The shortest distance between points, in units of the box. */
  const nearest = 4;
  let strokes = [];
  let current;

  const say = (text, isBad = false) => {
    said.textContent = text;
    said.className = isBad ? 'bad' : '';
  };
  const count = () => strokes.reduce((points, stroke) => points + stroke.length, 0);
  const within = (value, maximum) => Math.min(maximum, Math.max(0, Math.round(value)));
  const pointOf = (event) => {
    const box = canvas.getBoundingClientRect();
    return [
      within(((event.clientX - box.left) * width) / box.width, width),
      within(((event.clientY - box.top) * height) / box.height, height),
    ];
  };

  function draw() {
    const scale = canvas.clientWidth / width;
    const ratio = devicePixelRatio || 1;
    canvas.width = canvas.clientWidth * ratio;
    canvas.height = canvas.clientHeight * ratio;
    const pen = canvas.getContext('2d');
    pen.scale(scale * ratio, scale * ratio);
    pen.strokeStyle = getComputedStyle(canvas).color;
    pen.lineWidth = 8;
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
    if (event.button > 0 || strokes.length >= strokesMaximum || count() >= pointsMaximum) return;
    event.preventDefault();
    canvas.setPointerCapture(event.pointerId);
    current = { id: event.pointerId, stroke: [pointOf(event)] };
    strokes.push(current.stroke);
    say('');
    draw();
  });
  canvas.addEventListener('pointermove', (event) => {
    if (event.pointerId !== current?.id || count() >= pointsMaximum) return;
    const [x, y] = pointOf(event);
    const [lastX, lastY] = current.stroke.at(-1);
    if (Math.hypot(x - lastX, y - lastY) < nearest) return;
    current.stroke.push([x, y]);
    draw();
  });
  for (const type of ['pointerup', 'pointercancel']) {
    canvas.addEventListener(type, () => {
      current = undefined;
    });
  }
  new ResizeObserver(draw).observe(canvas);
  form.querySelector('[data-clear]').addEventListener('click', () => {
    strokes = [];
    draw();
    say('');
  });

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (strokes.length === 0) {
      say(form.dataset.empty, true);
      return;
    }
    const button = form.querySelector('[type=submit]');
    button.disabled = true;
    say(form.dataset.sending);
    try {
      const { role, name } = form.elements;
      const answer = await fetch(location.pathname, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ role: role.value, name: name.value.trim(), strokes }),
      });
      if (answer.ok) location.reload();
      else say(answer.status === 409 ? form.dataset.used : form.dataset.failed, true);
    } catch {
      say(form.dataset.offline, true);
    }
    button.disabled = false;
  });
}
