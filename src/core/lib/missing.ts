import { type ProblemCode, type Refusal, refusal } from './problem.ts';

/** The kind of resource that does not exist, by problem code. Codes about links are left out: a link is a secret. */
const KINDS = {
  databaseNotFound: 'Database',
  organizationNotFound: 'Organization',
  apiKeyNotFound: 'API key',
  accessTokenNotFound: 'Access token',
  operatorNotFound: 'Operator',
  manifestNotFound: 'Manifest',
  shipmentNotFound: 'Shipment',
  assetLoadingNotFound: 'Loading record',
  trackNotFound: 'Track',
  gateNotFound: 'Gate',
  scannerNotFound: 'Scanner',
  localManagerNotFound: 'Local manager',
  agentNotFound: 'Agent',
  clientNotFound: 'Client',
  userNotFound: 'User',
  authorityNotFound: 'Authority',
  tabletNotFound: 'Tablet',
  workerNotFound: 'Worker',
  webhookNotFound: 'Webhook',
  webhookDeliveryNotFound: 'Webhook delivery',
  operationNotFound: 'Operation',
  deadLetterNotFound: 'Dead letter',
  calibrationNotFound: 'Calibration file',
  alertEventNotFound: 'Alert',
  auditLogNotFound: 'Audit record',
  printingBatchNotFound: 'Printing batch',
  photoNotFound: 'Photo',
} as const satisfies Partial<Record<ProblemCode, string>>;

/** The code of a resource that a request names and that does not exist. */
export type MissingCode = keyof typeof KINDS;

/** The maximum number of characters of an identifier that a message repeats. */
const NAME_LENGTH_MAXIMUM = 100;
/** Characters that are invisible or change the direction of the text after them. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** A text of a caller as messages repeat it: in quotes, shortened, with quotes and invisible characters escaped. */
export function quoted(text: string): string {
  // A character has at most two code units, so that a long text is not split as a whole.
  const characters = [...text.slice(0, 2 * (NAME_LENGTH_MAXIMUM + 1))];
  const isLong = characters.length > NAME_LENGTH_MAXIMUM;
  const shown = isLong ? `${characters.slice(0, NAME_LENGTH_MAXIMUM).join('')}…` : text;
  const escaped = (character: string) => `\\u{${character.codePointAt(0)!.toString(16)}}`;
  return JSON.stringify(shown).replace(INVISIBLE, escaped);
}

/** A resource as messages name it: `Gate "G7"`. */
export const named = (kind: string, identifier: string): string => `${kind} ${quoted(identifier)}`;

/** The sentence about a resource that does not exist. */
export const doesNotExist = (kind: string, identifier: string): string =>
  `${named(kind, identifier)} does not exist.`;

/** The sentence about a change of status that is not allowed. `name` is the resource, as `named` writes it. */
export const cannotBecome = (name: string, from: string, to: string): string =>
  from === to ? `${name} is ${from} already.` : `${name} is ${from} and cannot become ${to}.`;

/** The kind of a resource in words, by the code of its absence. */
export const kindOf = (code: MissingCode): string => KINDS[code];

/** The refusal (404) of a resource in a path. Another organization's resource is refused in the same way. */
export const missing = (code: MissingCode, identifier: string): Refusal =>
  refusal(code, doesNotExist(KINDS[code], identifier), { status: 404, facts: { name: identifier } });

/** The refusal (400) of a resource that a field of a body or query names. */
export function missingIn(field: string, code: MissingCode, rejectedValue: string): Refusal {
  const message = doesNotExist(KINDS[code], rejectedValue);
  return refusal(code, message, {
    status: 400,
    facts: { name: rejectedValue },
    errors: [{ field, code, message, rejectedValue }],
  });
}
