import { sql } from 'drizzle-orm';
import type { FieldChange } from '../../../core/lib/changes.ts';
import { named } from '../../../core/lib/missing.ts';
import { type ProblemItem, type Refusal, refusal } from '../../../core/lib/problem.ts';
import { inList } from '../../../core/lib/sql.ts';
import type { ChangePart, Context } from '../../../core/writer/command.ts';
import { emit } from '../../../log/event/store.ts';
import type { AtGates } from '../../gate/commands.ts';
import { type AssignedGate, assignedTo } from '../../gate/rules.ts';
import { auditedManifest, moveManifests } from '../manifest/changes.ts';
import { type ManifestState, manifestEntity } from '../manifest/store.ts';
import { manifest } from '../manifest/table.ts';
import { type PlacedRow, placedOf } from '../shared/asset-store.ts';
import { changedPaperChange, startedLoadChange } from '../shared/place-changes.ts';
import { holderAmong, manifestsLeft, type PlacedRecord } from '../shared/place-rules.ts';
import type { LoadStatus } from '../shared/status-rules.ts';
import { attachFaults, detachFaults, MANIFESTS_MAXIMUM, type ManifestReference } from './rules.ts';
import type { FoundManifest } from './store.ts';
import { shipmentManifest } from './table.ts';

/** The fields of a shipment that its manifests take over. */
export interface MemberShipment extends AssignedGate {
  uuid: string;
  externalIdentifier: string;
  status: LoadStatus;
}

/**
 * Attach manifests. Each gets the gate of the shipment and a status that matches the shipment's
 * status.
 */
export function attachMembers(
  context: Context,
  owner: MemberShipment,
  added: readonly ManifestState[],
): AtGates {
  if (added.length === 0) return { part: { writes: [], audit: [] }, gates: [] };
  const status = owner.status === 'IN_PROGRESS' ? 'IN_PROGRESS' : 'TO_DO';
  const further: FieldChange[] = [{ field: 'shipment', oldValue: null, newValue: owner.externalIdentifier }];
  const { part: moved, gates } = moveManifests(context, added, status, { gate: owner, further });
  const rows = added.map(({ uuid }) => ({ manifestUuid: uuid, shipmentUuid: owner.uuid }));
  return {
    part: { ...moved, writes: [...context.scope.insert(shipmentManifest, rows), ...moved.writes] },
    gates,
  };
}

/**
 * The effect on loading records if manifests leave a shipment. `placed`: its records that are not NOT_LOADED. `endsNow`: the
 * shipment is not in progress afterwards. `added`: the manifests that come to it in the same change. `coming`: the records of
 * their assets.
 */
export function leftMembersChange(
  context: Context,
  owner: MemberShipment,
  { members, removed, placed, endsNow = false, added = [], coming = [] }: Leaving,
): ChangePart {
  const leaving = new Set(removed.map(({ uuid }) => uuid));
  const after: ManifestState[] = [
    ...members.filter(({ uuid }) => !leaving.has(uuid)),
    ...added.map((one) => ({ ...one, manifestStatus: owner.status, activateDate: context.now })),
  ];
  const change = {
    isInProgress: owner.status === 'IN_PROGRESS',
    holder: endsNow ? undefined : holderAmong(after),
    expected: new Set(coming.map(({ wmsId }) => wmsId!)),
  };
  return changedPaperChange(
    context,
    { kind: 'Shipment', ...owner },
    manifestsLeft(placedOf(placed), change, leaving),
  );
}

interface Leaving {
  members: readonly ManifestState[];
  removed: readonly ManifestState[];
  placed: readonly PlacedRow[];
  endsNow?: boolean;
  added?: readonly ManifestState[];
  coming?: readonly PlacedRecord[];
}

/** The effect on loading records if manifests come to a shipment in progress, or if it starts with them. */
export const arrivedPalletsChange = (
  context: Context,
  { uuid, externalIdentifier }: Pick<MemberShipment, 'uuid' | 'externalIdentifier'>,
  coming: readonly PlacedRecord[],
  where: readonly PlacedRow[],
): ChangePart =>
  startedLoadChange(context, { uuid, shipmentExternalId: externalIdentifier }, coming, placedOf(where));

/** Detach manifests. They become PLANNED, without a gate. A cancelled manifest stays cancelled. */
export function detachMembers(
  context: Context,
  owner: MemberShipment,
  removed: readonly ManifestState[],
): AtGates {
  if (removed.length === 0) return { part: { writes: [], audit: [] }, gates: [] };
  const { scope, now } = context;
  const uuids = removed.map(({ uuid }) => uuid);
  const further: FieldChange[] = [{ field: 'shipment', oldValue: owner.externalIdentifier, newValue: null }];
  const isCancelled = ({ manifestStatus }: ManifestState) => manifestStatus === 'CANCELLED';
  const cancelled = removed.filter(isCancelled);
  const { part: moved, gates } = moveManifests(
    context,
    removed.filter((member) => !isCancelled(member)),
    'PLANNED',
    { gate: assignedTo(null), further },
  );
  const part: ChangePart = {
    writes: [
      scope.remove(shipmentManifest, sql`manifest_uuid ${inList(uuids)}`),
      ...moved.writes,
      ...(cancelled.length === 0
        ? []
        : [scope.update(manifest, { updateDate: now }, { uuids: cancelled.map(({ uuid }) => uuid) })]),
    ],
    audit: [
      ...moved.audit,
      ...cancelled.map((member) => auditedManifest('MANIFEST_UPDATED', member, further)),
    ],
    events: [...(moved.events ?? []), ...emit(context, 'MANIFEST_UPDATED', manifestEntity, cancelled)],
  };
  return { part, gates };
}

/**
 * The manifests to attach for these references, or a refusal with an error for each bad reference.
 * `members` are already attached and may stay.
 */
export function toAttach(
  references: readonly ManifestReference[],
  found: readonly FoundManifest[],
  members: readonly ManifestState[] = [],
  shipmentUuid: string | null = null,
): ManifestState[] | Refusal {
  const held = new Set(members.map(({ uuid }) => uuid));
  const errors = attachFaults(references, found, held, shipmentUuid);
  if (errors.length > 0) return batchRefusal('manifestsNotAttachable', 'cannot be attached', errors);
  return (found as ManifestState[]).filter(({ uuid }) => !held.has(uuid));
}

/**
 * The manifests to detach for these references, or a refusal with an error for each bad reference.
 */
export function toDetach(
  references: readonly ManifestReference[],
  found: readonly FoundManifest[],
  shipmentUuid: string,
): ManifestState[] | Refusal {
  const errors = detachFaults(references, found, shipmentUuid);
  if (errors.length > 0) return batchRefusal('manifestsNotAttached', 'cannot be detached', errors);
  return found as ManifestState[];
}

/** The refusal if a shipment would get too many manifests. */
export function refuseOverLimit(
  { externalIdentifier }: { externalIdentifier: string },
  count: number,
): Refusal | undefined {
  if (count <= MANIFESTS_MAXIMUM) return undefined;
  return refusal(
    'manifestLimitReached',
    `${named('Shipment', externalIdentifier)} would have ${count} manifests, but the maximum is ${MANIFESTS_MAXIMUM}.`,
    { facts: { name: externalIdentifier, maximum: MANIFESTS_MAXIMUM } },
  );
}

function batchRefusal(
  code: 'manifestsNotAttachable' | 'manifestsNotAttached',
  what: string,
  errors: ProblemItem[],
): Refusal {
  const detail = `${errors.length} of the manifests ${what}. ${errors[0]!.message} Nothing was changed.`;
  return refusal(code, detail, { errors });
}
