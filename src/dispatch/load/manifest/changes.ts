import type { FieldChange } from '../../../core/lib/changes.ts';
import { taggedToken } from '../../../core/lib/id.ts';
import { auditing } from '../../../core/writer/audited.ts';
import type { ChangePart, Context } from '../../../core/writer/command.ts';
import { emit } from '../../../log/event/store.ts';
import type { AtGates } from '../../gate/changes.ts';
import { type AssignedGate, gateChange } from '../../gate/rules.ts';
import { freezeTracks } from '../shared/asset-store.ts';
import { proofNames } from '../shared/proof-names-store.ts';
import { isLoadOpen, type LoadStatus } from '../shared/status-rules.ts';
import { type ManifestState, manifestEntity } from './store.ts';
import { manifest } from './table.ts';

/** Changes besides the status: the gate, and further fields for the audit record. */
export interface Move {
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
