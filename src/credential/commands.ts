import { type SQL, sql } from 'drizzle-orm';
import type { FieldChange } from '../audit/chain.ts';
import { newUuid } from '../lib/id.ts';
import { type Refusal, refusal } from '../lib/problem.ts';
import { isoDateOrNull, SECOND_MS } from '../lib/time.ts';
import type { Change, Command, Context } from '../writer/command.ts';
import type { CredentialKind, NewSecret } from './secret.ts';
import { credentialView, readCredential, type StoredCredential } from './store.ts';
import { credential, credentialSecret } from './table.ts';

/** What the writer is told of a secret: enough to know it again, never the secret. */
export type StoredSecret = Omit<NewSecret, 'secret'>;

/** Issue an API key or access token. */
export const createCredential: Command<{
  kind: CredentialKind;
  name: string;
  scopes: string[];
  expiresDate: number | null;
  stored: StoredSecret;
}> = async (context, { kind, name, scopes, expiresDate, stored }) => {
  const { database, now } = context;
  if (!context.organization) return refusal('organizationNotFound', 'There is no such organization.');
  const uuid = newUuid();
  return {
    writes: [
      ...database.insert(credential, [
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
      ...database.insert(credentialSecret, [{ hash: stored.hash, credentialUuid: uuid, createDate: now }]),
    ],
    audit: [
      audited(kind, 'CREATED', { uuid, name }, [
        { field: 'name', oldValue: null, newValue: name },
        { field: 'prefix', oldValue: null, newValue: stored.prefix },
        ...(kind === 'API_KEY' ? [] : [{ field: 'scopes', oldValue: null, newValue: scopes }]),
        { field: 'expiresDate', oldValue: null, newValue: isoDateOrNull(expiresDate) },
      ]),
    ],
    answer: answerOf(context, uuid),
  };
};

/** Give a credential a new secret; the old ones end after the overlap, or earlier if they were to anyway. */
export const rotateCredential: Command<{
  kind: CredentialKind;
  uuid: string;
  overlapSeconds: number;
  stored: StoredSecret;
}> = async (context, { kind, uuid, overlapSeconds, stored }) => {
  const { database, now } = context;
  const found = await findLive(context, kind, uuid);
  if ('code' in found) return found;
  if (found.expiresDate !== null && found.expiresDate <= now) {
    return refusal('credentialRevoked', 'An expired credential cannot be rotated; issue a new one.');
  }
  const end = now + overlapSeconds * SECOND_MS;
  return {
    writes: [
      database.update(
        credentialSecret,
        { validUntilDate: sql`min(coalesce(valid_until_date, ${end}), ${end})` },
        sql`credential_uuid = ${uuid}`,
      ),
      ...database.insert(credentialSecret, [{ hash: stored.hash, credentialUuid: uuid, createDate: now }]),
      database.update(credential, { prefix: stored.prefix, updateDate: now }, sql`uuid = ${uuid}`),
    ],
    audit: [
      audited(kind, 'ROTATED', found, [
        { field: 'prefix', oldValue: found.prefix, newValue: stored.prefix },
        { field: 'overlapSeconds', oldValue: null, newValue: overlapSeconds },
      ]),
    ],
    answer: answerOf(context, uuid),
  };
};

/** End a credential with all its secrets. */
export const revokeCredential: Command<{ kind: CredentialKind; uuid: string }> = async (
  context,
  { kind, uuid },
) => {
  const { database, now } = context;
  const found = await findLive(context, kind, uuid);
  if ('code' in found) return found;
  return {
    writes: [
      database.update(credential, { revokedDate: now, updateDate: now }, sql`uuid = ${uuid}`),
      database.remove(credentialSecret, sql`credential_uuid = ${uuid}`),
    ],
    audit: [
      audited(kind, 'REVOKED', found, [
        { field: 'revokedDate', oldValue: null, newValue: isoDateOrNull(now) },
      ]),
    ],
    answer: { value: {} },
  };
};

async function findLive(
  context: Context,
  kind: CredentialKind,
  uuid: string,
): Promise<StoredCredential | Refusal> {
  if (!context.organization) return refusal('organizationNotFound', 'There is no such organization.');
  const found = await readCredential(context.database, kind, uuid);
  if (found && found.revokedDate === null) return found;
  return refusal(
    kind === 'API_KEY' ? 'apiKeyNotFound' : 'accessTokenNotFound',
    'There is no such credential.',
  );
}

const answerOf = ({ database }: Context, uuid: string): SQL => sql`SELECT ${credentialView} FROM credential
  WHERE organization_uuid = ${database.organization} AND uuid = ${uuid}`;

const audited = (
  kind: CredentialKind,
  what: string,
  { uuid, name }: { uuid: string; name: string },
  changes: FieldChange[],
): Change['audit'][number] => ({
  action: `${kind}_${what}`,
  entityType: kind,
  entityUuid: uuid,
  entityExternalId: name,
  changes,
});
