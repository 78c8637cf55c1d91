/**
 * Offline queue of scans and button presses, in IndexedDB. An item belongs to the user who made it. It is sent with its
 * own idempotency key, so it has one effect. An item is removed as soon as it is answered, cancelled or discarded.
 */
const NAME = 'dispatch-gate';
const STORE = 'outbox';

let opened = open();

function open() {
  return new Promise((resolve) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'key' });
    request.onsuccess = () => resolve(request.result);
    // Some browsers store nothing, for example in a private window. Items then stay in memory while the page
    // is open.
    request.onerror = () => resolve(null);
  });
}

/** Begin a transaction. Opens the database again if the browser has closed it. */
async function beginTransaction(mode) {
  for (const isLast of [false, true]) {
    const database = await opened;
    if (!database) throw new Error('this device stores nothing');
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

/** Notifies the other tabs of this device about changes. */
const channel = new BroadcastChannel(NAME);
export const listenToOtherTabs = (listener) => channel.addEventListener('message', listener);

/**
 * Run one transaction. `work(store, outcome)` may set `outcome.value`, the result, and `outcome.changed`, to
 * notify the other tabs. Write transactions of all tabs run one after the other.
 */
async function inTransaction(mode, work) {
  const transaction = await beginTransaction(mode);
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

/** Store an item, or keep it in memory if the device cannot store it. Returns whether it is stored. */
export async function save(item) {
  try {
    await inTransaction('readwrite', (store, outcome) => {
      store.put(item);
      outcome.changed = true;
    });
    return true;
  } catch {
    // The device is full, or stores nothing.
    inMemory.set(item.key, item);
    return false;
  }
}

/** Remove an item that was answered or discarded. */
export async function remove(key) {
  inMemory.delete(key);
  try {
    await inTransaction('readwrite', (store, outcome) => {
      store.delete(key);
      outcome.changed = true;
    });
  } catch {
    // The item stays stored and is sent again after a reload. Its key prevents a second effect.
  }
}

/** Replace an item by `next(current)`. Returns the new item, or undefined if the item is no longer queued. */
export async function update(key, next) {
  const own = inMemory.get(key);
  if (own) {
    inMemory.set(key, next(own));
    return inMemory.get(key);
  }
  return inTransaction('readwrite', (store, outcome) => {
    const request = store.get(key);
    request.onsuccess = () => {
      if (!request.result) return;
      outcome.value = next(request.result);
      outcome.changed = outcome.value !== request.result;
      if (outcome.changed) store.put(outcome.value);
    };
  });
}

/**
 * Mark an item before it is sent. Another tab may send it, too, with the same key. A marked item cannot be
 * cancelled, because the server may have received it. Returns false if the item is no longer queued.
 */
export async function claim(key) {
  try {
    return (await update(key, (item) => (item.tried ? item : { ...item, tried: true }))) !== undefined;
  } catch {
    return true;
  }
}

/** Remove an item that no tab has started to send. Returns whether it was removed. */
export async function cancel(key) {
  const own = inMemory.get(key);
  if (own) return !own.tried && inMemory.delete(key);
  try {
    return await inTransaction('readwrite', (store, outcome) => {
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

/** All queued items of this device, oldest first. */
export async function allItems() {
  let stored = [];
  try {
    stored = await inTransaction('readonly', (store, outcome) => {
      const request = store.getAll();
      request.onsuccess = () => {
        outcome.value = request.result;
      };
    });
  } catch {
    // The database cannot be read: use the items in memory.
  }
  return [...stored, ...inMemory.values()].sort((a, b) => a.at - b.at);
}

/** The queued items of the page at a path, oldest first. */
export const itemsOf = async (path) => (await allItems()).filter((item) => item.path === path);
