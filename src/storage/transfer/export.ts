import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { getTableColumns } from 'drizzle-orm';
import { plain, type RowValues } from '../../access/database/rows.ts';
import { beginSnapshot, readSnapshot, renewSnapshot, type Snapshot } from '../../access/database/snapshot.ts';
import { endSnapshot } from '../../access/database/snapshot-end.ts';
import { EXPORTED_ROWS, TENANT_ROWS } from '../../access/database/tenant.ts';
import { resealProviders } from '../../access/oidc/reseal.ts';
import { presentOrganization } from '../../access/organization/present.ts';
import { type Databases, forwardedTo, isNowhere } from '../../core/lib/databases.ts';
import { newUuid } from '../../core/lib/id.ts';
import { objectPrefix } from '../../core/lib/object-prefix.ts';
import { keyFingerprint, type SealingKeys } from '../../core/lib/seal.ts';
import { retried } from '../../core/lib/store.ts';
import { streamOf } from '../../core/lib/stream.ts';
import { isoDate } from '../../core/lib/time.ts';
import type { StoredOrganization } from '../../core/writer/settings.ts';
import { organization } from '../../core/writer/settings-table.ts';
import { resealWebhooks } from '../../delivery/webhook/reseal.ts';
import { FORMAT, lineOf, PIECE_BYTES, VERSION } from './format.ts';
import { keysBelow } from './objects.ts';

/** How often to look again for an organization that is moving. */
const LOOKS_MAXIMUM = 5;

/** The parameters of an export. */
export interface Exporting {
  databases: Databases;
  bucket: R2Bucket;
  /** The keys that secrets are sealed with. */
  sealingKeys: SealingKeys;
  /** Origin of the links in the header. */
  links: string;
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
      const end = () => endSnapshot(snapshot.db, snapshot.uuid);
      return {
        slug: String(snapshot.settings['slug']),
        sequenceNumber: sequenceNumberOf(snapshot),
        body: streamOf(bytesOf(linesOf(exporting, snapshot, databaseName), end), end),
      };
    } catch (error) {
      if (isNowhere(error)) return undefined;
      const other = forwardedTo(error);
      if (other === undefined || look === LOOKS_MAXIMUM) throw error;
      databases.remember(uuid, other);
    }
  }
}

const sequenceNumberOf = ({ ends }: Snapshot): number => ends.get('audit_log')!;

/** The lines in pieces; the last line states their number and digest. Then the snapshot ends. */
async function* bytesOf(
  lines: AsyncIterable<readonly string[]>,
  end: () => Promise<void>,
): AsyncGenerator<string> {
  const hash = createHash('sha256');
  let count = 0;
  try {
    for await (const some of lines) {
      const text = some.join('');
      hash.update(text);
      count += some.length;
      if (text !== '') yield text;
    }
    yield lineOf({ count, sha256: hash.digest('hex') });
  } finally {
    await end();
  }
}

async function* linesOf(
  { bucket, sealingKeys, links }: Exporting,
  snapshot: Snapshot,
  databaseName: string,
): AsyncGenerator<readonly string[]> {
  const { organization: uuid, settings } = snapshot;
  yield [
    lineOf({
      format: FORMAT,
      version: VERSION,
      organization: presentOrganization(links, storedOf(settings, databaseName)),
      sequenceNumber: sequenceNumberOf(snapshot),
      exportDate: isoDate(Date.now()),
      sealingKey: keyFingerprint(sealingKeys[0]),
      listTotals: snapshot.totals as [string, string, number][],
    }),
    rowLine('organization', Object.keys(settings), Object.values(settings)),
  ];
  for (const table of EXPORTED_ROWS) {
    const { names } = snapshot.columns.get(table.name)!;
    for (let after: readonly (string | number)[] | null = []; after; ) {
      const { rows, next } = await readSnapshot(snapshot, table, after);
      yield rows.map((row) => rowLine(table.name, names, row));
      if (table.objects?.keys === 'ANY') {
        const at = names.indexOf(table.objects.column);
        for (const row of rows) yield* objectLines(snapshot, bucket, String(row[at]));
      }
      after = next;
    }
  }
  const abandoned = await abandonedKeys(snapshot);
  for await (const key of keysBelow(bucket, objectPrefix(uuid))) {
    if (!abandoned.has(key)) yield* objectLines(snapshot, bucket, key);
  }
}

/** The keys of objects that are about to be deleted. */
async function abandonedKeys(snapshot: Snapshot): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for (const table of TENANT_ROWS.filter(({ objects }) => objects?.keys === 'ABANDONED')) {
    const at = snapshot.columns.get(table.name)!.names.indexOf(table.objects!.column);
    for (let after: readonly (string | number)[] | null = []; after; ) {
      const { rows, next } = await readSnapshot(snapshot, table, after);
      for (const row of rows) keys.add(String(row[at]));
      after = next;
    }
  }
  return keys;
}

const rowLine = (table: string, names: readonly string[], row: RowValues): string =>
  lineOf({
    table,
    values: Object.fromEntries(names.map((name, index) => [name, plain(row[index])])) as Record<
      string,
      string
    >,
  });

/** The lines of an object; none where the bucket does not have it. */
async function* objectLines(snapshot: Snapshot, bucket: R2Bucket, key: string): AsyncGenerator<string[]> {
  const found = await bucket.get(key);
  if (!found) return;
  const { cacheExpiry: _, ...httpMetadata } = found.httpMetadata ?? {};
  const customMetadata = found.customMetadata ?? {};
  yield [lineOf({ object: key, sizeBytes: found.size, httpMetadata, customMetadata })];
  const piece = (data: Buffer): string[] => [lineOf({ object: key, data: data.toString('base64') })];
  let held = Buffer.alloc(0);
  for await (const part of found.body as unknown as AsyncIterable<Uint8Array>) {
    held = Buffer.concat([held, part]);
    while (held.length >= PIECE_BYTES) {
      await renewSnapshot(snapshot);
      yield piece(held.subarray(0, PIECE_BYTES));
      held = held.subarray(PIECE_BYTES);
    }
  }
  if (held.length > 0) yield piece(held);
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
