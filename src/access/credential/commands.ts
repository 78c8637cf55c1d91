import { sql } from 'drizzle-orm';
import type { FieldChange } from '../../core/lib/changes.ts';
import { newUuid } from '../../core/lib/id.ts';
import { parseJson } from '../../core/lib/json.ts';
import { kindOf, missing, named } from '../../core/lib/missing.ts';
import { type ProblemCode, type Refusal, refusal } from '../../core/lib/problem.ts';
import { isoDateOrNull, SECOND_MS } from '../../core/lib/time.ts';
import { type ViewRow, viewOf } from '../../core/lib/view.ts';
import { auditing } from '../../core/writer/audited.ts';
import { type Context, command, isRefusal } from '../../core/writer/command.ts';
import type { OrganizationSettings } from '../../core/writer/settings.ts';
import type { NewSecret } from './secret.ts';
import { type CredentialView, credentialQuery, credentialView, type StoredCredential } from './store.ts';
import { type CredentialKind, tablesOf } from './table.ts';

/** The refusal for an unknown credential, by kind. */
export const CREDENTIAL_NOT_FOUND = {
  API_KEY: 'apiKeyNotFound',
  ACCESS_TOKEN: 'accessTokenNotFound',
  OPERATOR: 'operatorNotFound',
} as const satisfies Record<CredentialKind, ProblemCode>;

/** The part of a secret that the writer gets: enough to recognise it, never the secret itself. */
type StoredSecret = Omit<NewSecret, 'secret'>;

/**
 * A live and a test secret. The command chooses one, because the caller may not know whether the organization is a
 * sandbox.
 */
export interface StoredSecrets {
  usual: StoredSecret;
  sandbox: StoredSecret;
}

/** The secret for the organization: a sandbox gets a test secret. */
const secretOf = (
  organization: OrganizationSettings | null,
  { usual, sandbox }: StoredSecrets,
): StoredSecret => (organization?.sandbox ? sandbox : usual);

/** Issue an API key, an access token, or an operator's credential (in the operator's log). */
export const createCredential = command('createCredential', {
  decide(
    { scope, organization, now },
    {
      kind,
      name,
      scopes,
      expiresDate,
      secrets,
    }: {
      kind: CredentialKind;
      name: string;
      scopes: string[];
      expiresDate: number | null;
      secrets: StoredSecrets;
    },
  ) {
    if (!isThere(organization, kind)) return missing('organizationNotFound', scope.organization);
    const uuid = newUuid();
    const stored = secretOf(organization, secrets);
    const { credential, secret } = tablesOf(kind);
    return {
      writes: [
        ...scope.insert(credential, [
          {
            uuid,
            kind,
            name,
            prefix: stored.prefix,
            scopes: JSON.stringify(scopes),
            expiresDate,
            createDate: now,
            updateDate: now,
          },
        ]),
        ...scope.insert(secret, [{ hash: stored.hash, credentialUuid: uuid, createDate: now }]),
      ],
      audit: [
        audited(kind, 'CREATED', { uuid, name }, [
          { field: 'name', oldValue: null, newValue: name },
          { field: 'prefix', oldValue: null, newValue: stored.prefix },
          ...(kind === 'API_KEY' ? [] : [{ field: 'scopes', oldValue: null, newValue: scopes }]),
          { field: 'expiresDate', oldValue: null, newValue: isoDateOrNull(expiresDate) },
        ]),
      ],
      answer: answerOf(kind)(scope, uuid),
    };
  },
});

/** Rotate the secret of a credential. Old secrets end after the overlap, or earlier if they had an earlier end. */
export const rotateCredential = command('rotateCredential', {
  ask: (
    { scope },
    {
      kind,
      uuid,
    }: {
      kind: CredentialKind;
      uuid: string;
      overlapSeconds: number;
      secrets: StoredSecrets;
    },
  ) => ({ credentials: credentialQuery(scope, kind, uuid) }),
  decide(context, { kind, uuid, overlapSeconds, secrets }, { credentials }) {
    const { scope, organization, now } = context;
    const found = live(context, { kind, uuid }, credentials);
    if (isRefusal(found)) return found;
    if (found.expiresDate !== null && found.expiresDate <= now) {
      return refusal(
        'credentialRevoked',
        `${named(kindOf(CREDENTIAL_NOT_FOUND[kind]), found.name)} has expired and cannot be rotated. Create a new one.`,
        { facts: { name: found.name } },
      );
    }
    const stored = secretOf(organization, secrets);
    const { credential, secret } = tablesOf(kind);
    const end = now + overlapSeconds * SECOND_MS;
    return {
      writes: [
        scope.update(
          secret,
          { validUntilDate: sql`min(coalesce(valid_until_date, ${end}), ${end})` },
          sql`credential_uuid = ${uuid}`,
        ),
        ...scope.insert(secret, [{ hash: stored.hash, credentialUuid: uuid, createDate: now }]),
        scope.update(credential, { prefix: stored.prefix, updateDate: now }, sql`uuid = ${uuid}`),
      ],
      audit: [
        audited(kind, 'ROTATED', found, [
          { field: 'prefix', oldValue: found.prefix, newValue: stored.prefix },
          { field: 'overlapSeconds', oldValue: null, newValue: overlapSeconds },
        ]),
      ],
      answer: answerOf(kind)(scope, uuid),
    };
  },
});

/** End a credential with all its secrets. */
export const revokeCredential = command('revokeCredential', {
  ask: ({ scope }, { kind, uuid }: { kind: CredentialKind; uuid: string }) => ({
    credentials: credentialQuery(scope, kind, uuid),
  }),
  decide(context, { kind, uuid }, { credentials }) {
    const { scope, now } = context;
    const found = live(context, { kind, uuid }, credentials);
    if (isRefusal(found)) return found;
    const { credential, secret } = tablesOf(kind);
    return {
      writes: [
        scope.update(credential, { revokedDate: now, updateDate: now }, sql`uuid = ${uuid}`),
        scope.remove(secret, sql`credential_uuid = ${uuid}`),
      ],
      audit: [
        audited(kind, 'REVOKED', found, [
          { field: 'revokedDate', oldValue: null, newValue: isoDateOrNull(now) },
        ]),
      ],
      answer: { value: {} },
    };
  },
});

/** The credential from rows of `credentialQuery`, or the refusal if it has ended. */
function live(
  { scope, organization }: Context,
  { kind, uuid }: { kind: CredentialKind; uuid: string },
  [row]: readonly ViewRow<CredentialView>[],
): StoredCredential | Refusal {
  if (!isThere(organization, kind)) return missing('organizationNotFound', scope.organization);
  const found = row && parseJson(row.view);
  if (found && found.revokedDate === null) return found;
  return missing(CREDENTIAL_NOT_FOUND[kind], uuid);
}

/** Operators belong to no organization. */
const isThere = (organization: OrganizationSettings | null, kind: CredentialKind): boolean =>
  organization !== null || kind === 'OPERATOR';

const answerOf = (kind: CredentialKind) => viewOf(credentialView(kind), tablesOf(kind).credential);

const audited = (
  kind: CredentialKind,
  what: 'CREATED' | 'ROTATED' | 'REVOKED',
  thing: { uuid: string; name: string },
  changes: FieldChange[],
) => auditing<typeof thing>(kind, ({ name }) => name)(`${kind}_${what}`, thing, changes);
