import { resolveAlerts } from './rules-alert.ts';
import { settleStarted } from './rules-idle.ts';
import { comeAboard, endLoad, leaveShipment, loadOf, strand } from './rules-place.ts';
import { raiseShort, resolveShort, settleShort } from './rules-short.ts';
import { retireScheduled } from './rules-track.ts';
import {
  assetsOf,
  isOpen,
  type Loading,
  type Manifest,
  type Model,
  type Signature,
  STATUSES,
  type Status,
} from './state.ts';
import { ANY, compareMoments, Unknown } from './values.ts';
import { answered, refused, type Verdict } from './verdict.ts';
import { manifestView } from './views.ts';

export type FieldInput = { fieldKey: string; fieldValue: string | null };

const TRANSITIONS: Record<Status, Status[]> = {
  PLANNED: ['TO_DO', 'CANCELLED'],
  TO_DO: ['PLANNED', 'IN_PROGRESS', 'CANCELLED'],
  IN_PROGRESS: ['COMPLETED', 'CANCELLED'],
  COMPLETED: [],
  CANCELLED: [],
};

const missing = () => refused(404, 'manifestNotFound');
const closed = () => refused(409, 'manifestClosed');
const belongs = () => refused(409, 'manifestBelongsToShipment');

export const isBlank = (value: string | null): boolean => (value ?? '').trim() === '';

/** Replaces the fields and counts the changes. A remaining field keeps its place, a new one comes last. */
export function replaceFields(fields: Map<string, string>, wanted: FieldInput[]) {
  const filled = wanted.filter(({ fieldValue }) => !isBlank(fieldValue));
  const removed = [...fields.keys()].filter((key) => !filled.some(({ fieldKey }) => fieldKey === key));
  for (const key of removed) fields.delete(key);
  const result = { added: 0, updated: 0, removed: removed.length, unchanged: 0 };
  for (const { fieldKey, fieldValue } of filled) {
    const before = fields.get(fieldKey);
    result[before === undefined ? 'added' : before === fieldValue ? 'unchanged' : 'updated'] += 1;
    fields.set(fieldKey, fieldValue!);
  }
  return result;
}

export function addRecord(model: Model, manifest: Manifest, record: Partial<Loading>): Loading {
  const blank = {
    wmsId: null,
    code: null,
    status: 'NOT_LOADED',
    track: null,
    gate: null,
    loaded: null,
  } as const;
  const made: Loading = {
    ...blank,
    uuid: new Unknown(),
    manifest,
    created: model.now,
    touched: model.now,
    ...record,
  };
  manifest.records.push(made);
  model.records.push(made);
  return made;
}

/** Removes and adds assets. The timelines show the removal first. */
function edit(model: Model, manifest: Manifest, added: string[], removed: string[]): void {
  const taken = assetsOf(manifest).filter((record) => removed.includes(record.wmsId!));
  const stranded = strand(model, manifest, taken);
  const gone = taken.filter((record) => !stranded.includes(record));
  manifest.records = manifest.records.filter((record) => !gone.includes(record));
  model.noteDetached(
    gone.map(({ wmsId }) => wmsId!),
    { manifest: manifest.id },
  );
  const coming = added.map((wmsId) => addRecord(model, manifest, { wmsId }));
  model.noteLive(added, 'ATTACHED', { manifest: manifest.id });
  if (manifest.status === 'IN_PROGRESS') comeAboard(model, coming, loadOf(manifest));
  if (added.length + removed.length > 0) model.touch(manifest);
  if (removed.length > 0) retireScheduled(model);
}

