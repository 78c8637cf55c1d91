import { createHash } from 'node:crypto';
import { getTableColumns } from 'drizzle-orm';
import {
  beginSnapshot,
  type NewSnapshot,
  renewSnapshot,
  resumeSnapshot,
  type Snapshot,
} from '../../access/database/snapshot.ts';
import { endSnapshot } from '../../access/database/snapshot-end.ts';
import { EXPORTED_ROWS } from '../../access/database/tenant.ts';
import { BEGINNING, isPlace } from '../../access/database/walk.ts';
import { resealProviders } from '../../access/oidc/reseal.ts';
import { presentOrganization } from '../../access/organization/present.ts';
import { type Databases, forwardedTo, isNowhere } from '../../core/lib/databases.ts';
import { newUuid } from '../../core/lib/id.ts';
import { keyFingerprint, type SealingKeys } from '../../core/lib/seal.ts';
import { retried } from '../../core/lib/store.ts';
import { streamOf } from '../../core/lib/stream.ts';
import { isoDate } from '../../core/lib/time.ts';
import type { StoredOrganization } from '../../core/writer/settings.ts';
import { organization } from '../../core/writer/settings-table.ts';
import { resealWebhooks } from '../../delivery/webhook/reseal.ts';
import { LinesReader, rowLine } from './export-lines.ts';
import { type ExportPlace, PLACE_LENGTH_MAXIMUM, placeText } from './export-place.ts';
import { FORMAT, lineOf, VERSION } from './format.ts';

/** How many times at most to look again for an organization that is moving. */
const LOOKS_MAXIMUM = 5;
/**
 * After this many statements, the next request continues the export. Cloudflare allows 1,000 in one invocation, and a
 * snapshot takes 130 to begin and 130 to end.
 */
const STATEMENTS_MAXIMUM = 600;
/** The same for the objects of the bucket. Cloudflare allows 10,000 calls, and one page can name 5,000 objects. */
const OBJECTS_MAXIMUM = 4_000;

/** The parameters of an export. */
export interface Exporting {
  databases: Databases;
  bucket: R2Bucket;
  /** The keys that secrets are sealed with. */
  sealingKeys: SealingKeys;
  /** Origin of the links in the header. */
  links: string;
  /** The maximum number of statements that read the snapshot, for tests. */
  statementsMaximum?: number;
  /** A part ends after this many characters. */
  lengthMaximum?: number;
  /** Leave out the objects of the bucket. */
  rowsOnly?: boolean;
  /** Called before the last line of a part, with the digest in it and the place of the next part if one follows. */
  ended?: (sha256: string, next?: ExportPlace) => void;
}

/** A started export. */
export interface Export {
  slug: string;
  sequenceNumber: number;
  body: ReadableStream<Uint8Array>;
}

/** Start exporting an organization as of this instant; undefined where it does not exist. */
export async function exportOrganization(exporting: Exporting, uuid: string): Promise<Export | undefined> {
  const { databases, sealingKeys } = exporting;
  for (let look = 1; ; look += 1) {
    const databaseName = databases.databaseNameOf(uuid);
    try {
      // The header names the key of everything that is sealed.
      await resealWebhooks(databases, databaseName, sealingKeys, uuid);
      await resealProviders(databases, databaseName, sealingKeys, uuid);
      // A snapshot whose start got lost on the way may exist. Nobody reads it, so the schedule ends it.
      const snapshot = await retried(() =>
        beginSnapshot(databases.named(databaseName), databaseName, uuid, newUuid()),
      );
      if (!snapshot) return undefined;
      const first = firstLines(exporting, snapshot, databaseName);
      return {
        slug: String(snapshot.settings['slug']),
        sequenceNumber: snapshot.ends.get('command_log')!,
        body: await bodyOf(exporting, snapshot, first, placeAt(snapshot, databaseName)),
      };
    } catch (error) {
      if (isNowhere(error)) return undefined;
      const other = forwardedTo(error);
      if (other === undefined || look === LOOKS_MAXIMUM) throw error;
      databases.remember(uuid, other);
    }
  }
}

/**
 * Continue an export at a place that an earlier answer named; undefined if there is no such place.
 * @throws `SnapshotGone`
 */
