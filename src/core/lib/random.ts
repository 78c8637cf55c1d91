/** 0-9, A-Z, a-z. */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const BYTE_VALUES = 256;

/**
 * A random text of `length` characters, each drawn from the alphabet (at most 256 characters) with the same
 * probability.
 */
export function randomText(alphabet: string, length: number): string {
  // Bytes at or above the largest multiple of the alphabet's length would favour its first characters.
  const fair = BYTE_VALUES - (BYTE_VALUES % alphabet.length);
  let text = '';
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < fair && text.length < length) text += alphabet[byte % alphabet.length];
    }
  }
  return text;
}
