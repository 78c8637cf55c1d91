import { type SQL, sql } from 'drizzle-orm';
import type { FieldChange } from '../../../core/lib/changes.ts';
import { newUuid } from '../../../core/lib/id.ts';
import type { Write } from '../../../core/lib/scope.ts';
import { inList, inRows } from '../../../core/lib/sql.ts';
import { auditing } from '../../../core/writer/audited.ts';
import type { AuditEntry } from '../../../core/writer/chain.ts';
import { type ChangePart, type Context, mergeChanges } from '../../../core/writer/command.ts';
import { emit } from '../../../log/event/store.ts';
import { raisedAlertsChange, resolvedAlertsChange } from '../../alert/changes.ts';
import { type AssignedGate, assignedGateOf, assignedTo, gateChange } from '../../gate/rules.ts';
import { codeDetails } from '../../track/rules.ts';
import { entryPallet, type GateActivity, gateEntries, manifestEntries } from '../../track/timeline-store.ts';
import { type LeftLoad, palletsAboardChange } from './alert-changes.ts';
import { countCaught, IS_ASSET, insertAssets, loadingEntity } from './asset-store.ts';
import {
  assetsCame,
  type BoardingEffect,
  type ComingEffect,
  type PaperEffect,
  type PlacedRecord,
} from './place-rules.ts';
import { isLoadOpen } from './status-rules.ts';
import { assetLoading } from './table.ts';

/**
 * The writes of `place-rules.ts`. Only this file removes loading records, so no other command can lose a pallet that is
 * aboard. `test/unit/conventions/loading-records.test.ts` checks this.
 */

/**
 * Set a new update date for manifests when their loading records change. The trigger that counts loaded pallets has often
 * set the date, and then it is not written again. The date of a shipment follows from its manifests.
 */
export function touchParents({ scope, now }: Context, manifestUuids: readonly string[]): Write[] {
  const uuids = [...new Set(manifestUuids)];
  if (uuids.length === 0) return [];
  return [
    sql`UPDATE manifest SET update_date = ${now} WHERE uuid ${inRows(JSON.stringify(uuids))}
      AND +organization_uuid = ${scope.organization} AND update_date <> ${now}`,
  ];
}

/** An audit entry about a loading record. */
export const auditedRecord = auditing<{ uuid: string; wmsId: string | null }>(
  'ASSET_LOADING',
  ({ wmsId }) => wmsId,
);

const entityOf = ({ recordUuid, wmsId }: { recordUuid: string; wmsId: string | null }) => ({
  uuid: recordUuid,
  externalIdentifier: wmsId,
});

/** An invalid loading record that is removed. */
interface RemovedRecord {
  recordUuid: string;
  wmsId: string | null;
  markerCode: number | null;
  loadingStatus: string;
  gateExternalId: string | null;
  manifestUuid: string;
  manifestExternalId: string;
  /** Whether its load or manifest is closed. The audit entry then says so. */
  afterClose: boolean;
}

/**
 * Delete invalid loading records. Their alerts and the update dates of their manifests are not part of it. A wrong pallet that
 * is taken off counts as caught. `isCaught` is false if the pallet belongs to the load now.
 */
export const removedRecordsChange = (
  context: Context,
  removed: readonly RemovedRecord[],
  isCaught = true,
): ChangePart => ({
  writes:
    removed.length === 0
      ? []
      : [
          // The event comes before the deletion, because it shows the record.
          ...emit(context, 'UNAUTHORIZED_LOADING_RESOLVED', loadingEntity, removed.map(entityOf)),
          context.scope.remove(assetLoading, { uuids: removed.map(({ recordUuid }) => recordUuid) }),
          ...(isCaught
            ? countCaught(
                context,
                removed.map(({ manifestUuid }) => manifestUuid),
              )
            : []),
        ],
  audit: removed.map((record) =>
    auditedRecord('UNAUTHORIZED_LOADING_RESOLVED', { uuid: record.recordUuid, wmsId: record.wmsId }, [
      { field: 'loadingStatus', oldValue: record.loadingStatus, newValue: null },
      { field: 'markerCode', oldValue: record.markerCode, newValue: null },
      gateChange({ gateUuid: null, gateExternalId: record.gateExternalId }, assignedTo(null)),
      { field: 'manifest', oldValue: record.manifestExternalId, newValue: null },
      ...afterCloseField(record.afterClose),
    ]),
  ),
});

