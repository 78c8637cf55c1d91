import { sql } from 'drizzle-orm';
import { changedFields } from '../../core/lib/changes.ts';
import { dotsRefusal } from '../../core/lib/dots.ts';
import { newUuid } from '../../core/lib/id.ts';
import { parseJson } from '../../core/lib/json.ts';
import { missing, named } from '../../core/lib/missing.ts';
import { type ProblemItem, type Refusal, refusal } from '../../core/lib/problem.ts';
import { type ViewRow, viewOf } from '../../core/lib/view.ts';
import { auditing } from '../../core/writer/audited.ts';
import { command, isRefusal, staleMatch, unchanged } from '../../core/writer/command.ts';
import { type ClientNames, foldNames, nameConflicts } from './rules.ts';
import {
  assignedQuery,
  client,
  clientQuery,
  clientView,
  nameOwnersQuery,
  type StoredClient,
} from './store.ts';

/** The client in a path, and the ETag that it must match. */
interface Named {
  identifier: string;
  ifMatch: string | null;
}

export const createClient = command('createClient', {
  ask: ({ scope }, names: ClientNames) => ({ holders: nameOwnersQuery(scope, names) }),
  decide({ scope, now }, names, { holders }) {
    const dots = dotsRefusal([['externalId', names.externalId]]);
    if (dots) return dots;
    const conflicts = nameConflicts(names, holders[0]!, null);
    if (conflicts.length > 0) return inUse(conflicts);
    const uuid = newUuid();
    return {
      writes: scope.insert(client, [
        { uuid, ...names, ...foldNames(names), createDate: now, updateDate: now },
      ]),
      audit: [audited('CLIENT_CREATED', { uuid, ...names }, changedFields<ClientNames>(null, names))],
      answer: answerOf(scope, uuid),
    };
  },
});

/** Change the names of a client. It keeps its pallets. */
export const updateClient = command('updateClient', {
  ask: ({ scope }, { identifier, ifMatch: _, ...names }: ClientNames & Named) => ({
    clients: clientQuery(scope, identifier),
    holders: nameOwnersQuery(scope, names),
  }),
  decide({ scope, now }, { identifier, ifMatch, ...names }, { clients, holders }) {
    const found = matching(clients, { identifier, ifMatch });
    if (isRefusal(found)) return found;
    const dots =
      names.externalId === found.externalId ? undefined : dotsRefusal([['externalId', names.externalId]]);
    if (dots) return dots;
    const conflicts = nameConflicts(names, holders[0]!, found.uuid);
    if (conflicts.length > 0) return inUse(conflicts);
    const changes = changedFields<ClientNames>(found, names);
    const answer = answerOf(scope, found.uuid);
    if (changes.length === 0) return unchanged(answer);
    const set = { ...names, ...foldNames(names), updateDate: now };
    return {
      writes: [scope.update(client, set, sql`uuid = ${found.uuid}`)],
      audit: [audited('CLIENT_UPDATED', { uuid: found.uuid, ...names }, changes)],
      answer,
    };
  },
});

/** Delete a client without pallets. Its names can be used again. */
export const deleteClient = command('deleteClient', {
  ask: ({ scope }, { identifier }: Named) => ({
    clients: clientQuery(scope, identifier),
    assigned: assignedQuery(scope, identifier),
  }),
  decide({ scope, now }, input, { clients, assigned }) {
    const found = matching(clients, input);
    if (isRefusal(found)) return found;
    if (assigned.length > 0) {
      return refusal(
        'clientHasAssignedPallets',
        `${named('Client', found.externalId)} has assigned pallets. Delete the tracks of these pallets first.`,
        { facts: { name: found.externalId } },
      );
    }
    return {
      writes: [scope.update(client, { deletedDate: now, updateDate: now }, sql`uuid = ${found.uuid}`)],
      audit: [audited('CLIENT_DELETED', found, [{ field: 'deleted', oldValue: false, newValue: true }])],
      answer: { value: {} },
    };
  },
});

/**
 * The client from rows of `clientQuery`. It is refused if it does not exist or does not match the
 * ETag.
 */
function matching(
  [row]: readonly ViewRow<typeof clientView>[],
  { identifier, ifMatch }: Named,
): StoredClient | Refusal {
  if (!row) return missing('clientNotFound', identifier);
  return staleMatch(ifMatch, row.view, named('Client', identifier)) ?? parseJson(row.view);
}

function inUse(errors: ProblemItem[]): Refusal {
  return refusal(errors[0]!.code, errors.map(({ message }) => message).join(' '), { errors });
}

const answerOf = viewOf(clientView, client);
const audited = auditing<{ uuid: string; externalId: string }>('CLIENT', ({ externalId }) => externalId);
