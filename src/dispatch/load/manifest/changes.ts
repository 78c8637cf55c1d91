import { sql } from 'drizzle-orm';
import type { RowsOf } from '../../../core/lib/asks.ts';
import type { FieldChange } from '../../../core/lib/changes.ts';
import { newUuid, taggedToken } from '../../../core/lib/id.ts';
import { parseJson } from '../../../core/lib/json.ts';
import { missing, named } from '../../../core/lib/missing.ts';
import { type Refusal, refusal } from '../../../core/lib/problem.ts';
import type { Scope } from '../../../core/lib/scope.ts';
import { fold } from '../../../core/lib/text.ts';
import { auditing } from '../../../core/writer/audited.ts';
import {
  type Change,
  type ChangePart,
  type Context,
  isRefusal,
  staleMatch,
} from '../../../core/writer/command.ts';
import { emit } from '../../../log/event/store.ts';
import type { StoredField } from '../../custom-field/rules.ts';
import { insertFieldsOf } from '../../custom-field/store.ts';
import type { AtGates } from '../../gate/commands.ts';
import { type AssignedGate, gateChange } from '../../gate/rules.ts';
import { manifestEntries } from '../../track/timeline-store.ts';
import { dueWithManifests, freezeTracks, insertAssets } from '../shared/asset-store.ts';
import { type NewSignature, signatureChange } from '../shared/signature-changes.ts';
import type { SignedFacts } from '../shared/signature-rules.ts';
import { proofNames, type Signed, type StoredSignature } from '../shared/signature-store.ts';
import { isLoadOpen, type LoadStatus } from '../shared/status-rules.ts';
import type { ManifestFacts } from './rules.ts';
import {
  type BackorderRow,
  type LinkedManifest,
  type LocatedManifest,
  type ManifestState,
  manifestEntity,
  manifestQuery,
  manifestStateQuery,
  manifestUuidOf,
} from './store.ts';
import { manifest } from './table.ts';

/** Changes besides the status: the gate, and further fields for the audit record. */
interface Move {
  gate?: AssignedGate;
  further?: FieldChange[];
}

/**
 * Give manifests another status. The number of statements does not grow with the manifests. The
 * caller checks whether the transition is allowed. If the manifests close, the caller also retires
 * the tracks that wait for this (`dueWithManifests`).
 */
export function moveManifests(
  context: Context,
  found: readonly ManifestState[],
  manifestStatus: LoadStatus,
  { gate, further = [] }: Move = {},
): AtGates {
  if (found.length === 0) return { part: { writes: [], audit: [] }, gates: [] };
  const { scope, now } = context;
  const closes = !isLoadOpen(manifestStatus);
  const uuids = found.map(({ uuid }) => uuid);
  const set = {
    manifestStatus,
    updateDate: now,
    ...(gate ? { gateUuid: gate.gateUuid } : {}),
    ...(manifestStatus === 'IN_PROGRESS' ? { activateDate: now } : {}),
    ...(manifestStatus === 'PLANNED' ? { activateDate: null } : {}),
    ...(closes ? { closeDate: now } : {}),
  };
  const part: ChangePart = {
    writes: [
      ...(closes ? [freezeTracks(scope, uuids)] : []),
      ...(manifestStatus === 'COMPLETED'
        ? scope.updateEach(
            manifest,
            uuids.map((uuid) => ({ ...set, uuid, publicToken: taggedToken(scope.organization) })),
            { proofNames: proofNames('manifest') },
          )
        : [scope.update(manifest, set, { uuids })]),
    ],
    audit: found.map((state) =>
      auditedManifest('MANIFEST_STATUS_CHANGED', state, [
        { field: 'manifestStatus', oldValue: state.manifestStatus, newValue: manifestStatus },
        gateChange(state, gate ?? state),
        ...further,
      ]),
    ),
    events: emit(context, 'MANIFEST_STATUS_CHANGED', manifestEntity, found),
  };
  return { part, gates: [...found.map((state) => state.gateUuid), gate?.gateUuid ?? null] };
}

