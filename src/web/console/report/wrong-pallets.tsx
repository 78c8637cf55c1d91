import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import { dateFilter } from '../../../core/http/dates.ts';
import { list } from '../../../core/http/list.ts';
import { dateRange } from '../../../core/http/list-statements.ts';
import { several, text } from '../../../core/http/schema.ts';
import type { AppEnv } from '../../../core/http/types.ts';
import { inList } from '../../../core/lib/sql.ts';
import { DAY_MS } from '../../../core/lib/time.ts';
import { gatesNamed } from '../../../dispatch/gate/store.ts';
import { recordPairs, type StoredRecord } from '../../../dispatch/load/shared/asset-store.ts';
import { INVALID_STATUSES } from '../../../dispatch/load/shared/table.ts';
import { recordList } from '../../../dispatch/loading/store.ts';
import { REPORT_DAYS_MAXIMUM } from '../../../dispatch/report/rules.ts';
import { GatePlate, gateChoices, gatePlain, gatesQuery } from '../../ui/list/gates.tsx';
import { CLOSED, listing } from '../../ui/list/listing.tsx';
import { instant } from '../../ui/list/rows.tsx';
import { ResourceLink } from '../../ui/page/resource.tsx';
import { PalletId } from '../../ui/parts/badges.tsx';
import { lackCondition, ofCarriers } from '../resources/shipment/list.ts';

/** A wrong pallet or unknown marker on a completed shipment. */
type WrongPallet = Omit<StoredRecord, 'track'> & { shipmentUuid: string; shipmentExternalId: string };

/** The first instant of the list if none is given. The list then covers as many days as the longest report. */
const firstOf = (before = Date.now()): number => before - REPORT_DAYS_MAXIMUM * DAY_MS;

const wrongPallets = list({
  table: 'a',
  from: recordList.from,
  view: sql<WrongPallet>`json_object(${recordPairs}, 'shipmentUuid', (SELECT shipment_uuid FROM shipment_manifest
      WHERE organization_uuid = a.organization_uuid AND manifest_uuid = a.manifest_uuid),
    'shipmentExternalId', (SELECT shipment.external_identifier FROM shipment_manifest s
      CROSS JOIN shipment ON shipment.uuid = s.shipment_uuid
      WHERE s.organization_uuid = a.organization_uuid AND s.manifest_uuid = a.manifest_uuid))`,
  sorting: {
    columns: { createDate: { expression: sql`a.create_date`, stable: true } },
    default: { sortBy: 'createDate', direction: 'DESC' },
  },
  filters: {
    loadingStatus: several(z.enum(INVALID_STATUSES)).optional(),
    gate: several(text(1, 255)).optional(),
    carrier: several(text(1, 1_000)).optional(),
    without: z.enum(['CARRIER', 'GATE']).optional(),
    closeDateAfter: dateFilter.optional(),
    closeDateBefore: dateFilter.optional(),
  },
  rows: ({ organization }, query) => ({
    conditions: [
      sql`a.organization_uuid = ${organization}`,
      // The manifests of the shipments that a report counts. Only few shipments have wrong pallets.
      sql`a.manifest_uuid IN (SELECT s.manifest_uuid FROM shipment_figures f
        CROSS JOIN shipment ON shipment.uuid = f.shipment_uuid
        CROSS JOIN shipment_manifest s ON s.organization_uuid = f.organization_uuid
          AND s.shipment_uuid = f.shipment_uuid
        WHERE ${sql.join(
          [
            sql`f.organization_uuid = ${organization} AND f.pallets_wrong > 0`,
            dateRange(
              sql`f.close_date`,
              query.closeDateAfter ?? firstOf(query.closeDateBefore),
              query.closeDateBefore,
            ),
            query.gate && sql`shipment.gate_uuid ${gatesNamed(organization, query.gate)}`,
            query.carrier && ofCarriers(organization, query.carrier),
            query.without && lackCondition(query.without),
          ].filter((condition) => condition !== undefined),
          sql` AND `,
        )})`,
      sql`a.loading_status ${inList(query.loadingStatus ?? INVALID_STATUSES)}`,
      sql`manifest.manifest_status <> 'CANCELLED'`,
    ],
    narrow: true,
  }),
});

/** The list of the wrong pallets that a report counts. */
export function wrongListing(app: Hono<AppEnv>): void {
  listing(app, {
    path: '/app/report/wrong-pallets',
    title: ({ t }) => t('report.wrongList'),
    right: 'see',
    feature: 'SHIPMENT',
    list: wrongPallets,
    filters: [
      { name: 'loadingStatus', label: ({ t }) => t('load.state'), options: INVALID_STATUSES },
      { name: 'gate', label: ({ t }) => t('page.gate'), chosen: true },
      { name: 'carrier', label: ({ t }) => t('role.CARRIER') },
      ...CLOSED,
    ],
    columns: ({ words }) => [
      {
        label: words.t('report.record'),
        value: ({ trackIdentifier, markerCode }) =>
          trackIdentifier === null ? (
            <a href={`/app/marker-code/${markerCode}`}>
              {words.t('report.unknown', { code: String(markerCode) })}
            </a>
          ) : (
            <PalletId id={trackIdentifier} />
          ),
        plain: ({ trackIdentifier, markerCode }) => trackIdentifier ?? String(markerCode),
      },
      { label: words.t('load.state'), status: ({ loadingStatus }) => loadingStatus, narrow: 'evident' },
      {
        label: words.t('kind.SHIPMENT'),
        value: ({ shipmentUuid, shipmentExternalId }) => (
          <ResourceLink resource="shipment" uuid={shipmentUuid}>
            {shipmentExternalId}
          </ResourceLink>
        ),
        plain: ({ shipmentExternalId }) => shipmentExternalId,
      },
      {
        label: words.t('kind.MANIFEST'),
        value: ({ manifestUuid, manifestExternalId }) => (
          <ResourceLink resource="manifest" uuid={manifestUuid}>
            {manifestExternalId}
          </ResourceLink>
        ),
        plain: ({ manifestExternalId }) => manifestExternalId,
      },
      {
        label: words.t('page.gate'),
        value: ({ recordGate }) => <GatePlate gate={recordGate} />,
        plain: ({ recordGate }) => gatePlain({ gate: recordGate }),
        narrow: 'head',
      },
      { label: words.t('report.loadedAt'), plain: ({ loadingDate }) => instant(loadingDate) },
    ],
    empty: ({ t }) => t('report.wrongNone'),
    more: ({ database }) => gatesQuery(database),
    choices: gateChoices,
  });
}
