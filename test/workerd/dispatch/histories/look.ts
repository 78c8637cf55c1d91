import { expect } from 'vitest';
import { recordsOf } from './model/rules-loading.ts';
import { assetsOf, type Entry, type Manifest, type Model, type Shipment, type Track } from './model/state.ts';
import { ANY, compareMoments } from './model/values.ts';
import {
  alertView,
  assetView,
  gateReference,
  gateView,
  manifestView,
  photoView,
  recordView,
  shipmentAssetView,
  shipmentValidation,
  shipmentView,
  trackView,
} from './model/views.ts';
import type { Real } from './real.ts';

/** Compares the answer at a path with the model. */
async function same(model: Model, real: Real, path: string, expected: unknown): Promise<void> {
  const actual = await real.get(path);
  expect({ [path]: actual }).toEqual({ [path]: model.known.fill(expected, actual) });
}

export async function lookAtManifest(model: Model, real: Real, manifest: Manifest): Promise<void> {
  const path = `/manifest/${manifest.uuid.value}`;
  await same(model, real, path, manifestView(model, manifest));
  await same(
    model,
    real,
    `${path}/asset`,
    assetsOf(manifest).map((record) => assetView(model, record)),
  );
  await same(
    model,
    real,
    `${path}/asset-loading`,
    manifest.records.map((record) => recordView(model, record)),
  );
}

export async function lookAtShipment(model: Model, real: Real, shipment: Shipment): Promise<void> {
  const path = `/shipment/${shipment.uuid.value}`;
  const counted = shipment.members.filter(({ status }) => status !== 'CANCELLED');
  await same(model, real, path, shipmentView(shipment));
  await same(
    model,
    real,
    `${path}/asset`,
    counted.flatMap(assetsOf).map((record) => shipmentAssetView(model, record)),
  );
  await same(
    model,
    real,
    `${path}/asset-loading`,
    recordsOf(shipment).map((record) => recordView(model, record)),
  );
  await same(model, real, `${path}/validate`, shipmentValidation(model, shipment));
}

/** Compares a timeline. Entries of one instant have no defined order. */
async function lookAtTimeline(model: Model, real: Real, track: Track): Promise<void> {
  const path = `/track/${track.uuid.value}/activity`;
  const shown = (entry: Entry) => ({
    activityType: entry.type,
    activityDate: entry.date,
    gate: entry.gate === ANY ? ANY : gateReference(entry.gate),
    manifestExternalId: entry.manifest,
    shipmentExternalId: entry.shipment,
    details: entry.details,
  });
  const expected = model
    .timeline(track)
    .toSorted((one, two) => compareMoments(one.date, two.date) || (keyOf(one) < keyOf(two) ? -1 : 1))
    .map(shown);
  const entries = (await real.list(path, '', 'activityDate')).map(
    ({ uuid: _, author: __, createDate: ___, updateDate: ____, ...entry }) => entry,
  );
  const key = (entry: Record<string, unknown>) =>
    `${entry['activityDate']} ${entry['activityType']} ${entry['activityType'] === 'SEEN' ? '' : entry['manifestExternalId']}`;
  const actual = entries.toSorted((one, two) => (key(one) < key(two) ? -1 : 1));
  expect({ [path]: actual }).toEqual({ [path]: model.known.fill(expected, actual) });
}

const keyOf = ({ type, manifest }: Entry): string => `${type} ${manifest === ANY ? '' : manifest}`;

