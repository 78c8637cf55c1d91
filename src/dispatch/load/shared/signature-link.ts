import { timingSafeEqual } from 'node:crypto';
import { datedUuid, routingTag, uuidHex, uuidOfHex } from '../../../core/lib/id.ts';
import { macOf, type SealingKeys } from '../../../core/lib/seal.ts';
import { SIGNER_ROLES, type SignerRole } from './table.ts';

const CONTEXT = 'signing link';

/** The path of signing pages, before their token. With a token it has 64 characters. */
export const SIGNING_PATH = '/public/sign';
/** The form of a token: 38 bytes in base64url. */
export const SIGNING_TOKEN = /^[\w-]{51}$/;

const KINDS = ['SHIPMENT', 'MANIFEST'] as const;

/** A link with which one person signs one load in one role. */
export interface SigningLink {
  kind: (typeof KINDS)[number];
  /** The uuid of the load. */
  load: string;
  role: SignerRole;
  /** When the link was made. Epoch milliseconds. */
  createDate: number;
}

/** A link that was read from its token. */
export interface OpenedLink extends SigningLink {
  /** The routing tag of the organization. */
  tag: string;
  /** The uuid of the only signature that the link adds. It follows from the token. */
  signature: string;
}

/** The bytes of a token: kind and role (1), date (6), random (1), routing tag (4), load (16), start of the MAC (10). */
const STARTS = { date: 1, random: 7, tag: 8, load: 12, mac: 28 } as const;
const DATE_BYTES = STARTS.random - STARTS.date;
const MAC_BYTES = 10;

/**
 * A new token of a link. Only this service can make one, and nothing is stored. Tokens of the same load and role differ,
 * because a load has many signatures.
 */
export function signingToken(
  [secret]: SealingKeys,
  { kind, organization, load, role, createDate }: SigningLink & { organization: string },
): string {
  const body = Buffer.alloc(STARTS.mac);
  body[0] = KINDS.indexOf(kind) * SIGNER_ROLES.length + SIGNER_ROLES.indexOf(role);
  body.writeUIntBE(createDate, STARTS.date, DATE_BYTES);
  crypto.getRandomValues(body.subarray(STARTS.random, STARTS.tag));
  body.write(routingTag(organization) + uuidHex(load), STARTS.tag, 'hex');
  const mac = macOf(secret, CONTEXT, body).subarray(0, MAC_BYTES);
  return Buffer.concat([body, mac]).toString('base64url');
}

/** Read a token of the form `SIGNING_TOKEN`; undefined if this service did not make it. It may have expired. */
export function openSigningToken(keys: SealingKeys, token: string): OpenedLink | undefined {
  const bytes = Buffer.from(token, 'base64url');
  const [body, start] = [bytes.subarray(0, STARTS.mac), bytes.subarray(STARTS.mac)];
  const mac = keys
    .map((secret) => macOf(secret, CONTEXT, body))
    .find((each) => timingSafeEqual(each.subarray(0, MAC_BYTES), start));
  if (!mac) return undefined;
  const createDate = body.readUIntBE(STARTS.date, DATE_BYTES);
  return {
    kind: KINDS[Math.floor(body[0]! / SIGNER_ROLES.length)]!,
    role: SIGNER_ROLES[body[0]! % SIGNER_ROLES.length]!,
    createDate,
    tag: body.toString('hex', STARTS.tag, STARTS.load),
    load: uuidOfHex(body.toString('hex', STARTS.load)),
    signature: datedUuid(createDate, mac.subarray(MAC_BYTES, MAC_BYTES + 16)),
  };
}
