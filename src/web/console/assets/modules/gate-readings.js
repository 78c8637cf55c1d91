/**
 * Readings of one pallet within this time are one. A label has a QR code and a barcode of the same pallet, and a camera and a
 * hand scanner may both read them.
 */
const SAME_MS = 5_000;
/** Results after which a further reading of the pallet changes nothing. */
const COUNTED = ['LOADED', 'WRONGLY_LOADED', 'UNKNOWN_LOADING', 'NO_ACTIVE_MANIFEST'];

/** The last readings of a page, all in the direction LOAD. Times are epoch milliseconds. */
export class Readings {
  /** Each has the WMS id of the pallet if it is known, the texts that were read, and the key of the queued scan. */
  #last = [];

  /**
   * Whether a pallet was read just before, with this text or with another code of its label. `standing` is a key of
   * `STANDINGS`. If the pallet has come to the list since, for example by Start, the reading is a new one.
   */
  isRepeated(text, { pallet, standing }, at = Date.now()) {
    this.#last = this.#last.filter((one) => one.isOpen || at - one.at < SAME_MS);
    const before = this.#last.find(
      (one) =>
        at - one.at < SAME_MS &&
        (standing !== 'LISTED' || one.standing === standing) &&
        (one.texts.has(text) || (pallet !== undefined && one.pallet === pallet)),
    );
    if (!before) return false;
    before.texts.add(text);
    before.at = at;
    return true;
  }

  /** Keep a reading that is sent with this key. */
  add(key, text, { pallet, standing }, at = Date.now()) {
    this.#last.push({ key, texts: new Set([text]), pallet, standing, at, isOpen: true });
  }

  /** The code with this text is still in the picture of the camera. */
  touch(text, at = Date.now()) {
    for (const one of this.#last) if (one.texts.has(text)) one.at = at;
  }

  /**
   * Take the answer about a reading. Returns whether it is another code of a pallet that was read just before. The page had
   * not known this, because the pallet is not on its list.
   */
  isSame(key, { outcome, pallet }) {
    const own = this.#last.find((one) => one.key === key);
    if (!own) return false;
    const others = this.#last.filter((one) => one !== own);
    const before = others.find(
      (one) => !one.isOpen && one.pallet === pallet && Math.abs(own.at - one.at) < SAME_MS,
    );
    if (!COUNTED.includes(outcome) || before) this.#last = others;
    Object.assign(own, { pallet, isOpen: false });
    if (!COUNTED.includes(outcome) || !before) return false;
    for (const text of own.texts) before.texts.add(text);
    return true;
  }

  /** Forget all readings, because a person has changed something. The next reading of each pallet counts. */
  forget() {
    this.#last = [];
  }
}
