/**
 * Presses and scans that wait on this device until the service has answered; each is of who made it, is sent under its key,
 * so counts once, and stays until it was answered, taken back, or discarded by somebody.
 */
const NAME = 'dispatch-gate';
const STORE = 'outbox';

const opened = new Promise((resolve) => {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'key' });
  request.onsuccess = () => resolve(request.result);
  // A device that keeps nothing, such as a private window: then it waits as long as the page is open.
  request.onerror = () => resolve(null);
});
/** What the device does not keep. */
const inMemory = new Map();

/** Other pages of this device hear that something has changed. */
const channel = new BroadcastChannel(NAME);
export const listenToOthers = (told) => {
  channel.onmessage = told;
};

/** One transaction; `work` is given the store and a place for its outcome. Pages of a device take turns with those that write. */
async function within(mode, work) {
  const database = await opened;
  if (!database) throw new Error('this device keeps nothing');
  const transaction = database.transaction(STORE, mode);
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
    // The device is full, or keeps nothing: it is sent from memory.
    inMemory.set(item.key, item);
  }
}

/** Forget what was answered, or is to be sent by nobody. */
export async function forget(key) {
  inMemory.delete(key);
  try {
    await within('readwrite', (store, outcome) => {
      store.delete(key);
      outcome.changed = true;
    });
  } catch {
    // It is sent again after a reload, under its key.
  }
}

/** Change what waits, seen as it is now whatever page has changed it; undefined where it waits no more. */
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

/** Before something is sent: whether it waits still. From now on it cannot be taken back, as it may have arrived. */
export async function claim(key) {
  try {
    return (await change(key, (item) => (item.tried ? item : { ...item, tried: true }))) !== undefined;
  } catch {
    return true;
  }
}

/** Take back what no page has begun to send; whether it was. */
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
    // As if the device kept nothing.
  }
  return [...stored, ...inMemory.values()].sort((a, b) => a.at - b.at);
}

/** The same for the page of a path. */
export const waiting = async (path) => (await everything()).filter((item) => item.path === path);
