import { sql } from 'drizzle-orm';
import { missing } from '../../../core/lib/missing.ts';
import type { Scope } from '../../../core/lib/scope.ts';
import {
  type ChangePart,
  type Context,
  command,
  isRefusal,
  mergeChanges,
} from '../../../core/writer/command.ts';
import { emit } from '../../../log/event/store.ts';
import { resolvedAlertsChange } from '../../alert/changes.ts';
import { expectedHereQuery, openAboutRecords, openAboutShort, openAlertsQuery } from '../../alert/store.ts';
import { gateEventChanges, tellGates } from '../../gate/commands.ts';
import { assignedTo } from '../../gate/rules.ts';
import { gateQuery } from '../../gate/store.ts';
import { dueRetirementChange } from '../../track/changes.ts';
import { manifestEntries } from '../../track/timeline-store.ts';
import { completedShortChange, shortManifestsQuery } from '../shared/alert-changes.ts';
import {
  askStarting,
  closeRecords,
  invalidRecordsOf,
  loadOf,
  placedOf,
  placedQuery,
} from '../shared/asset-store.ts';
import { changedPaperChange, startedLoadChange } from '../shared/place-changes.ts';
import { holderAmong, loadEnded, manifestsLeft, type PlacedRecord } from '../shared/place-rules.ts';
import type { NewSignature } from '../shared/signature-changes.ts';
import { askSigned } from '../shared/signature-store.ts';
import { isLoadOpen, type LoadStatus, refuseTransition } from '../shared/status-rules.ts';
import {
  askDue,
  askManifest,
  assignGate,
  auditedManifest,
  foundManifest,
  manifestSignatureChange,
  moveManifests,
  refuseGate,
  refuseMember,
  unlinkedBackorderChanges,
} from './changes.ts';
import {
  assetIdsQuery,
  type LocatedManifest,
  linkedQuery,
  type ManifestState,
  manifestAnswer,
  manifestEntity,
  manifestUuidOf,
  siblingsQuery,
} from './store.ts';
import { manifest } from './table.ts';

export const assignManifestGate = command('assignManifestGate', {
  ask: ({ scope }, input: { identifier: string; gateIdentifier: string }) => ({
    ...askManifest(scope, input.identifier),
    gates: gateQuery(scope, input.gateIdentifier),
  }),
  decide(context, { identifier, gateIdentifier }, { gates: [gate], ...rows }) {
    const found = foundManifest(rows, { identifier });
    if (isRefusal(found)) return found;
    if (!gate) return missing('gateNotFound', gateIdentifier);
    const refused = refuseGate(found);
    if (refused) return refused;
    return mergeChanges(
      manifestAnswer(context.scope, found.uuid),
      gateEventChanges(context, [assignGate(context, [found], assignedTo(gate))]),
    );
  },
});

/** A change of a manifest's status. */
interface Move {
  identifier: string;
  manifestStatus: LoadStatus;
  /** A signature of the load as it leaves. */
  signature?: NewSignature;
}

export const changeManifestStatus = command('changeManifestStatus', {
  ask: ({ scope }, input: Move) => ({
    ...askManifest(scope, input.identifier),
    ...(input.signature
      ? askSigned(scope, 'MANIFEST', manifestUuidOf(scope, input.identifier))
      : { signed: undefined, facts: undefined }),
    due: isLoadOpen(input.manifestStatus) ? undefined : askDue(scope, input.identifier),
    pallets:
      input.manifestStatus === 'COMPLETED'
        ? shortManifestsQuery(scope, sql`IN (${manifestUuidOf(scope, input.identifier)})`)
        : undefined,
    expected:
      input.manifestStatus === 'IN_PROGRESS'
        ? expectedHereQuery(scope, sql`IN (${manifestUuidOf(scope, input.identifier)})`)
        : undefined,
    ...askPlaces(scope, input),
  }),
  decide(
    context,
    { identifier, manifestStatus, signature },
    { due, pallets, expected, placed, siblings, coming, where, signed, facts, ...rows },
  ) {
    const found = foundManifest(rows, { identifier });
    if (isRefusal(found)) return found;
    if (found.shipmentUuid !== null && manifestStatus !== 'CANCELLED') return refuseMember(found);
    const refused = refuseTransition('Manifest', { ...found, status: found.manifestStatus }, manifestStatus);
    if (refused) return refused;
    const signing = signature && manifestSignatureChange(context, found, signature, { signed, facts });
    if (signing && isRefusal(signing)) return signing;
    const parts = [
      // The load is signed before it is completed.
      ...(signing ? [signing] : []),
      moveManifests(context, [found], manifestStatus),
      dueRetirementChange(context, due),
      completedShortChange(context, { kind: 'Manifest', ...found }, pallets),
      manifestStatus === 'CANCELLED'
        ? cancelled(context, found, placedOf(placed), siblings)
        : startedLoadChange(
            context,
            { uuid: found.uuid, shipmentExternalId: null },
            placedOf(coming),
            placedOf(where),
          ),
      resolvedAlertsChange(context, expected),
    ];
    return mergeChanges(manifestAnswer(context.scope, found.uuid), gateEventChanges(context, parts));
  },
});

