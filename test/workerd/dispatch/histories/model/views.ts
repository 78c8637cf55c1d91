import { JPEG } from '../../../../images.ts';
import {
  type Alert,
  assetsOf,
  type Gate,
  isAsset,
  isOpen,
  type Loading,
  type Manifest,
  type Model,
  type Photo,
  type Shipment,
  type Signature,
  type Track,
} from './state.ts';
import { ANY, compareMoments, Since } from './values.ts';

const dates = ({ uuid, created, touched }: Manifest | Shipment | Gate | Track) => ({
  uuid,
  createDate: created,
  updateDate: new Since(touched),
});

export const gateReference = (gate: Gate | null) =>
  gate && { uuid: gate.uuid, externalIdentifier: gate.id, name: `Gate ${gate.id}` };

export const manifestReference = ({ id, uuid }: Manifest) => ({ manifestExternalId: id, manifestUuid: uuid });

const liveReference = (manifest: Manifest | null) =>
  manifest === null || manifest.deleted ? null : manifestReference(manifest);

const fieldsOf = (fields: Map<string, string>) =>
  [...fields].map(([fieldKey, fieldValue]) => ({ fieldKey, fieldValue }));

/** The latest signature of each role, in their order. */
const latestOf = (signatures: Signature[]): Signature[] =>
  signatures.filter(({ role }, index) => !signatures.slice(index + 1).some((later) => later.role === role));

/** Sorts by the date of activation, then by the order of creation. */
export const byActivation = (one: Manifest | Shipment, two: Manifest | Shipment): number =>
  compareMoments(one.activated!, two.activated!) || one.created.order - two.created.order;

export function gateView(model: Model, gate: Gate) {
  const active = <T extends Manifest | Shipment>(items: T[]) =>
    items
      .filter((item) => !item.deleted && item.status === 'IN_PROGRESS' && item.gate === gate)
      .sort(byActivation)
      .map(({ id }) => id);
  const [activeManifestExternalIds, activeShipmentExternalIds] = [
    active(model.manifests),
    active(model.shipments),
  ];
  const loading = activeManifestExternalIds.length + activeShipmentExternalIds.length > 0;
  return {
    ...dates(gate),
    name: `Gate ${gate.id}`,
    externalIdentifier: gate.id,
    status: gate.deleted ? 'OUT_OF_SERVICE' : loading ? 'LOADING' : 'AVAILABLE',
    activeManifestExternalIds,
    activeShipmentExternalIds,
    localManagerUuid: null,
    openAlertsCount: model.alerts.filter((alert) => alert.gate === gate && alert.resolved === null).length,
    gln: null,
    deleted: gate.deleted,
  };
}

/**
 * The track of a record. For an asset of an open manifest, the track with its WMS id. For an asset of a closed
 * manifest, the track at the time of closing. For an invalid record, the scanned track.
 */
export const trackOf = (model: Model, record: Loading): Track | null =>
  isAsset(record) && isOpen(record.manifest) ? (model.linked(record.wmsId) ?? null) : record.track;

export function trackView(model: Model, track: Track | null) {
  if (track === null) return null;
  const manifests = model.records.filter(
    (record) =>
      record.manifest.records.includes(record) &&
      isAsset(record) &&
      !record.manifest.deleted &&
      trackOf(model, record) === track,
  );
  const { retirement, flagged } = track;
  return {
    ...dates(track),
    wmsId: track.wmsId,
    trackIdentifier: track.wmsId,
    markerCode: track.code,
    trackStatus: {
      NONE: flagged ? 'FLAGGED' : 'ACTIVE',
      SCHEDULED: 'SCHEDULED_FOR_RETIREMENT',
      RETIRED: 'NOT_ACTIVE',
    }[retirement],
    damaged: track.damaged,
    client: null,
    customFields: [],
    manifests: manifests.map(({ manifest, status }) => ({
      ...manifestReference(manifest),
      loadingStatus: status,
    })),
    coupleDate: track.created,
    retireDate: track.retired,
    lastSeenDate: track.lastSeen,
    lastGate: gateReference(track.lastGate),
    commentsCount: 0,
    deleted: track.deleted,
  };
}

/** The completed manifests with which the pallet left and did not arrive, the last one first. */
const departuresOf = (model: Model, wmsId: string): Manifest[] =>
  model.manifests
    .filter(({ deleted, status }) => !deleted && status === 'COMPLETED')
    .filter(({ records }) =>
      records.some(
        (record) =>
          record.wmsId === wmsId &&
          record.status === 'LOADED' &&
          (record.track === null || record.track === model.linked(wmsId)),
      ),
    )
    .sort((one, two) => compareMoments(two.closed!, one.closed!) || two.created.order - one.created.order);

/** The validation errors of an open manifest. A closed manifest has no errors. */
export function validationOf(model: Model, manifest: Manifest) {
  const assets = isOpen(manifest) ? assetsOf(manifest).map(({ wmsId }) => wmsId!) : [];
  const others = (wmsId: string) =>
    model
      .openManifests()
      .filter((other) => other !== manifest && assetsOf(other).some((asset) => asset.wmsId === wmsId))
      .map(({ id }) => id)
      .sort();
  const pick = (condition: (wmsId: string) => boolean) =>
    assets.filter(condition).map((trackIdentifier) => ({ trackIdentifier }));
  return {
    duplicatedTracks: pick((wmsId) => others(wmsId).length > 0).map(({ trackIdentifier }) => ({
      trackIdentifier,
      manifestExternalIds: others(trackIdentifier),
    })),
    nonExistingTracks: pick((wmsId) => !model.linked(wmsId)),
    deactivatedTracks: pick((wmsId) => model.linked(wmsId)?.retirement === 'RETIRED'),
    leftWith: assets.flatMap((trackIdentifier) => {
      const [last] = departuresOf(model, trackIdentifier);
      if (!last) return [];
      const { id: externalIdentifier } = last.shipment ?? last;
      return [{ trackIdentifier, externalIdentifier, closeDate: last.closed }];
    }),
  };
}

