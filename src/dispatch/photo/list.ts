import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import { list } from '../../core/http/list.ts';
import { totalOf } from '../../core/http/list-statements.ts';
import { several, text } from '../../core/http/schema.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { inList } from '../../core/lib/sql.ts';
import { type OwnerType, PHOTO_KINDS } from './rules.ts';
import { photoView } from './store.ts';

const CREATED = sql`photo.create_date`;

export const photoList = list({
  table: 'photo',
  // A photo never changes. So its update date is its create date.
  columns: { key: sql`photo.uuid`, createDate: CREATED, updateDate: CREATED },
  view: photoView,
  sorting: {
    columns: { createDate: { expression: CREATED, stable: true } },
    default: { sortBy: 'createDate', direction: 'DESC' },
  },
  filters: {
    kind: several(z.enum(PHOTO_KINDS)).optional(),
    trackIdentifier: several(text(1, 255)).optional().describe('Of any of these pallets, by WMS id or UUID'),
    manifestExternalId: several(text(1, 255))
      .optional()
      .describe('Of any of these manifests, by external id or UUID'),
    shipmentExternalId: several(text(1, 255))
      .optional()
      .describe('Of any of these shipments, by external id or UUID'),
  },
  rows(scope, { kind, trackIdentifier, manifestExternalId, shipmentExternalId }) {
    const { organization } = scope;
    return {
      conditions: [sql`photo.organization_uuid = ${organization}`],
      count: totalOf(organization, 'photo'),
      narrow: Boolean(trackIdentifier || manifestExternalId || shipmentExternalId),
      filtering: [
        kind && sql`photo.kind ${inList(kind)}`,
        trackIdentifier && ownedBy(scope, 'TRACK', trackIdentifier),
        manifestExternalId && ownedBy(scope, 'MANIFEST', manifestExternalId),
        shipmentExternalId && ownedBy(scope, 'SHIPMENT', shipmentExternalId),
      ],
    };
  },
});

/** The SQL condition that a photo belongs to one of these things. UNION, so that each half uses its own index. */
const ownedBy = (
  { organization }: Scope,
  type: OwnerType,
  identifiers: readonly string[],
): SQL => sql`photo.uuid IN
  (SELECT n.uuid FROM photo n WHERE n.organization_uuid = ${organization} AND n.owner_identifier ${inList(identifiers)}
    AND n.owner_type = ${type}
  UNION SELECT u.uuid FROM photo u WHERE u.organization_uuid = ${organization}
    AND u.owner_uuid ${inList(identifiers.map((identifier) => identifier.toLowerCase()))} AND u.owner_type = ${type})`;
