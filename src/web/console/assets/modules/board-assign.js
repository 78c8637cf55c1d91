/** Assign a gate by dragging. A drop on a gate's card presses the button of that card. */
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
