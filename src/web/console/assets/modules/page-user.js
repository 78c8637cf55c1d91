/** The user of this page, as the server rendered it: a signed-in user, or a tablet with its worker. */
export const pageUser = () => document.getElementById('whose')?.dataset ?? {};

/**
 * localStorage key of the worker's last activity, as `{turn, at}`. The time comes from this device's clock.
 * It is stored because a cached page has only the server's value from when it was cached.
 */
const KEY = 'dispatch-work';
/** Used if the browser stores nothing. */
let inMemory = { at: 0 };

/** The last activity: the newer of the stored one, from any tab, and this page's own. */
function lastActivity() {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY));
    return stored?.at > inMemory.at ? stored : inMemory;
  } catch {
    return inMemory;
  }
}

/** Record that the worker has just done something. */
export function noteActivity() {
  const { turn } = pageUser();
  if (turn === undefined) return;
  inMemory = { turn, at: Date.now() };
  try {
    localStorage.setItem(KEY, JSON.stringify(inMemory));
  } catch {
    // It stays in memory while the page is open.
  }
}

/** Record the start of a turn that the server has just opened and this device does not know. */
export function noteNewTurn() {
  if (lastActivity().turn !== pageUser().turn) noteActivity();
}

/** The field for a badge or PIN; null on pages that never ask for one. */
export const badgeField = () => document.getElementById('badge');

/**
 * Whether the tablet must ask who works here: no worker is signed in, or the turn has timed out. The page
 * checks the timeout itself, because it may be offline.
 */
export function needsWorker({ asking, turn, used, quiet } = pageUser()) {
  if (asking !== undefined || quiet === undefined) return asking !== undefined;
  const last = lastActivity();
  return Date.now() - (last.turn === turn ? last.at : Number(used)) > Number(quiet);
}
