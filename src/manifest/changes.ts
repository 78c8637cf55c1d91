import type { FieldChange } from '../audit/chain.ts';
import { publicToken } from '../lib/id.ts';
import { freezeTracks } from '../loading/store.ts';
import { retireScheduled } from '../track/store.ts';
import type { Change, Context } from '../writer/command.ts';
import { isOpen, type ManifestStatus } from './rules.ts';
import type { ManifestState } from './store.ts';
import { manifest } from './table.ts';

/** What a command adds to its change. */
export type Part = Pick<Change, 'writes' | 'audit'>;

/** Beside the status: another gate (null: none), and what else the audit record says. */
export interface Move {
  gateUuid?: string | null;
  further?: FieldChange[];
}

/**
 * What a move of manifests to another status writes, in a number of statements that does not grow with them. Whether
 * it is allowed is decided before.
 */
export function moveManifests(
  { database, now }: Context,
  found: readonly ManifestState[],
  manifestStatus: ManifestStatus,
  { gateUuid, further = [] }: Move = {},
): Part {
  if (found.length === 0) return { writes: [], audit: [] };
  const closes = !isOpen(manifestStatus);
  const uuids = found.map(({ uuid }) => uuid);
  const set = {
    manifestStatus,
    updateDate: now,
    ...(gateUuid === undefined ? {} : { gateUuid }),
    ...(manifestStatus === 'IN_PROGRESS' ? { activateDate: now } : {}),
    ...(manifestStatus === 'PLANNED' ? { activateDate: null } : {}),
    ...(closes ? { closeDate: now } : {}),
  };
  return {
    writes: [
      ...(closes ? [freezeTracks(database, uuids)] : []),
      ...(manifestStatus === 'COMPLETED'
        ? database.updateEach(
            manifest,
            uuids.map((uuid) => ({ ...set, uuid, publicToken: publicToken() })),
          )
        : [database.updateThese(manifest, set, uuids)]),
      ...(closes ? retireScheduled(database, now) : []),
    ],
    audit: found.map((state) =>
      auditedManifest('MANIFEST_STATUS_CHANGED', state, [
        { field: 'manifestStatus', oldValue: state.manifestStatus, newValue: manifestStatus },
        ...(gateUuid === undefined || gateUuid === state.gateUuid
          ? []
          : [{ field: 'gateUuid', oldValue: state.gateUuid, newValue: gateUuid }]),
        ...further,
      ]),
    ),
  };
}

/** What it writes to assign manifests to a gate, or to none. */
export function assignGate(
  { database, now }: Context,
  found: readonly ManifestState[],
  gateUuid: string | null,
): Part {
  const moved = found.filter((state) => state.gateUuid !== gateUuid);
  if (moved.length === 0) return { writes: [], audit: [] };
  const uuids = moved.map(({ uuid }) => uuid);
  return {
    writes: [database.updateThese(manifest, { gateUuid, updateDate: now }, uuids)],
    audit: moved.map((state) =>
      auditedManifest('MANIFEST_GATE_ASSIGNED', state, [
        { field: 'gateUuid', oldValue: state.gateUuid, newValue: gateUuid },
      ]),
    ),
  };
}

/** An audit entry about a manifest. */
export const auditedManifest = (
  action: string,
  { uuid, externalIdentifier }: { uuid: string; externalIdentifier: string },
  changes: FieldChange[],
): Change['audit'][number] => ({
  action,
  entityType: 'MANIFEST',
  entityUuid: uuid,
  entityExternalId: externalIdentifier,
  changes,
});
