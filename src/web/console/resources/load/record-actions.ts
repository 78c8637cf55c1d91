import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import { text } from '../../../../core/http/schema.ts';
import { write } from '../../../../core/http/write.ts';
import type { Database } from '../../../../core/lib/database.ts';
import { labelsOfRecords } from '../../../../dispatch/label/store.ts';
import { type LoadIdentifier, markLoading } from '../../../../dispatch/loading/commands.ts';
import { SETTABLE_STATUSES } from '../../../../dispatch/loading/schema.ts';
import { markForUndo, removeForUndo } from '../../../../dispatch/undo/commands.ts';
import { READING_MAXIMUM } from '../../../../pallet/identifier.ts';
import { action, type PageContext } from '../../../ui/confirm/action.ts';
import { confirmRemoval } from '../../../ui/confirm/confirm-removal.tsx';
import { wmsIdMeant } from '../../../ui/confirm/meant-pallet.ts';
import { undoAction, undoable } from '../../../ui/confirm/undo.tsx';
import type { ByUuid } from '../../../ui/page/resource.tsx';
import { labelsAction } from '../marker/labels.tsx';

const recordForm = z.object({ record: z.uuid() });
const markForm = z.object({
  pallet: text(1, READING_MAXIMUM),
  status: z.enum(SETTABLE_STATUSES),
  gate: text(1, 255),
  comment: text(0, 1_000),
});

/** SQL: a row if the loading of a record's manifest has started. */
const startedQuery = (
  { organization }: Database,
  record: string,
): SQL<{
  started: 1;
}> => sql`SELECT 1 AS started FROM asset_loading a CROSS JOIN manifest m ON m.uuid = a.manifest_uuid
  WHERE a.uuid = ${record} AND a.organization_uuid = ${organization}
    AND m.manifest_status NOT IN ('PLANNED', 'TO_DO')`;

/** The actions on the records of the load in the path. */
export function recordActions(holderOf: (at: PageContext, uuid: string) => Promise<LoadIdentifier>) {
  return {
    load: action('mark', recordForm, async (at, { uuid }: ByUuid, { record }) => {
      const { body } = await write(at.c, at.submission, markForUndo, {
        ...(await holderOf(at, uuid)),
        target: { by: 'record', recordUuid: record },
        status: 'LOADED',
        gateIdentifier: null,
        comment: null,
      });
      const [started] = await at.database.all(startedQuery(at.database, record));
      const done = [at.words.t('done.LOADED'), !started && at.words.t('load.notStarted')];
      return undoable(at, body, done.filter(Boolean).join(' '));
    }),
    mark: action('mark', markForm, async (at, { uuid }: ByUuid, { status, gate, comment, ...form }) => {
      const pallet = await wmsIdMeant(at, form.pallet, true);
      await write(at.c, at.submission, markLoading, {
        ...(await holderOf(at, uuid)),
        target: { by: 'track', trackIdentifier: pallet },
        status,
        gateIdentifier: gate,
        comment: comment || null,
      });
      return { done: at.words.t(`marked.${status}`, { pallet }) };
    }),
    removeRecord: action(
      'mark',
      recordForm,
      async (at, { uuid }: ByUuid, { record }) => {
        const { body } = await write(at.c, at.submission, removeForUndo, {
          ...(await holderOf(at, uuid)),
          target: { by: 'record', recordUuid: record },
        });
        return undoable(at, body, at.words.t('load.recordRemoved'));
      },
      (at, _, { record }) => confirmRemoval(at, record),
    ),
    undo: undoAction,
    labels: labelsAction((uuids, scope) => labelsOfRecords(scope, uuids)),
  };
}
