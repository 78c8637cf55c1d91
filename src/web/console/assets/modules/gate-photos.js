import { isLate } from './gate-late.js';
import { allItems } from './outbox.js';
import { smallerPhoto } from './photo.js';
import { Sender } from './sender.js';
import { t } from './words.js';

/** How many photos wait on a device at most, and their bytes. */
const PHOTOS_MAXIMUM = 20;
const BYTES_MAXIMUM = 20 * 1024 * 1024;

/** Bytes of a photo and its thumbnail. */
const sizeOf = ({ photo, thumbnail }) => photo.size + (thumbnail?.size ?? 0);

/** Opens the camera of the device, or a choice of files. */
const camera = Object.assign(document.createElement('input'), { type: 'file', accept: 'image/*' });
camera.setAttribute('capture', 'environment');

/**
 * The queue of photos. It waits until all scans and presses are sent, so that a slow photo delays no scan. A refused
 * photo stays until it is discarded. Callbacks:
 * - `mayTake()`: whether a photo may be taken now.
 * - `maySend()`: whether photos may be sent now.
 * - `said(tone, text, name)`: something happened to a photo.
 * - `userChanged()`: as in `Sender`.
 */
export class Photos {
  #on;
  #sender;
  /** The fields and the name of the thing that the next photo shows. */
  #target;
  #strip = document.getElementById('photos');

  constructor(path, on) {
    this.#on = on;
    this.#sender = new Sender(`${path}/photo`, {
      answered: ({ name }, { refused, done }) =>
        refused ? this.#say('bad', refused, name) : this.#say('told', done, name),
      notStored: ({ name }) => this.#say('doubt', t('tablet.photoUnstored'), name),
      changed: () => this.draw(),
      maySend: on.maySend,
      userChanged: on.userChanged,
    });
    setInterval(() => this.draw(), 1_000);
    camera.addEventListener('change', () => this.#take(camera.files[0]));
    document.addEventListener('click', ({ target }) => {
      const button = target.closest?.('[data-photo]');
      if (!button || !on.mayTake()) return;
      button.closest('[popover]')?.hidePopover();
      button.closest('details')?.removeAttribute('open');
      this.#open(button.dataset);
    });
  }

  get sender() {
    return this.#sender;
  }

  /** The photos that wait to be sent. */
  get waiting() {
    return this.#sender.items.filter(({ refused }) => refused === undefined);
  }

  #open({ photo: kind, of: record, thing, name }) {
    this.#target = {
      name: t('tablet.photoOf', { name }),
      fields: { kind, ...(record ? { record } : { thing }) },
    };
    camera.value = '';
    camera.click();
  }

  async #take(file) {
    if (!file) return;
    const { name, fields } = this.#target;
    const made = await smallerPhoto(file);
    if (!made) {
      this.#say('bad', t('tablet.photoUnreadable'), name);
      return;
    }
    const held = (await allItems()).filter((item) => item.photo);
    const bytes = [made, ...held].reduce((sum, item) => sum + sizeOf(item), 0);
    if (held.length >= PHOTOS_MAXIMUM || bytes > BYTES_MAXIMUM) {
      this.#say('bad', t('tablet.photoFull', { count: held.length }), name);
      return;
    }
    this.#say('told', t('tablet.photoTaken'), name);
    await this.#sender.add('photo', () => ({ ...fields, takenDate: String(Date.now()) }), { name, ...made });
  }

  /** Show what happened to a photo, also in a question that covers the page. */
  #say(tone, text, name) {
    this.#on.said(tone, text, name);
    const button = document.querySelector('dialog [data-photo]');
    if (!button) return;
    const said = button.parentElement.querySelector('.photo-said') ?? document.createElement('p');
    Object.assign(said, { className: 'photo-said', role: 'status', textContent: text });
    button.after(said);
  }

  /** Show how many photos wait, and the refused ones. */
  draw() {
    if (!this.#strip) return;
    const late = this.waiting.filter(isLate).length;
    const refused = this.#sender.items.filter((item) => item.refused !== undefined);
    const [text, ...rows] = this.#strip.children;
    const waits = late === 0 ? '' : t('tablet.photoWaits', { count: late });
    if (text.textContent !== waits) text.textContent = waits;
    this.#strip.hidden = late + refused.length === 0;
    if (rows.map(({ dataset }) => dataset.key).join() === refused.map(({ key }) => key).join()) return;
    for (const row of rows) row.remove();
    this.#strip.append(...refused.map((item) => this.#refusedRow(item)));
  }

  #refusedRow(item) {
    const row = Object.assign(document.createElement('div'), { className: 'refused-photo' });
    row.dataset.key = item.key;
    const { name, refused: reason } = item;
    const text = Object.assign(document.createElement('p'), {
      ...{ role: 'alert', textContent: t('tablet.photoRefused', { name, reason }) },
    });
    const button = Object.assign(document.createElement('button'), {
      ...{ type: 'button', className: 'button quiet', textContent: t('tablet.photoDiscard') },
      onclick: () => this.#sender.discard([item]),
    });
    row.append(text, button);
    return row;
  }
}
