import { v7 as made } from '../../node_modules/uuid/dist/index.js';

interface Last {
  msecs: number;
  seq: number;
}

/** The last UUID of each history. The key is the `crypto` object of the history. */
const lasts = new WeakMap<object, Last>();

/** UUIDs as the `uuid` package makes them. Each history has its own sequence. */
export function v7(): string {
  const random = crypto.getRandomValues(new Uint8Array(16));
  const now = Date.now();
  const last = lasts.get(crypto);
  const next =
    last && now <= last.msecs
      ? { msecs: last.msecs, seq: (last.seq + 1) | 0 }
      : { msecs: now, seq: new DataView(random.buffer).getUint32(6) & 0x7fffffff };
  lasts.set(crypto, next);
  return made({ ...next, random });
}
