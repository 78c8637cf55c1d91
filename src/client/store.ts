import { type SQL, sql } from 'drizzle-orm';
import { BASE_PATH } from '../http/endpoint.ts';
import { deepLink } from '../http/link.ts';
import type { Database } from '../lib/database.ts';
import { fold } from '../lib/text.ts';
import { isoDate } from '../lib/time.ts';
import { type ClientNames, foldNames } from './rules.ts';

/** JSON of a client. */
export const clientView = sql`json_object('uuid', client.uuid, 'displayName', client.display_name,
  'externalId', client.external_id, 'createDate', client.create_date, 'updateDate', client.update_date,
  'deletedDate', client.deleted_date)`;

/** A row of `clientView`. Dates in epoch milliseconds. */
export interface StoredClient extends ClientNames {
  uuid: string;
  createDate: number;
  updateDate: number;
  deletedDate: number | null;
}

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

/** A client as other resources name it. */
export interface ClientReference extends ClientNames {
  uuid: string;
}

/** JSON of the client that a column names; null where it names none. */
export const clientReferenceView = (organization: SQL, clientUuid: SQL): SQL => sql`json((SELECT
  json_object('uuid', uuid, 'externalId', external_id, 'displayName', display_name) FROM client
  WHERE organization_uuid = ${organization} AND uuid = ${clientUuid}))`;

/** A named client as the API shows it. */
export function presentClientReference(links: string, client: ClientReference | null) {
  return client && { ...client, deepLink: deepLink(links, 'client', client.uuid) };
}

/** Path of a client in the API. By uuid: an external id such as `..` cannot stand in a path. */
export function clientPath(uuid: string): string {
  return `${BASE_PATH}/client/${uuid}`;
}

/** The uuid of the client with a folded external id; null where there is none. */
const namedClient = (database: Database, folded: SQL): SQL => sql`(SELECT named.uuid FROM client named
  WHERE named.organization_uuid = ${database.organization} AND named.folded_external_id = ${folded}
    AND named.deleted_date IS NULL)`;

/**
 * Which client an identifier means: external id first, then uuid; never a deleted one. Without regard to case: what
 * POST calls in use is what GET finds. Two look-ups by unique index, as with manifests.
 */
function identified(database: Database, identifier: string): SQL {
  const folded = sql`${fold(identifier)}`;
  return sql`WHERE client.uuid = coalesce(${namedClient(database, folded)}, ${folded})
    AND client.organization_uuid = ${database.organization} AND client.deleted_date IS NULL`;
}

/** The JSON of one client; for a batch. */
export const clientQuery = (database: Database, identifier: string): SQL =>
  sql`SELECT ${clientView} AS view FROM client ${identified(database, identifier)}`;

/** The client that a request names, as a `ClientReference`; for a batch. */
export const clientReferenceQuery = (database: Database, identifier: string): SQL => sql`SELECT uuid,
  external_id AS "externalId", display_name AS "displayName" FROM client ${identified(database, identifier)}`;

/** Uuids of the clients that these identifiers mean, and of what else they may be the uuid of; for `IN`. */
export function identifiedClients(database: Database, identifiers: readonly string[]): SQL {
  const folded = JSON.stringify(identifiers.map(fold));
  return sql`(SELECT coalesce(${namedClient(database, sql`value`)}, value) FROM json_each(${folded}))`;
}

/** Who holds these names, as `NameHolders`; for a batch. */
export function nameHoldersQuery(database: Database, names: ClientNames): SQL {
  const { foldedDisplayName, foldedExternalId } = foldNames(names);
  return sql`SELECT
    (SELECT uuid FROM client WHERE organization_uuid = ${database.organization}
      AND folded_display_name = ${foldedDisplayName} AND deleted_date IS NULL) AS "displayName",
    ${namedClient(database, sql`${foldedExternalId}`)} AS "externalId"`;
}

/** Whether any track that is not deleted is a pallet of the client: a row if so. For a batch. */
export const assignedQuery = (database: Database, clientUuid: string): SQL => sql`SELECT 1 FROM track
  WHERE organization_uuid = ${database.organization} AND client_uuid = ${clientUuid} AND deleted_date IS NULL
  LIMIT 1`;
