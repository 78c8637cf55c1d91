// A shipment is dragged to another gate, another time or both, by pointer; on a screen that is touched once it is held. What
// is dropped is a form of the page, as is what M opens: without this script the form is there all the same.

import { hooks } from './live.js';

const HOLD_MS = 400;
const START_PX = 6;

const form = document.getElementById('drop');
const told = document.getElementById('dropping');
const day = document.querySelector('.day');
const table = day?.querySelector('table');
const clock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: document.body.dataset.zone,
});

/** What is held: the shipment, where it was taken, and where it would go. */
let held = null;

const gateAt = (x, y) => document.elementFromPoint(x, y)?.closest('[data-gate]');

/** Pixels of a column of the day; each is one step in time. */
const columnWidth = () =>
  (table.clientWidth - table.querySelector('.lane').clientWidth) / Number(table.dataset.columns);

function take() {
  clearTimeout(held.hold);
  held.dragged = true;
  held.load.classList.add('dragged');
}

/** Show where what is held would go. */
function drag({ clientX, clientY }) {
  const { load, x, y } = held;
  load.style.transform = `translate(${clientX - x}px, ${clientY - y}px)`;
  held.gate?.classList.remove('over');
  held.gate = gateAt(clientX, clientY);
  held.gate?.classList.add('over');
  // Only from gate to gate does moving sideways mean another time: shipments without a gate stand outside of the hours.
  const inLanes = load.closest('.day') && held.gate?.closest('.day');
  const steps = inLanes ? Math.round((clientX - x) / columnWidth()) : 0;
  held.departs = Number(load.dataset.departs) + steps * Number(table.dataset.step);
  told.textContent = held.gate ? `${held.gate.dataset.name}, ${clock.format(held.departs)}` : '';
}

/** Put what is held back where it was; a drop has sent its form by now. */
function release() {
  clearTimeout(held.hold);
  held.load.classList.remove('dragged');
  held.load.style.transform = '';
  held.gate?.classList.remove('over');
  told.textContent = '';
  held = null;
}

function drop() {
  const { load, gate, departs } = held;
  const isSame = gate === load.closest('[data-gate]') && departs === Number(load.dataset.departs);
  if (!gate || isSame) return;
  form.elements.shipment.value = load.dataset.place;
  form.elements.gate.value = gate.dataset.gate;
  form.elements.departure.value = departs;
  form.requestSubmit();
}

document.addEventListener('pointerdown', (event) => {
  const load = event.target.closest?.('[data-place]');
  if (!load || event.button !== 0 || !event.isPrimary) return;
  held = { load, x: event.clientX, y: event.clientY, isTouch: event.pointerType === 'touch' };
  if (held.isTouch) held.hold = setTimeout(take, HOLD_MS);
});

document.addEventListener('pointermove', (event) => {
  if (!held) return;
  const isFar = Math.hypot(event.clientX - held.x, event.clientY - held.y) > START_PX;
  // A finger that moves at once scrolls.
  if (!held.dragged && isFar) held.isTouch ? release() : take();
  if (held?.dragged) drag(event);
});

document.addEventListener('pointerup', () => {
  if (!held) return;
  if (held.dragged) {
    // The click that ends a drag does not follow the link.
    const stay = (event) => event.preventDefault();
    addEventListener('click', stay, { capture: true });
    setTimeout(() => removeEventListener('click', stay, { capture: true }));
    drop();
  }
  release();
});
document.addEventListener('pointercancel', () => held && release());
document.addEventListener('touchmove', (event) => held?.dragged && event.preventDefault(), {
  passive: false,
});
// Instead of what browsers do by themselves: drag a link, open a menu for what is held.
document.addEventListener('dragstart', (event) => {
  if (event.target.closest?.('[data-place]')) event.preventDefault();
});
document.addEventListener('contextmenu', (event) => held && event.preventDefault());

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && held) return release();
  const load = document.activeElement.closest('[data-place]');
  if (event.key !== 'm' || event.ctrlKey || event.metaKey || event.altKey || !load) return;
  event.preventDefault();
  const moving = document.getElementById('move');
  moving.open = true;
  moving.querySelector('[name=shipment]').value = load.dataset.place;
  moving.querySelector('select[name=gate]').focus();
});

// While something is held the page is not updated.
hooks.holds = () => held !== null;

/**
 * Give the focus to what was moved, for whoever moves by keyboard, and have its button to undo stay while the page is
 * live.
 */
function showMoved() {
  const undo = document.getElementById('undo');
  if (!undo) return;
  history.replaceState(null, '', undo.dataset.address);
  const { moved } = undo.dataset;
  document.querySelector(`[data-place^="${CSS.escape(moved)}"]`)?.focus({ preventScroll: true });
}
hooks.told = showMoved;
showMoved();

// Where the day is wider than the screen, begin a little before now.
const now = day?.querySelector('.now svg');
if (now) {
  const lane = table.querySelector('.lane').clientWidth;
  day.scrollLeft += now.getBoundingClientRect().left - day.getBoundingClientRect().left - lane - 60;
}
