// Drag a shipment to another gate or time. On a touch screen, hold it first. A drop submits a form of the
// page, and M opens a form. That form also works without this script.

import { hooks } from './live.js';

const HOLD_MS = 400;
const START_PX = 6;

const form = document.getElementById('drop');
const target = document.getElementById('dropping');
const day = document.querySelector('.day');
const table = day?.querySelector('table');
const clock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: document.body.dataset.zone,
});

/** The held shipment, where it was picked up, and its new place. */
let held = null;

const gateAt = (x, y) => document.elementFromPoint(x, y)?.closest('[data-gate]');

/** Width in pixels of a column, which is one step in time. */
const columnWidth = () =>
  (table.clientWidth - table.querySelector('.lane').clientWidth) / Number(table.dataset.columns);

function startDrag() {
  clearTimeout(held.hold);
  held.dragged = true;
  held.load.classList.add('dragged');
}

/** Move the held shipment with the pointer and show its new place. */
function drag({ clientX, clientY }) {
  const { load, x, y } = held;
  load.style.transform = `translate(${clientX - x}px, ${clientY - y}px)`;
  held.gate?.classList.remove('over');
  held.gate = gateAt(clientX, clientY);
  held.gate?.classList.add('over');
  // The time changes only between gates. Shipments without a gate are outside of the time grid.
  const inLanes = load.closest('.day') && held.gate?.closest('.day');
  const steps = inLanes ? Math.round((clientX - x) / columnWidth()) : 0;
  held.departs = Number(load.dataset.departs) + steps * Number(table.dataset.step);
  target.textContent = held.gate ? `${held.gate.dataset.name}, ${clock.format(held.departs)}` : '';
}

/** End a drag without dropping. After a drop, the form has already been sent. */
function endDrag() {
  clearTimeout(held.hold);
  held.load.classList.remove('dragged');
  held.load.style.transform = '';
  held.gate?.classList.remove('over');
  target.textContent = '';
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
  if (held.isTouch) held.hold = setTimeout(startDrag, HOLD_MS);
});

document.addEventListener('pointermove', (event) => {
  if (!held) return;
  const isFar = Math.hypot(event.clientX - held.x, event.clientY - held.y) > START_PX;
  // A finger that moves at once scrolls the page.
  if (!held.dragged && isFar) held.isTouch ? endDrag() : startDrag();
  if (held?.dragged) drag(event);
});

document.addEventListener('pointerup', () => {
  if (!held) return;
  if (held.dragged) {
    // Ignore the click at the end of a drag, so that it does not open the link.
    const stay = (event) => event.preventDefault();
    addEventListener('click', stay, { capture: true });
    setTimeout(() => removeEventListener('click', stay, { capture: true }));
    drop();
  }
  endDrag();
});
document.addEventListener('pointercancel', () => held && endDrag());
document.addEventListener('touchmove', (event) => held?.dragged && event.preventDefault(), {
  passive: false,
});
// Prevent the browser from dragging the link or opening a menu.
document.addEventListener('dragstart', (event) => {
  if (event.target.closest?.('[data-place]')) event.preventDefault();
});
document.addEventListener('contextmenu', (event) => held && event.preventDefault());

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && held) return endDrag();
  const load = document.activeElement.closest('[data-place]');
  if (event.key !== 'm' || event.ctrlKey || event.metaKey || event.altKey || !load) return;
  event.preventDefault();
  const moveForm = document.getElementById('move');
  moveForm.open = true;
  moveForm.querySelector('[name=shipment]').value = load.dataset.place;
  moveForm.querySelector('select[name=gate]').focus();
});

hooks.isDragging = () => held !== null;

/**
 * Focus the moved shipment, for keyboard users. Change the URL, so that live updates keep the undo
 * button.
 */
function showMoved() {
  const undo = document.getElementById('undo');
  if (!undo) return;
  history.replaceState(null, '', undo.dataset.address);
  const { moved } = undo.dataset;
  document.querySelector(`[data-place^="${CSS.escape(moved)}"]`)?.focus({ preventScroll: true });
}
hooks.formAnswered = showMoved;
showMoved();

// Scroll a wide day to a little before now.
const now = day?.querySelector('.now svg');
if (now) {
  const lane = table.querySelector('.lane').clientWidth;
  day.scrollLeft += now.getBoundingClientRect().left - day.getBoundingClientRect().left - lane - 60;
}
