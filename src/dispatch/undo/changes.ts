import { sql } from 'drizzle-orm';
import { rowsTable } from '../../core/lib/sql.ts';
import { listChanges } from '../../core/writer/chain.ts';
import { type ChangePart, type Context, mergeChanges } from '../../core/writer/command.ts';
import { emit } from '../../log/event/store.ts';
import { reopenedAlertsChange } from '../alert/changes.ts';
import type { AtGates } from '../gate/commands.ts';
import { assignedTo, gateChange } from '../gate/rules.ts';
import { auditedManifest } from '../load/manifest/changes.ts';
import { type ManifestState, manifestEntity } from '../load/manifest/store.ts';
import { countCaught, loadingEntity } from '../load/shared/asset-store.ts';
import { afterCloseField, auditedRecord, touchParents } from '../load/shared/place-changes.ts';
import { isLoadOpen } from '../load/shared/status-rules.ts';
import { assetLoading, isInvalid } from '../load/shared/table.ts';
import { memberChanges, shipmentChange } from '../load/shipment/changes.ts';
import { attachMembers } from '../load/shipment/members.ts';
import type { ShipmentState } from '../load/shipment/store.ts';
import { auditedTrack } from '../track/changes.ts';
import { codeDetails, type Detail } from '../track/rules.ts';
import { track } from '../track/table.ts';
import { entryPallet, gateEntries, trackEntry } from '../track/timeline-store.ts';
import type { Kept, KeptMember, KeptRecord } from './rules.ts';
import type { KeptRow } from './store.ts';

const entityOf = ({ recordUuid, wmsId }: KeptRecord) => ({ uuid: recordUuid, externalIdentifier: wmsId });
const about = ({ recordUuid, wmsId }: KeptRecord) => ({ uuid: recordUuid, wmsId });

/** Give the records the values that they had before the command, and add the records that it removed. */
export function restoredRecordsChange(
  context: Context,
  kept: Kept,
  now: ReadonlyMap<string, KeptRow>,
): ChangePart {
  const removed = kept.records.filter(({ recordUuid }) => !now.has(recordUuid));
  const marked = kept.records.flatMap((record) => {
    const present = now.get(record.recordUuid);
    return present && kept.after.records[record.recordUuid] === kept.date ? [{ record, present }] : [];
  });
  return mergeChanges({ value: null }, [
    markedAgain(context, kept, marked),
    addedAgain(context, kept, removed),
    {
      writes: touchParents(
        context,
        [...removed, ...marked.map(({ record }) => record)].map(({ manifestUuid }) => manifestUuid),
      ),
      audit: [],
    },
    assetsAgain(
      context,
      removed.filter((record) => !isInvalid(record)),
    ),
  ]);
}

type Marked = { record: KeptRecord; present: KeptRow };

/** Records that the command marked. Their mark did not happen, so their timelines correct it. */
function markedAgain(context: Context, { kind }: Kept, marked: readonly Marked[]): ChangePart {
  if (marked.length === 0) return { writes: [], audit: [] };
  const { scope, now } = context;
  return {
    writes: [
      ...scope.updateEach(
        assetLoading,
        marked.map(({ record }) => ({
          uuid: record.recordUuid,
          loadingStatus: record.loadingStatus,
          gateUuid: record.gateUuid,
          loadingDate: record.loadingDate,
          updateDate: now,
        })),
      ),
    ],
    entries: gateEntries(
      context,
      marked.flatMap(({ record }) =>
        kind === 'load'
          ? correction(record, now)
          : entryOf(record, record.loadingStatus, record.loadingDate ?? now),
      ),
    ),
    audit: marked.map(({ record, present }) =>
      auditedRecord('ASSET_LOADING_STATUS_CHANGED', about(record), [
        { field: 'loadingStatus', oldValue: present.loadingStatus, newValue: record.loadingStatus },
        gateChange(present, record),
        { field: 'manifest', oldValue: null, newValue: record.manifestExternalId },
        ...afterCloseField(!isLoadOpen(record.manifestStatus)),
      ]),
    ),
    events: emit(
      context,
      'ASSET_LOADING_STATUS_CHANGED',
      loadingEntity,
      marked.map(({ record }) => entityOf(record)),
    ),
  };
}

/** Records that the command removed. They get their uuids and dates of creation again, and so their places in lists. */
function addedAgain(context: Context, kept: Kept, removed: readonly KeptRecord[]): ChangePart {
  if (removed.length === 0) return { writes: [], audit: [] };
  const { scope, now } = context;
  const { kind } = kept;
  const wrong = removed.filter(isInvalid);
  const caught = wrong.filter((record) => isCaught(kept, record));
  return {
    writes: [
      ...scope.insert(
        assetLoading,
        removed.map((record) => ({
          uuid: record.recordUuid,
          manifestUuid: record.manifestUuid,
          wmsId: record.wmsId,
          markerCode: record.ownMarkerCode,
          loadingStatus: record.loadingStatus,
          trackUuid: record.ownTrackUuid,
          gateUuid: record.gateUuid,
          loadingDate: record.loadingDate,
          closed: record.closed,
          createDate: record.createDate,
          updateDate: now,
        })),
      ),
      ...countCaught(
        context,
        caught.map(({ manifestUuid }) => manifestUuid),
        -1,
      ),
    ],
    entries: gateEntries(
      context,
      wrong.flatMap((record) =>
        kind === 'load' && caught.includes(record)
          ? correction(record, now)
          : entryOf(record, 'ATTACHED', now),
      ),
    ),
    audit: wrong.map((record) =>
      auditedRecord('UNAUTHORIZED_LOADING_ADDED', about(record), [
        { field: 'loadingStatus', oldValue: null, newValue: record.loadingStatus },
        { field: 'markerCode', oldValue: null, newValue: record.ownMarkerCode },
        gateChange(assignedTo(null), record),
        { field: 'manifest', oldValue: null, newValue: record.manifestExternalId },
        ...afterCloseField(!isLoadOpen(record.manifestStatus)),
      ]),
    ),
    events: emit(context, 'UNAUTHORIZED_LOADING_ADDED', loadingEntity, wrong.map(entityOf)),
  };
}