/** The same for records as the rules see them. After the end of their manifest, it is a correction. */
export const removedPlacesChange = (
  context: Context,
  removed: readonly PlacedRecord[],
  isCaught?: boolean,
): ChangePart =>
  removedRecordsChange(
    context,
    removed.map((record) => ({ ...record, afterClose: !isLoadOpen(record.manifestStatus) })),
    isCaught,
  );

/** In an audit entry, mark a correction that was made after the load or manifest was closed. */
export const afterCloseField = (afterClose: boolean): FieldChange[] =>
  afterClose ? [{ field: 'afterClose', oldValue: null, newValue: true }] : [];

/** Up to this many assets are found one by one. For more, SQLite reads fewer rows if it reads the manifest. */
const FEW_ASSETS = 20;
/** Both values of `closed` are named, so that the index by WMS id finds each asset. */
const oneByOne = ({ length }: readonly string[]): SQL =>
  length <= FEW_ASSETS ? sql`closed IN (0, 1)` : sql`TRUE`;

/**
 * Take assets from a manifest. `effect` is the effect of this change on the records of its load (`assetsTaken`). A
 * pallet that is still aboard keeps its record as an invalid one.
 */
export function takenAssetsChange(
  context: Context,
  { uuid, externalIdentifier, ...load }: { uuid: string; externalIdentifier: string } & AssignedGate,
  wmsIds: readonly string[],
  effect: PaperEffect,
): ChangePart {
  if (wmsIds.length === 0) return { writes: [], audit: [] };
  const stranded = new Set(effect.stranded.map(({ record }) => record.wmsId));
  const gone = wmsIds.filter((wmsId) => !stranded.has(wmsId));
  return mergeParts([
    {
      writes: [
        context.scope.remove(
          assetLoading,
          sql`manifest_uuid = ${uuid} AND wms_id ${inList(wmsIds)} AND ${oneByOne(wmsIds)} AND ${IS_ASSET}`,
        ),
      ],
      audit: [],
      entries: manifestEntries(
        context.scope,
        'DETACHED',
        gone.map((wmsId) => ({ wmsId, manifestExternalId: externalIdentifier })),
      ),
    },
    strandedRecords(context, load, effect),
  ]);
}

/** Apply the effect of a change of the paper to the records of a load. `load` is the load before the change. */
export function changedPaperChange(context: Context, load: LeftLoad, effect: PaperEffect): ChangePart {
  const { scope, now } = context;
  const { restarted, handedOver, dropped, aboard } = effect;
  const restartedUuids = restarted.map(({ recordUuid }) => recordUuid);
  const part: ChangePart = {
    writes: [
      ...(restarted.length === 0
        ? []
        : [
            scope.update(
              assetLoading,
              { loadingStatus: 'NOT_LOADED', gateUuid: null, loadingDate: null, updateDate: now },
              { uuids: restartedUuids },
            ),
          ]),
      ...scope.updateEach(
        assetLoading,
        handedOver.map(({ record, holder }) => ({
          uuid: record.recordUuid,
          manifestUuid: holder.manifestUuid,
          updateDate: now,
        })),
      ),
      ...touchParents(
        context,
        handedOver.map(({ holder }) => holder.manifestUuid),
      ),
    ],
    entries: gateEntries(
      context,
      restarted.flatMap((record) =>
        entryOf(record, 'NOT_LOADED', now, { ...record, details: codeDetails('startsAgain') }),
      ),
    ),
    audit: [
      ...restarted.map((record) => restartedEntry(record)),
      ...handedOver.map(({ record, holder }) =>
        auditedRecord('ASSET_LOADING_STATUS_CHANGED', { uuid: record.recordUuid, wmsId: record.wmsId }, [
          { field: 'manifest', oldValue: record.manifestExternalId, newValue: holder.manifestExternalId },
        ]),
      ),
    ],
    events: emit(context, 'ASSET_LOADING_STATUS_CHANGED', loadingEntity, [
      ...restarted.map(entityOf),
      ...handedOver.map(({ record }) => entityOf(record)),
    ]),
  };
  return mergeParts([
    part,
    strandedRecords(context, load, effect),
    clearedRecords(context, dropped, 'ABOARD'),
    palletsAboardChange(context, load, aboard),
  ]);
}

