import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../core/lib/database.ts';
import {
  type ArchivedDocument,
  type ArchivedRecords,
  RECORDS_OF_OBJECT,
} from '../storage/archive/objects.ts';
import type { ArchivedRow } from '../storage/archive/store.ts';
import type { ArchivedPage } from '../web/pages/archived.ts';
import { correctionsQuery, numberCorrections } from '../web/pages/correction-store.ts';
import { Gone, PROOF_CORRECTIONS_MAXIMUM, readSummary } from '../web/pages/read-load.ts';
import { type LoadMember, spanOf } from '../web/pages/rules.ts';
import { readOverview, recordsOfSpan, summaryRecordsQuery } from '../web/pages/store.ts';
import { resumeCopy, saveCopy, savedCopyQuery } from './copy-progress.ts';
import { askLoad, type LoadPart, type LoadState, loadFingerprintOf } from './load-store.ts';
import { newKeys, putObject } from './objects.ts';
import type { ClosedLoad, CopiedLoad, NewEntry, WrittenObject } from './rules.ts';

/** The number of objects for which keys are reserved at once. */
const KEYS_AT_ONCE = 16;

/** An object to be made. The parts of a unit have a fixed order, so a later run continues after the last object. */
interface Part {
  kind: WrittenObject['kind'];
  place: number;
  read(): Promise<object>;
}

/**
 * Copy a unit into the bucket: a document for each manifest and shipment, and the loading records of all of them. Its
 * state (`fingerprint`) is read first, so that changes during the copy are noticed. Copying ends when `mayContinue`
 * says so; then the result is undefined, and the next call continues. @throws `Gone` if the unit no longer exists
 */
export async function copyLoad(
  bucket: R2Bucket,
  database: Database,
  load: ClosedLoad,
  mayContinue: () => boolean,
): Promise<CopiedLoad | undefined> {
  const {
    saved: [saved],
    ...state
  } = await database.ask({ ...askLoad(database, load), saved: savedCopyQuery(database, load.uuid) });
  const fingerprint = loadFingerprintOf(state);
  const { entries, parts } = contentOf(database, load, state);
  const objects = saved ? await resumeCopy(bucket, database, saved, fingerprint) : [];
  let keys: string[] = [];
  for (const [done, { kind, place, read }] of parts.slice(objects.length).entries()) {
    if (done > 0 && !mayContinue()) {
      await saveCopy(bucket, database, load.uuid, { fingerprint, objects });
      return undefined;
    }
    if (keys.length === 0) {
      const count = Math.min(parts.length - objects.length, KEYS_AT_ONCE);
      keys = await newKeys(database, load.uuid, count, Date.now());
    }
    objects.push({ kind, place, ...(await putObject(bucket, keys.pop()!, await read())) });
  }
  return { load, fingerprint, entries, objects };
}

/** The archive entries of a unit, and the objects to be made for it. */
function contentOf(
  database: Database,
  load: ClosedLoad,
  { shipments, manifests }: LoadState,
): { entries: NewEntry[]; parts: Part[] } {
  const total = manifests.reduce((sum, { recordsCount }) => sum + recordsCount, 0);
  const documents = [
    ...shipments.map((part) => ({ kind: 'SHIPMENT' as const, part, count: total })),
    ...manifests.map((part) => ({ kind: 'MANIFEST' as const, part, count: part.recordsCount })),
  ];
  let firstRecord = 0;
  const entries = documents.map(({ part }, place) => {
    const entry = { uuid: part.uuid, place, firstRecord };
    firstRecord += part.recordsCount;
    return entry;
  });
  let members: Promise<readonly LoadMember[]> | undefined;
  const pieces = Array.from({ length: Math.ceil(total / RECORDS_OF_OBJECT) }, (_, piece) => ({
    kind: 'RECORDS' as const,
    place: piece,
    read: async () => {
      members ??= membersOf(database, load);
      return recordsOf(database, await members, piece);
    },
  }));
  return {
    entries,
    parts: [
      ...documents.map(({ kind, part, count }, place) => ({
        kind: 'DOCUMENT' as const,
        place,
        read: () => documentOf(database, kind, part, count),
      })),
      ...pieces,
    ],
  };
}

async function membersOf(database: Database, load: ClosedLoad): Promise<readonly LoadMember[]> {
  const overview = await readOverview(database, load);
  if (!overview) throw new Gone();
  return overview.members;
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
      WHERE organization_uuid = ${organization} AND load_uuid = ${uuid}`),
    signature: row(sql`SELECT * FROM signature
      WHERE organization_uuid = ${organization} AND load_uuid = ${uuid} ORDER BY number`),
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
  const { subject, members, correctionsCount, signatures, photos, problems, damagedCount } = summary!;
  return {
    organizationName: organizations[0]!.name,
    overview: { subject, members, correctionsCount, signatures: signatures ?? [] },
    problems,
    damagedCount,
    photos: photos ?? [],
    corrections: numberCorrections(corrections, correctionsCount),
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