/** Whether a wrong pallet was counted as caught. A pallet that became part of its load was not. */
function isCaught({ kind, records, after, date }: Kept, { loadUuid }: KeptRecord): boolean {
  if (kind !== 'load') return kind === 'remove';
  const marked = records.find(
    ({ recordUuid, loadingStatus }) => loadingStatus !== 'LOADED' && after.records[recordUuid] === date,
  );
  return marked?.loadUuid !== loadUuid;
}

/** The pallets that manifests have again, in their audit records, events and timelines. */
const assetsAgain = (context: Context, assets: readonly KeptRecord[]): ChangePart =>
  mergeChanges(
    { value: null },
    [...Map.groupBy(assets, ({ manifestUuid }) => manifestUuid)].map(([uuid, records]) => {
      const { manifestExternalId: externalIdentifier } = records[0]!;
      const wmsIds = records.map(({ wmsId }) => wmsId!);
      return {
        writes: [],
        entries: gateEntries(
          context,
          records.flatMap((record) =>
            entryOf({ ...record, gateUuid: null, shipmentExternalId: null }, 'ATTACHED', context.now, null),
          ),
        ),
        audit: [
          auditedManifest(
            'MANIFEST_UPDATED',
            { uuid, externalIdentifier },
            listChanges('assets', [], wmsIds),
          ),
        ],
        events: emit(context, 'MANIFEST_UPDATED', manifestEntity, [{ uuid, externalIdentifier }]),
      };
    }),
  );

function entryOf(
  { gateUuid, manifestExternalId, shipmentExternalId, ...record }: KeptRecord,
  activityType: KeptRecord['loadingStatus'] | 'ATTACHED',
  activityDate: number,
  details: Detail[] | null = codeDetails('takenBack'),
) {
  return entryPallet(record).map((pallet) => ({
    ...{ pallet, gateUuid, manifestExternalId, shipmentExternalId, details, activityDate },
    activityType: activityType as 'LOADED',
  }));
}

/** An entry that says that the last entry about the pallet on this manifest did not happen. */
const correction = (record: KeptRecord, now: number) => entryOf(record, 'NOT_LOADED', now);

/** Open the alerts that the command resolved, with the pallets that they cover. */
export function restoredAlertsChange(
  context: Context,
  { covered }: Kept,
  resolved: readonly { uuid: string }[],
): ChangePart {
  const { scope } = context;
  const rows = covered.map(({ alertUuid, wmsId, markerCode }) => [alertUuid, wmsId ?? '', markerCode ?? 0]);
  const reopened = reopenedAlertsChange(context, resolved);
  if (rows.length === 0) return reopened;
  return {
    ...reopened,
    writes: [
      ...reopened.writes,
      sql`INSERT OR IGNORE INTO alert_pallet (organization_uuid, alert_uuid, wms_id, marker_code)
        SELECT ${scope.organization}, value ->> 0, value ->> 1, value ->> 2 FROM ${rowsTable(JSON.stringify(rows))}
        WHERE EXISTS (SELECT 1 FROM alert WHERE alert.uuid = value ->> 0 AND alert.status = 'OPEN')`,
    ],
  };
}

/** Tracks wait for the end of their manifests again. */
export function restoredTracksChange(
  context: Context,
  retired: readonly { uuid: string; wmsId: string }[],
): ChangePart {
  if (retired.length === 0) return { writes: [], audit: [] };
  const { scope, now } = context;
  const set = { retirement: 'SCHEDULED', retireDate: null, updateDate: now } as const;
  return {
    writes: [scope.update(track, set, { uuids: retired.map(({ uuid }) => uuid) })],
    entries: retired.map(({ uuid }) => trackEntry('REACTIVATED', uuid, codeDetails('takenBack'))),
    audit: retired.map((found) =>
      auditedTrack('TRACK_REACTIVATED', found, [
        { field: 'trackStatus', oldValue: 'NOT_ACTIVE', newValue: 'SCHEDULED_FOR_RETIREMENT' },
      ]),
    ),
  };
}

/** Attach a manifest to its shipment again, at its place among the others. A cancelled manifest stays cancelled. */
export function restoredMemberChanges(
  context: Context,
  { place }: KeptMember,
  owner: ShipmentState | undefined,
  member: ManifestState | undefined,
): (ChangePart | AtGates)[] {
  if (!owner || !member) return [];
  const { scope } = context;
  const attached: AtGates =
    member.manifestStatus === 'CANCELLED'
      ? { part: { writes: [], audit: [] }, gates: [] }
      : attachMembers(context, owner, [member]);
  // Another manifest may have got the place since.
  const membership = sql`INSERT OR REPLACE INTO shipment_manifest (rowid, organization_uuid, manifest_uuid, shipment_uuid)
    SELECT iif(EXISTS (SELECT 1 FROM shipment_manifest taken WHERE taken.rowid = ${place} AND taken.manifest_uuid <> ${member.uuid}),
      NULL, ${place}), ${scope.organization}, ${member.uuid}, ${owner.uuid}`;
  return [
    { ...attached, part: { ...attached.part, writes: [...attached.part.writes, membership] } },
    shipmentChange(context, 'SHIPMENT_UPDATED', owner, {}, memberChanges([], [member])),
  ];
}