/** Assign manifests to a gate, or to none. */
export function assignGate(context: Context, found: readonly ManifestState[], gate: AssignedGate): AtGates {
  const { scope, now } = context;
  const { gateUuid } = gate;
  const moved = found.filter((state) => state.gateUuid !== gateUuid);
  if (moved.length === 0) return { part: { writes: [], audit: [] }, gates: [] };
  const uuids = moved.map(({ uuid }) => uuid);
  const part: ChangePart = {
    writes: [scope.update(manifest, { gateUuid, updateDate: now }, { uuids })],
    audit: moved.map((state) => auditedManifest('MANIFEST_GATE_ASSIGNED', state, [gateChange(state, gate)])),
    events: emit(context, 'MANIFEST_UPDATED', manifestEntity, moved),
  };
  return { part, gates: [...moved.map((state) => state.gateUuid), gateUuid] };
}

/** An audit entry about a manifest. */
export const auditedManifest = auditing<{ uuid: string; externalIdentifier: string }>(
  'MANIFEST',
  ({ externalIdentifier }) => externalIdentifier,
);

/** Read the manifest in the path. With `If-Match`, also read its view. */
export const askManifest = (scope: Scope, identifier: string, ifMatch: string | null = null) => ({
  states: manifestStateQuery(scope, identifier),
  views: ifMatch === null ? undefined : manifestQuery(scope, identifier),
});

/** The tracks that may have to be retired when this manifest is closed or deleted. */
export const askDue = (scope: Scope, identifier: string) =>
  dueWithManifests(scope, sql`IN (${manifestUuidOf(scope, identifier)})`);

/** The manifest from these rows, or a refusal. */
export function foundManifest(
  { states: [state], views: [shown] }: RowsOf<ReturnType<typeof askManifest>>,
  { identifier, ifMatch = null }: { identifier: string; ifMatch?: string | null },
): LocatedManifest | Refusal {
  if (!state) return missing('manifestNotFound', identifier);
  const stale = shown && staleMatch(ifMatch, shown.view, named('Manifest', state.externalIdentifier));
  if (stale) return stale;
  return state;
}

/** Like `foundManifest`, but a closed manifest is refused. */
export function openManifest(...args: Parameters<typeof foundManifest>): LocatedManifest | Refusal {
  const found = foundManifest(...args);
  return isRefusal(found) || isLoadOpen(found.manifestStatus) ? found : refuseClosedManifest(found);
}

/** The refusal to change a closed manifest. */
export const refuseClosedManifest = ({
  externalIdentifier,
  manifestStatus,
}: Pick<ManifestState, 'externalIdentifier' | 'manifestStatus'>): Refusal =>
  refusal('manifestClosed', `${named('Manifest', externalIdentifier)} is ${manifestStatus}.`, {
    facts: { name: externalIdentifier, status: manifestStatus },
  });

/** The refusal to assign a gate to this manifest, if any. */
export const refuseGate = (state: LocatedManifest): Refusal | undefined => {
  if (state.shipmentUuid !== null) return refuseMember(state);
  return isLoadOpen(state.manifestStatus) ? undefined : refuseClosedManifest(state);
};

/** The refusal of a change that a manifest in a shipment does not allow. `advice` is a sentence about what to do. */
export const refuseMember = (
  { externalIdentifier, shipmentExternalId }: LocatedManifest,
  advice = 'Make this change in the shipment, or detach the manifest while the shipment is open.',
): Refusal =>
  refusal(
    'manifestBelongsToShipment',
    `${named('Manifest', externalIdentifier)} is attached to ${named('shipment', shipmentExternalId!)}. ${advice}`,
    { facts: { name: externalIdentifier, other: shipmentExternalId! } },
  );

/** The back order of a manifest, or null. */
export const linkOf = ([row]: readonly BackorderRow[]) => (row?.backorder ? parseJson(row.backorder) : null);

