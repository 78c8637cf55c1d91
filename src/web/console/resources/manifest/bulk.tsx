import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { write } from '../../../../core/http/write.ts';
import type { Database } from '../../../../core/lib/database.ts';
import { inList } from '../../../../core/lib/sql.ts';
import { listed } from '../../../../core/lib/text.ts';
import { labelsOfManifests } from '../../../../dispatch/label/store.ts';
import { assignManifestsGate } from '../../../../dispatch/load/manifest/commands.ts';
import { changeManifestStatus } from '../../../../dispatch/load/manifest/lifecycle-commands.ts';
import type { LoadStatus } from '../../../../dispatch/load/shared/status-rules.ts';
import { attachManifests } from '../../../../dispatch/load/shipment/lifecycle-commands.ts';
import { roleDate, roleValue } from '../../../../dispatch/load/shipment/store.ts';
import { action, type PageContext } from '../../../ui/confirm/action.ts';
import type { Confirmation } from '../../../ui/confirm/confirmation.tsx';
import { Select } from '../../../ui/form/form.tsx';
import {
  type ChosenRows,
  confirmRows,
  type Offer,
  outcomeOf,
  RowCount,
  rowsOf,
} from '../../../ui/list/bulk.tsx';
import { namedRows, writeEach } from '../../../ui/list/bulk-rows.ts';
import { hasFeature } from '../../../ui/page/menu.tsx';
import { loadBulk, loadBulkActions } from '../load/bulk.tsx';

/** The maximum number of shipments to choose from. */
const OFFERED = 50;

interface Truck {
  uuid: string;
  name: string;
  gate: string | null;
  carrier: string | null;
  departureDate: number | null;
  pallets: number;
}

/** The shipments that take manifests, by departure. */
const trucksQuery = ({ organization }: Database) => sql<Truck>`SELECT h.uuid, h.external_identifier AS name,
    (SELECT name FROM gate WHERE gate.uuid = h.gate_uuid) AS gate, ${roleValue('CARRIER', sql`h`)} AS carrier,
    ${roleDate('PLANNED_DEPARTURE', sql`h`)} AS "departureDate",
    (SELECT coalesce(sum(m.assets_count), 0) FROM shipment_manifest s CROSS JOIN manifest m ON m.uuid = s.manifest_uuid
      WHERE s.organization_uuid = h.organization_uuid AND s.shipment_uuid = h.uuid) AS pallets
  FROM shipment h WHERE h.organization_uuid = ${organization} AND h.status IN ('TO_DO', 'IN_PROGRESS')
    AND h.deleted_date IS NULL
  ORDER BY "departureDate" NULLS LAST, h.uuid DESC LIMIT ${OFFERED}`;

/** The bulk action that attaches the chosen manifests to a shipment. */
const PUT_ON_TRUCK: Offer<'putOnTruck'> = {
  action: 'putOnTruck',
  right: 'operate',
  label: ({ t }) => t('bulk.truck'),
  icon: 'truck',
  more: true,
};

/** Attach the chosen manifests to the shipment that the user chooses in the question: all or none. */
const putOnTruck = action(
  'operate',
  z.object({ ...rowsOf(z.uuid()), shipment: z.uuid().optional() }),
  async ({ c, words, submission }, _: unknown, { row, shipment }) => {
    const manifests = row.map((manifestUuid) => ({ manifestUuid, manifestExternalId: null }));
    await write(c, submission, attachManifests, { identifier: shipment ?? '', manifests });
    return {
      done: words.t('make.attached', { count: manifests.length }),
      to: `/app/shipment/${shipment}`,
    };
  },
  (at, _, chosen) => chooseTruck(at, chosen),
);

async function chooseTruck(at: PageContext, chosen: ChosenRows): Promise<Confirmation> {
  const { t, time } = at.words;
  const zone = at.session.organization.timeZone;
  const trucks = await at.database.all(trucksQuery(at.database));
  const isNone = trucks.length === 0;
  const options = trucks.map(({ uuid, name, gate, carrier, departureDate, pallets }) => ({
    value: uuid,
    label: listed(
      name,
      gate,
      departureDate === null ? null : time(zone, departureDate),
      carrier,
      t('page.palletCount', { count: pallets }),
    ),
  }));
  return {
    title: t('bulk.truckTitle', { count: chosen.row.length }),
    text: (
      <>
        <RowCount of={chosen} />
        <p>{t(isNone ? 'bulk.noTruck' : 'bulk.truckText')}</p>
      </>
    ),
    // No shipment is preselected. Otherwise a button that is pressed too early would choose one.
    ...(!isNone && {
      more: {
        names: ['shipment'],
        body: (
          <Select
            name="shipment"
            label={t('kind.SHIPMENT')}
            options={[{ value: '', label: '–' }, ...options]}
          />
        ),
      },
    }),
    yes: isNone ? null : t('make.attach'),
    no: t('ask.keep'),
    keeps: true,
    note: false,
  };
}

/** How manifests are chosen, and the actions on them. Only some organizations have shipments. */
export const MANIFEST_BULK = loadBulk<'ready' | 'putOnTruck'>((_, { session }) => [
  ...(hasFeature(session, 'SHIPMENT') ? [PUT_ON_TRUCK] : []),
  { action: 'ready', right: 'operate', label: ({ t }) => t('bulk.ready'), icon: 'ready', more: true },
]);

const inStatus = (manifestStatus: LoadStatus) => (identifier: string) => ({ identifier, manifestStatus });

export const manifestBulkActions = {
  ...loadBulkActions('manifest', {
    assign: assignManifestsGate,
    cancel: changeManifestStatus,
    cancelInput: inStatus('CANCELLED'),
    labelsOf: (uuids, scope) => labelsOfManifests(scope, sql`${inList(uuids)}`),
  }),
  putOnTruck,
  ready: action(
    'operate',
    z.object(rowsOf(z.uuid())),
    async (at, _, { row }) => {
      const rows = await namedRows(at, 'manifest', row);
      const became = await writeEach(at, rows, changeManifestStatus, inStatus('TO_DO'));
      return outcomeOf(became, (counts) => at.words.t('bulk.areReady', counts));
    },
    (at, _, chosen) => confirmRows(at, chosen, at.words.t('bulk.ready')),
  ),
};
