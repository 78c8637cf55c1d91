import { env } from 'cloudflare:workers';
import { Database } from '../../../../../src/core/lib/database.ts';
import { databasesOf } from '../../../../../src/core/lib/databases.ts';
import { newUuid } from '../../../../../src/core/lib/id.ts';
import type { Write } from '../../../../../src/core/lib/scope.ts';
import { fold } from '../../../../../src/core/lib/text.ts';
import { manifest } from '../../../../../src/dispatch/load/manifest/table.ts';
import { insertAssets } from '../../../../../src/dispatch/load/shared/asset-store.ts';
import { shipment } from '../../../../../src/dispatch/load/shipment/table.ts';
import { track } from '../../../../../src/dispatch/track/table.ts';
import type { Tenant } from '../../../client.ts';
import type { Dock } from './dock.ts';

/** How many codes one allocation takes at most here. */
const BLOCK = 1_000;

/** Writes rows of a tenant directly into the database, because this would take thousands of requests. */
export async function store(tenant: Tenant, rows: (database: Database) => Write[]): Promise<void> {
  const database = new Database(tenant.uuid, databasesOf(env));
  await database.send(rows(database));
}

/** Returns numbered names: `P0`, `P1` … */
export const numbered = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/** Creates open shipments without manifests. */
export async function addShipments(dock: Tenant, prefix: string, count: number): Promise<void> {
  const now = Date.now();
  await store(dock, (database) =>
    database.insert(
      shipment,
      numbered(prefix, count).map((name) => ({
        uuid: crypto.randomUUID() as string,
        externalIdentifier: name,
        status: 'TO_DO' as const,
        foldedIdentifier: fold(name),
        foldedNotes: '',
        createDate: now,
        updateDate: now,
      })),
    ),
  );
}

/** Couples any number of pallets to new codes. */
export async function couplePallets(dock: Dock, wmsIds: readonly string[]): Promise<void> {
  const codes: number[] = [];
  while (codes.length < wmsIds.length) {
    const quantity = Math.min(BLOCK, wmsIds.length - codes.length);
    const path = `/marker-code/allocate?quantity=${quantity}&imageDelivery=URL`;
    const { entries } = (await dock.must('POST', path)).body;
    codes.push(...entries.map(({ markerCode }: { markerCode: number }) => markerCode));
  }
  const now = Date.now();
  wmsIds.forEach((wmsId, index) => {
    dock.codes[wmsId] = codes[index]!;
  });
  await store(dock, (database) =>
    database.insert(
      track,
      wmsIds.map((wmsId) => ({
        uuid: crypto.randomUUID(),
        wmsId,
        markerCode: dock.codes[wmsId]!,
        retirement: 'NONE' as const,
        flagged: 0,
        damaged: 0,
        coupleDate: now,
        foldedWmsId: fold(wmsId),
        createDate: now,
        updateDate: now,
      })),
    ),
  );
}

/** Creates any number of PLANNED manifests with assets. */
export async function planManifests(
  tenant: Tenant,
  planned: readonly { externalIdentifier: string; assets: readonly string[] }[],
): Promise<void> {
  const now = Date.now();
  const rows = planned.map(({ externalIdentifier, assets }) => ({
    uuid: crypto.randomUUID() as string,
    externalIdentifier,
    manifestStatus: 'PLANNED' as const,
    foldedIdentifier: fold(externalIdentifier),
    createDate: now,
    updateDate: now,
    assets,
  }));
  await store(tenant, (database) => [
    ...database.insert(
      manifest,
      rows.map(({ assets: _, ...row }) => row),
    ),
    ...insertAssets(
      database,
      rows.flatMap(({ uuid: manifestUuid, assets }) =>
        assets.map((wmsId) => ({ uuid: newUuid(), manifestUuid, wmsId })),
      ),
      now,
    ),
  ]);
}

/** References to manifests in the form of a request. */
export const named = (manifests: readonly string[]) => ({
  manifests: manifests.map((manifestExternalId) => ({ manifestExternalId })),
});
