import { createHmac, hkdfSync } from 'node:crypto';

const IV_BYTES = 12;
/** The format `v1.<fingerprint of the key>.<iv>.<text>`. It shows which key sealed a text. */
const FORM = 'v1';
const ID_LENGTH = 16;

/** The AES-256 key derived from a secret of the service (HKDF-SHA-256, RFC 5869). */
async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = hkdfSync('sha256', secret, '', 'warehouse-dispatch seal v1', 32);
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
}

/**
 * A fingerprint of a secret. Two deployments can compare it to see whether they have the same secret. It reveals
 * nothing else.
 */
export const keyFingerprint = (secret: string): string =>
  Buffer.from(hkdfSync('sha256', secret, '', 'warehouse-dispatch seal fingerprint v1', 16)).toString('hex');

/** The secrets that may open sealed text. The first one seals; the others are being rotated in or out. */
export type SealingKeys = readonly [string, ...string[]];

/** The prefix of text that was sealed with a secret. */
export const sealedBy = (secret: string): string => `${FORM}.${keyFingerprint(secret).slice(0, ID_LENGTH)}.`;

/**
 * Encrypt text that must be readable later (AES-256-GCM). `context` names where it is stored, such as row and column.
 * The text opens only with the same context. So an attacker who can write rows cannot move it to where it would be
 * shown or used.
 */
export async function seal([secret]: SealingKeys, context: string, text: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const additionalData = new TextEncoder().encode(context);
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData },
    await keyOf(secret),
    new TextEncoder().encode(text),
  );
  const [start, end] = [Buffer.from(iv), Buffer.from(sealed)].map((bytes) => bytes.toString('base64url'));
  return `${sealedBy(secret)}${start}.${end}`;
}

/** Decrypt text that was sealed for this context. @throws if no secret fits, or context or text differ */
export async function open(secrets: SealingKeys, context: string, sealed: string): Promise<string> {
  const [iv, text] = sealed.split('.').slice(-2);
  const own = secrets.filter((secret) => sealed.startsWith(sealedBy(secret)));
  if (own.length === 0 || text === undefined) throw new Error('no key of this deployment has sealed this');
  const additionalData = new TextEncoder().encode(context);
  const bytes = { iv: Buffer.from(iv!, 'base64url'), text: Buffer.from(text, 'base64url') };
  const opened = await Promise.any(
    own.map(async (secret) =>
      crypto.subtle.decrypt(
        { name: 'AES-GCM', iv: bytes.iv, additionalData },
        await keyOf(secret),
        bytes.text,
      ),
    ),
  );
  return new TextDecoder().decode(opened);
}

/**
 * The HMAC-SHA-256 of bytes under a key derived from a secret of the service. `context` names what the bytes are, so that
 * bytes of another kind never match. 32 bytes.
 */
export const macOf = (secret: string, context: string, bytes: Uint8Array): Buffer =>
  createHmac(
    'sha256',
    Buffer.from(hkdfSync('sha256', secret, '', `warehouse-dispatch mac v1: ${context}`, 32)),
  )
    .update(bytes)
    .digest();
