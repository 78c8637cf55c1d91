import { recordsOf } from './rules-loading.ts';
import { isAsset, type Loading, type Manifest, type Model, type Photo, type Shipment } from './state.ts';
import { Unknown } from './values.ts';
import { answered, refused, type Verdict } from './verdict.ts';
import { photoView } from './views.ts';

/** The pallet, manifest or shipment that a request names. */
export interface Reference {
  name: 'trackIdentifier' | 'manifestExternalId' | 'shipmentExternalId';
  identifier: string;
}

const MISSING = {
  trackIdentifier: 'trackNotFound',
  manifestExternalId: 'manifestNotFound',
  shipmentExternalId: 'shipmentNotFound',
} as const;
const PHOTOS_MAXIMUM = { trackIdentifier: 20, manifestExternalId: 100, shipmentExternalId: 100 } as const;

/** Whether a record that does not belong on its manifest was scanned at the gate. */
const isInvalidAt = (gateName: string) => (record: Loading) =>
  !isAsset(record) && record.gate?.id === gateName;

const isLoadedAt = ({ status, gate }: Manifest | Shipment, gateName: string): boolean =>
  status === 'IN_PROGRESS' && gate?.id === gateName;

/** Adds a photo. A device names its gate, where the pallet or load must be. */
export function addPhoto(
  model: Model,
  kind: Photo['kind'],
  { name, identifier }: Reference,
  gateName: string | null,
): Verdict {
  if (gateName !== null && !model.gate(gateName)) return refused(404, 'gateNotFound');
  const track = name === 'trackIdentifier' ? model.track(identifier) : undefined;
  const load =
    name === 'manifestExternalId'
      ? model.manifest(identifier)
      : name === 'shipmentExternalId'
        ? model.shipment(identifier)
        : undefined;
  const owner = track ?? load;
  if (!owner) {
    const code = MISSING[name];
    return refused(400, code, { errors: [{ field: name, code, rejectedValue: identifier }] });
  }
  if (gateName !== null) {
    const isInvalidHere = isInvalidAt(gateName);
    const isHere = load
      ? isLoadedAt(load, gateName) || recordsOf(load).some(isInvalidHere)
      : model.records.some(
          (record) =>
            record.wmsId === track!.wmsId &&
            !record.manifest.deleted &&
            record.manifest.records.includes(record) &&
            (isAsset(record)
              ? isLoadedAt(record.manifest, gateName)
              : record.track === track && isInvalidHere(record)),
        );
    if (!isHere) return refused(409, 'notAtGate');
  }
  if (model.photos.filter((photo) => photo.owner === owner).length >= PHOTOS_MAXIMUM[name])
    return refused(409, 'photoLimitReached');
  const photo: Photo = {
    uuid: new Unknown(),
    kind,
    owner,
    reference: { [name]: track?.wmsId ?? load!.id },
    author: gateName === null ? 'WMS' : 'Device',
    created: model.now,
  };
  model.photos.push(photo);
  model.events.push(['PHOTO_ADDED', photo.uuid]);
  if (kind === 'DAMAGE' && track && !(track.flagged && track.damaged)) {
    Object.assign(track, { flagged: true, damaged: true, touched: model.now });
    model.note(track, 'FLAGGED', { details: 'damaged, as a photo shows' });
  }
  return answered(photoView(photo), 201);
}

/** Deletes a photo. A flag that the photo has set stays. */
export function deletePhoto(model: Model, uuid: string): Verdict {
  const index = model.photos.findIndex((photo) => photo.uuid.value === uuid);
  if (index < 0) return refused(404, 'photoNotFound');
  model.photos.splice(index, 1);
  return answered({});
}
