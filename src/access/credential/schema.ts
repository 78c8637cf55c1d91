import { z } from '@hono/zod-openapi';
import { common, dateTime, input, list, nameText, optionalOr } from '../../core/http/schema.ts';
import { dateFault, definiteInstant } from '../../core/lib/date.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../core/lib/time.ts';

/** The scopes of access tokens. */
export const SCOPES = ['CAMERA_READ', 'CAMERA_WRITE', 'GATE_WRITE', 'DEVICE_WRITE'] as const;
export type TokenScope = (typeof SCOPES)[number];
export const OPERATOR_SCOPES = ['READ', 'PROVISION', 'OPERATE', 'TRANSFER', 'ERASE'] as const;
export type OperatorScope = (typeof OPERATOR_SCOPES)[number];
/** Default lifetime of an access token, and below it the maximum. */
export const TOKEN_LIFE_DEFAULT_MS = 90 * DAY_MS;
export const TOKEN_LIFE_MAXIMUM_MS = 365 * DAY_MS;

const OVERLAP_DEFAULT_S = (24 * HOUR_MS) / SECOND_MS;
const OVERLAP_MAXIMUM_S = (30 * DAY_MS) / SECOND_MS;

/** Last date that the API accepts: years in RFC 3339 have four digits. */
const DATE_MAXIMUM_MS = Date.UTC(10_000, 0) - 1;

/** The reason to refuse an end of validity; undefined if it is valid. `at` is in epoch milliseconds. */
function expiryFault(sent: string | number, at: number): string | undefined {
  if (Number.isNaN(at)) return dateFault(String(sent));
  if (!Number.isInteger(at)) return 'Epoch milliseconds are a whole number.';
  if (at <= Date.now()) return 'The date must be in the future.';
  return at > DATE_MAXIMUM_MS ? 'The date must be before the year 10000.' : undefined;
}

const expiresDate = z
  .union([z.string(), z.number()])
  .transform((sent, context) => {
    const at = typeof sent === 'string' ? definiteInstant(sent) : sent;
    const message = expiryFault(sent, at);
    if (message === undefined) return at;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  })
  .nullable()
  .optional()
  .openapi({
    type: ['string', 'integer', 'null'],
    maximum: DATE_MAXIMUM_MS,
    description: 'ISO 8601 with offset, or epoch milliseconds',
  });

/** A list of scopes: at least one, without duplicates. */
const scopesOf = <S extends string>(known: readonly [S, ...S[]]) =>
  list(z.enum(known), 1, known.length).refine(
    (scopes) => new Set(scopes).size === scopes.length,
    'A scope is listed twice.',
  );

/** Body of POST …/rotate. */
export const rotateSchema = z
  .strictObject({ overlapSeconds: optionalOr(z.int().min(0).max(OVERLAP_MAXIMUM_S), OVERLAP_DEFAULT_S) })
  .openapi('Rotate');

const shown = {
  ...common,
  name: z.string(),
  prefix: z.string().describe('The first characters of the current secret'),
  expiresDate: dateTime.nullable(),
  revokedDate: dateTime.nullable(),
  lastUsedDate: dateTime.nullable().describe('Accurate to the minute'),
};
const shownOnce = { secret: z.string().nullable().describe('Shown once; null in a replayed response') };

/** A credential in lists, without its secret. */
export const credentialSchema = z
  .object({ ...shown, scopes: z.array(z.enum(SCOPES)).optional().describe('Scopes of an access token') })
  .openapi('Credential');

/**
 * Body of POST …/api-key. API keys have no scopes. A body with scopes is refused, because its sender expects a
 * restricted key.
 */
export const apiKeyCreateSchema = input(credentialSchema.omit({ scopes: true }), {
  name: nameText(255),
  expiresDate,
}).openapi('ApiKeyCreate');

/** Body of POST …/access-token. */
export const accessTokenCreateSchema = input(credentialSchema, {
  name: nameText(255),
  scopes: scopesOf(SCOPES),
  expiresDate: expiresDate.refine(
    (value) => value == null || value <= Date.now() + TOKEN_LIFE_MAXIMUM_MS,
    'An access token is valid for at most 365 days.',
  ),
}).openapi('AccessTokenCreate');

/** A credential with its secret, which is shown only once. */
export const issuedCredentialSchema = credentialSchema.extend(shownOnce).openapi('IssuedCredential');

/** An operator in lists, without its secret. */
export const operatorSchema = z
  .object({ ...shown, scopes: z.array(z.enum(OPERATOR_SCOPES)).describe('Scopes of the operator') })
  .openapi('Operator');

/** Body of POST /operator. An operator without `expiresDate` does not expire. */
export const operatorCreateSchema = input(operatorSchema, {
  name: nameText(255),
  scopes: scopesOf(OPERATOR_SCOPES),
  expiresDate,
}).openapi('OperatorCreate');

/** An operator with its secret, which is shown only once. */
export const issuedOperatorSchema = operatorSchema.extend(shownOnce).openapi('IssuedOperator');
