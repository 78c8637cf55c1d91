import { closeQuestion, showQuestion } from './dialog.js';
import { needsWorker } from './page-user.js';
import { t } from './words.js';

/** How many pallets a confirmation names. */
const NAMES_MAXIMUM = 20;
/** Actions without a pallet: the confirmation shows the name of the action. */
const WITHOUT_PALLET = ['start', 'resolve', 'remove', 'assign'];

const strip = document.getElementById('others');

const element = (name, more, ...children) => {
  const made = Object.assign(document.createElement(name), more);
  made.append(...children);
  return made;
};

/**
 * Shows the unsent scans, presses and photos of other users on this device. The present user can send or discard
 * them.
 */
export class Others {
  #senders;
  #asked = [];

  constructor(...senders) {
    this.#senders = senders;
  }

  draw() {
    const unsent = this.#senders.flatMap(({ others }) => others);
    const byOwner = Map.groupBy(unsent, ({ owner }) => owner);
    // Without a known worker on the tablet, these items cannot be taken over.
    const rows = [...byOwner.values()].map((items) => this.#row(items, !needsWorker()));
    strip.replaceChildren(...rows.flat());
    strip.hidden = rows.length === 0;
  }

  #row(items, mayDecide) {
    const who = items[0].ownerName ?? t('tablet.somebody');
    const text = element('p', { textContent: t('tablet.ofOthers', { count: items.length, who }) });
    if (!mayDecide) return [text];
    return [
      text,
      this.#button('send', t('tablet.sendMine'), items, who),
      this.#button('discard', t('tablet.discard'), items, who),
    ];
  }

  #button(what, textContent, items, who) {
    const button = element('button', { type: 'button', className: 'button quiet', textContent });
    button.setAttribute('aria-haspopup', 'dialog');
    button.onclick = () => this.#ask(what, items, who);
    return button;
  }

  #ask(what, items, who) {
    this.#asked = items;
    const isSending = what === 'send';
    const page = document.implementation.createHTMLDocument(
      t(isSending ? 'tablet.askSend' : 'tablet.askDiscard', { count: items.length, who }),
    );
    const form = element(
      'form',
      { method: 'post', action: location.pathname },
      element(
        'div',
        { className: 'answers' },
        Object.assign(element('a', { className: 'button quiet', href: '#', textContent: t('tablet.leave') })),
        element('button', {
          type: 'submit',
          className: 'button act hold',
          textContent: isSending ? t('tablet.sendMine') : t('tablet.discardMany', { count: items.length }),
        }),
      ),
    );
    form.dataset.others = what;
    form.querySelector('a').dataset.back = '';
    form.querySelector('button').dataset.hold = '';
    const names = items.slice(0, NAMES_MAXIMUM).map((item) => nameOf(item));
    page.body.append(
      element(
        'section',
        { className: 'asked', id: 'asked' },
        element(
          'ul',
          { className: 'named' },
          ...names.map((textContent) => element('li', { textContent })),
          ...(items.length > NAMES_MAXIMUM ? [element('li', { textContent: t('tablet.more') })] : []),
        ),
        element('p', {
          className: 'told',
          textContent: t(isSending ? 'tablet.sendTold' : 'tablet.discardTold'),
        }),
        form,
      ),
    );
    showQuestion(page);
  }

  /** Send or discard the items if `form` confirms this. Returns false for any other form. */
  sendsForm({ dataset: { others } }) {
    if (others === undefined) return false;
    const asked = this.#asked;
    this.#asked = [];
    closeQuestion();
    for (const sender of this.#senders) {
      const own = asked.filter(({ path }) => path === sender.path);
      if (others === 'send') sender.takeOver(own);
      else sender.discard(own);
    }
    return true;
  }
}

const nameOf = ({ name, action, fields }) =>
  name ?? fields.scan ?? (WITHOUT_PALLET.includes(action) ? t(`tablet.did.${action}`) : action);
