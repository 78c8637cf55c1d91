import { type SQL, sql } from 'drizzle-orm';
import { scannerQuery } from '../device/store.ts';
import { BASE_PATH } from '../http/endpoint.ts';
import { deepLink } from '../http/link.ts';
import type { Database } from '../lib/database.ts';
import type { Refusal } from '../lib/problem.ts';
import { isoDate, isoDateOrNull } from '../lib/time.ts';
import type { Block } from '../marker/rules.ts';
import { type BatchStatus, type LabelFormat, noBatch, noScanner, quantityOf } from './rules.ts';

/** JSON of a printing batch. */
export const printingBatchView = sql`json_object('uuid', printing_batch.uuid,
  'scannerUuid', printing_batch.scanner_uuid, 'externalIdentifier', printing_batch.external_identifier,
  'status', printing_batch.status, 'labelFormat', printing_batch.label_format,
  'firstMarkerCode', printing_batch.first_marker_code, 'lastMarkerCode', printing_batch.last_marker_code,
  'completeDate', printing_batch.complete_date, 'createDate', printing_batch.create_date,
  'updateDate', printing_batch.update_date, 'deletedDate', printing_batch.deleted_date)`;

/** A row of `printingBatchView`. Dates in epoch milliseconds. */
export interface StoredPrintingBatch extends Block {
  uuid: string;
  scannerUuid: string;
  externalIdentifier: string | null;
  status: BatchStatus;
  labelFormat: LabelFormat;
  completeDate: number | null;
  createDate: number;
  updateDate: number;
  deletedDate: number | null;
}

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

/** Path of a printing batch in the API. */
export function printingBatchPath({ scannerUuid, uuid }: { scannerUuid: string; uuid: string }): string {
  return `${BASE_PATH}/scanner/${scannerUuid}/printing-batch/${uuid}`;
}

/** A batch by the two names in its path; both lower case. */
export interface BatchNames {
  scannerUuid: string;
  batchUuid: string;
}

/** The batch that a path names, if it is not deleted, nor its scanner. */
export async function readPrintingBatch(
  database: Database,
  { scannerUuid, batchUuid }: BatchNames,
): Promise<StoredPrintingBatch | Refusal> {
  const [scanners, batches] = await database.batch<[object[], { view: string }[]]>([
    scannerQuery(database, scannerUuid),
    sql`SELECT ${printingBatchView} AS view FROM printing_batch
      WHERE uuid = ${batchUuid} AND scanner_uuid = ${scannerUuid} AND organization_uuid = ${database.organization}
        AND deleted_date IS NULL`,
  ]);
  if (scanners.length === 0) return noScanner();
  const [row] = batches;
  return row ? (JSON.parse(row.view) as StoredPrintingBatch) : noBatch();
}

/** The JSON of a batch that a commit has written. */
export const writtenBatchQuery = ({ organization }: Database, uuid: string): SQL =>
  sql`SELECT ${printingBatchView} FROM printing_batch
    WHERE organization_uuid = ${organization} AND uuid = ${uuid}`;

/** Whether a batch that is not deleted has the external identifier; for a batch of statements. */
export const identifierTakenQuery = ({ organization }: Database, externalIdentifier: string): SQL =>
  sql`SELECT 1 FROM printing_batch WHERE organization_uuid = ${organization}
    AND external_identifier = ${externalIdentifier} AND deleted_date IS NULL`;
