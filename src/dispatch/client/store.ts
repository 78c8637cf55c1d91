import { type SQL, sql } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { BASE_PATH } from '../../core/http/endpoint.ts';
import { deepLink } from '../../core/http/link.ts';
import { includeDeletedFilter, list, searchFilter } from '../../core/http/list.ts';
import { liveRows, searchCondition } from '../../core/http/list-statements.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { fold } from '../../core/lib/text.ts';
import { isoDate } from '../../core/lib/time.ts';
import { type Viewed, type ViewRow, view } from '../../core/lib/view.ts';
import { type ClientNames, foldNames, type NameOwners } from './rules.ts';

/** A customer whose pallets are dispatched. Dates are epoch milliseconds. */
export const client = sqliteTable('client', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  displayName: text('display_name').notNull(),
  externalId: text('external_id').notNull(),
  /** Folded names, unique among clients that are not deleted. `q` searches them. */
  foldedDisplayName: text('folded_display_name').notNull(),
  foldedExternalId: text('folded_external_id').notNull(),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
  deletedDate: integer('deleted_date'),
});

export const clientView = view({
  uuid: client.uuid,
  displayName: client.displayName,
  externalId: client.externalId,
  createDate: client.createDate,
  updateDate: client.updateDate,
  deletedDate: client.deletedDate,
});
export type StoredClient = Viewed<typeof clientView>;

/** A client as the API shows it. */
export function presentClient(links: string, { deletedDate, ...stored }: StoredClient) {
  return {
    ...stored,
    createDate: isoDate(stored.createDate),
    updateDate: isoDate(stored.updateDate),
    deepLink: deepLink(links, 'client', stored.uuid),
    deleted: deletedDate !== null,
  };
}

/** A reference to a client in other resources. */
export interface ClientReference extends ClientNames {
  uuid: string;
}

/** JSON of the client in a column; null without a client. */
export const clientReferenceView = (
  organization: SQL,
  clientUuid: SQL,
): SQL<ClientReference | null> => sql`json((SELECT
  json_object('uuid', uuid, 'externalId', external_id, 'displayName', display_name) FROM client
  WHERE organization_uuid = ${organization} AND uuid = ${clientUuid}))`;

/** A reference to a client as the API shows it. */
export function presentClientReference(links: string, client: ClientReference | null) {
  return client && { ...client, deepLink: deepLink(links, 'client', client.uuid) };
}

/**
 * The API path of a client. It uses the uuid, because an external id such as `..` does not work in
 * a path.
 */
export function clientPath(uuid: string): string {
  return `${BASE_PATH}/client/${uuid}`;
}

/** The uuid of the client with a folded external id; null if it does not exist. */
const namedClient = (scope: Scope, folded: SQL): SQL => sql`(SELECT named.uuid FROM client named
  WHERE named.organization_uuid = ${scope.organization} AND named.folded_external_id = ${folded}
    AND named.deleted_date IS NULL)`;

/**
 * The condition for the client with this identifier: external id first, then uuid. Case is ignored,
 * and deleted clients are left out. It uses two look-ups by unique index.
 */
function identified(scope: Scope, identifier: string): SQL {
  const folded = sql`${fold(identifier)}`;
  return sql`WHERE client.uuid = coalesce(${namedClient(scope, folded)}, ${folded})
    AND client.organization_uuid = ${scope.organization} AND client.deleted_date IS NULL`;
}

/** Read the JSON of one client. */
export const clientQuery = (scope: Scope, identifier: string) =>
  sql<ViewRow<typeof clientView>>`SELECT ${clientView} AS view FROM client ${identified(scope, identifier)}`;

/** Read the reference to a client in a request. */
export const clientReferenceQuery = (scope: Scope, identifier: string) => sql<ClientReference>`SELECT uuid,
  external_id AS "externalId", display_name AS "displayName" FROM client ${identified(scope, identifier)}`;

/** Uuids of the clients with these external ids or uuids; for `IN`. */
export function identifiedClients(scope: Scope, identifiers: readonly string[]): SQL {
  const folded = JSON.stringify(identifiers.map(fold));
  return sql`(SELECT coalesce(${namedClient(scope, sql`value`)}, value) FROM json_each(${folded}))`;
}

/** The clients that have these names: one row. */
export function nameOwnersQuery(scope: Scope, names: ClientNames): SQL<NameOwners> {
  const { foldedDisplayName, foldedExternalId } = foldNames(names);
  return sql`SELECT
    (SELECT uuid FROM client WHERE organization_uuid = ${scope.organization}
      AND folded_display_name = ${foldedDisplayName} AND deleted_date IS NULL) AS "displayName",
    ${namedClient(scope, sql`${foldedExternalId}`)} AS "externalId"`;
}

/** Returns a row if the client has a track that is not deleted. */
export const assignedQuery = (scope: Scope, identifier: string): SQL => sql`SELECT 1 FROM track
  WHERE organization_uuid = ${scope.organization} AND deleted_date IS NULL
    AND client_uuid = (SELECT client.uuid FROM client ${identified(scope, identifier)}) LIMIT 1`;

export const clientList = list({
  table: 'client',
  view: clientView,
  sorting: {
    columns: {
      displayName: { expression: sql`client.display_name`, stable: false },
      externalId: { expression: sql`client.external_id`, stable: false },
      createDate: { expression: sql`client.create_date`, stable: true },
      updateDate: { expression: sql`client.update_date`, stable: false },
    },
    default: { sortBy: 'displayName', direction: 'ASC' },
  },
  filters: { q: searchFilter.default('*'), includeDeleted: includeDeletedFilter },
  rows(scope, query) {
    return {
      ...liveRows(scope, 'client', query),
      filtering: [
        searchCondition([sql`client.folded_display_name`, sql`client.folded_external_id`], query.q),
      ],
    };
  },
});
