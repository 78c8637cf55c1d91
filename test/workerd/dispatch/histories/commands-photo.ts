import fc from 'fast-check';
import * as rules from './model/rules-photo.ts';
import type { Photo } from './model/state.ts';
import { gateName, manifestId, manifestName, shipmentId, shipmentName, trackId, trackName } from './names.ts';
import { Step } from './step.ts';

/** A uuid that no photo has. */
const NEVER = '01890000-0000-7000-8000-000000000001';

const IDS = { trackIdentifier: trackId, manifestExternalId: manifestId, shipmentExternalId: shipmentId };

/** Adds a photo through the integration API, or at a gate through the device API. */
export const photograph = (
  kind: Photo['kind'],
  { name, identifier }: rules.Reference,
  gate: string | null = null,
) =>
  new Step(`photo${gate ? 'AtGate' : ''} ${gate ?? ''} ${kind} ${name} ${identifier}`, (model) => {
    const reference = { name, identifier: IDS[name](model, identifier) };
    const query = new URLSearchParams({ kind, [name]: reference.identifier });
    const path = gate === null ? `/photo?${query}` : `/gate/${gate}/photo?${query}`;
    return {
      request: { method: 'POST', path, isPhoto: true, ...(gate === null ? {} : { api: 'device' }) },
      rule: () => rules.addPhoto(model, kind, reference, gate),
    };
  });

/** Deletes a photo by its number among the photos that are left. */
export const removePhoto = (nth: number) =>
  new Step(`deletePhoto ${nth}`, (model) => {
    const uuid = model.photos[nth % model.photos.length]?.uuid.value ?? NEVER;
    return {
      request: { method: 'DELETE', path: `/photo/${uuid}` },
      rule: () => rules.deletePhoto(model, uuid),
    };
  });

const kind = fc.constantFrom<Photo['kind'][]>('DAMAGE', 'DAMAGE', 'LOAD', 'SEAL', 'OTHER');
const named = (name: rules.Reference['name'], identifier: fc.Arbitrary<string>) =>
  identifier.map((chosen): rules.Reference => ({ name, identifier: chosen }));
const reference = fc.oneof(
  { arbitrary: named('trackIdentifier', trackName), weight: 3 },
  { arbitrary: named('manifestExternalId', manifestName), weight: 1 },
  { arbitrary: named('shipmentExternalId', shipmentName), weight: 1 },
);

/** Steps on photos, each with its weight. Many are sent twice, as after a lost answer. */
export const PHOTO_STEPS: [number, fc.Arbitrary<Step>][] = [
  [2, fc.tuple(kind, reference).map(([what, of]) => photograph(what, of))],
  [2, fc.tuple(kind, reference).map(([what, of]) => photograph(what, of).twice())],
  [4, fc.tuple(kind, reference, gateName).map(([what, of, at]) => photograph(what, of, at).twice())],
  [2, fc.nat({ max: 20 }).map(removePhoto)],
  [1, fc.nat({ max: 20 }).map((nth) => removePhoto(nth).twice())],
];
