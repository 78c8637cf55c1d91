/** The move of a shipment on the day page, by pointer or by keys: its new place, the hint, and the form. */

const form = document.getElementById('drop');
const hint = document.getElementById('dropping');
export const day = document.querySelector('.day');
export const table = day?.querySelector('table');
const clock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: document.body.dataset.zone,
});

/** Width in pixels of a column, which is one step in time. */
export const columnWidth = () =>
  (table.clientWidth - table.querySelector('.lane').clientWidth) / Number(table.dataset.columns);

/** The moving shipment with its new gate and departure, or null. */
let moving = null;
/** Shift a shipment, and the text beside it. */
function shift(load, transform) {
  const [uuid] = load.dataset.place.split(' ');
  const text = load.closest('tr')?.querySelector(`[data-slot="${CSS.escape(uuid)}"]`);
  for (const one of [load, text]) if (one) one.style.transform = transform;
}

/** The shipment whose move was sent and not answered yet, or null. It stays at its new place. */
let sent = null;

export const isMoving = () => moving !== null;
export const isSent = () => sent !== null;

export function startMove(load) {
  moving = { load, gate: load.closest('[data-gate]'), departs: Number(load.dataset.departs) };
  load.classList.add('dragged');
}

/**
 * Show the new place of the shipment: at a gate (null: outside of all), some steps later, and shifted by pixels. The time
 * changes only between gates. Shipments without a gate are outside of the time grid.
 */
export function showMove({ gate, steps, x, y }) {
  const { load } = moving;
  const inLanes = load.closest('.day') && gate?.closest('.day');
  moving.gate?.classList.remove('over');
  moving.gate = gate;
  moving.departs = Number(load.dataset.departs) + (inLanes ? steps * Number(table.dataset.step) : 0);
  gate?.classList.add('over');
  shift(load, `translate(${x}px, ${y}px)`);
  hint.textContent = gate ? `${gate.dataset.name}, ${clock.format(moving.departs)}` : '';
}

/** End a move without sending it. After `sendMove`, the form is already on its way. */
export function endMove() {
  if (!moving) return;
  moving.load.classList.remove('dragged');
  if (moving.load !== sent) shift(moving.load, '');
  moving.gate?.classList.remove('over');
  hint.textContent = '';
  moving = null;
}

/** The move was answered, or there is no answer. The page says where the shipment is. */
export function endSent() {
  if (sent) shift(sent, '');
  sent = null;
}

/** Send the new place, unless it is the old one. */
export function sendMove() {
  const { load, gate, departs } = moving;
  const isSame = gate === load.closest('[data-gate]') && departs === Number(load.dataset.departs);
  if (gate && !isSame) {
    form.elements.shipment.value = load.dataset.place;
    form.elements.gate.value = gate.dataset.gate;
    form.elements.departure.value = departs;
    sent = load;
    form.requestSubmit();
  }
  endMove();
}
