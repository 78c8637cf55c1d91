import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../core/lib/database.ts';
import {
  type ArchivedDocument,
  type ArchivedRecords,
  RECORDS_OF_OBJECT,
} from '../storage/archive/objects.ts';
import type { ArchivedRow } from '../storage/archive/store.ts';
import type { ArchivedPage } from '../web/pages/archived.ts';
import { PROOF_CORRECTIONS_MAXIMUM, readSummary } from '../web/pages/read-load.ts';
import { type LoadMember, spanOf } from '../web/pages/rules.ts';
import {
  correctionsQuery,
  numbered,
  readOverview,
  recordsOfSpan,
  summaryRecordsQuery,
} from '../web/pages/store.ts';
import { askLoad, type LoadPart, loadFingerprintOf } from './load-store.ts';
import { newKeys, putObject } from './objects.ts';
import type { ClosedLoad, CopiedLoad, NewEntry, WrittenObject } from './rules.ts';

/**
 * Copy a unit into the bucket: a document for each manifest and shipment, and the loading records of all of them. Its
 * state (`fingerprint`) is read first, so that changes during the copy are noticed. @throws `Gone` if it no longer
 * exists
 */
export async function copyLoad(
  bucket: R2Bucket,
  database: Database,
  load: ClosedLoad,
  now: number,
): Promise<CopiedLoad> {
  const state = await database.ask(askLoad(database, load));
  const total = state.manifests.reduce((sum, { recordsCount }) => sum + recordsCount, 0);
  const parts = [
    ...state.shipments.map((part) => ({ kind: 'SHIPMENT' as const, part })),
    ...state.manifests.map((part) => ({ kind: 'MANIFEST' as const, part })),
  ];
  const pieces = Math.ceil(total / RECORDS_OF_OBJECT);
  const keys = await newKeys(database, load.uuid, parts.length + pieces, now);
  const objects: WrittenObject[] = [];
  const put = async (kind: WrittenObject['kind'], place: number, value: object) =>
    objects.push({ kind, place, ...(await putObject(bucket, keys.pop()!, value)) });

  const entries: NewEntry[] = [];
  let firstRecord = 0;
  for (const [place, { kind, part }] of parts.entries()) {
    await put(
      'DOCUMENT',
      place,
      await documentOf(database, kind, part, kind === 'SHIPMENT' ? total : part.recordsCount),
    );
    entries.push({ uuid: part.uuid, place, firstRecord });
    firstRecord += part.recordsCount;
  }
  const overview = await readOverview(database, load);
  for (let piece = 0; overview && piece < pieces; piece += 1) {
    await put('RECORDS', piece, await recordsOf(database, overview.members, piece));
  }
  return { load, fingerprint: loadFingerprintOf(state), entries, objects };
}

const row = (statement: SQL) => sql<ArchivedRow>`${statement}`;

/** The document of a manifest or shipment: its rows, and the content of its GET and its public pages. */
async function documentOf(
  database: Database,
  kind: ClosedLoad['kind'],
  { uuid, view, publicToken }: LoadPart,
  recordsCount: number,
): Promise<ArchivedDocument> {
  const { organization } = database;
  const own = sql`organization_uuid = ${organization} AND uuid = ${uuid}`;
  const rows = await database.ask({
    shipment: kind === 'SHIPMENT' ? row(sql`SELECT * FROM shipment WHERE ${own}`) : undefined,
    manifest: kind === 'MANIFEST' ? row(sql`SELECT * FROM manifest WHERE ${own}`) : undefined,
    shipment_manifest: row(sql`SELECT * FROM shipment_manifest
      WHERE organization_uuid = ${organization} AND manifest_uuid = ${uuid}`),
    custom_field: row(sql`SELECT * FROM custom_field
      WHERE organization_uuid = ${organization} AND owner_uuid = ${uuid} ORDER BY rowid`),
    loading_correction: row(sql`SELECT * FROM loading_correction
      WHERE organization_uuid = ${organization} AND manifest_uuid = ${uuid}`),
  });
  const page = publicToken === null ? null : await pageOf(database, { kind, uuid });
  return { view, page, recordsCount, rows };
}

async function pageOf(database: Database, load: ClosedLoad): Promise<ArchivedPage> {
  const summary = await readSummary(database, load, 1);
  const { organizations, corrections } = await database.ask({
    organizations: sql<{ name: string }>`SELECT name FROM organization WHERE uuid = ${database.organization}`,
    corrections: correctionsQuery(database, load, PROOF_CORRECTIONS_MAXIMUM),
  });
  const { subject, members, correctionsCount, problems, damagedCount } = summary!;
  return {
    organizationName: organizations[0]!.name,
    overview: { subject, members, correctionsCount },
    problems,
    damagedCount,
    corrections: numbered(corrections, correctionsCount),
  };
}

async function recordsOf(
  database: Database,
  members: readonly LoadMember[],
  piece: number,
): Promise<ArchivedRecords> {
  const span = spanOf(members, piece + 1, RECORDS_OF_OBJECT);
  return database.ask({
    shown: summaryRecordsQuery(database, span),
    rows: row(sql`SELECT a.* FROM ${recordsOfSpan(database, span)} ORDER BY a.place, a.create_date, a.uuid`),
  });
}
