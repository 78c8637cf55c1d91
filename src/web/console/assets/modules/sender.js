import { bodyOf, PHOTO_REFUSED } from './item-form.js';
import { FILE_MS, newKey, REQUEST_MS } from './net.js';
import { cancel, claim, itemsOf, listenToOtherTabs, remove, save, update } from './outbox.js';
import { noteActivity, noteNewTurn, pageUser } from './page-user.js';
import { t } from './words.js';

/** Time between two attempts while the server does not answer. */
const RETRY_MS = 2_000;

/**
 * Sends the queued items of one page that belong to its user, one after the other. Callbacks:
 * - `answered(item, result)`: the server answered with `{done, …}` or `{refused}`.
 * - `changed(items, {signedOut})`: the queued items changed.
 * - `userChanged()`: the session has ended, or another user has signed in.
 * - `maySend()`: optional. Whether items may be sent now.
 * - `notStored(item)`: optional. The device cannot store the item, so it stays only while the page is open.
 */
export class Sender {
  #path;
  #on;
  #busy = false;
  #timer = 0;
  #lastAt = 0;
  #all = [];
  /** Keys of items that are being stored. */
  #saving = new Set();
  /** Key of the item that is being sent, and the controller of its request. */
  #sent;
  #request;

  constructor(path, on) {
    this.#path = path;
    this.#on = on;
    addEventListener('online', () => this.flush());
    listenToOtherTabs(() => this.#reload());
    this.#reload();
  }

  get path() {
    return this.#path;
  }

  /** Items of the user of this page. */
  get items() {
    return this.#all.filter(isMine);
  }

  /** Items of other users. They are not sent in this user's name, unless this user takes them over. */
  get others() {
    return this.#all.filter((item) => !isMine(item));
  }

  /** Store an action, then send it. `fields(key)` returns the form fields. */
  async add(action, fields, more = {}) {
    const key = newKey();
    const { owner, name: ownerName, turn, worker } = pageUser();
    // Keep the order of items made in the same millisecond.
    this.#lastAt = Math.max(Date.now(), this.#lastAt + 1);
    const item = {
      ...{ key, path: this.#path, action, fields: fields(key), at: this.#lastAt, tried: false },
      ...{ owner, ownerName, turn, worker },
      ...more,
    };
    noteActivity();
    this.#all = [...this.#all, item];
    this.#saving.add(key);
    this.#on.changed(this.items, {});
    if (!(await save(item))) this.#on.notStored?.(item);
    // Sending started before the item was stored: mark it in the store, too.
    if (this.#sent === key) await claim(key);
    this.#saving.delete(key);
    this.flush();
    return item;
  }

  /** Remove an item that no tab has started to send. Returns false if it may have been sent. */
  async withdraw(key) {
    if (!(await cancel(key))) return false;
    this.#removeItem(key);
    return true;
  }

  /** Send items of other users in this user's name. The user has confirmed this. */
  async takeOver(items) {
    const { owner, name: ownerName, turn, worker } = pageUser();
    // The keys stay, because the first user may have sent the items already.
    for (const { key } of items)
      await update(key, (item) => ({
        ...item,
        madeBy: item.madeBy ?? item.owner,
        owner,
        ownerName,
        turn,
        worker,
      }));
    await this.#reload();
  }

  async discard(items) {
    for (const { key } of items) await remove(key);
    await this.#reload();
  }

  /** Send the queued items one after the other, until the server does not answer. */
  async flush() {
    if (this.#busy) return;
    this.#busy = true;
    clearTimeout(this.#timer);
    this.#timer = 0;
    let signedOut = false;
    for (;;) {
      const item = this.#next();
      if (!item || this.#on.maySend?.() === false) break;
      if (!this.#saving.has(item.key) && !(await claim(item.key))) {
        this.#removeItem(item.key);
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
      if (item.photo && answer.refused) {
        // It stays until its user discards it.
        await this.#change(item.key, (one) => ({ ...one, refused: answer.refused }));
        continue;
      }
      await remove(item.key);
      if (answer.turn && item.action === 'scan') await this.#reassign(item, answer);
      this.#removeItem(item.key);
      this.#on.answered(item, answer);
    }
    this.#busy = false;
    if (!this.#next()) return;
    this.#on.changed(this.items, { signedOut });
    if (signedOut) this.#on.userChanged();
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      this.flush();
    }, RETRY_MS);
  }

  /** Send again what is being sent. After an outage, its request may wait for its timeout. */
  restart() {
    this.#request?.abort();
    this.flush();
  }

  /** The oldest item that is not refused. */
  #next() {
    return this.items.find(({ refused }) => refused === undefined);
  }

  #removeItem(key) {
    this.#all = this.#all.filter((item) => item.key !== key);
    this.#on.changed(this.items, {});
  }

  /** Change an item, also in the store. */
  async #change(key, changed) {
    await update(key, changed).catch(() => undefined);
    this.#all = this.#all.map((item) => (item.key === key ? changed(item) : item));
    this.#on.changed(this.items, {});
  }

  /**
   * A scan was a badge that the page did not know. Reassign the later items of the former turn to its worker.
   */
  async #reassign({ at, turn: former }, { turn, pallet: worker }) {
    Object.assign(document.getElementById('whose').dataset, { turn, worker });
    noteNewTurn();
    const changed = (item) => ({ ...item, turn, worker });
    for (const item of this.items.filter((one) => one.at > at && one.turn === former)) {
      Object.assign(item, { turn, worker });
      await update(item.key, changed).catch(() => undefined);
    }
  }

  /**
   * The worker who made the item was deleted, or has a new badge or PIN. Keep the item as one of another
   * user, until the present worker sends or discards it.
   */
  #hold({ key }) {
    return this.#change(key, (item) => ({
      ...item,
      madeBy: item.madeBy ?? item.owner,
      owner: item.turn,
      ownerName: item.worker ?? item.ownerName,
    }));
  }

  async #reload() {
    const kept = await itemsOf(this.#path);
    const known = new Set(kept.map(({ key }) => key));
    this.#all = [...kept, ...this.#all.filter(({ key }) => this.#saving.has(key) && !known.has(key))];
    this.#on.changed(this.items, {});
    // Do not send on each change of another tab while this tab waits for its retry. Two tabs would wake each
    // other forever.
    if (this.#timer === 0) this.flush();
  }

  async #send(item, mayRetry = true) {
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
    const body = bodyOf(item, own);
    const request = new AbortController();
    this.#request = request;
    const timeout = setTimeout(() => request.abort(), item.photo ? FILE_MS : REQUEST_MS);
    try {
      const answer = await fetch(item.path, {
        method: 'POST',
        body,
        headers: { Accept: 'application/json' },
        signal: request.signal,
      });
      if (answer.redirected) return 'signed out';
      if (answer.headers.get('Content-Type')?.startsWith('application/json')) {
        if (answer.status >= 500 || answer.status === 429) return 'later';
        const result = await answer.json();
        return result.waits && !result.held ? 'later' : result;
      }
      if (item.photo && PHOTO_REFUSED.includes(answer.status))
        return { refused: (await answer.json()).detail };
      if (answer.status !== 403) return 'later';
      if (!mayRetry) return { refused: t('tablet.mayNot') };
      // The session has changed, so the token has, too. The new session may belong to another user.
      return (await this.#renewToken(owner)) ? this.#send(item, false) : 'signed out';
    } catch {
      return 'later';
    } finally {
      clearTimeout(timeout);
    }
  }

  /** Fetch the page and use its new token. Returns false if the page now belongs to another user. */
  async #renewToken(owner) {
    const answer = await fetch(this.#path.replace(/\/photo$/, ''), {
      signal: AbortSignal.timeout(REQUEST_MS),
    });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const fresh = page.querySelector('input[name="token"]')?.value;
    if (fresh === undefined || page.getElementById('whose')?.dataset.owner !== owner) return false;
    for (const input of document.querySelectorAll('input[name="token"]')) input.value = fresh;
    return true;
  }
}

const isMine = ({ owner }) => owner === pageUser().owner;
