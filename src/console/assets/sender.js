import { newKey, REQUEST_MS } from './net.js';
import { forget, keep, waiting } from './outbox.js';
import { t } from './words.js';

/** Between attempts while the service does not answer. */
const RETRY_MS = 2_000;

/**
 * Sends what waits for the page of `path`, one after the other and in order. `answered(item, answer)` is told what became of
 * each: `{done, …}` or `{refused}`; `changed(items, {signedOut})` whenever what waits has changed.
 */
export class Sender {
  #path;
  #on;
  #busy = false;
  #timer = 0;
  #at = 0;
  items = [];

  constructor(path, on) {
    this.#path = path;
    this.#on = on;
    addEventListener('online', () => this.flush());
    this.#take().then(() => this.flush());
  }

  /** Do something: it is kept first, and sent then. */
  async add(action, fields, more = {}) {
    const key = newKey();
    // Two within a millisecond keep their order.
    this.#at = Math.max(Date.now(), this.#at + 1);
    const item = { key, path: this.#path, action, fields: fields(key), at: this.#at, tried: false, ...more };
    this.items = [...this.items, item];
    this.#on.changed(this.items, {});
    await keep(item);
    this.flush();
    return item;
  }

  /** Take back what was not sent yet; false where it may have been. */
  async withdraw(key) {
    const item = this.items.find((one) => one.key === key);
    if (!item || item.tried) return false;
    this.items = this.items.filter((one) => one !== item);
    await forget(key);
    this.#on.changed(this.items, {});
    return true;
  }

  /** Send what waits, as far as the service answers. */
  async flush() {
    if (this.#busy) return;
    this.#busy = true;
    clearTimeout(this.#timer);
    let signedOut = false;
    while (this.items.length > 0) {
      const [item] = this.items;
      item.tried = true;
      const answer = await this.#send(item);
      if (answer === 'later' || answer === 'signed out') {
        signedOut = answer === 'signed out';
        break;
      }
      await forget(item.key);
      this.items = this.items.filter((one) => one !== item);
      this.#on.changed(this.items, {});
      this.#on.answered(item, answer);
    }
    this.#busy = false;
    if (this.items.length === 0) return;
    this.#on.changed(this.items, { signedOut });
    this.#timer = setTimeout(() => this.flush(), RETRY_MS);
  }

  async #take() {
    const kept = await waiting(this.#path);
    const known = new Set(this.items.map(({ key }) => key));
    this.items = [...kept.filter(({ key }) => !known.has(key)), ...this.items];
    this.#on.changed(this.items, {});
  }

  async #send(item, again = true) {
    const token = document.querySelector('input[name="token"]')?.value ?? '';
    const body = new URLSearchParams({ ...item.fields, token, key: item.key, action: item.action });
    try {
      const answer = await fetch(item.path, {
        method: 'POST',
        body,
        headers: { Accept: 'application/json' },
        signal: AbortSignal.timeout(REQUEST_MS),
      });
      if (answer.redirected) return 'signed out';
      if (answer.headers.get('Content-Type')?.startsWith('application/json')) {
        return answer.status >= 500 || answer.status === 429 ? 'later' : await answer.json();
      }
      // Another session than the one the page was loaded in has another token.
      if (answer.status === 403 && again && (await this.#renew())) return this.#send(item, false);
      if (answer.status === 403) return { refused: t('tablet.mayNot') };
      return 'later';
    } catch {
      return 'later';
    }
  }

  async #renew() {
    const answer = await fetch(this.#path, { signal: AbortSignal.timeout(REQUEST_MS) });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const fresh = page.querySelector('input[name="token"]')?.value;
    for (const input of document.querySelectorAll('input[name="token"]')) input.value = fresh ?? input.value;
    return fresh !== undefined;
  }
}
