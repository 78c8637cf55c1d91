import { type SQL, sql } from 'drizzle-orm';
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { BASE_PATH } from '../../core/http/endpoint.ts';
import type { Scope } from '../../core/lib/scope.ts';

/** Find the allocation that contains a code. */
export const allocationQuery = (
  database: Scope,
  markerCode: number,
): SQL<{ allocatedDate: number }> => sql`SELECT
  allocated_date AS "allocatedDate" FROM
    (SELECT allocated_date, last_marker_code FROM marker_allocation
      WHERE organization_uuid = ${database.organization} AND first_marker_code <= ${markerCode}
      ORDER BY first_marker_code DESC LIMIT 1)
  WHERE last_marker_code >= ${markerCode}`;

/** SQL: the first and the last marker code of an organization. Its codes have no gaps. Both are null without codes. */
export const markerRangeQuery = ({
  organization,
}: Pick<Scope, 'organization'>): SQL<{
  first: number | null;
  last: number | null;
}> => sql`SELECT (SELECT first_marker_code FROM marker_allocation
    WHERE organization_uuid = ${organization} ORDER BY first_marker_code LIMIT 1) AS first,
  (SELECT last_marker_code FROM marker_allocation
    WHERE organization_uuid = ${organization} ORDER BY first_marker_code DESC LIMIT 1) AS last`;

export const MARKER_IMAGE_PATH = `${BASE_PATH}/marker-code/image`;

/** The public, stable URL of a marker's image. */
export function markerImageUrl(origin: string, markerCode: number): string {
  return `${origin}${MARKER_IMAGE_PATH}/${markerCode}.png`;
}

/** A block of marker codes that was allocated at once. Both ends belong to it. */
export const markerAllocation = sqliteTable(
  'marker_allocation',
  {
    organizationUuid: text('organization_uuid').notNull(),
    firstMarkerCode: integer('first_marker_code').notNull(),
    lastMarkerCode: integer('last_marker_code').notNull(),
    /** The uuid of the allocation in the audit log. */
    uuid: text('uuid').notNull(),
    /** Epoch milliseconds. */
    allocatedDate: integer('allocated_date').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.firstMarkerCode] })],
);
