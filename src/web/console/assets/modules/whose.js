/** Whose this page is, as the service has said: the user who is signed in, or a tablet with who works there. */
export const whose = () => document.getElementById('whose')?.dataset ?? {};

/**
 * When whoever works here last did something: `{turn, at}`, by the clock of this device alone. It is stored, as a page that
 * was kept says no more than when it was kept.
 */
const KEPT = 'dispatch-work';
/** For a browser that stores nothing. */
let inMemory = { at: 0 };

/** The later of what is stored, of this tab or another, and what could not be. */
function lastWork() {
  try {
    const stored = JSON.parse(localStorage.getItem(KEPT));
    return stored?.at > inMemory.at ? stored : inMemory;
  } catch {
    return inMemory;
  }
}

/** Note that whoever works here has just done something. */
export function note() {
  const { turn } = whose();
  if (turn === undefined) return;
  inMemory = { turn, at: Date.now() };
  try {
    localStorage.setItem(KEPT, JSON.stringify(inMemory));
  } catch {
    // It is known as long as the page is open.
  }
}

/** Note that somebody works here of whom this device does not know yet, as a page says that the service has just made. */
export function noteTurn() {
  if (lastWork().turn !== whose().turn) note();
}

/** Empty the field of badge or PIN once it was judged. */
export function forgetCode() {
  const code = document.querySelector('#who-works input[name="workerSecret"]');
  if (code) code.value = '';
}

/**
 * Whether somebody has to say first who works here: nobody has, or the turn was left. Without a connection the tablet
 * knows the latter by itself.
 */
export function isAsking() {
  const { asking, turn, used, quiet } = whose();
  if (asking !== undefined || quiet === undefined) return asking !== undefined;
  const last = lastWork();
  return Date.now() - (last.turn === turn ? last.at : Number(used)) > Number(quiet);
}
