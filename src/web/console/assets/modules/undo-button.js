import { t } from './words.js';

/** A button that takes back an action about a pallet. */
export function undoButton(name, press, label = t('tablet.undo')) {
  const button = Object.assign(document.createElement('button'), {
    ...{ type: 'button', className: 'button quiet', onclick: press },
  });
  button.dataset.undo = '';
  const pallet = Object.assign(document.createElement('span'), {
    className: 'hidden',
    textContent: ` ${name}`,
  });
  button.append(label, pallet);
  return button;
}
