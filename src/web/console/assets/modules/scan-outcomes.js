/**
 * How each result of a scan is shown:
 * - `tone`: colour of the answer.
 * - `line`: class of its line on the camera page.
 * - `sound`: key of `RESULTS` in tones.js.
 */
export const OUTCOMES = {
  LOADED: { tone: 'ok', line: 'done', sound: 'ok' },
  WRONGLY_LOADED: { tone: 'bad', line: 'wrong', sound: 'wrong' },
  UNKNOWN_LOADING: { tone: 'bad', line: 'wrong', sound: 'unknown' },
  NO_ACTIVE_MANIFEST: { tone: 'bad', line: 'bad', sound: 'wrong' },
  OFFLOADED: { tone: 'bad', line: 'bad', sound: 'wrong' },
  UNLOADED: { tone: 'told', line: 'told', sound: 'told' },
  NOT_LOADED: { tone: 'told', line: 'told', sound: 'told' },
  SUPERSEDED: { tone: 'told', line: 'told', sound: 'told' },
  NOT_RECOGNIZED: { tone: 'told', line: 'told', sound: 'unknown' },
  WORKER: { tone: 'told', line: 'done' },
};
/** The pallet was loaded before this scan. */
const AGAIN = { tone: 'again', line: 'again', sound: 'repeated' };
/** The load of the pallet is ready, but its loading has not begun. */
const READY = { tone: 'hold', line: 'told', sound: 'unknown' };

/** How the answer about a scan is shown. */
export const styleOf = ({ outcome, repeated, ready }) =>
  repeated ? AGAIN : ready ? READY : (OUTCOMES[outcome] ?? { tone: 'bad', line: 'bad' });

/**
 * The same for a scan that waits for the connection, and its text. It depends on the list that the page holds:
 * - `LISTED`: the pallet is on the list and not loaded yet.
 * - `REPEATED`: the same, but it was already scanned and waits.
 * - `ABOARD`: the pallet is already loaded.
 * - `READY`: the pallet is on a load that is ready, and nothing is being loaded.
 * - `NOT_LISTED`: the list is whole, and the pallet is not on it.
 * - `UNCHECKED`: the list cannot decide.
 */
export const STANDINGS = {
  LISTED: { tone: 'hold', line: 'wait', sound: 'queued', text: 'tablet.onList' },
  REPEATED: { tone: 'hold', line: 'wait', sound: 'repeated', text: 'tablet.onList' },
  ABOARD: { ...AGAIN, text: 'tablet.again' },
  READY: { ...READY, text: 'tablet.startFirst' },
  NOT_LISTED: { tone: 'warn', line: 'unlisted', sound: 'wrong', text: 'tablet.notListed' },
  UNCHECKED: { tone: 'doubt', line: 'doubt', sound: 'unknown', text: 'tablet.unchecked' },
};

/** The sound of an answered scan. */
export const soundOf = (result) => (result.refused || result.choices ? 'unknown' : styleOf(result).sound);
