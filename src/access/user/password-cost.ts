/** The cost of scrypt (RFC 7914 section 2): N = 2^ln rounds over blocks of 128·r bytes, p times. */
export interface ScryptCost {
  ln: number;
  r: number;
  p: number;
}

/**
 * The cost of new hashes: the scrypt setting with 16 MiB of the OWASP Password Storage Cheat Sheet. It takes an eighth
 * of an isolate's memory, and about 90 ms of a core.
 */
export const COST: ScryptCost = { ln: 14, r: 8, p: 5 };
