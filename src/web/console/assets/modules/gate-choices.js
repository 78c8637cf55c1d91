import { palletName } from './pallet-name.js';
import { focusScanBox } from './scan-box.js';
import { t } from './words.js';

/** How many questions are shown. An older question is dropped: its scan can be repeated. */
const QUESTIONS_MAXIMUM = 5;

/** Questions about the pallet that a scan means. `choose(pallet)` is called with the exact id of the chosen pallet. */
export class Choices {
  #element;
  #choose;

  constructor(element, choose) {
    this.#element = element;
    this.#choose = choose;
    // The page may come with a question. Its forms are sent first.
    element.addEventListener('submit', ({ target }) =>
      setTimeout(() => target.closest('fieldset')?.remove()),
    );
  }

  ask({ question, said, choices }) {
    const asked = document.createElement('fieldset');
    asked.append(Object.assign(document.createElement('legend'), { textContent: `${question} ${said}` }));
    for (const { pallet, note } of choices) {
      const about = Object.assign(document.createElement('small'), { textContent: note });
      this.#addButton(asked, [palletName(pallet), ' ', about], () => this.#choose(pallet));
    }
    this.#addButton(asked, [t('dialog.back')], () => undefined);
    this.#element.prepend(asked);
    this.#element.scrollTop = 0;
    asked.scrollIntoView({ block: 'nearest' });
    while (this.#element.children.length > QUESTIONS_MAXIMUM) this.#element.lastElementChild.remove();
  }

  /** Drop the questions: nothing is being loaded any more. */
  drop() {
    this.#element.replaceChildren();
  }

  #addButton(asked, contents, press) {
    const button = Object.assign(document.createElement('button'), {
      ...{ type: 'button', className: 'button quiet' },
      onclick() {
        asked.remove();
        press();
        focusScanBox();
      },
    });
    button.append(...contents);
    asked.append(button);
  }
}