export const isFaulty = (validation: Record<string, unknown[]>): boolean =>
  Object.values(validation).some((items) => items.length > 0);

/** Documents exist after completion. The comparison checks only whether they exist, not their addresses. */
const documents = (status: string) =>
  status === 'COMPLETED'
    ? { proofOfShipmentUrl: 'url', shipmentSummaryUrl: 'url' }
    : { proofOfShipmentUrl: null };

const counts = (planned: Loading[], counted: Loading[]) => ({
  tracksCount: planned.length,
  totalAssetsCount: counted.length,
  loadedAssetsCount: counted.filter(({ status }) => status === 'LOADED').length,
});

export function manifestView(model: Model, manifest: Manifest) {
  const validation = validationOf(model, manifest);
  return {
    ...dates(manifest),
    externalIdentifier: manifest.id,
    manifestStatus: manifest.status,
    activateDate: manifest.activated,
    closeDate: manifest.closed,
    ...counts(assetsOf(manifest), assetsOf(manifest)),
    gate: gateReference(manifest.gate),
    priority: 'NORMAL',
    customFields: fieldsOf(manifest.fields),
    backorderOf: liveReference(manifest.backorderOf),
    backorder: liveReference(manifest.backorder),
    signatures: latestOf(manifest.signatures),
    validationErrors: manifest.deleted ? ANY : isFaulty(validation) ? validation : null,
    ...documents(manifest.status),
    deleted: manifest.deleted,
  };
}

export function shipmentView(shipment: Shipment) {
  const counted = shipment.members.filter(({ status }) => status !== 'CANCELLED');
  return {
    ...dates(shipment),
    externalIdentifier: shipment.id,
    status: shipment.status,
    gate: gateReference(shipment.gate),
    manifests: shipment.members.map(manifestReference),
    ...counts(shipment.members.flatMap(assetsOf), counted.flatMap(assetsOf)),
    notes: shipment.notes,
    shortReason: shipment.shortReason,
    arrivalDate: shipment.arrived,
    driverName: shipment.driverName,
    driverUrl: isOpen(shipment) && !shipment.deleted ? 'url' : null,
    activateDate: shipment.activated,
    closeDate: shipment.closed,
    customFields: fieldsOf(shipment.fields),
    signatures: latestOf(shipment.signatures),
    ...documents(shipment.status),
    deleted: shipment.deleted,
  };
}

export const assetView = (model: Model, record: Loading) => ({
  uuid: record.uuid,
  createDate: record.created,
  updateDate: new Since(record.touched),
  trackIdentifier: record.wmsId,
  track: trackView(model, trackOf(model, record)),
  loadingStatus: record.status,
  gate: gateReference(record.gate ?? record.manifest.gate),
});

export const shipmentAssetView = (model: Model, record: Loading) => ({
  ...assetView(model, record),
  manifest: manifestReference(record.manifest),
});

export const recordView = (model: Model, record: Loading) => ({
  ...shipmentAssetView(model, record),
  recordUuid: record.uuid,
  markerCode: isAsset(record) ? (trackOf(model, record)?.code ?? null) : record.code,
  loadingDate: record.loaded,
});

export function shipmentValidation(model: Model, { members }: Shipment) {
  const cancelled = members.filter(({ status }) => status === 'CANCELLED');
  const manifests = members
    .filter((manifest) => !cancelled.includes(manifest))
    .map((manifest) => ({ manifest, validation: validationOf(model, manifest) }));
  return {
    valid: cancelled.length === 0 && !manifests.some(({ validation }) => isFaulty(validation)),
    cancelledManifests: cancelled.map(manifestReference),
    manifests: manifests.map(({ manifest, validation }) => ({
      ...manifestReference(manifest),
      ...validation,
    })),
  };
}

/** The bytes of all photos are the same. Links are tokens, which the API does not define. */
export const photoView = ({ uuid, kind, reference, author, created }: Photo) => ({
  uuid,
  createDate: created,
  updateDate: created,
  kind,
  link: ANY,
  contentType: 'image/jpeg',
  sizeBytes: JPEG.length,
  sha256: ANY,
  width: 16,
  height: 8,
  takenDate: null,
  author: { firstName: author, lastName: null, email: null, phoneNumber: null },
  trackIdentifier: null,
  manifestExternalId: null,
  shipmentExternalId: null,
  ...reference,
});

export const alertView = (alert: Alert) => ({
  uuid: alert.uuid,
  createDate: alert.raised,
  updateDate: alert.resolved ?? alert.counted ?? alert.raised,
  count: alert.count,
  alertType: alert.type,
  severity: alert.record || alert.type === 'PALLETS_ABOARD' ? 'CRITICAL' : 'WARNING',
  status: alert.resolved ? 'RESOLVED' : 'OPEN',
  gate: gateReference(alert.gate),
  trackIdentifier: alert.wmsId,
  markerCode: alert.code,
  manifestExternalId: alert.manifest,
  shipmentExternalId: alert.shipment,
  recordUuid: alert.record?.uuid ?? alert.load?.uuid ?? null,
  deviceUuid: null,
  raisedDate: alert.raised,
  resolvedDate: alert.resolved,
});
