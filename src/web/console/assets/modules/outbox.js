/**
 * Presses and scans that wait on this device until the service has answered; each is of who made it, is sent under its key,
 * so counts once, and stays until it was answered, taken back, or discarded by somebody.
 */
const NAME = 'dispatch-gate';
const STORE = 'outbox';

let opened = open();

function open() {
  return new Promise((resolve) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'key' });
    request.onsuccess = () => resolve(request.result);
    // A browser that keeps nothing, such as a private window: everything waits in memory, as long as the page is open.
    request.onerror = () => resolve(null);
  });
}

/** Begin a transaction, on the database opened anew where the browser has closed it by itself. */
async function begun(mode) {
  for (const isLast of [false, true]) {
    const database = await opened;
    if (!database) throw new Error('this device keeps nothing');
    try {
      return database.transaction(STORE, mode);
    } catch (error) {
      if (isLast) throw error;
      opened = open();
    }
  }
}

/** Items that could not be stored, by key. */
const inMemory = new Map();

/** Tells the other tabs of this device that something has changed. */
const channel = new BroadcastChannel(NAME);
export const listenToOthers = (told) => {
  channel.onmessage = told;
};

/**
 * Run one transaction. `work` is given the store and an object to put `value` (the result) and `changed` (to tell the
 * other tabs) into. Transactions that write run one after the other across tabs.
 */
async function within(mode, work) {
  const transaction = await begun(mode);
  const outcome = {};
  work(transaction.objectStore(STORE), outcome);
  await new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error);
  });
  if (outcome.changed) channel.postMessage(null);
  return outcome.value;
}

/** Keep something until it is sent. */
export async function keep(item) {
  try {
    await within('readwrite', (store, outcome) => {
      store.put(item);
      outcome.changed = true;
    });
  } catch {
    // The device is full, or keeps nothing.
    inMemory.set(item.key, item);
  }
}

/** Forget an item that was answered or discarded. */
export async function forget(key) {
  inMemory.delete(key);
  try {
    await within('readwrite', (store, outcome) => {
      store.delete(key);
      outcome.changed = true;
    });
  } catch {
    // It stays stored, and is sent again after a reload; its key makes that one effect.
  }
}

/**
 * Change an item as `to` says, which is given it as it is stored now; the item, or undefined where it waits no more.
 */
export async function change(key, to) {
  const own = inMemory.get(key);
  if (own) {
    inMemory.set(key, to(own));
    return inMemory.get(key);
  }
  return within('readwrite', (store, outcome) => {
    const request = store.get(key);
    request.onsuccess = () => {
      if (!request.result) return;
      outcome.value = to(request.result);
      outcome.changed = outcome.value !== request.result;
      if (outcome.changed) store.put(outcome.value);
    };
  });
}

/**
 * Mark an item as being sent, so that it cannot be taken back any more, as it may have arrived; false where it waits no
 * more.
 */
export async function claim(key) {
  try {
    return (await change(key, (item) => (item.tried ? item : { ...item, tried: true }))) !== undefined;
  } catch {
    return true;
  }
}

/** Take an item back that no tab has begun to send; whether that was done. */
export async function takeBack(key) {
  const own = inMemory.get(key);
  if (own) return !own.tried && inMemory.delete(key);
  try {
    return await within('readwrite', (store, outcome) => {
      outcome.value = false;
      const request = store.get(key);
      request.onsuccess = () => {
        if (!request.result || request.result.tried) return;
        store.delete(key);
        outcome.value = true;
        outcome.changed = true;
      };
    });
  } catch {
    return false;
  }
}

/** All that waits on this device, in the order in which it was done. */
export async function everything() {
  let stored = [];
  try {
    stored = await within('readonly', (store, outcome) => {
      const request = store.getAll();
      request.onsuccess = () => {
        outcome.value = request.result;
      };
    });
  } catch {
    // What can be read is what is in memory.
  }
  return [...stored, ...inMemory.values()].sort((a, b) => a.at - b.at);
}

/** What waits for the page of a path, in that order. */
export const waiting = async (path) => (await everything()).filter((item) => item.path === path);
