import { sql } from 'drizzle-orm';
import { changedFields } from '../../core/lib/changes.ts';
import { newUuid } from '../../core/lib/id.ts';
import { missing, named } from '../../core/lib/missing.ts';
import { type Refusal, refusal } from '../../core/lib/problem.ts';
import { fold } from '../../core/lib/text.ts';
import { viewOf } from '../../core/lib/view.ts';
import { auditing } from '../../core/writer/audited.ts';
import { command, isRefusal, unchanged } from '../../core/writer/command.ts';
import { scannerQuery } from '../device/store.ts';
import { reserveMarkers } from '../marker/commands.ts';
import { type BatchStatus, type LabelFormat, refuseMove } from './rules.ts';
import { type BatchNames, batchAsks, foundBatch, identifierTakenQuery, printingBatchView } from './store.ts';
import { printingBatch } from './table.ts';

/** Create a batch and allocate its block of codes in the same commit. */
export const createPrintingBatch = command('createPrintingBatch', {
  ask: (
    { scope },
    {
      scannerUuid,
      externalIdentifier,
    }: {
      scannerUuid: string;
      quantity: number;
      externalIdentifier: string | null;
      labelFormat: LabelFormat;
    },
  ) => ({
    scanners: scannerQuery(scope, scannerUuid),
    taken: externalIdentifier === null ? undefined : identifierTakenQuery(scope, externalIdentifier),
  }),
  decide(context, { scannerUuid, quantity, externalIdentifier, labelFormat }, { scanners, taken }) {
    const { scope, now } = context;
    if (scanners.length === 0) return missing('scannerNotFound', scannerUuid);
    if (externalIdentifier !== null && taken.length > 0) return inUse(externalIdentifier);
    const reserved = reserveMarkers(context, quantity);
    if (isRefusal(reserved)) return reserved;
    const { block, change } = reserved;
    const uuid = newUuid();
    const said = { scannerUuid, externalIdentifier, labelFormat, ...block };
    return {
      ...change,
      writes: [
        ...change.writes,
        ...scope.insert(printingBatch, [
          {
            uuid,
            ...said,
            foldedIdentifier: externalIdentifier === null ? null : fold(externalIdentifier),
            status: 'CREATED',
            createDate: now,
            updateDate: now,
          },
        ]),
      ],
      audit: [
        ...change.audit,
        audited(
          'PRINTING_BATCH_CREATED',
          { uuid, externalIdentifier },
          changedFields<typeof said>(null, said),
        ),
      ],
      answer: answerOf(scope, uuid),
    };
  },
});

/** Change the status of a batch. Setting the current status changes nothing. */
export const changePrintingBatchStatus = command('changePrintingBatchStatus', {
  ask: ({ scope }, names: BatchNames & { status: BatchStatus }) => batchAsks(scope, names),
  decide({ scope, now }, { status, ...names }, rows) {
    const found = foundBatch(rows, names);
    if (isRefusal(found)) return found;
    const fault = refuseMove(found, status);
    if (fault) return fault;
    const answer = answerOf(scope, found.uuid);
    if (status === found.status) return unchanged(answer);
    const completeDate = status === 'COMPLETED' ? now : null;
    return {
      writes: [
        scope.update(printingBatch, { status, completeDate, updateDate: now }, sql`uuid = ${found.uuid}`),
      ],
      audit: [
        audited('PRINTING_BATCH_STATUS_CHANGED', found, [
          { field: 'status', oldValue: found.status, newValue: status },
        ]),
      ],
      answer,
    };
  },
});

/** Delete a batch. Its codes stay allocated. Its external identifier can be used again. */
export const deletePrintingBatch = command('deletePrintingBatch', {
  ask: ({ scope }, names: BatchNames) => batchAsks(scope, names),
  decide({ scope, now }, names, rows) {
    const found = foundBatch(rows, names);
    if (isRefusal(found)) return found;
    return {
      writes: [scope.update(printingBatch, { deletedDate: now, updateDate: now }, sql`uuid = ${found.uuid}`)],
      audit: [
        audited('PRINTING_BATCH_DELETED', found, [{ field: 'deleted', oldValue: false, newValue: true }]),
      ],
      answer: { value: {} },
    };
  },
});

function inUse(externalIdentifier: string): Refusal {
  const code = 'externalIdentifierInUse' as const;
  const detail = `${named('Printing batch', externalIdentifier)} exists already.`;
  return refusal(code, detail, {
    errors: [{ field: 'externalIdentifier', code, message: detail, rejectedValue: externalIdentifier }],
  });
}

const answerOf = viewOf(printingBatchView, printingBatch);
const audited = auditing<{ uuid: string; externalIdentifier: string | null }>(
  'PRINTING_BATCH',
  ({ externalIdentifier }) => externalIdentifier,
);
