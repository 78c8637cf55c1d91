import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import { BASE_PATH } from '../../core/http/endpoint.ts';
import { deepLink } from '../../core/http/link.ts';
import { includeDeletedFilter, list, searchFilter } from '../../core/http/list.ts';
import { listParts, searchCondition, totalOf } from '../../core/http/list-statements.ts';
import { several, uuid } from '../../core/http/schema.ts';
import type { RowsOf } from '../../core/lib/asks.ts';
import type { Database } from '../../core/lib/database.ts';
import { parseJson } from '../../core/lib/json.ts';
import { missing } from '../../core/lib/missing.ts';
import type { Refusal } from '../../core/lib/problem.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { isoDate, isoDateOrNull } from '../../core/lib/time.ts';
import { type Viewed, type ViewRow, view } from '../../core/lib/view.ts';
import { scannerQuery } from '../device/store.ts';
import { quantityOf } from '../marker/rules.ts';
import { BATCH_STATUSES, printingBatch } from './table.ts';

export const printingBatchView = view({
  uuid: printingBatch.uuid,
  scannerUuid: printingBatch.scannerUuid,
  externalIdentifier: printingBatch.externalIdentifier,
  status: printingBatch.status,
  labelFormat: printingBatch.labelFormat,
  firstMarkerCode: printingBatch.firstMarkerCode,
  lastMarkerCode: printingBatch.lastMarkerCode,
  completeDate: printingBatch.completeDate,
  createDate: printingBatch.createDate,
  updateDate: printingBatch.updateDate,
  deletedDate: printingBatch.deletedDate,
});
export type StoredPrintingBatch = Viewed<typeof printingBatchView>;

/** A printing batch as the API shows it. */
export function presentPrintingBatch(links: string, { deletedDate, ...stored }: StoredPrintingBatch) {
  const quantity = quantityOf(stored);
  return {
    ...stored,
    quantity,
    printedCount: stored.status === 'COMPLETED' ? quantity : 0,
    completeDate: isoDateOrNull(stored.completeDate),
    createDate: isoDate(stored.createDate),
    updateDate: isoDate(stored.updateDate),
    deepLink: deepLink(links, 'printing-batch', stored.uuid),
    deleted: deletedDate !== null,
  };
}

export function printingBatchPath({ scannerUuid, uuid }: { scannerUuid: string; uuid: string }): string {
  return `${BASE_PATH}/scanner/${scannerUuid}/printing-batch/${uuid}`;
}

/** A batch by the two uuids in its path, in lower case. */
export interface BatchNames {
  scannerUuid: string;
  batchUuid: string;
}

/** Read the batch in a path, and its scanner. */
export const batchAsks = (scope: Scope, { scannerUuid, batchUuid }: BatchNames) => ({
  scanners: scannerQuery(scope, scannerUuid),
  batches: sql<ViewRow<typeof printingBatchView>>`SELECT ${printingBatchView} AS view FROM printing_batch
    WHERE uuid = ${batchUuid} AND scanner_uuid = ${scannerUuid} AND organization_uuid = ${scope.organization}
      AND deleted_date IS NULL`,
});

/** The batch from rows of `batchAsks`. It is refused if the batch or its scanner does not exist. */
export function foundBatch(
  { scanners, batches: [row] }: RowsOf<ReturnType<typeof batchAsks>>,
  { scannerUuid, batchUuid }: BatchNames,
): StoredPrintingBatch | Refusal {
  if (scanners.length === 0) return missing('scannerNotFound', scannerUuid);
  return row ? parseJson(row.view) : missing('printingBatchNotFound', batchUuid);
}

/** The same for reads outside of commands. */
export const readPrintingBatch = async (
  database: Database,
  names: BatchNames,
): Promise<StoredPrintingBatch | Refusal> =>
  foundBatch(await database.ask(batchAsks(database, names)), names);

/** Returns a row if a batch that is not deleted has this external identifier. */
export const identifierTakenQuery = ({ organization }: Scope, externalIdentifier: string): SQL =>
  sql`SELECT 1 FROM printing_batch WHERE organization_uuid = ${organization}
    AND external_identifier = ${externalIdentifier} AND deleted_date IS NULL`;

/** The organization's printing batches, or only the batches of the scanner `scannerUuid`. */
export const batchList = list({
  table: 'printing_batch',
  view: printingBatchView,
  sorting: {
    columns: {
      createDate: { expression: sql`printing_batch.create_date`, stable: true },
      updateDate: { expression: sql`printing_batch.update_date`, stable: false },
      firstMarkerCode: { expression: sql`printing_batch.first_marker_code`, stable: true },
      status: { expression: sql`printing_batch.status`, stable: false },
    },
    default: { sortBy: 'createDate', direction: 'DESC' },
  },
  filters: {
    scannerUuid: uuid.optional(),
    status: several(z.enum(BATCH_STATUSES)).optional(),
    q: searchFilter,
    includeDeleted: includeDeletedFilter,
  },
  rows({ organization }, query) {
    const { scannerUuid } = query;
    const parts = listParts(sql`printing_batch.status`, query.status);
    return {
      conditions: [
        sql`printing_batch.organization_uuid = ${organization}`,
        scannerUuid === undefined ? undefined : sql`printing_batch.scanner_uuid = ${scannerUuid}`,
        query.includeDeleted ? undefined : sql`printing_batch.deleted_date IS NULL`,
      ],
      parts,
      count:
        query.includeDeleted || scannerUuid === undefined
          ? undefined
          : totalOf(organization, `printing_batch:${scannerUuid}`, parts),
      filtering: [searchCondition([sql`printing_batch.folded_identifier`], query.q)],
    };
  },
});
