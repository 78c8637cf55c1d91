import { Buffer } from 'node:buffer';
import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../core/lib/database.ts';
import { newUuid } from '../core/lib/id.ts';
import type { Scope } from '../core/lib/scope.ts';
import { calibrationOrphan } from '../dispatch/calibration/store.ts';
import {
  type ArchivedDocument,
  type ArchivedRecords,
  archiveKey,
  RECORDS_OF_OBJECT,
  sha256Of,
} from '../storage/archive/objects.ts';
import type { ArchivedRow } from '../storage/archive/store.ts';
import type { ArchivedPage } from '../web/pages/archived.ts';
import { correctionsQuery, numberCorrections } from '../web/pages/correction-store.ts';
import { Gone, PROOF_CORRECTIONS_MAXIMUM, readSummary } from '../web/pages/read-load.ts';
import { type LoadMember, spanOf } from '../web/pages/rules.ts';
import { readOverview, recordsOfSpan, summaryRecordsQuery } from '../web/pages/store.ts';
import type { ClosedLoad, CopiedLoad, CopyProgress, NewEntry, PutObject, WrittenObject } from './rules.ts';
import { askLoad, freeQuery, type LoadPart, type LoadState, loadFingerprintOf } from './store.ts';

/**
 * Reserve keys of objects that are about to be created. They are first listed as orphans. A commit then adds them to
 * the archive. So no object can be forgotten at any instant.
 */
export async function newKeys(
  database: Database,
  unitUuid: string,
  count: number,
  now: number,
  prefix = '',
): Promise<string[]> {
  const keys = Array.from({ length: count }, () =>
    archiveKey(database.organization, unitUuid, `${prefix}${newUuid()}`),
  );
  await database.send(
    database.insert(
      calibrationOrphan,
      keys.map((objectKey) => ({ objectKey, createDate: now })),
    ),
  );
  return keys;
}

/** Put an object into the bucket, and verify that it arrived unaltered. */
export async function putObject(bucket: R2Bucket, objectKey: string, value: object): Promise<PutObject> {
  const bytes = Buffer.from(JSON.stringify(value));
  const sha256 = sha256Of(bytes);
  await bucket.put(objectKey, bytes, { sha256, httpMetadata: { contentType: 'application/json' } });
  const there = await bucket.head(objectKey);
  const sum = there?.checksums.sha256;
  if (there?.size !== bytes.length || !sum || Buffer.from(sum).toString('hex') !== sha256) {
    throw new Error(`the bucket does not have what was put there: ${objectKey}`);
  }
  return { objectKey, sha256, sizeBytes: bytes.length };
}

/** Begins the names of objects that say how far a copy is. */
const COPY = 'copy-';

/** The latest progress of the copy of a unit. It is an orphan itself, so the sweep of orphans deletes it later. */
function savedCopyQuery({ organization }: Scope, unitUuid: string): SQL<{ objectKey: string }> {
  const first = archiveKey(organization, unitUuid, COPY);
  return sql`SELECT object_key AS "objectKey" FROM calibration_orphan
    WHERE organization_uuid = ${organization} AND object_key BETWEEN ${first} AND ${`${first}~`}
    ORDER BY create_date DESC LIMIT 1`;
}

/** Save how far the copy of a unit is, so that another run continues it. */
async function saveCopy(
  bucket: R2Bucket,
  database: Database,
  unitUuid: string,
  progress: CopyProgress,
): Promise<void> {
  const [key] = await newKeys(database, unitUuid, 1, Date.now(), COPY);
  await putObject(bucket, key!, progress);
}

/**
 * The objects of a saved copy. None if the unit has changed since, or if an object is about to be deleted. Then the copy
 * starts again.
 */
async function resumeCopy(
  bucket: R2Bucket,
  database: Database,
  { objectKey }: { objectKey: string },
  fingerprint: string,
): Promise<WrittenObject[]> {
  const progress = await (await bucket.get(objectKey))?.json<CopyProgress>();
  if (progress?.fingerprint !== fingerprint) return [];
  const free = await database.all(freeQuery(database, progress.objects));
  return free.length === progress.objects.length ? progress.objects : [];
}

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
