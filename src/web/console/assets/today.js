// Drag a shipment to another gate or time. On a touch screen, hold it first. Keys move it too (`day-keys.js`), and M opens
// a form, which also works without this script. Z undoes the last move, as the button of the bar at the bottom does.

import { hooks } from './live.js';
import { isTypingOutside } from './modules/board-parts.js';
import { keepOneStop } from './modules/day-keys.js';
import {
  columnWidth,
  day,
  endMove,
  endSent,
  isMoving,
  isSent,
  sendMove,
  showMove,
  startMove,
  table,
} from './modules/day-move.js';

const HOLD_MS = 400;
const START_PX = 6;

/** The shipment under the pressed pointer, and where it was picked up. */
let held = null;

/** The slot or link of a shipment at an element. The text beside a slot belongs to it. */
function loadAt(element) {
  const beside = element.closest?.('[data-slot]');
  const load = beside
    ? beside.closest('tr').querySelector(`a[href$="${CSS.escape(beside.dataset.slot)}"]`)
    : element.closest?.('[data-place]');
  return load ?? null;
}

function startDrag() {
  clearTimeout(held.hold);
  held.dragged = true;
  startMove(held.load);
}

/** Move the held shipment with the pointer and show its new place. */
function drag({ clientX, clientY }) {
  const [x, y] = [clientX - held.x, clientY - held.y];
  const gate = document.elementFromPoint(clientX, clientY)?.closest('[data-gate]') ?? null;
  showMove({ gate, steps: Math.round(x / columnWidth()), x, y });
}

function release() {
  clearTimeout(held?.hold);
  held = null;
  endMove();
}

document.addEventListener('pointerdown', (event) => {
  const load = loadAt(event.target);
  if (!load?.dataset.place || event.button !== 0 || !event.isPrimary || isSent()) return;
  endMove();
  held = { load, x: event.clientX, y: event.clientY, isTouch: event.pointerType === 'touch' };
  if (held.isTouch) held.hold = setTimeout(startDrag, HOLD_MS);
});

document.addEventListener('pointermove', (event) => {
  if (!held) return;
  const isFar = Math.hypot(event.clientX - held.x, event.clientY - held.y) > START_PX;
  // A finger that moves at once scrolls the page.
  if (!held.dragged && isFar) held.isTouch ? release() : startDrag();
  if (held?.dragged) drag(event);
});

document.addEventListener('pointerup', () => {
  if (!held) return;
  if (held.dragged) {
    // Ignore the click at the end of a drag, so that it does not open the link.
    const stay = (event) => event.preventDefault();
    addEventListener('click', stay, { capture: true });
    setTimeout(() => removeEventListener('click', stay, { capture: true }));
    if (isMoving()) sendMove();
  }
  release();
});
document.addEventListener('pointercancel', () => held && release());
document.addEventListener('touchmove', (event) => held?.dragged && event.preventDefault(), {
  passive: false,
});
// Prevent the browser from dragging the link or opening a menu.
document.addEventListener('dragstart', (event) => {
  if (event.target.closest?.('[data-place]')) event.preventDefault();
});
document.addEventListener('contextmenu', (event) => held && event.preventDefault());

document.addEventListener('click', (event) => {
  if (event.defaultPrevented) return;
  if (event.target.closest?.('[data-slot]')) loadAt(event.target)?.click();
  if (event.target.closest?.('#main > .notice')) clearNotices();
  const close = event.target.closest?.('[data-close]');
  if (!close) return;
  event.preventDefault();
  // Without the address of the undo, an update does not bring the bar back.
  history.replaceState(null, '', close.href);
  document.getElementById('undo')?.remove();
});

function clearNotices() {
  for (const notice of document.querySelectorAll('#main > .notice')) notice.remove();
}

document.addEventListener('keydown', (event) => {
  // The grid takes Escape, too. A slot that the pointer holds must still be released.
  if (event.key === 'Escape' && held) return release();
  if (event.defaultPrevented) return;
  if (event.key === 'Escape') {
    if (!isMoving()) clearNotices();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'z') {
    if (event.repeat || isMoving() || isTypingOutside() || document.querySelector('dialog[open]')) return;
    document.querySelector('#undo form')?.requestSubmit();
    return;
  }
  const load = document.activeElement.closest('[data-place]');
  if (event.key !== 'm' || !load) return;
  event.preventDefault();
  const moveForm = document.getElementById('move');
  moveForm.open = true;
  moveForm.querySelector('[name=shipment]').value = load.dataset.place;
  moveForm.querySelector('select[name=gate]').focus();
});

hooks.isDragging = () => held !== null || isMoving() || isSent();
hooks.formEnded = (form) => form.id === 'drop' && endSent();
hooks.afterUpdate = keepOneStop;

/**
 * Focus the moved shipment, for keyboard users, unless they already type elsewhere. Change the URL, so that live updates
 * keep the undo button.
 */
function showMoved(_page, form) {
  const undo = document.getElementById('undo');
  if (!undo) return;
  history.replaceState(null, '', undo.dataset.address);
  if (isTypingOutside(form)) return;
  const { moved } = undo.dataset;
  document.querySelector(`[data-place^="${CSS.escape(moved)}"]`)?.focus({ preventScroll: true });
}
hooks.formAnswered = showMoved;
keepOneStop();
showMoved();

// A day that is chosen with the mouse opens at once. A typed day opens with Enter, because each digit is a change.
const pick = document.getElementById('pick-day');
let isTyped = false;
pick?.addEventListener('keydown', (event) => {
  isTyped = true;
  if (event.key !== 'Enter') return;
  event.preventDefault();
  pick.requestSubmit();
});
pick?.addEventListener('pointerdown', () => {
  isTyped = false;
});
pick?.addEventListener('change', () => isTyped || pick.requestSubmit());

/**
 * Scroll a wide day so that the line of now is in sight, with as much of the late work before it as fits.
 */
function scrollToNow() {
  const now = day?.querySelector('.behind .now');
  if (!now) return;
  const left = (element) =>
    element.getBoundingClientRect().left - day.getBoundingClientRect().left + day.scrollLeft;
  const lane = table.querySelector('.lane').clientWidth;
  const late = [...day.querySelectorAll('.slot.late')].map(left);
  const rest = day.clientWidth - lane;
  const from = late.reduce((least, at) => Math.min(least, at - 8), left(now) - rest / 4);
  day.scrollLeft = Math.max(from, left(now) - (rest * 3) / 4) - lane;
}
scrollToNow();