/** The records of the load that a new status of a manifest concerns. */
const askPlaces = (
  scope: Scope,
  { identifier, manifestStatus }: { identifier: string; manifestStatus: LoadStatus },
) => {
  const uuid = manifestUuidOf(scope, identifier);
  const isCancelled = manifestStatus === 'CANCELLED';
  return {
    placed: isCancelled ? placedQuery(scope, loadOf(scope, uuid)) : undefined,
    siblings: isCancelled ? siblingsQuery(scope, uuid) : undefined,
    ...(manifestStatus === 'IN_PROGRESS'
      ? askStarting(scope, sql`IN (${uuid})`)
      : { coming: undefined, where: undefined }),
  };
};

/** The effect on records if a manifest is cancelled: alone, or in a shipment that continues. */
function cancelled(
  context: Context,
  found: LocatedManifest,
  placed: readonly PlacedRecord[],
  siblings: readonly ManifestState[],
): ChangePart {
  const isInProgress = found.manifestStatus === 'IN_PROGRESS';
  if (found.shipmentUuid === null)
    return changedPaperChange(context, { kind: 'Manifest', ...found }, loadEnded(placed, { isInProgress }));
  const load = {
    ...found,
    kind: 'Shipment',
    uuid: found.shipmentUuid,
    externalIdentifier: found.shipmentExternalId!,
  } as const;
  const holder = holderAmong(siblings);
  return changedPaperChange(
    context,
    load,
    manifestsLeft(placed, { isInProgress, holder }, new Set([found.uuid])),
  );
}

/** Delete a manifest. Its external id can be used again. */
export const deleteManifest = command('deleteManifest', {
  ask(context, { identifier, ifMatch }: { identifier: string; ifMatch: string | null }) {
    const { scope } = context;
    const uuid = manifestUuidOf(scope, identifier);
    return {
      ...askManifest(scope, identifier, ifMatch),
      held: assetIdsQuery(scope, uuid),
      linked: linkedQuery(scope, uuid),
      due: askDue(scope, identifier),
      alerts: openAlertsQuery(scope, openAboutRecords(invalidRecordsOf(scope, uuid))),
      short: openAlertsQuery(scope, openAboutShort(sql`= ${uuid}`)),
      placed: placedQuery(scope, sql`IN (${uuid})`, sql`m.manifest_status = 'IN_PROGRESS'`),
    };
  },
  decide(context, { identifier, ifMatch }, { held, linked, due, alerts, short, placed, ...rows }) {
    const { scope, now } = context;
    const found = foundManifest(rows, { identifier, ifMatch });
    if (isRefusal(found)) return found;
    if (found.shipmentUuid !== null) return refuseMember(found);
    const detached = isLoadOpen(found.manifestStatus)
      ? held.map(({ wmsId }) => ({ wmsId, manifestExternalId: found.externalIdentifier }))
      : [];
    const deleted: ChangePart = {
      writes: [
        scope.update(manifest, { deletedDate: now, updateDate: now }, sql`uuid = ${found.uuid}`),
        closeRecords(scope, [found.uuid]),
      ],
      entries: manifestEntries(scope, 'DETACHED', detached),
      audit: [
        auditedManifest('MANIFEST_DELETED', found, [{ field: 'deleted', oldValue: false, newValue: true }]),
      ],
      events: [
        ...emit(context, 'MANIFEST_UPDATED', manifestEntity, [found]),
        ...tellGates(context, [found.gateUuid]),
      ],
    };
    return mergeChanges({ value: {} }, [
      deleted,
      ...unlinkedBackorderChanges(context, found, linked),
      resolvedAlertsChange(context, [...alerts, ...short]),
      dueRetirementChange(context, detached.length === 0 ? [] : due),
      changedPaperChange(
        context,
        { kind: 'Manifest', ...found },
        loadEnded(placedOf(placed), { isInProgress: found.manifestStatus === 'IN_PROGRESS' }),
      ),
    ]);
  },
});

/** Add a signature to a manifest that is in no shipment. */
export const signManifest = command('signManifest', {
  ask: ({ scope }, { identifier }: { identifier: string; signature: NewSignature }) => ({
    ...askManifest(scope, identifier),
    ...askSigned(scope, 'MANIFEST', manifestUuidOf(scope, identifier)),
  }),
  decide(context, { identifier, signature }, { signed, facts, ...rows }) {
    const found = foundManifest(rows, { identifier });
    if (isRefusal(found)) return found;
    if (found.shipmentUuid !== null) return refuseMember(found, 'Sign the shipment instead.');
    return manifestSignatureChange(context, found, signature, { signed, facts });
  },
});
