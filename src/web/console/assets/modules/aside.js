import { REQUEST_MS } from './net.js';
import { t } from './words.js';

// A document, such as labels, opens in another tab. A refusal appears in this one: the form is sent twice with one key,
// first to ask whether it is accepted. Without this script the answer replaces this page.
document.addEventListener(
  'submit',
  async (event) => {
    const { target: form, submitter } = event;
    if (submitter?.dataset.aside === undefined) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (form.hasAttribute('aria-busy')) return;
    form.setAttribute('aria-busy', 'true');
    const address = form.getAttribute('action');
    const fields = [...new FormData(form, submitter)];
    try {
      const answer = await fetch(address, {
        method: 'POST',
        body: new URLSearchParams(fields),
        headers: { Accept: 'application/json' },
        signal: AbortSignal.timeout(REQUEST_MS),
      });
      const { done, refused, detail } = await answer.json();
      delete form.dataset.unsure;
      tell(form, done === undefined, done ?? refused ?? detail);
      if (done !== undefined) open(address, fields);
    } catch {
      // The form keeps its key, so that sending it again has no second effect.
      form.dataset.unsure = '';
      tell(form, true, t('dialog.unsure'));
    }
    form.removeAttribute('aria-busy');
  },
  true,
);

let notice = null;

/**
 * Show what became of the form: in the bar of the chosen rows, which stays in sight, or near the form. Live parts of the page
 * would remove it.
 */
function tell(form, isRefused, text) {
  notice?.remove();
  notice = Object.assign(document.createElement('p'), {
    className: isRefused ? 'notice bad' : 'notice good',
    role: isRefused ? 'alert' : 'status',
    textContent: text,
  });
  const bar = form.closest('.bulk');
  if (bar) bar.prepend(notice);
  else (form.closest('#live') ?? form).before(notice);
  notice.scrollIntoView({ block: 'nearest' });
}

/** Send the fields again, to another tab. */
function open(address, fields) {
  const form = Object.assign(document.createElement('form'), {
    method: 'post',
    action: address,
    target: '_blank',
  });
  for (const [name, value] of fields) {
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
  }
  document.body.append(form);
  form.submit();
  form.remove();
}
