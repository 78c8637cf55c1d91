import { sql } from 'drizzle-orm';
import { parseJson } from '../../../core/lib/json.ts';
import { inList } from '../../../core/lib/sql.ts';
import {
  type Change,
  type ChangePart,
  type Context,
  command,
  mergeChanges,
  unchanged,
} from '../../../core/writer/command.ts';
import {
  acceptedOperationChange,
  openOperation,
  operationProgressChange,
} from '../../../log/operation/changes.ts';
import type { Parts } from '../../../log/operation/rules.ts';
import { type OperationState, operationStateQuery } from '../../../log/operation/store.ts';
import { writeFieldsOf } from '../../custom-field/store.ts';
import { checkedNow, figuresOfCarriers, shipmentAudit } from './changes.ts';
import { BulkPlan } from './rules.ts';
import { bulkItemOf, bulkItemsQueries } from './store.ts';
import { shipment } from './table.ts';

/** The maximum number of items in one commit with PROCEED, where items do not depend on each other. */
const ITEMS_A_COMMIT = 250;

type ErrorBehaviour = 'PROCEED' | 'ROLLBACK';

/**
 * Accept a bulk upsert of custom fields. The items are validated later, when they are carried out.
 */
export const acceptBulkUpsert = command('acceptBulkUpsert', {
  decide(context, { items, errorBehaviour, requestId }: ForAll & { items: Parts; requestId: string }) {
    const { operationUuid, ...change } = acceptedOperationChange(context, {
      operationType: 'SHIPMENT_BULK_UPSERT',
      input: { errorBehaviour },
      items,
      requestId,
    });
    return { ...change, jobs: true, answer: { value: { operationUuid } } };
  },
});

/** The parameters for all items of a bulk upsert. */
interface ForAll {
  errorBehaviour: ErrorBehaviour;
}

/**
 * Carry out the next items of a bulk upsert, in order. With ROLLBACK, carry out all items in one
 * commit. The operation's counts record the progress. They change in the same commit as the items.
 */
export const carryOutBulkUpsert = command('carryOutBulkUpsert', {
  exclusive: true,
  ask: ({ scope }, { operationUuid }: { operationUuid: string }) => ({
    operations: operationStateQuery<ForAll>(scope, operationUuid),
  }),
  askMore({ scope }, _, { operations }) {
    const state = openOperation(operations);
    return { items: state ? bulkItemsQueries(scope, state.uuid, ...nextItems(state)) : undefined };
  },
  decide(context, _, { operations, items }) {
    const state = openOperation(operations);
    if (!state) return unchanged({ value: { finished: true } });
    const plan = new BulkPlan(context.organization!.shipmentCustomFields);
    for (const item of items) plan.add(bulkItemOf(item));
    const failed = plan.results.some(({ error }) => error !== null);
    if (behaviourOf(state) === 'ROLLBACK' && failed) return rolledBack(context, state, plan);
    return mergeChanges({ value: { finished: nextItems(state)[1] === state.totalCount } }, [
      effects(context, plan),
      operationProgressChange(context, state, plan.results),
    ]);
  },
});

const behaviourOf = ({ input }: OperationState<ForAll>) => parseJson(input).errorBehaviour;

/** The range of the next items: first index, and index after the last. */
function nextItems(state: OperationState<ForAll>): [number, number] {
  const start = state.succeededCount + state.failedCount;
  const end = behaviourOf(state) === 'ROLLBACK' ? state.totalCount : start + ITEMS_A_COMMIT;
  return [start, Math.min(end, state.totalCount)];
}

function effects(context: Context, plan: BulkPlan): ChangePart {
  const { scope, now } = context;
  const { changed } = plan;
  if (changed.length === 0) return { writes: [], audit: [] };
  const touched = changed.map(({ uuid }) => uuid);
  return {
    writes: [
      ...writeFieldsOf(
        scope,
        changed.map(({ uuid, changes }) => ({
          ownerUuid: uuid,
          fields: changes.map(({ fieldKey, after }) => [fieldKey, after]),
        })),
      ),
      figuresOfCarriers(scope, touched),
      ...checkedNow(
        context,
        changed.flatMap(({ changes }) => changes),
      ),
      scope.update(shipment, { updateDate: now }, sql`uuid ${inList(touched)}`),
    ],
    // A check of the departures resolves the alerts about departures that moved.
    jobs: true,
    audit: changed.map(({ changes, ...state }) =>
      shipmentAudit(
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

/** The result of a ROLLBACK: nothing changes, and every item has failed. */
function rolledBack(context: Context, state: OperationState, plan: BulkPlan): Change<{ finished: boolean }> {
  const error = {
    code: 'rolledBack',
    message: 'Another item failed, so nothing was changed. ROLLBACK changes either all items or none.',
  };
  const results = plan.results.map((result) => ({ ...result, error: result.error ?? error }));
  return mergeChanges({ value: { finished: true } }, [operationProgressChange(context, state, results)]);
}
