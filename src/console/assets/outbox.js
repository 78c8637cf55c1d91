/** Presses and scans that wait on this device until the service has answered; each is sent under its key, so counts once. */
const NAME = 'dispatch-gate';
const STORE = 'outbox';

const opened = new Promise((resolve) => {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'key' });
  request.onsuccess = () => resolve(request.result);
  // A device that keeps nothing, such as a private window: then it waits as long as the page is open.
  request.onerror = () => resolve(null);
});
const inMemory = new Map();

async function within(mode, work) {
  const database = await opened;
  if (!database) return undefined;
  const transaction = database.transaction(STORE, mode);
  const request = work(transaction.objectStore(STORE));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request.result);
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error);
  });
}

/** Keep something until it is sent. */
export async function keep(item) {
  inMemory.set(item.key, item);
  try {
    await within('readwrite', (store) => store.put(item));
  } catch {
    // The device is full: it is sent from memory.
  }
}

/** Forget what was answered, or was taken back before it was sent. */
export async function forget(key) {
  inMemory.delete(key);
  try {
    await within('readwrite', (store) => store.delete(key));
  } catch {
    // It is sent again after a reload, under its key.
  }
}

/** What waits for the page of a path, in the order in which it was done. */
export async function waiting(path) {
  let stored = [];
  try {
    stored = (await within('readonly', (store) => store.getAll())) ?? [];
  } catch {
    // As if the device kept nothing.
  }
  const all = new Map([...stored.map((item) => [item.key, item]), ...inMemory]);
  return [...all.values()].filter((item) => item.path === path).sort((a, b) => a.at - b.at);
}
