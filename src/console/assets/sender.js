import { newKey, REQUEST_MS } from './net.js';
import { change, claim, forget, keep, listenToOthers, takeBack, waiting } from './outbox.js';
import { note, whose } from './whose.js';
import { t } from './words.js';

/** Between attempts while the service does not answer. */
const RETRY_MS = 2_000;

/**
 * Sends what waits for the page of `path` and is of whose page it is, one after the other and in order. `answered(item,
 * answer)` is told what became of each: `{done, …}` or `{refused}`; `changed(items, {signedOut})` whenever what waits has
 * changed; `left()` when the page is of somebody else by now.
 */
export class Sender {
  #path;
  #on;
  #busy = false;
  #timer = 0;
  #at = 0;
  #all = [];
  /** Keys of what is about to be kept. */
  #keeping = new Set();

  constructor(path, on) {
    this.#path = path;
    this.#on = on;
    addEventListener('online', () => this.flush());
    listenToOthers(() => this.#take());
    this.#take();
  }

  /** What waits of whose page this is. */
  get items() {
    return this.#all.filter(isMine);
  }

  /** What somebody else has left here: it goes out in no other name. */
  get others() {
    return this.#all.filter((item) => !isMine(item));
  }

  /** Do something: it is kept first, and sent then. */
  async add(action, fields, more = {}) {
    const key = newKey();
    const { owner, name: ownerName, turn } = whose();
    // Two within a millisecond keep their order.
    this.#at = Math.max(Date.now(), this.#at + 1);
    const item = {
      ...{ key, path: this.#path, action, fields: fields(key), at: this.#at, tried: false },
      ...{ owner, ownerName, turn },
      ...more,
    };
    note();
    this.#all = [...this.#all, item];
    this.#keeping.add(key);
    this.#on.changed(this.items, {});
    await keep(item);
    this.#keeping.delete(key);
    this.flush();
    return item;
  }

  /** Take back what was not sent yet, by whatever page; false where it may have been. */
  async withdraw(key) {
    if (!(await takeBack(key))) return false;
    this.#drop(key);
    return true;
  }

  /** What somebody else has left is to be done by whose page this is: they have said so. */
  async takeOver(items) {
    const { owner, name: ownerName, turn } = whose();
    for (const { key } of items) await change(key, (item) => ({ ...item, owner, ownerName, turn }));
    await this.#take();
  }

  /** What waits is not to be done by anybody. */
  async discard(items) {
    for (const { key } of items) await forget(key);
    await this.#take();
  }

  /** Send what waits, as far as the service answers. */
  async flush() {
    if (this.#busy) return;
    this.#busy = true;
    clearTimeout(this.#timer);
    this.#timer = 0;
    let signedOut = false;
    for (;;) {
      const [item] = this.items;
      if (!item) break;
      if (!this.#keeping.has(item.key) && !(await claim(item.key))) {
        this.#drop(item.key);
        continue;
      }
      const answer = await this.#send(item);
      if (answer === 'later' || answer === 'signed out') {
        signedOut = answer === 'signed out';
        break;
      }
      await forget(item.key);
      if (answer.turn) await this.#passOn(item, answer.turn);
      this.#drop(item.key);
      this.#on.answered(item, answer);
    }
    this.#busy = false;
    if (this.items.length === 0) return;
    this.#on.changed(this.items, { signedOut });
    if (signedOut) this.#on.left();
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      this.flush();
    }, RETRY_MS);
  }

  #drop(key) {
    this.#all = this.#all.filter((item) => item.key !== key);
    this.#on.changed(this.items, {});
  }

  /** Somebody has taken over here: what was done after that is theirs. */
  async #passOn({ at }, turn) {
    document.getElementById('whose').dataset.turn = turn;
    const to = (item) => ({ ...item, turn });
    for (const item of this.items.filter((one) => one.at > at)) {
      item.turn = turn;
      await change(item.key, to).catch(() => undefined);
    }
  }

  async #take() {
    const kept = await waiting(this.#path);
    const known = new Set(kept.map(({ key }) => key));
    this.#all = [...kept, ...this.#all.filter(({ key }) => this.#keeping.has(key) && !known.has(key))];
    this.#on.changed(this.items, {});
    // Two pages of a device do not wake each other all the time.
    if (this.#timer === 0) this.flush();
  }

  async #send(item, again = true) {
    const token = document.querySelector('input[name="token"]')?.value ?? '';
    const { owner, turn, key, action } = item;
    const body = new URLSearchParams({ ...item.fields, token, key, action, owner, ...(turn && { turn }) });
    try {
      const answer = await fetch(item.path, {
        method: 'POST',
        body,
        headers: { Accept: 'application/json' },
        signal: AbortSignal.timeout(REQUEST_MS),
      });
      if (answer.redirected) return 'signed out';
      if (answer.headers.get('Content-Type')?.startsWith('application/json')) {
        if (answer.status >= 500 || answer.status === 429) return 'later';
        const told = await answer.json();
        return told.waits ? 'later' : told;
      }
      if (answer.status !== 403) return 'later';
      if (!again) return { refused: t('tablet.mayNot') };
      // Another session than the one the page was loaded in has another token, and may be somebody else's.
      return (await this.#renew(owner)) ? this.#send(item, false) : 'signed out';
    } catch {
      return 'later';
    }
  }

  /** Take the token of the page as it is now; false where that is not the owner's. */
  async #renew(owner) {
    const answer = await fetch(this.#path, { signal: AbortSignal.timeout(REQUEST_MS) });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const fresh = page.querySelector('input[name="token"]')?.value;
    if (fresh === undefined || page.getElementById('whose')?.dataset.owner !== owner) return false;
    for (const input of document.querySelectorAll('input[name="token"]')) input.value = fresh;
    return true;
  }
}

const isMine = ({ owner }) => owner === whose().owner;