const restartedEntry = (record: PlacedRecord): AuditEntry =>
  auditedRecord('ASSET_LOADING_STATUS_CHANGED', { uuid: record.recordUuid, wmsId: record.wmsId }, [
    { field: 'loadingStatus', oldValue: record.loadingStatus, newValue: 'NOT_LOADED' },
    gateChange(record, assignedTo(null)),
    { field: 'manifest', oldValue: null, newValue: record.manifestExternalId },
  ]);

/** Add the records of pallets that are aboard, but that no manifest of the load expects any more, with their alerts. */
function strandedRecords(context: Context, gate: AssignedGate, { stranded }: PaperEffect): ChangePart {
  if (stranded.length === 0) return { writes: [], audit: [] };
  const { scope, now } = context;
  const added = stranded.map((one) => ({
    ...one,
    recordUuid: one.isMoved ? one.record.recordUuid : newUuid(),
    wmsId: one.record.wmsId!,
  }));
  const part: ChangePart = {
    writes: [
      ...scope.insert(
        assetLoading,
        added.map(({ recordUuid, wmsId, record, holder }) => ({
          uuid: recordUuid,
          manifestUuid: holder.manifestUuid,
          wmsId,
          markerCode: record.markerCode,
          loadingStatus: 'WRONGLY_LOADED' as const,
          trackUuid: record.trackUuid,
          gateUuid: gate.gateUuid,
          loadingDate: record.loadingDate,
          createDate: now,
          updateDate: now,
        })),
      ),
      ...touchParents(
        context,
        added.map(({ holder }) => holder.manifestUuid),
      ),
    ],
    entries: gateEntries(
      context,
      added.flatMap(({ record, holder }) =>
        entryOf(record, 'DETACHED', now, {
          ...gate,
          manifestExternalId: holder.manifestExternalId,
          details: codeDetails('stillAboard'),
        }),
      ),
    ),
    audit: added.map(({ recordUuid, wmsId, record, holder, isMoved }) =>
      auditedRecord('UNAUTHORIZED_LOADING_ADDED', { uuid: recordUuid, wmsId }, [
        { field: 'loadingStatus', oldValue: isMoved ? 'LOADED' : null, newValue: 'WRONGLY_LOADED' },
        { field: 'markerCode', oldValue: null, newValue: record.markerCode },
        gateChange(isMoved ? record : assignedTo(null), gate),
        { field: 'manifest', oldValue: null, newValue: holder.manifestExternalId },
      ]),
    ),
    events: emit(context, 'UNAUTHORIZED_LOADING_ADDED', loadingEntity, added.map(entityOf)),
  };
  const alerts = raisedAlertsChange(
    context,
    added.map(({ recordUuid, wmsId, record, holder }) => ({
      alertType: 'WRONGLY_LOADED' as const,
      params: { isLeftBehind: true as const },
      gate: assignedGateOf(gate),
      trackIdentifier: wmsId,
      markerCode: record.markerCode,
      manifestExternalId: holder.manifestExternalId,
      shipmentExternalId: record.shipmentExternalId,
      recordUuid,
    })),
  );
  return mergeParts([part, alerts]);
}

