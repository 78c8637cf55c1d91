/** Assigning by dragging: what is dropped on the card of a gate is what its button does for a finger and the keyboard. */
const gateOf = (event) => event.target.closest?.('.gate:has(.here)');

let over = null;
function mark(gate) {
  over?.classList.remove('over');
  over = gate;
  over?.classList.add('over');
}

document.addEventListener('dragstart', (event) => {
  const load = event.target.closest?.('.drag');
  if (!load) return;
  load.querySelector('input').checked = true;
  event.dataTransfer.setData('text/plain', load.textContent.trim());
  event.dataTransfer.effectAllowed = 'move';
});

document.addEventListener('dragover', (event) => {
  const gate = gateOf(event);
  mark(gate);
  if (gate) event.preventDefault();
});

document.addEventListener('drop', (event) => {
  const gate = gateOf(event);
  if (!gate) return;
  event.preventDefault();
  gate.querySelector('.here').click();
});

document.addEventListener('dragend', () => mark(null));
