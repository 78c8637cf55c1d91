import { newKey, REQUEST_MS } from './net.js';
import { change, claim, forget, keep, listenToOthers, takeBack, waiting } from './outbox.js';
import { note, noteTurn, whose } from './whose.js';
import { t } from './words.js';

/** From one attempt to the next while the service does not answer. */
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
  /** Keys of items that are being stored. */
  #keeping = new Set();
  /** Key of the item that is being sent. */
  #sent;

  constructor(path, on) {
    this.#path = path;
    this.#on = on;
    addEventListener('online', () => this.flush());
    listenToOthers(() => this.#take());
    this.#take();
  }

  /** Items of whoever uses this page now. */
  get items() {
    return this.#all.filter(isMine);
  }

  /** Items of other people: not sent in the name of whoever uses the page now, unless they take them over. */
  get others() {
    return this.#all.filter((item) => !isMine(item));
  }

  /** Do something: store it, then send it. `fields` makes its fields from its key. */
  async add(action, fields, more = {}) {
    const key = newKey();
    const { owner, name: ownerName, turn, worker } = whose();
    // Items of one millisecond keep their order, too.
    this.#at = Math.max(Date.now(), this.#at + 1);
    const item = {
      ...{ key, path: this.#path, action, fields: fields(key), at: this.#at, tried: false },
      ...{ owner, ownerName, turn, worker },
      ...more,
    };
    note();
    this.#all = [...this.#all, item];
    this.#keeping.add(key);
    this.#on.changed(this.items, {});
    await keep(item);
    // Begun to be sent before it was stored, it is stored as that.
    if (this.#sent === key) await claim(key);
    this.#keeping.delete(key);
    this.flush();
    return item;
  }

  /** Take an item back that no tab has begun to send; false where it may have been sent. */
  async withdraw(key) {
    if (!(await takeBack(key))) return false;
    this.#drop(key);
    return true;
  }

  /** Send items of other people in the name of whoever uses the page now, as they have said. */
  async takeOver(items) {
    const { owner, name: ownerName, turn, worker } = whose();
    // Under the key of whoever made them, who may have sent them already.
    for (const { key } of items)
      await change(key, (item) => ({
        ...item,
        madeBy: item.madeBy ?? item.owner,
        owner,
        ownerName,
        turn,
        worker,
      }));
    await this.#take();
  }

  /** Discard items. */
  async discard(items) {
    for (const { key } of items) await forget(key);
    await this.#take();
  }

  /** Send what waits, one after the other, until the service does not answer. */
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
      this.#sent = item.key;
      const answer = await this.#send(item);
      this.#sent = undefined;
      if (answer === 'later' || answer === 'signed out') {
        signedOut = answer === 'signed out';
        break;
      }
      if (answer.held) {
        await this.#hold(item);
        this.#on.answered(item, answer);
        continue;
      }
      await forget(item.key);
      if (answer.turn) await this.#passOn(item, answer);
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

  /** The answer says that somebody else works here now: what was done after it is theirs. */
  async #passOn({ at }, { turn, pallet: worker }) {
    Object.assign(document.getElementById('whose').dataset, { turn, worker });
    noteTurn();
    const to = (item) => ({ ...item, turn, worker });
    for (const item of this.items.filter((one) => one.at > at)) {
      Object.assign(item, { turn, worker });
      await change(item.key, to).catch(() => undefined);
    }
  }

  /**
   * The worker who made an item is gone: keep it as somebody else's, until whoever works here sends it in their own name or
   * discards it.
   */
  async #hold(held) {
    const to = (item) => ({
      ...item,
      madeBy: item.madeBy ?? item.owner,
      owner: item.turn,
      ownerName: item.worker ?? item.ownerName,
    });
    await change(held.key, to).catch(() => undefined);
    this.#all = this.#all.map((item) => (item.key === held.key ? to(item) : item));
    this.#on.changed(this.items, {});
  }

  async #take() {
    const kept = await waiting(this.#path);
    const known = new Set(kept.map(({ key }) => key));
    this.#all = [...kept, ...this.#all.filter(({ key }) => this.#keeping.has(key) && !known.has(key))];
    this.#on.changed(this.items, {});
    // While this tab waits to try again it does not try whenever another tab changes something: two tabs would wake
    // each other forever.
    if (this.#timer === 0) this.flush();
  }

  async #send(item, again = true) {
    const token = document.querySelector('input[name="token"]')?.value ?? '';
    const { owner, madeBy, turn, key, action } = item;
    const own = {
      token,
      key,
      action,
      owner,
      keptDate: String(item.at),
      ...(turn && { turn }),
      ...(madeBy && { madeBy }),
    };
    const body = new URLSearchParams({ ...item.fields, ...own });
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
        return told.waits && !told.held ? 'later' : told;
      }
      if (answer.status !== 403) return 'later';
      if (!again) return { refused: t('tablet.mayNot') };
      // The page is of another session, which has another token, and may be somebody else's.
      return (await this.#renew(owner)) ? this.#send(item, false) : 'signed out';
    } catch {
      return 'later';
    }
  }

  /** Take the token from the page as it is now; false where that is not the owner's page. */
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