/**
 * Where the pallets of removed invalid records are: `OFF` the truck, still `ABOARD` a truck without a load, or `LOADED`
 * there, because they belong to its load now. LOADED has an entry of its own.
 */
type Whereabouts = 'OFF' | 'ABOARD' | 'LOADED';

const clearedEntry = (record: PlacedRecord, whereabouts: Whereabouts, now: number): GateActivity[] => {
  if (whereabouts === 'LOADED') return [];
  return whereabouts === 'OFF'
    ? entryOf(record, 'UNLOADED', now, { ...record, details: [{ outcome: record.loadingStatus }] })
    : entryOf(record, 'DETACHED', now, { ...record, details: codeDetails('stillAboard') });
};

/** Remove invalid records, and resolve their alerts. */
function clearedRecords(
  context: Context,
  cleared: readonly PlacedRecord[],
  whereabouts: Whereabouts,
): ChangePart {
  if (cleared.length === 0) return { writes: [], audit: [] };
  return mergeParts([
    removedPlacesChange(context, cleared, whereabouts === 'OFF'),
    {
      writes: touchParents(
        context,
        cleared.map(({ manifestUuid }) => manifestUuid),
      ),
      audit: [],
      entries: gateEntries(
        context,
        cleared.flatMap((record) => clearedEntry(record, whereabouts, context.now)),
      ),
    },
    resolvedAlertsChange(
      context,
      cleared.flatMap(({ alertUuids }) => alertUuids.map((uuid) => ({ uuid }))),
    ),
  ]);
}

/** Apply the effect of assets that came to a load in progress. `coming`: the records that they have already. */
function cameAboard(
  context: Context,
  coming: readonly PlacedRecord[],
  { loaded, outdated, boarding }: ComingEffect,
): ChangePart {
  const { scope, now } = context;
  const marked = coming.flatMap((record) => {
    const seen = loaded.get(record.wmsId!);
    return seen ? [{ record, seen }] : [];
  });
  const part: ChangePart = {
    writes: [
      ...scope.updateEach(
        assetLoading,
        marked.map(({ record, seen }) => ({
          uuid: record.recordUuid,
          loadingStatus: 'LOADED' as const,
          gateUuid: seen.gateUuid,
          loadingDate: seen.loadingDate,
          updateDate: now,
        })),
      ),
    ],
    entries: gateEntries(
      context,
      marked.flatMap(({ record, seen }) =>
        entryOf(record, 'LOADED', now, { ...record, gateUuid: seen.gateUuid, details: null }),
      ),
    ),
    audit: marked.map(({ record, seen }) =>
      auditedRecord('ASSET_LOADING_STATUS_CHANGED', { uuid: record.recordUuid, wmsId: record.wmsId }, [
        { field: 'loadingStatus', oldValue: record.loadingStatus, newValue: 'LOADED' },
        gateChange(record, seen),
        { field: 'manifest', oldValue: null, newValue: record.manifestExternalId },
      ]),
    ),
    events: emit(
      context,
      'ASSET_LOADING_STATUS_CHANGED',
      loadingEntity,
      marked.map(({ record }) => entityOf(record)),
    ),
  };
  return mergeParts([
    part,
    boardedPalletsChange(context, { ...boarding, unloaded: [...boarding.unloaded, ...outdated] }),
  ]);
}

/**
 * The effect on records if a load gets manifests while it is in progress, or starts with them. `coming`: the records of
 * the assets that come.
 */
export const startedLoadChange = (
  context: Context,
  load: { uuid: string; shipmentExternalId: string | null },
  coming: readonly PlacedRecord[],
  where: readonly PlacedRecord[],
): ChangePart => {
  const wmsIds = [...new Set(coming.map(({ wmsId }) => wmsId!))];
  const { uuid, shipmentExternalId } = load;
  const own = coming.map((record) => ({ ...record, shipmentExternalId }));
  return cameAboard(context, own, assetsCame(wmsIds, own, where, uuid));
};

