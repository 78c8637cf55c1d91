import {
  columnWidth,
  day,
  endMove,
  isMoving,
  isSent,
  sendMove,
  showMove,
  startMove,
  table,
} from './day-move.js';

// The grid is one tab stop. J and K go to the next and the previous slot or gate. Arrows move the shipment of a slot:
// Enter sends the move, Escape takes it back. A slot that cannot be moved uses the arrows like J and K.

const stops = () => [...day.querySelectorAll('a[href]')];

/** The one element of the grid that Tab reaches: the last focused one, or else the first shipment. */
export function keepOneStop() {
  if (!table) return;
  // The focus scrolls the grid, so the scroll area needs no tab stop of its own.
  if (stops().length > 0) day.tabIndex = -1;
  const current =
    stops().find((stop) => stop.tabIndex === 0 && stop.hasAttribute('tabindex')) ??
    day.querySelector('.slot.late, .slot[data-place]') ??
    stops()[0];
  for (const stop of stops()) stop.tabIndex = stop === current ? 0 : -1;
}

function goTo(stop) {
  if (!stop) return;
  stop.focus();
  stop.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/** How far the arrows have moved the shipment: gates down, and steps in time. */
let moved = { gates: 0, steps: 0 };

const ARROWS = {
  ArrowUp: { gates: -1, steps: 0 },
  ArrowDown: { gates: 1, steps: 0 },
  ArrowLeft: { gates: 0, steps: -1 },
  ArrowRight: { gates: 0, steps: 1 },
};

function moveBy(load, { gates: down, steps }) {
  const lanes = [...table.querySelectorAll('[data-gate]')];
  const own = load.closest('[data-gate]');
  const from = lanes.indexOf(own);
  if (!isMoving()) {
    moved = { gates: 0, steps: 0 };
    startMove(load);
  }
  const at = Math.min(Math.max(from + moved.gates + down, 0), lanes.length - 1);
  moved = { gates: at - from, steps: moved.steps + steps };
  showMove({
    gate: lanes[at],
    steps: moved.steps,
    x: moved.steps * columnWidth(),
    // A lane may have several rows, and the shipment may be in any row of its own lane.
    y: at === from ? 0 : lanes[at].offsetTop - load.closest('tr').offsetTop,
  });
  load.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/** The stops in reading order, and where a key leads. */
function nextStop(key, here) {
  const all = stops();
  const at = all.indexOf(here);
  if (key === 'Home') return all[0];
  if (key === 'End') return all.at(-1);
  if (key === 'j' || key === 'ArrowRight' || key === 'ArrowDown') return all[at + 1];
  if (key === 'k' || key === 'ArrowLeft' || key === 'ArrowUp') return all[at - 1];
  return undefined;
}

day?.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const here = event.target.closest('a[href]');
  if (!here) return;
  const { key } = event;
  if (isMoving() && (key === 'Enter' || key === 'Escape')) {
    event.preventDefault();
    key === 'Enter' ? sendMove() : endMove();
  } else if (ARROWS[key] && here.dataset.place) {
    event.preventDefault();
    if (!isSent()) moveBy(here, ARROWS[key]);
  } else {
    const next = nextStop(key, here);
    if (next) event.preventDefault();
    if (!isMoving()) goTo(next);
  }
});

// A move that was not sent ends when the focus leaves the slot.
day?.addEventListener('focusout', endMove);
// Tab reaches the stop that had the focus last.
day?.addEventListener('focusin', ({ target }) => {
  if (!target.matches('a[href]')) return;
  for (const stop of stops()) stop.tabIndex = stop === target ? 0 : -1;
});
