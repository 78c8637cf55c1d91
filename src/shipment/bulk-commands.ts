import { sql } from 'drizzle-orm';
import type { CustomFieldInput } from '../custom-field/schema.ts';
import { writeFieldsOf } from '../custom-field/store.ts';
import { inList } from '../lib/database.ts';
import { accept, findOpen, progress } from '../operation/changes.ts';
import type { OperationState } from '../operation/store.ts';
import { type Change, type Command, type Context, mergeChanges, type Part } from '../writer/command.ts';
import { BulkPlan } from './bulk-rules.ts';
import { readBulkItems } from './bulk-store.ts';
import { audited } from './changes.ts';
import { shipment } from './table.ts';

/** Items that one commit takes, where items do not depend on each other. */
const ITEMS_A_COMMIT = 250;
/** Items that one statement reads. */
const ITEMS_A_READ = 500;

export type ErrorBehaviour = 'PROCEED' | 'ROLLBACK';

/** Accept to set custom fields of many shipments. Whether an item can be is found when it is carried out. */
export const acceptBulkUpsert: Command<{
  items: { shipmentExternalId: string; customFields: CustomFieldInput[] }[];
  errorBehaviour: ErrorBehaviour;
  requestId: string;
}> = async (context, { items, errorBehaviour, requestId }) => {
  const { operationUuid, ...change } = accept(context, {
    operationType: 'SHIPMENT_BULK_UPSERT',
    input: { errorBehaviour },
    items: items.map(({ shipmentExternalId, customFields }) => ({
      identifier: shipmentExternalId,
      input: customFields,
    })),
    requestId,
  });
  return { ...change, duties: true, answer: { value: { operationUuid } } };
};

/**
 * Carry out the next items of a bulk upsert, or, where it is all or nothing, all of them in one commit. Items are taken
 * in order; the operation's counts say how far it is, and move in the commit of the items' effects.
 */
export const carryOutBulkUpsert: Command<{ operationUuid: string }> = async (context, { operationUuid }) => {
  const state = await findOpen(context, operationUuid);
  if (!state) return { writes: [], audit: [], answer: { value: { finished: true } } };
  const { errorBehaviour } = JSON.parse(state.input) as { errorBehaviour: ErrorBehaviour };
  const start = state.succeededCount + state.failedCount;
  const end = errorBehaviour === 'ROLLBACK' ? state.totalCount : start + ITEMS_A_COMMIT;
  const plan = await planned(context, state, start, Math.min(end, state.totalCount));
  const failed = plan.results.some(({ error }) => error !== null);
  if (errorBehaviour === 'ROLLBACK' && failed) return rolledBack(context, state, plan);
  return mergeChanges({ value: { finished: end >= state.totalCount } }, [
    effects(context, plan),
    progress(context, state, plan.results),
  ]);
};

async function planned(
  { database, organization }: Context,
  state: OperationState,
  start: number,
  end: number,
): Promise<BulkPlan> {
  const plan = new BulkPlan(organization!.shipmentCustomFields);
  for (let first = start; first < end; first += ITEMS_A_READ) {
    const items = await readBulkItems(database, state.uuid, first, Math.min(first + ITEMS_A_READ, end));
    for (const item of items) plan.add(item);
  }
  return plan;
}

function effects({ database, now }: Context, plan: BulkPlan): Part {
  const { changed } = plan;
  if (changed.length === 0) return { writes: [], audit: [] };
  const touched = changed.map(({ uuid }) => uuid);
  return {
    writes: [
      ...writeFieldsOf(
        database,
        changed.map(({ uuid, changes }) => ({
          ownerUuid: uuid,
          fields: changes.map(({ fieldKey, after }) => [fieldKey, after]),
        })),
      ),
      database.update(shipment, { updateDate: now }, sql`uuid ${inList(touched)}`),
    ],
    audit: changed.map(({ changes, ...state }) =>
      audited(
        'SHIPMENT_UPDATED',
        state,
        changes.map(({ fieldKey, before, after }) => ({
          field: `customFields.${fieldKey}`,
          oldValue: before,
          newValue: after,
        })),
      ),
    ),
  };
}

/** Nothing takes effect, and every item has failed: by its own fault, or with the others. */
function rolledBack(context: Context, state: OperationState, plan: BulkPlan): Change {
  const error = {
    code: 'rolledBack',
    message: 'Another item was at fault, and all or none were to take effect.',
  };
  const results = plan.results.map((result) => ({ ...result, error: result.error ?? error }));
  return mergeChanges({ value: { finished: true } }, [progress(context, state, results)]);
}
