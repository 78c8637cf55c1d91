import { env } from 'cloudflare:workers';
import { alert } from '../../../src/dispatch/alert/table.ts';
import { client } from '../../../src/dispatch/client/store.ts';
import { customField } from '../../../src/dispatch/custom-field/store.ts';
import { gate } from '../../../src/dispatch/gate/store.ts';
import { manifest } from '../../../src/dispatch/load/manifest/table.ts';
import { assetLoading } from '../../../src/dispatch/load/shared/table.ts';
import { shipment, shipmentManifest } from '../../../src/dispatch/load/shipment/table.ts';
import { scan } from '../../../src/dispatch/loading/table.ts';
import { track } from '../../../src/dispatch/track/table.ts';
import { eventLog } from '../../../src/log/event/table.ts';
import { numbered, store } from '../dispatch/load/shipment/bulk.ts';
import type { Dock } from '../dispatch/load/shipment/dock.ts';
import { moreEntries } from '../entries.ts';

const db = (env as unknown as { DB: D1Database }).DB;
const MANIFEST_STATUSES = ['PLANNED', 'TO_DO', 'COMPLETED', 'CANCELLED'] as const;
const RETIREMENTS = ['NONE', 'NONE', 'SCHEDULED', 'RETIRED'] as const;
/** Larger than every code that the dock allocates. */
const FIRST_CODE = 5_000_000_000;
/** Larger than every event number at a new dock. */
const FIRST_EVENT = 100;

/**
 * Add `count` other rows of each kind to a dock. Manifests have an asset, an invalid loading and a custom
 * field each. Tracks have a timeline entry and a scan each, shipments a manifest each, and new gates an
 * open alert each. Events and clients are added, too. All except the alerts are at the dock's own gate G,
 * because a gate counts its alerts.
 */
export async function addOthers(dock: Dock, count: number): Promise<void> {
  const now = Date.now();
  const own = await db
    .prepare("SELECT uuid FROM gate WHERE organization_uuid = ?1 AND external_identifier = 'G'")
    .bind(dock.uuid)
    .first<{ uuid: string }>();
  const gateUuid = own!.uuid;
  const dates = { createDate: now, updateDate: now };
  const others = numbered('OTHER-', count).map((name, index) => ({
    name,
    index,
    manifestUuid: crypto.randomUUID() as string,
    shipmentUuid: crypto.randomUUID() as string,
    trackUuid: crypto.randomUUID() as string,
    gateUuid: crypto.randomUUID() as string,
    markerCode: FIRST_CODE + index,
    manifestStatus: MANIFEST_STATUSES[index % MANIFEST_STATUSES.length]!,
    retirement: RETIREMENTS[index % RETIREMENTS.length]!,
  }));
  const uuid = () => crypto.randomUUID() as string;
  await store(dock, (database) => [
    ...database.insert(
      manifest,
      others.map(({ name, manifestUuid, manifestStatus }) => ({
        uuid: manifestUuid,
        externalIdentifier: name,
        manifestStatus,
        gateUuid,
        publicToken: manifestStatus === 'COMPLETED' ? manifestUuid : null,
        closeDate: ['COMPLETED', 'CANCELLED'].includes(manifestStatus) ? now : null,
        foldedIdentifier: name.toLowerCase(),
        ...dates,
      })),
    ),
    ...database.insert(
      assetLoading,
      others.flatMap(({ name, manifestUuid, trackUuid, markerCode }) =>
        (['LOADED', 'WRONGLY_LOADED'] as const).map((loadingStatus) => ({
          uuid: uuid(),
          manifestUuid,
          wmsId: name,
          markerCode: loadingStatus === 'LOADED' ? null : markerCode,
          loadingStatus,
          trackUuid,
          gateUuid,
          ...dates,
        })),
      ),
    ),
    ...database.insert(
      track,
      others.map(({ name, trackUuid, markerCode, retirement }) => ({
        uuid: trackUuid,
        wmsId: name,
        markerCode,
        retirement,
        flagged: 0,
        damaged: 0,
        coupleDate: now,
        lastGateUuid: gateUuid,
        foldedWmsId: name.toLowerCase(),
        ...dates,
      })),
    ),
    ...database.insert(
      shipment,
      others.map(({ name, shipmentUuid }) => ({
        uuid: shipmentUuid,
        externalIdentifier: name,
        status: 'TO_DO' as const,
        gateUuid,
        foldedIdentifier: name.toLowerCase(),
        foldedNotes: '',
        ...dates,
      })),
    ),
    ...database.insert(
      shipmentManifest,
      others.map(({ manifestUuid, shipmentUuid }) => ({ manifestUuid, shipmentUuid })),
    ),
    ...database.insert(
      customField,
      others.map(({ manifestUuid }) => ({
        ownerUuid: manifestUuid,
        fieldKey: 'carrier',
        fieldValue: 'Speedy',
      })),
    ),
    ...database.insert(
      scan,
      others.map(({ name, markerCode }) => ({
        scanId: name,
        gateUuid,
        markerCode,
        direction: 'LOAD' as const,
        damaged: 0,
        scanDate: now,
        outcome: 'NO_ACTIVE_MANIFEST' as const,
        createDate: now,
      })),
    ),
    ...database.insert(
      alert,
      others.map(({ name, markerCode, gateUuid: elsewhere }) => ({
        uuid: uuid(),
        alertType: 'SCAN_WITHOUT_ACTIVE_MANIFEST' as const,
        severity: 'WARNING' as const,
        status: 'OPEN' as const,
        params: JSON.stringify({ isUnknown: true }),
        shipmentExternalId: name,
        gateUuid: elsewhere,
        markerCode,
        recordUuid: uuid(),
        ...dates,
      })),
    ),
    ...database.insert(
      gate,
      others.map(({ name, gateUuid: elsewhere }) => ({
        uuid: elsewhere,
        externalIdentifier: name,
        name,
        foldedIdentifier: name.toLowerCase(),
        foldedName: name.toLowerCase(),
        ...dates,
      })),
    ),
    ...database.insert(
      eventLog,
      others.map(({ index, manifestUuid }) => ({
        sequenceNumber: FIRST_EVENT + index,
        uuid: uuid(),
        eventType: 'MANIFEST_UPDATED' as const,
        eventDate: now,
        entityType: 'MANIFEST' as const,
        entityUuid: manifestUuid,
      })),
    ),
    ...database.insert(
      client,
      others.map(({ name }) => ({
        uuid: uuid(),
        displayName: name,
        externalId: name,
        foldedDisplayName: name.toLowerCase(),
        foldedExternalId: name.toLowerCase(),
        ...dates,
      })),
    ),
  ]);
  const tracks = others.map(({ trackUuid }) => trackUuid);
  await db.batch(moreEntries(db, dock.uuid, tracks, gateUuid));
}
