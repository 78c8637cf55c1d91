import { sql } from 'drizzle-orm';
import type { FieldChange } from '../lib/changes.ts';
import { newUuid } from '../lib/id.ts';
import { parseJson } from '../lib/json.ts';
import { type Refusal, refusal } from '../lib/problem.ts';
import { isoDateOrNull, SECOND_MS } from '../lib/time.ts';
import { type ViewRow, viewOf } from '../lib/view.ts';
import { auditing } from '../writer/audited.ts';
import { command, isRefusal } from '../writer/command.ts';
import type { OrganizationSettings } from '../writer/settings.ts';
import type { CredentialKind, NewSecret } from './secret.ts';
import { credentialQuery, credentialView, type StoredCredential } from './store.ts';
import { credential, credentialSecret } from './table.ts';

/** What the writer is told of a secret: enough to know it again, never the secret. */
export type StoredSecret = Omit<NewSecret, 'secret'>;

/** Issue an API key or access token. */
export const createCredential = command('createCredential', {
  decide(
    { scope, organization, now },
    {
      kind,
      name,
      scopes,
      expiresDate,
      stored,
    }: {
      kind: CredentialKind;
      name: string;
      scopes: string[];
      expiresDate: number | null;
      stored: StoredSecret;
    },
  ) {
    if (!organization) return refusal('organizationNotFound', 'There is no such organization.');
    const uuid = newUuid();
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
        ...scope.insert(credentialSecret, [{ hash: stored.hash, credentialUuid: uuid, createDate: now }]),
      ],
      audit: [
        audited(kind, 'CREATED', { uuid, name }, [
          { field: 'name', oldValue: null, newValue: name },
          { field: 'prefix', oldValue: null, newValue: stored.prefix },
          ...(kind === 'API_KEY' ? [] : [{ field: 'scopes', oldValue: null, newValue: scopes }]),
          { field: 'expiresDate', oldValue: null, newValue: isoDateOrNull(expiresDate) },
        ]),
      ],
      answer: answerOf(scope, uuid),
    };
  },
});

/** Give a credential a new secret; the old ones end after the overlap, or earlier if they were to anyway. */
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
      stored: StoredSecret;
    },
  ) => ({ credentials: credentialQuery(scope, kind, uuid) }),
  decide({ scope, organization, now }, { kind, uuid, overlapSeconds, stored }, { credentials }) {
    const found = live(organization, kind, credentials);
    if (isRefusal(found)) return found;
    if (found.expiresDate !== null && found.expiresDate <= now) {
      return refusal('credentialRevoked', 'An expired credential cannot be rotated; issue a new one.');
    }
    const end = now + overlapSeconds * SECOND_MS;
    return {
      writes: [
        scope.update(
          credentialSecret,
          { validUntilDate: sql`min(coalesce(valid_until_date, ${end}), ${end})` },
          sql`credential_uuid = ${uuid}`,
        ),
        ...scope.insert(credentialSecret, [{ hash: stored.hash, credentialUuid: uuid, createDate: now }]),
        scope.update(credential, { prefix: stored.prefix, updateDate: now }, sql`uuid = ${uuid}`),
      ],
      audit: [
        audited(kind, 'ROTATED', found, [
          { field: 'prefix', oldValue: found.prefix, newValue: stored.prefix },
          { field: 'overlapSeconds', oldValue: null, newValue: overlapSeconds },
        ]),
      ],
      answer: answerOf(scope, uuid),
    };
  },
});

/** End a credential with all its secrets. */
export const revokeCredential = command('revokeCredential', {
  ask: ({ scope }, { kind, uuid }: { kind: CredentialKind; uuid: string }) => ({
    credentials: credentialQuery(scope, kind, uuid),
  }),
  decide({ scope, organization, now }, { kind, uuid }, { credentials }) {
    const found = live(organization, kind, credentials);
    if (isRefusal(found)) return found;
    return {
      writes: [
        scope.update(credential, { revokedDate: now, updateDate: now }, sql`uuid = ${uuid}`),
        scope.remove(credentialSecret, sql`credential_uuid = ${uuid}`),
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

/** The credential of a `credentialQuery`, if it has not ended. */
function live(
  organization: OrganizationSettings | null,
  kind: CredentialKind,
  [row]: readonly ViewRow<typeof credentialView>[],
): StoredCredential | Refusal {
  if (!organization) return refusal('organizationNotFound', 'There is no such organization.');
  const found = row && parseJson(row.view);
  if (found && found.revokedDate === null) return found;
  return refusal(
    kind === 'API_KEY' ? 'apiKeyNotFound' : 'accessTokenNotFound',
    'There is no such credential.',
  );
}

const answerOf = viewOf(credentialView, credential);

const audited = (
  kind: CredentialKind,
  what: string,
  thing: { uuid: string; name: string },
  changes: FieldChange[],
) => auditing<typeof thing>(kind, ({ name }) => name)(`${kind}_${what}`, thing, changes);
