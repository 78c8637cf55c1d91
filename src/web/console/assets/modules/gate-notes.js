import { showQuestion } from './dialog.js';
import { t } from './words.js';

/** The actions of the forms about a pallet. */
export const NOTES = ['damage', 'comment'];

/** The rows of a loading record (by uuid), in all lists. */
const rowsOf = (record) => document.querySelectorAll(`[data-record="${CSS.escape(record)}"]`);

/** The id of the pallet with a loading record, if a list shows it. */
export function palletOf(record) {
  const [row] = rowsOf(record);
  return row && JSON.parse(row.dataset.names)[0];
}

// A link of a row opens its form as a dialog. It works without a connection, because the page has the form as a template.
document.addEventListener('click', (event) => {
  const link = event.target.closest?.('a[data-note]');
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const page = document.implementation.createHTMLDocument(link.ariaLabel);
  const { content } = document.getElementById(`note-${link.dataset.note}`);
  page.body.append(page.importNode(content, true));
  page.querySelector('[name="record"]').value = link.closest('[data-record]').dataset.record;
  link.closest('details').open = false;
  showQuestion(page);
  document.querySelector('dialog [name="comment"]').focus();
});

/** Show in the rows which damage and comments wait to be sent. */
export function drawNotes(items) {
  for (const shown of document.querySelectorAll('.rows .unsent')) shown.remove();
  for (const { action, fields } of items) {
    if (!NOTES.includes(action)) continue;
    for (const row of rowsOf(fields.record)) {
      const [label, value] = [t(`tablet.did.${action}`), fields.comment.trim()];
      const text = value ? t('text.labelled', { label, value }) : label;
      const note = Object.assign(document.createElement('span'), {
        className: 'unsent',
        textContent: `${text} (${t('tablet.waiting')})`,
      });
      row.querySelector('.m')?.append(note);
    }
  }
}