export async function continueExport(
  exporting: Exporting,
  uuid: string,
  place: ExportPlace,
): Promise<ReadableStream<Uint8Array> | undefined> {
  if (!exporting.databases.has(place.databaseName)) return undefined;
  const db = exporting.databases.named(place.databaseName);
  const snapshot = await resumeSnapshot(db, uuid, place.snapshot, new Map(Object.entries(place.ends)));
  const table = EXPORTED_ROWS[place.table];
  if (table && !isPlace(table, snapshot.columns.get(table.name)!, place.place)) return undefined;
  return bodyOf(exporting, snapshot, [], place);
}

const placeAt = ({ uuid, ends }: Snapshot, databaseName: string): ExportPlace => ({
  snapshot: uuid,
  databaseName,
  ends: Object.fromEntries(ends),
  table: 0,
  place: BEGINNING,
});

function bodyOf(
  exporting: Exporting,
  snapshot: Snapshot,
  first: readonly string[],
  place: ExportPlace,
): Promise<ReadableStream<Uint8Array>> {
  const end = async (): Promise<void> => {
    await endSnapshot(snapshot.db, snapshot.uuid);
  };
  return streamOf(textOf(exporting, snapshot, first, place, end), { cancelled: end });
}

/**
 * The lines in pieces. The last line states their number and digest, and the place of the next request if the export
 * continues there. Otherwise the snapshot ends.
 */
async function* textOf(
  {
    bucket,
    rowsOnly,
    ended,
    statementsMaximum = STATEMENTS_MAXIMUM,
    lengthMaximum = Number.POSITIVE_INFINITY,
  }: Exporting,
  snapshot: Snapshot,
  first: readonly string[],
  place: ExportPlace,
  end: () => Promise<void>,
): AsyncGenerator<string> {
  const hash = createHash('sha256');
  const reader = new LinesReader(snapshot, bucket, rowsOnly);
  let count = 0;
  let length = 0;
  let continues = false;
  const counted = (lines: readonly string[]): string => {
    const text = lines.join('');
    hash.update(text);
    count += lines.length;
    length += text.length;
    return text;
  };
  try {
    if (first.length > 0) yield counted(first);
    for await (const { lines, next } of reader.from(place)) {
      if (lines.length > 0) yield counted(lines);
      const isFull =
        snapshot.statements >= statementsMaximum ||
        reader.objectsCount >= OBJECTS_MAXIMUM ||
        length >= lengthMaximum;
      if (!next || !isFull) continue;
      const following = { ...place, ...next };
      const after = placeText(following);
      if (after.length > PLACE_LENGTH_MAXIMUM) continue;
      await renewSnapshot(snapshot);
      continues = true;
      const sha256 = hash.digest('hex');
      ended?.(sha256, following);
      yield lineOf({ count, sha256, next: after });
      return;
    }
    // If the snapshot had been ended, the pages would not be as of one instant.
    await renewSnapshot(snapshot);
    const sha256 = hash.digest('hex');
    ended?.(sha256);
    yield lineOf({ count, sha256 });
  } finally {
    if (!continues) await end();
  }
}

/** The header, and the row of the organization. */
function firstLines(
  { sealingKeys, links }: Exporting,
  { settings, totals, ends }: NewSnapshot,
  databaseName: string,
): string[] {
  return [
    lineOf({
      format: FORMAT,
      version: VERSION,
      organization: presentOrganization(links, storedOf(settings, databaseName)),
      sequenceNumber: ends.get('command_log')!,
      exportDate: isoDate(Date.now()),
      sealingKey: keyFingerprint(sealingKeys[0]),
      listTotals: totals as [string, string, number][],
    }),
    rowLine('organization', Object.keys(settings), Object.values(settings)),
  ];
}

/** The row of an organization by its columns. */
function storedOf(settings: Record<string, unknown>, databaseName: string): StoredOrganization {
  const named = Object.entries(getTableColumns(organization)).flatMap(([name, column]) =>
    column.name in settings ? [[name, settings[column.name]]] : [],
  );
  const stored = Object.fromEntries(named) as StoredOrganization;
  return {
    ...stored,
    shipmentCustomFields: (
      JSON.parse(String(settings['shipment_custom_fields'])) as StoredOrganization['shipmentCustomFields']
    ).map((field) => ({ ...field, role: field.role ?? null })),
    databaseName,
  };
}
