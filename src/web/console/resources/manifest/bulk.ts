import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { inList } from '../../../../core/lib/sql.ts';
import { labelsOfManifests } from '../../../../dispatch/label/store.ts';
import { assignManifestsGate } from '../../../../dispatch/load/manifest/commands.ts';
import { changeManifestStatus } from '../../../../dispatch/load/manifest/lifecycle-commands.ts';
import type { LoadStatus } from '../../../../dispatch/load/shared/status-rules.ts';
import { action } from '../../../ui/confirm/action.ts';
import { confirmRows, outcomeOf, rowsOf } from '../../../ui/list/bulk.tsx';
import { namedRows, writeEach } from '../../../ui/list/bulk-rows.ts';
import { hasFeature } from '../../../ui/page/menu.tsx';
import { loadBulk, loadBulkActions } from '../load/bulk.tsx';
import { PUT_ON_TRUCK, putOnTruck } from './put-on-truck.tsx';

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