/** Compares everything with the model. */
export async function lookAtEverything(model: Model, real: Real): Promise<void> {
  const lists: [string, string, unknown[]][] = [
    ['/gate', '&includeDeleted=true', model.gates.map((gate) => gateView(model, gate))],
    ['/manifest', '&includeDeleted=true', model.manifests.map((manifest) => manifestView(model, manifest))],
    ['/shipment', '&includeDeleted=true', model.shipments.map(shipmentView)],
    ['/track', '&includeDeleted=true', model.tracks.map((track) => trackView(model, track))],
    ['/alert-event', '', model.alerts.map(alertView)],
    ['/photo', '', model.photos.map(photoView)],
  ];
  for (const [path, query, expected] of lists) {
    const actual = await real.list(path, query);
    expect({ [path]: actual }).toEqual({ [path]: model.known.fill(expected, actual) });
  }
  for (const manifest of model.manifests.filter(({ deleted }) => !deleted)) {
    await lookAtManifest(model, real, manifest);
  }
  for (const shipment of model.shipments.filter(({ deleted }) => !deleted)) {
    await lookAtShipment(model, real, shipment);
  }
  for (const track of model.tracks.filter(({ deleted }) => !deleted))
    await lookAtTimeline(model, real, track);
  await lookAtAudit(model, real);
  await lookAtEvents(model, real);
}

/** Compares the audit log. Each changed, added or removed record has one entry, and each commit of scans has one. */
async function lookAtAudit(model: Model, real: Real): Promise<void> {
  const log = await real.audit();
  expectGapless(log);
  expect(log.slice(1).map(({ previous_hash }) => previous_hash)).toEqual(
    log.slice(0, -1).map(({ hash }) => hash),
  );
  const known = new Set(model.records.map(({ uuid }) => uuid.value));
  const line = (action: string, wmsId: string | null, uuid: string | undefined, afterClose: unknown) =>
    `${action} ${wmsId} ${uuid && known.has(uuid) ? uuid : 'unseen'} ${afterClose === true}`;
  const actual = log
    .filter(({ action }) => model.audits.some((audit) => audit.action === action))
    .map(({ action, actor_type, entity_uuid, entity_external_id, changes }) => {
      // The API does not define whether other entries of scans have this field.
      const isDefined = actor_type === 'API_KEY' || action === 'UNAUTHORIZED_LOADING_RESOLVED';
      const afterClose =
        isDefined && JSON.parse(changes).some(({ field }: { field: string }) => field === 'afterClose');
      return line(action, entity_external_id, entity_uuid, afterClose);
    });
  const expected = model.audits.map(({ action, record, afterClose }) =>
    line(action, record.wmsId, record.uuid.value, afterClose),
  );
  expect(actual.sort()).toEqual(expected.sort());
  expect(log.filter(({ action }) => action === 'SCANS_RECORDED')).toHaveLength(model.scanCommits);
  for (const record of model.records) {
    const changes = log
      .filter(
        ({ action, entity_uuid }) => action.startsWith('ASSET_LOADING_') && entity_uuid === record.uuid.value,
      )
      .flatMap((row) => JSON.parse(row.changes) as { field: string; oldValue: unknown; newValue: unknown }[]);
    for (const [field, first] of [
      ['loadingStatus', 'NOT_LOADED'],
      ['gate', null],
    ]) {
      const own = changes.filter((change) => change.field === field);
      // The old value of an entry is the new value of the entry before.
      expect(own.map(({ oldValue }) => oldValue)).toEqual(
        own.map((_, index) => (index === 0 ? first : own[index - 1]!.newValue)),
      );
    }
  }
}

/** The number of each row is the number of the row before plus 1. */
function expectGapless(rows: { sequence_number: number }[]): void {
  const numbers = rows.map(({ sequence_number }) => sequence_number);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
}

/** Compares the events about photos, signatures and arrivals. The event log has no gap. */
async function lookAtEvents(model: Model, real: Real): Promise<void> {
  const log = await real.events();
  expectGapless(log);
  const types = ['PHOTO_ADDED', 'SIGNATURE_ADDED', 'SHIPMENT_ARRIVED'];
  const actual = log
    .filter(({ event_type }) => types.includes(event_type))
    .map(({ event_type, entity_uuid }) => [event_type, entity_uuid]);
  expect({ events: actual }).toEqual({ events: model.known.fill(model.events, actual) });
}
