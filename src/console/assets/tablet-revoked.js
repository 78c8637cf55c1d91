import { everything } from './outbox.js';

// What was not sent stays here, and this is said.
const left = document.getElementById('left');
everything().then((items) => {
  if (!left || items.length === 0) return;
  const many = items.length === 1 ? '1 scan or press was' : `${items.length} scans and presses were`;
  left.textContent = `${many} not sent. They stay on this device: whoever works here next, once it is paired anew or somebody signs in, sends or discards them on the page of the gate.`;
  left.hidden = false;
});