export function createManifest(
  model: Model,
  body: { externalIdentifier: string; manifestStatus?: Status; gateExternalId?: string; assets?: string[] },
): Verdict {
  const { externalIdentifier: id, assets = [] } = body;
  const gate = model.gate(body.gateExternalId);
  if (body.gateExternalId && !gate) {
    return refused(400, 'gateNotFound', {
      errors: [{ field: 'gateExternalId', code: 'gateNotFound', rejectedValue: body.gateExternalId }],
    });
  }
  const taken = model.manifests.some((manifest) => manifest.id === id && !manifest.deleted);
  if (taken) {
    return refused(409, 'externalIdentifierInUse', {
      errors: [{ field: 'externalIdentifier', code: 'externalIdentifierInUse', rejectedValue: id }],
    });
  }
  const manifest: Manifest = {
    ...model.made(),
    id,
    status: body.manifestStatus ?? 'PLANNED',
    gate,
    activated: null,
    closed: null,
    fields: new Map(),
    records: [],
    shipment: null,
    backorder: null,
    backorderOf: null,
    signatures: [],
  };
  model.manifests.push(manifest);
  edit(model, manifest, assets, []);
  return answered({ uuid: manifest.uuid, externalIdentifier: id }, 201);
}

export function signManifest(model: Model, identifier: string, signature: Signature): Verdict {
  const manifest = model.manifest(identifier);
  if (!manifest) return missing();
  if (manifest.shipment) return refused(409, 'manifestBelongsToShipment');
  if (manifest.status === 'CANCELLED') return refused(409, 'manifestClosed');
  if (manifest.signatures.length >= 20) return refused(409, 'signatureLimitReached');
  manifest.signatures.push(signature);
  model.events.push(['SIGNATURE_ADDED', manifest.uuid]);
  manifest.touched = model.now;
  return answered(ANY, 201);
}

/** Whether the pallet is aboard another load, or has left with another manifest since this one was created. */
const isElsewhere = (model: Model, source: Manifest, wmsId: string): boolean =>
  model.manifests
    .filter((other) => other !== source && !other.deleted)
    .filter(
      ({ status, closed }) =>
        status === 'IN_PROGRESS' || (status === 'COMPLETED' && compareMoments(closed!, source.created) >= 0),
    )
    .some(({ records }) =>
      records.some(
        (record) =>
          record.wmsId === wmsId && ['LOADED', 'OFFLOADED', 'WRONGLY_LOADED'].includes(record.status),
      ),
    );

export function createBackorder(model: Model, identifier: string, externalIdentifier: string): Verdict {
  const source = model.manifest(identifier);
  if (!source) return missing();
  if (isOpen(source)) return refused(409, 'manifestNotClosed');
  if (source.backorder && !source.backorder.deleted) return refused(409, 'backorderExists');
  const left = assetsOf(source).filter(
    ({ status, wmsId }) =>
      (status === 'NOT_LOADED' || status === 'UNLOADED') && !isElsewhere(model, source, wmsId!),
  );
  if (left.length === 0) return refused(409, 'nothingLeft');
  const assets = left.map(({ wmsId }) => wmsId!);
  const verdict = createManifest(model, { externalIdentifier, assets });
  if ('codes' in verdict) return verdict;
  const made = model.manifests.at(-1)!;
  made.fields = new Map(source.fields);
  made.backorderOf = source;
  source.backorder = made;
  source.touched = model.now;
  settleShort(model, source.shipment ?? source);
  return verdict;
}

export function putManifest(
  model: Model,
  identifier: string,
  body: { assets?: string[] | null; customFields?: FieldInput[] | null },
): Verdict {
  const manifest = model.manifest(identifier);
  if (!manifest) return missing();
  if (!isOpen(manifest)) return closed();
  const before = assetsOf(manifest).map(({ wmsId }) => wmsId!);
  const wanted = body.assets ?? before;
  const added = wanted.filter((wmsId) => !before.includes(wmsId));
  const removed = before.filter((wmsId) => !wanted.includes(wmsId));
  edit(model, manifest, added, removed);
  const current = [...manifest.fields].map(([fieldKey, fieldValue]) => ({ fieldKey, fieldValue }));
  const customFields = replaceFields(manifest.fields, body.customFields ?? current);
  if (customFields.unchanged < Math.max(current.length, manifest.fields.size)) model.touch(manifest);
  return answered({
    assets: { added: added.length, removed: removed.length, unchanged: before.length - removed.length },
    customFields,
  });
}