/** The change of a manifest that gets a back order. */
export function linkedBackorderChange(
  context: Context,
  source: ManifestState,
  { uuid, externalIdentifier }: { uuid: string; externalIdentifier: string },
): ChangePart {
  const { scope, now } = context;
  return {
    writes: [scope.update(manifest, { backOrderUuid: uuid, updateDate: now }, sql`uuid = ${source.uuid}`)],
    audit: [
      auditedManifest('MANIFEST_UPDATED', source, [
        { field: 'backorder', oldValue: null, newValue: externalIdentifier },
      ]),
    ],
    events: emit(context, 'MANIFEST_UPDATED', manifestEntity, [source]),
  };
}

/**
 * The changes of the manifests that name a deleted manifest as their back order, or as the manifest
 * that they are the back order of. A manifest whose back order is deleted can have another one.
 */
export const unlinkedBackorderChanges = (
  context: Context,
  deleted: ManifestState,
  linked: readonly LinkedManifest[],
): ChangePart[] =>
  linked.map((other) => {
    const { scope, now } = context;
    const link = other.isSource === 1 ? { backOrderUuid: null } : { backOrderOfUuid: null };
    const field = other.isSource === 1 ? 'backorder' : 'backorderOf';
    return {
      writes: [scope.update(manifest, { ...link, updateDate: now }, sql`uuid = ${other.uuid}`)],
      audit: [
        auditedManifest('MANIFEST_UPDATED', other, [
          { field, oldValue: deleted.externalIdentifier, newValue: null },
        ]),
      ],
      events: emit(context, 'MANIFEST_UPDATED', manifestEntity, [other]),
    };
  });

/** A manifest to insert. */
interface InsertedManifest extends ManifestFacts {
  uuid: string;
  externalIdentifier: string;
  manifestStatus: 'PLANNED' | 'TO_DO';
  gateUuid: string | null;
  /** The manifest that it is the back order of. */
  backOrderOfUuid: string | null;
  fields: readonly StoredField[];
  /** The WMS ids of its assets. */
  assets: readonly string[];
}

/** Insert manifests with their assets and custom fields, and add entries to the timelines of their pallets. */
export const insertManifests = (
  context: Context,
  manifests: readonly InsertedManifest[],
): Pick<Change, 'writes' | 'entries'> => ({
  writes: [
    // Assets come first. For an asset that is inserted after its manifest, a trigger would raise the manifest's
    // `assets_count`, which already includes it.
    ...insertAssets(
      context.scope,
      manifests.flatMap(({ uuid: manifestUuid, assets }) =>
        assets.map((wmsId) => ({ uuid: newUuid(), manifestUuid, wmsId })),
      ),
      context.now,
    ),
    ...context.scope.insert(
      manifest,
      manifests.map(({ fields: _, assets, ...row }) => ({
        ...row,
        assetsCount: assets.length,
        foldedIdentifier: fold(row.externalIdentifier),
        createDate: context.now,
        updateDate: context.now,
      })),
    ),
    ...insertFieldsOf(
      context.scope,
      manifests.flatMap(({ uuid: ownerUuid, fields }) => fields.map((field) => ({ ownerUuid, ...field }))),
    ),
  ],
  entries: manifestEntries(
    context.scope,
    'ATTACHED',
    manifests.flatMap(({ externalIdentifier, assets }) =>
      assets.map((wmsId) => ({ wmsId, manifestExternalId: externalIdentifier })),
    ),
  ),
});

/** Add a signature to a manifest that is in no shipment. */
export function manifestSignatureChange(
  context: Context,
  found: ManifestState,
  signature: NewSignature,
  { signed, facts: [facts] }: { signed: readonly Signed[]; facts: readonly SignedFacts[] },
): Change<StoredSignature> | Refusal {
  const { uuid, externalIdentifier, manifestStatus: status } = found;
  if (status === 'CANCELLED') return refuseClosedManifest(found);
  const load = {
    uuid,
    externalIdentifier,
    title: named('Manifest', externalIdentifier),
    status,
    facts: facts!,
    entity: manifestEntity,
    touched: (changes: Parameters<typeof auditedManifest>[2]) => ({
      writes: [context.scope.update(manifest, { updateDate: context.now }, sql`uuid = ${uuid}`)],
      audit: [auditedManifest('SIGNATURE_ADDED', found, changes)],
    }),
  };
  return signatureChange(context, load, signature, signed);
}
