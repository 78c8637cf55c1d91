import { sql } from 'drizzle-orm';
import type { FieldChange } from '../audit/chain.ts';
import { scannerQuery } from '../device/store.ts';
import { changedFields } from '../lib/changes.ts';
import { newUuid } from '../lib/id.ts';
import { type Refusal, refusal } from '../lib/problem.ts';
import { fold } from '../lib/text.ts';
import { reserveMarkers } from '../marker/commands.ts';
import type { Change, Command } from '../writer/command.ts';
import { type BatchStatus, type LabelFormat, moveFault, noScanner } from './rules.ts';
import { type BatchNames, identifierTakenQuery, readPrintingBatch, writtenBatchQuery } from './store.ts';
import { printingBatch } from './table.ts';

/** Create a batch and allocate its block of codes in the same commit. */
export const createPrintingBatch: Command<{
  scannerUuid: string;
  quantity: number;
  externalIdentifier: string | null;
  labelFormat: LabelFormat;
}> = async (context, { scannerUuid, quantity, externalIdentifier, labelFormat }) => {
  const { database, now } = context;
  const [scanners, taken] = await database.batch([
    scannerQuery(database, scannerUuid),
    identifierTakenQuery(database, externalIdentifier ?? ''),
  ]);
  if (scanners!.length === 0) return noScanner();
  if (externalIdentifier !== null && taken!.length > 0) return inUse(externalIdentifier);
  const reserved = reserveMarkers(context, quantity);
  if ('code' in reserved) return reserved;
  const { block, change } = reserved;
  const uuid = newUuid();
  const said = { scannerUuid, externalIdentifier, labelFormat, ...block };
  return {
    ...change,
    writes: [
      ...change.writes,
      ...database.insert(printingBatch, [
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
      audited('PRINTING_BATCH_CREATED', { uuid, externalIdentifier }, changedFields<typeof said>(null, said)),
    ],
    answer: writtenBatchQuery(database, uuid),
  };
};

/** Move a batch to another status; nothing changes where it has that status already. */
export const changePrintingBatchStatus: Command<BatchNames & { status: BatchStatus }> = async (
  context,
  { status, ...names },
) => {
  const { database, now } = context;
  const found = await readPrintingBatch(database, names);
  if ('code' in found) return found;
  const fault = moveFault(found.status, status);
  if (fault) return fault;
  const answer = writtenBatchQuery(database, found.uuid);
  if (status === found.status) return { writes: [], audit: [], answer };
  const completeDate = status === 'COMPLETED' ? now : null;
  return {
    writes: [
      database.update(printingBatch, { status, completeDate, updateDate: now }, sql`uuid = ${found.uuid}`),
    ],
    audit: [
      audited('PRINTING_BATCH_STATUS_CHANGED', found, [
        { field: 'status', oldValue: found.status, newValue: status },
      ]),
    ],
    answer,
  };
};

/** Delete a batch. Its codes stay allocated; its external identifier is free again. */
export const deletePrintingBatch: Command<BatchNames> = async (context, names) => {
  const { database, now } = context;
  const found = await readPrintingBatch(database, names);
  if ('code' in found) return found;
  return {
    writes: [
      database.update(printingBatch, { deletedDate: now, updateDate: now }, sql`uuid = ${found.uuid}`),
    ],
    audit: [
      audited('PRINTING_BATCH_DELETED', found, [{ field: 'deleted', oldValue: false, newValue: true }]),
    ],
    answer: { value: {} },
  };
};

function inUse(externalIdentifier: string): Refusal {
  const code = 'externalIdentifierInUse' as const;
  const detail = `There is a printing batch ${externalIdentifier}.`;
  return refusal(code, detail, {
    errors: [{ field: 'externalIdentifier', code, message: detail, rejectedValue: externalIdentifier }],
  });
}

const audited = (
  action: string,
  { uuid, externalIdentifier }: { uuid: string; externalIdentifier: string | null },
  changes: FieldChange[],
): Change['audit'][number] => ({
  action,
  entityType: 'PRINTING_BATCH',
  entityUuid: uuid,
  entityExternalId: externalIdentifier,
  changes,
});
