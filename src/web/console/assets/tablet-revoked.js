import { everything } from './modules/outbox.js';
import { t } from './modules/words.js';

// What was not sent stays on the device; say so.
const left = document.getElementById('left');
everything().then((items) => {
  if (!left || items.length === 0) return;
  left.textContent = t('revoked.left', { count: items.length });
  left.hidden = false;
});
