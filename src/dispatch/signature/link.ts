import { UUID_HEX_LENGTH, uuidHex, uuidOfHex } from '../../core/lib/id.ts';
import { open, type SealingKeys, seal } from '../../core/lib/seal.ts';

const CONTEXT = 'signing link';

/** A link with which one person signs one load. */
export interface SigningLink {
  kind: 'SHIPMENT' | 'MANIFEST';
  organization: string;
  load: string;
  /** The uuid of the only signature that the link adds. */
  signature: string;
  /** Epoch milliseconds. */
  expiresDate: number;
}

/** The token of a link. It is sealed, so that only this service can make or read it, and nothing is stored. */
export function signingToken(keys: SealingKeys, link: SigningLink): Promise<string> {
  const uuids = [link.organization, link.load, link.signature].map(uuidHex).join('');
  const text = Buffer.from(uuids, 'hex').toString('base64url');
  return seal(keys, CONTEXT, `${link.kind[0]}${text}${link.expiresDate.toString(36)}`);
}

/** The number of characters of three uuids in base64url. */
const TEXT_LENGTH = 2 * UUID_HEX_LENGTH;

/** Read a token; undefined if this service did not make it. It may have expired. */
export async function openSigningToken(keys: SealingKeys, token: string): Promise<SigningLink | undefined> {
  const text = await open(keys, CONTEXT, token).catch(() => undefined);
  if (text === undefined) return undefined;
  const hex = Buffer.from(text.slice(1, 1 + TEXT_LENGTH), 'base64url').toString('hex');
  const [organization, load, signature] = [0, 1, 2].map((index) =>
    uuidOfHex(hex.slice(index * UUID_HEX_LENGTH, (index + 1) * UUID_HEX_LENGTH)),
  );
  const expiresDate = Number.parseInt(text.slice(1 + TEXT_LENGTH), 36);
  const kind = text.startsWith('S') ? 'SHIPMENT' : 'MANIFEST';
  return { kind, organization: organization!, load: load!, signature: signature!, expiresDate };
}

/** The path of signing pages, before their token. */
export const SIGNING_PATH = '/public/sign';
