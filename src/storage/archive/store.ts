import { type SQL, sql } from 'drizzle-orm';
import { deepLink } from '../../core/http/link.ts';
import { quoted } from '../../core/lib/missing.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { isoDate } from '../../core/lib/time.ts';
import { type Viewed, view } from '../../core/lib/view.ts';
import { archiveEntry } from './table.ts';

/** JSON of an archive entry for the list. */
export const archiveView = view({
  uuid: archiveEntry.uuid,
  entityType: archiveEntry.entityType,
  externalIdentifier: archiveEntry.externalIdentifier,
  closeDate: archiveEntry.closeDate,
  archiveDate: archiveEntry.archiveDate,
  createDate: archiveEntry.createDate,
  updateDate: archiveEntry.updateDate,
});
export type StoredEntry = Viewed<typeof archiveView>;

/** An archive entry as the API lists it. */
export function presentEntry(links: string, stored: StoredEntry) {
  return {
    ...stored,
    createDate: isoDate(stored.createDate),
    updateDate: isoDate(stored.updateDate),
    closeDate: isoDate(stored.closeDate),
    archiveDate: isoDate(stored.archiveDate),
    deepLink: deepLink(links, 'archive', stored.uuid),
  };
}

/** The text of the refusal of an entry that does not exist. */
export const notArchived = (uuid: string): string =>
  `No manifest or shipment with the uuid ${quoted(uuid)} is in the archive.`;

/** Where an archive entry is stored in the bucket. */
export interface ArchiveLocation {
  uuid: string;
  entityType: StoredEntry['entityType'];
  archiveDate: number;
  unitUuid: string;
  firstRecord: number;
  /** SHA-256 of its document. */
  objectKey: string;
  sha256: string;
}

/** The columns of a place, from `archive_entry p` and its document `o`. */
export const locationColumns = sql`p.uuid, p.entity_type AS "entityType", p.archive_date AS "archiveDate", p.unit_uuid AS "unitUuid",
  p.first_record AS "firstRecord", o.object_key AS "objectKey", o.sha256`;
export const withDocument = sql`archive_entry p CROSS JOIN archive_object o ON o.organization_uuid = p.organization_uuid
  AND o.unit_uuid = p.unit_uuid AND o.kind = 'DOCUMENT' AND o.place = p.place`;

/** Find an archive entry by the uuid that it had; deleted ones only on request. */
export const archivedQuery = (
  { organization }: Scope,
  uuid: string,
  { deleted = false }: { deleted?: boolean } = {},
): SQL<ArchiveLocation> => sql`SELECT ${locationColumns}
  FROM ${withDocument} WHERE p.uuid = ${uuid} AND p.organization_uuid = ${organization}
    AND ${deleted ? sql`TRUE` : sql`p.deleted_date IS NULL`}`;

/** Find an archive entry by the identifier in a path: external id first, then uuid. */
export const namedQuery = (
  { organization }: Scope,
  entityType: StoredEntry['entityType'],
  identifier: string,
): SQL<{ uuid: string }> => sql`SELECT uuid FROM archive_entry WHERE uuid = coalesce(
    (SELECT n.uuid FROM archive_entry n WHERE n.organization_uuid = ${organization}
      AND n.external_identifier = ${identifier} AND n.entity_type = ${entityType} AND n.deleted_date IS NULL),
    ${identifier.toLowerCase()})
  AND organization_uuid = ${organization} AND entity_type = ${entityType} AND deleted_date IS NULL`;

/** A row of the database as it was. */
export type ArchivedRow = Readonly<Record<string, unknown>>;

/** An object of the archive. */
export interface ArchivedObject {
  objectKey: string;
  sha256: string;
}

/** The objects with loading records of a unit, from one place to another. */
export const recordObjectsQuery = (
  { organization }: Scope,
  unitUuid: string,
  first: number,
  last: number,
): SQL<ArchivedObject> => sql`SELECT object_key AS "objectKey", sha256 FROM archive_object
  WHERE organization_uuid = ${organization} AND unit_uuid = ${unitUuid} AND kind = 'RECORDS'
    AND place BETWEEN ${first} AND ${last} ORDER BY place`;
