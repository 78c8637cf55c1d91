import { move } from './rules-manifest.ts';
import { comeAboard } from './rules-place.ts';
import { assetsOf, type Gate, type Manifest, type Model, type Shipment } from './state.ts';
import { type Item, refused } from './verdict.ts';

/** How a request names a manifest. */
export type Reference = { manifestExternalId: string } | { manifestUuid: string };

function referred(model: Model, reference: Reference): Manifest | undefined {
  return model.manifests.find(
    ({ id, uuid, deleted }) =>
      !deleted &&
      ('manifestUuid' in reference
        ? uuid.value === reference.manifestUuid
        : id === reference.manifestExternalId),
  );
}

/** Finds the referenced manifests and the faults of the references. */
export function resolve(
  model: Model,
  references: Reference[],
  codeOf: (manifest: Manifest) => string | null,
): { manifests: Manifest[]; errors: Item[] } {
  const manifests: Manifest[] = [];
  const errors: Item[] = [];
  references.forEach((reference, index) => {
    const manifest = referred(model, reference);
    const code = !manifest
      ? 'manifestNotFound'
      : manifests.includes(manifest)
        ? 'manifestRepeated'
        : codeOf(manifest);
    if (manifest) manifests.push(manifest);
    if (code === null) return;
    const [name, rejectedValue] = Object.entries(reference)[0]!;
    errors.push({ field: `manifests[${index}].${name}`, code, rejectedValue });
  });
  return { manifests, errors };
}

/** Why a manifest cannot be attached to this shipment, or to a new one. Null if it can. */
export const attachable = (shipment: Shipment | null) => (manifest: Manifest) =>
  manifest.shipment && manifest.shipment !== shipment
    ? 'manifestInAnotherShipment'
    : manifest.status === 'PLANNED'
      ? null
      : 'manifestNotPlanned';

export const notAttachable = (errors: Item[]) => refused(409, 'manifestsNotAttachable', { errors });

/** An attached manifest takes the gate and status of its shipment. */
export function attach(model: Model, shipment: Shipment, manifest: Manifest): void {
  manifest.shipment = shipment;
  manifest.gate = shipment.gate;
  shipment.members.push(manifest);
  if (shipment.status === 'IN_PROGRESS') comeAboard(model, assetsOf(manifest), shipment);
  move(model, manifest, shipment.status);
}

/** A detached manifest is PLANNED again, unless it is cancelled. */
export function detach(model: Model, shipment: Shipment, manifest: Manifest): void {
  model.touch(manifest);
  shipment.members = shipment.members.filter((member) => member !== manifest);
  manifest.shipment = null;
  if (manifest.status === 'CANCELLED') return;
  Object.assign(manifest, { status: 'PLANNED', gate: null, activated: null });
}

/** Assigns a gate to a shipment and its manifests. */
export function assign(model: Model, shipment: Shipment, gate: Gate | null): void {
  if (shipment.gate === gate) return;
  shipment.gate = gate;
  shipment.touched = model.now;
  for (const manifest of shipment.members) {
    if (manifest.status === 'CANCELLED') continue;
    manifest.gate = gate;
    model.touch(manifest);
  }
}
