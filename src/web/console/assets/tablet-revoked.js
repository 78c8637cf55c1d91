import { allItems } from './modules/outbox.js';
import { t } from './modules/words.js';

// Unsent items stay on the device: show how many.
const left = document.getElementById('left');
allItems().then((items) => {
  if (!left || items.length === 0) return;
  left.textContent = t('revoked.left', { count: items.length });
  left.hidden = false;
});