/** Add assets to a manifest. `effect`: the effect of this on the pallets, if its load is in progress. */
export function addedAssetsChange(
  context: Context,
  found: { uuid: string; externalIdentifier: string },
  wmsIds: readonly string[],
  effect: ComingEffect | undefined,
): ChangePart {
  if (wmsIds.length === 0) return { writes: [], audit: [] };
  const { scope, now } = context;
  const added = wmsIds.map((wmsId) => ({ uuid: newUuid(), wmsId, seen: effect?.loaded.get(wmsId) }));
  const coming = added.flatMap(({ uuid, seen }): PlacedRecord[] =>
    seen
      ? [
          {
            ...seen,
            recordUuid: uuid,
            loadingStatus: 'NOT_LOADED',
            gateUuid: null,
            gateExternalId: null,
            manifestUuid: found.uuid,
            manifestExternalId: found.externalIdentifier,
          },
        ]
      : [],
  );
  return mergeParts([
    {
      writes: [
        ...insertAssets(
          scope,
          // Other rows of this commit name the record of a pallet that was seen.
          added.map(({ uuid, wmsId, seen }) => ({
            uuid,
            fixed: seen !== undefined,
            manifestUuid: found.uuid,
            wmsId,
          })),
          now,
        ),
      ],
      audit: [],
      entries: manifestEntries(
        scope,
        'ATTACHED',
        wmsIds.map((wmsId) => ({ wmsId, manifestExternalId: found.externalIdentifier })),
      ),
    },
    ...(effect ? [cameAboard(context, coming, effect)] : []),
  ]);
}

/** Apply the effect on other records of pallets that became LOADED on a load in progress. */
export function boardedPalletsChange(
  context: Context,
  { unloaded, cleared, settled }: BoardingEffect,
): ChangePart {
  const { scope, now } = context;
  const part: ChangePart =
    unloaded.length === 0
      ? { writes: [], audit: [] }
      : {
          writes: [
            scope.update(
              assetLoading,
              { loadingStatus: 'UNLOADED', updateDate: now },
              { uuids: unloaded.map(({ recordUuid }) => recordUuid) },
            ),
            ...touchParents(
              context,
              unloaded.map(({ manifestUuid }) => manifestUuid),
            ),
          ],
          entries: gateEntries(
            context,
            unloaded.flatMap((record) =>
              entryOf(record, 'UNLOADED', now, { ...record, details: codeDetails('readElsewhere') }),
            ),
          ),
          audit: unloaded.map((record) =>
            auditedRecord('ASSET_LOADING_STATUS_CHANGED', { uuid: record.recordUuid, wmsId: record.wmsId }, [
              { field: 'loadingStatus', oldValue: record.loadingStatus, newValue: 'UNLOADED' },
              gateChange(record, record),
              { field: 'manifest', oldValue: null, newValue: record.manifestExternalId },
            ]),
          ),
          events: emit(context, 'ASSET_LOADING_STATUS_CHANGED', loadingEntity, unloaded.map(entityOf)),
        };
  return mergeParts([
    part,
    clearedRecords(context, cleared, 'OFF'),
    clearedRecords(context, settled, 'LOADED'),
  ]);
}

/** The timeline entry of a pallet; none for an unknown marker. */
const entryOf = (
  record: PlacedRecord,
  activityType: GateActivity['activityType'],
  now: number,
  {
    gateUuid,
    manifestExternalId,
    details,
  }: Pick<GateActivity, 'gateUuid' | 'manifestExternalId' | 'details'>,
): GateActivity[] =>
  entryPallet(record).map((pallet) => ({
    pallet,
    activityType,
    gateUuid,
    manifestExternalId,
    shipmentExternalId: record.shipmentExternalId,
    details,
    activityDate: now,
  }));

const mergeParts = (parts: readonly ChangePart[]): ChangePart => mergeChanges({ value: null }, parts);
