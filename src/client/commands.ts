import { type SQL, sql } from 'drizzle-orm';
import type { FieldChange } from '../audit/chain.ts';
import { changedFields } from '../lib/changes.ts';
import { entityTag, tagListed } from '../lib/hash.ts';
import { newUuid } from '../lib/id.ts';
import { type ProblemItem, type Refusal, refusal } from '../lib/problem.ts';
import { type Change, type Command, type Context, isRefusal } from '../writer/command.ts';
import { type ClientNames, foldNames, type NameHolders, nameConflicts } from './rules.ts';
import { assignedQuery, clientQuery, clientView, nameHoldersQuery, type StoredClient } from './store.ts';
import { client } from './table.ts';

/** Create a client. */
export const createClient: Command<ClientNames> = async (context, names) => {
  const { database, now } = context;
  const holders = await database.first<NameHolders>(nameHoldersQuery(database, names));
  const conflicts = nameConflicts(names, holders!, null);
  if (conflicts.length > 0) return inUse(conflicts);
  const uuid = newUuid();
  return {
    writes: database.insert(client, [
      { uuid, ...names, ...foldNames(names), createDate: now, updateDate: now },
    ]),
    audit: [audited('CLIENT_CREATED', { uuid, ...names }, changedFields<ClientNames>(null, names))],
    answer: answerOf(context, uuid),
  };
};

/** Give a client other names. It stays the client of its pallets. */
export const updateClient: Command<ClientNames & { identifier: string; ifMatch: string | null }> = async (
  context,
  { identifier, ifMatch, ...names },
) => {
  const { database, now } = context;
  const [views, holders] = await database.batch([
    clientQuery(database, identifier),
    nameHoldersQuery(database, names),
  ]);
  const found = matching(views!, ifMatch);
  if (isRefusal(found)) return found;
  const conflicts = nameConflicts(names, holders![0] as unknown as NameHolders, found.uuid);
  if (conflicts.length > 0) return inUse(conflicts);
  const changes = changedFields<ClientNames>(found, names);
  const answer = answerOf(context, found.uuid);
  if (changes.length === 0) return { writes: [], audit: [], answer };
  return {
    writes: [
      database.update(client, { ...names, ...foldNames(names), updateDate: now }, sql`uuid = ${found.uuid}`),
    ],
    audit: [audited('CLIENT_UPDATED', { uuid: found.uuid, ...names }, changes)],
    answer,
  };
};

/** Delete a client that no pallet is assigned to; its names are free again. */
export const deleteClient: Command<{ identifier: string; ifMatch: string | null }> = async (
  context,
  { identifier, ifMatch },
) => {
  const { database, now } = context;
  const found = matching(await database.all(clientQuery(database, identifier)), ifMatch);
  if (isRefusal(found)) return found;
  if (await database.first(assignedQuery(database, found.uuid))) {
    return refusal('clientHasAssignedPallets', 'Delete the tracks of its pallets first.');
  }
  return {
    writes: [database.update(client, { deletedDate: now, updateDate: now }, sql`uuid = ${found.uuid}`)],
    audit: [audited('CLIENT_DELETED', found, [{ field: 'deleted', oldValue: false, newValue: true }])],
    answer: { value: {} },
  };
};

/** The client of a `clientQuery`, if there is one and it is the one that the caller has seen. */
function matching(rows: Record<string, unknown>[], ifMatch: string | null): StoredClient | Refusal {
  const view = rows[0]?.['view'] as string | undefined;
  if (view === undefined) return refusal('clientNotFound', 'There is no such client.');
  if (ifMatch !== null && !tagListed(ifMatch, entityTag(view))) {
    return refusal('preconditionFailed', 'The client has changed since it was read.');
  }
  return JSON.parse(view) as StoredClient;
}

function inUse(errors: ProblemItem[]): Refusal {
  const fields = errors.map(({ field }) => field).join(' and ');
  return refusal(errors[0]!.code, `Another client has this ${fields}.`, { errors });
}

const answerOf = ({ database }: Context, uuid: string): SQL => sql`SELECT ${clientView} FROM client
  WHERE organization_uuid = ${database.organization} AND uuid = ${uuid}`;

const audited = (
  action: string,
  { uuid, externalId }: { uuid: string; externalId: string },
  changes: FieldChange[],
): Change['audit'][number] => ({
  action,
  entityType: 'CLIENT',
  entityUuid: uuid,
  entityExternalId: externalId,
  changes,
});
