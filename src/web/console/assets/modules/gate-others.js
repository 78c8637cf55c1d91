import { closeQuestion, showQuestion } from './dialog.js';
import { isAsking } from './whose.js';
import { t } from './words.js';

/** A question names at most this many pallets. */
const NAMED = 20;
/** Actions without a pallet: a question names the action itself. */
const TOLD = ['start', 'resolve', 'remove', 'assign'];

const strip = document.getElementById('others');

const element = (name, more, ...children) => {
  const made = Object.assign(document.createElement(name), more);
  made.append(...children);
  return made;
};

/**
 * Shows what other people have scanned and pressed here and what is not sent yet, and lets whoever uses the page now
 * send or discard it.
 */
export class Others {
  #sender;
  #asked = [];

  /** `sender`: the `Sender` of the page. */
  constructor(sender) {
    this.#sender = sender;
  }

  draw() {
    const by = Map.groupBy(this.#sender.others, ({ owner }) => owner);
    // Nobody can take over on a tablet that does not know yet who works at it.
    const rows = [...by.values()].map((items) => this.#row(items, !isAsking()));
    strip.replaceChildren(...rows.flat());
    strip.hidden = rows.length === 0;
  }

  #row(items, mayDecide) {
    const who = items[0].ownerName ?? t('tablet.somebody');
    const said = element('p', { textContent: t('tablet.ofOthers', { count: items.length, who }) });
    if (!mayDecide) return [said];
    return [
      said,
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
    const names = items.slice(0, NAMED).map((item) => nameOf(item));
    page.body.append(
      element(
        'section',
        { className: 'asked', id: 'asked' },
        element(
          'ul',
          { className: 'named' },
          ...names.map((textContent) => element('li', { textContent })),
          ...(items.length > NAMED ? [element('li', { textContent: t('tablet.more') })] : []),
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

  /** Do what the form of one of these questions says; false for any other form. */
  takes({ dataset: { others } }) {
    if (others === undefined) return false;
    const asked = this.#asked;
    this.#asked = [];
    closeQuestion();
    if (others === 'send') this.#sender.takeOver(asked);
    else this.#sender.discard(asked);
    return true;
  }
}

const nameOf = ({ name, action, fields }) =>
  name ?? fields.scan ?? (TOLD.includes(action) ? t(`tablet.did.${action}`) : action);
