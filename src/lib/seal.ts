import { hkdfSync } from 'node:crypto';

const IV_BYTES = 12;
const FORM = 'v1';

/** The AES-256 key behind a secret of the service (HKDF-SHA-256, RFC 5869). */
async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = hkdfSync('sha256', secret, '', 'warehouse-dispatch seal v1', 32);
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
}

/** By which two deployments can tell whether they have the same secret; nothing follows from it. */
export const fingerprintOf = (secret: string): string =>
  Buffer.from(hkdfSync('sha256', secret, '', 'warehouse-dispatch seal fingerprint v1', 16)).toString('hex');

/**
 * Encrypt text that has to be read again (AES-256-GCM). `place` says where it belongs, such as a row and column: sealed
 * text opens in its own place only, so that nobody who can write rows can move it to where it would be shown or used.
 */
export async function seal(secret: string, place: string, text: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const additionalData = new TextEncoder().encode(place);
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData },
    await keyOf(secret),
    new TextEncoder().encode(text),
  );
  return [FORM, Buffer.from(iv).toString('base64url'), Buffer.from(sealed).toString('base64url')].join('.');
}

/** What was sealed for this place. @throws where the secret, the place or the text is another. */
export async function open(secret: string, place: string, sealed: string): Promise<string> {
  const [form, iv, text] = sealed.split('.');
  if (form !== FORM || iv === undefined || text === undefined) throw new Error('not a sealed text');
  const opened = await crypto.subtle.decrypt(
    { name: 'AES-GCM', iv: Buffer.from(iv, 'base64url'), additionalData: new TextEncoder().encode(place) },
    await keyOf(secret),
    Buffer.from(text, 'base64url'),
  );
  return new TextDecoder().decode(opened);
}