export function attachTrack(model: Model, identifier: string, wmsId: string): Verdict {
  const manifest = model.manifest(identifier);
  if (!manifest) return missing();
  if (!isOpen(manifest)) return closed();
  if (!assetsOf(manifest).some((asset) => asset.wmsId === wmsId)) edit(model, manifest, [wmsId], []);
  return answered(manifestView(model, manifest));
}

export function detachTrack(model: Model, identifier: string, wmsId: string): Verdict {
  const manifest = model.manifest(identifier);
  if (!manifest) return missing();
  if (!isOpen(manifest)) return closed();
  if (!assetsOf(manifest).some((asset) => asset.wmsId === wmsId)) return refused(404, 'trackRecordNotFound');
  edit(model, manifest, [], [wmsId]);
  return answered(manifestView(model, manifest));
}

export function changeManifestStatus(model: Model, identifier: string, status: string): Verdict {
  if (!STATUSES.includes(status as Status)) return refused(400, 'unknownStatus', { allowedValues: STATUSES });
  const manifest = model.manifest(identifier);
  if (!manifest) return missing();
  if (manifest.shipment && status !== 'CANCELLED') return belongs();
  const allowedValues = TRANSITIONS[manifest.status];
  if (!allowedValues.includes(status as Status))
    return refused(400, 'transitionNotAllowed', { allowedValues });
  if (status === 'IN_PROGRESS' && !manifest.gate) return refused(400, 'gateRequired');
  if (status === 'COMPLETED') raiseShort(model, manifest, [manifest]);
  if (status === 'IN_PROGRESS') {
    settleStarted(model, manifest.gate!, [manifest]);
    comeAboard(model, assetsOf(manifest), manifest);
  }
  if (status === 'CANCELLED') {
    if (manifest.shipment) leaveShipment(model, manifest.shipment, [manifest]);
    else endLoad(model, manifest);
  }
  move(model, manifest, status as Status);
  return answered(manifestView(model, manifest));
}

/** Moves a manifest to a status and sets its dates. A closing manifest stores the tracks of its assets. */
export function move(model: Model, manifest: Manifest, status: Status): void {
  if (status === 'COMPLETED' || status === 'CANCELLED') {
    for (const record of assetsOf(manifest)) record.track = model.linked(record.wmsId) ?? null;
    manifest.closed = model.now;
  }
  if (status === 'IN_PROGRESS') manifest.activated = model.now;
  manifest.status = status;
  model.touch(manifest);
  retireScheduled(model);
}

export function assignGate(model: Model, identifier: string, gateIdentifier: string): Verdict {
  const manifest = model.manifest(identifier);
  if (!manifest) return missing();
  const gate = model.gate(gateIdentifier);
  if (!gate) return refused(404, 'gateNotFound');
  if (manifest.shipment) return belongs();
  if (!isOpen(manifest)) return closed();
  if (manifest.gate !== gate) model.touch(manifest);
  manifest.gate = gate;
  return answered(manifestView(model, manifest));
}

export function deleteManifest(model: Model, identifier: string): Verdict {
  const manifest = model.manifest(identifier);
  if (!manifest) return missing();
  if (manifest.shipment) return belongs();
  if (isOpen(manifest)) {
    model.noteDetached(
      assetsOf(manifest).map(({ wmsId }) => wmsId!),
      { manifest: manifest.id },
    );
  }
  endLoad(model, manifest);
  Object.assign(manifest, { deleted: true, touched: model.now });
  // The manifests that it is linked with no longer show it.
  for (const other of [manifest.backorder, manifest.backorderOf])
    if (other && !other.deleted) other.touched = model.now;
  resolveAlerts(model, manifest.records);
  resolveShort(model, manifest);
  retireScheduled(model);
  return answered({});
}

export function putManifestField(
  model: Model,
  identifier: string,
  { fieldKey, fieldValue }: FieldInput,
): Verdict {
  const manifest = model.manifest(identifier);
  if (!manifest) return missing();
  if (!isOpen(manifest)) return closed();
  if (isBlank(fieldValue)) manifest.fields.delete(fieldKey);
  else manifest.fields.set(fieldKey, fieldValue!);
  return answered(manifestView(model, manifest));
}
