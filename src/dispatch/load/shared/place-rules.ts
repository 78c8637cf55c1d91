import type { AssignedGate } from '../../gate/rules.ts';
import type { LoadStatus } from './status-rules.ts';
import { isInvalid, type LoadingStatus } from './table.ts';

/**
 * Where a pallet is. The records of a truck follow the pallet, not the paper. This module decides what happens to the
 * records of pallets if the paper changes, and if a pallet gets aboard a load. A *load* is a shipment, or a manifest in no
 * shipment. A cancelled manifest of a shipment is no part of it.
 */

/** A loading record of a load, as the rules see it. */
export interface PlacedRecord extends AssignedGate {
  recordUuid: string;
  /** Null for an unknown marker. */
  wmsId: string | null;
  /** The code on the pallet; null without a marker. */
  markerCode: number | null;
  trackUuid: string | null;
  loadingStatus: LoadingStatus;
  /** Epoch milliseconds; null if the pallet was never loaded. */
  loadingDate: number | null;
  manifestUuid: string;
  manifestExternalId: string;
  manifestStatus: LoadStatus;
  /** The gate of its manifest. */
  manifestGateUuid: string | null;
  shipmentExternalId: string | null;
  /** The uuid of the shipment, or of the manifest in no shipment. */
  loadUuid: string;
  /** The open alerts about it. */
  alertUuids: readonly string[];
}

/** A manifest that holds the record of a pallet that should not be on its load. */
interface Holder {
  manifestUuid: string;
  manifestExternalId: string;
}

/** The manifest that holds the records of wrong pallets: of the manifests in progress, the last activated one. */
export function holderAmong(
  manifests: readonly {
    uuid: string;
    externalIdentifier: string;
    manifestStatus: LoadStatus;
    activateDate: number | null;
  }[],
): Holder | undefined {
  const [last] = manifests
    .filter(({ manifestStatus }) => manifestStatus === 'IN_PROGRESS')
    .toSorted(
      (one, other) => (other.activateDate ?? 0) - (one.activateDate ?? 0) || (other.uuid > one.uuid ? 1 : -1),
    );
  return last && { manifestUuid: last.uuid, manifestExternalId: last.externalIdentifier };
}

/** A record that becomes WRONGLY_LOADED: its pallet is still aboard, but no manifest of the load expects it now. */
interface Stranded {
  record: PlacedRecord;
  holder: Holder;
  /** Whether the record leaves its manifest, and keeps its uuid. Otherwise the manifest keeps its own record. */
  isMoved: boolean;
}

/** The effect of a change of the paper on the records of a load. Each list is in the order of the records. */
export interface PaperEffect {
  /** Records that start again as NOT_LOADED. */
  restarted: PlacedRecord[];
  stranded: Stranded[];
  /** Invalid records whose manifest leaves the load. Another manifest of the load holds them now. */
  handedOver: { record: PlacedRecord; holder: Holder }[];
  /** Invalid records of a load that no manifest can hold any more. */
  dropped: PlacedRecord[];
  /** The pallets aboard a load that is not in progress any more: one alert names them. */
  aboard: PlacedRecord[];
}

const noEffect = (): PaperEffect => ({
  restarted: [],
  stranded: [],
  handedOver: [],
  dropped: [],
  aboard: [],
});

/** The change of a load in progress. `records` of rules are the records of the load that are not NOT_LOADED. */
interface PaperChange {
  /** Whether the load is in progress before the change. Otherwise nothing is aboard it. */
  isInProgress: boolean;
  /** The manifest of the load after the change that was activated last; undefined if the load ends or has no manifest. */
  holder: Holder | undefined;
  /** WMS ids of manifests that come to the load in the same change. Their pallets belong there now (`assetsCame`). */
  expected?: ReadonlySet<string>;
}

const isAboard = ({ loadingStatus }: PlacedRecord): boolean =>
  loadingStatus === 'LOADED' || isInvalid({ loadingStatus });

/**
 * The records of pallets that are aboard, and that no record expects any more. A pallet counts once. `leaves`: the record
 * leaves the load. A pallet that another record of the load has as LOADED is where the paper says.
 */
function lost(
  records: readonly PlacedRecord[],
  leaves: (record: PlacedRecord) => boolean,
): Set<PlacedRecord> {
  const known = new Set(
    records
      .filter((record) => !leaves(record) && record.loadingStatus === 'LOADED')
      .map(({ wmsId }) => wmsId),
  );
  return new Set(
    records.filter((record) => {
      if (!leaves(record) || !isAboard(record) || (record.wmsId !== null && known.has(record.wmsId)))
        return false;
      known.add(record.wmsId);
      return true;
    }),
  );
}

/** Assets are taken from a manifest that stays in its load. */
export function assetsTaken(
  records: readonly PlacedRecord[],
  { isInProgress }: Pick<PaperChange, 'isInProgress'>,
  taken: { manifestUuid: string; wmsIds: ReadonlySet<string> },
): PaperEffect {
  const leaves = (record: PlacedRecord): boolean =>
    record.manifestUuid === taken.manifestUuid && taken.wmsIds.has(record.wmsId!) && !isInvalid(record);
  const stranded = isInProgress ? [...lost(records, leaves)] : [];
  return { ...noEffect(), stranded: stranded.map((record) => ({ record, holder: record, isMoved: true })) };
}

/** Manifests leave a load: they are detached, moved, released, or cancelled in a shipment that continues. */
export function manifestsLeft(
  records: readonly PlacedRecord[],
  { isInProgress, holder, expected = new Set() }: PaperChange,
  manifestUuids: ReadonlySet<string>,
): PaperEffect {
  const leaves = ({ manifestUuid }: PlacedRecord): boolean => manifestUuids.has(manifestUuid);
  const isUnexpected = ({ wmsId }: PlacedRecord): boolean => wmsId === null || !expected.has(wmsId);
  const leaving = records.filter(leaves);
  const restarted = leaving.filter((record) => !isInvalid(record));
  const invalid = leaving.filter((record) => isInvalid(record) && isUnexpected(record));
  const aboard = isInProgress ? [...lost(records, leaves)].filter(isUnexpected) : [];
  // A load without a manifest cannot hold a record. The alert then names its pallets.
  if (!holder) return { ...noEffect(), restarted, dropped: invalid, aboard };
  return {
    ...noEffect(),
    restarted,
    stranded: aboard
      .filter((record) => !isInvalid(record))
      .map((record) => ({ record, holder, isMoved: false })),
    handedOver: invalid.map((record) => ({ record, holder })),
  };
}

/** A load ends as a whole without being completed. Its records stay, as facts of that load. */
export const loadEnded = (
  records: readonly PlacedRecord[],
  { isInProgress }: Pick<PaperChange, 'isInProgress'>,
): PaperEffect => ({ ...noEffect(), aboard: isInProgress ? records.filter(isAboard) : [] });

/** The effect on other records if a pallet becomes LOADED on a load in progress. */
export interface BoardingEffect<R = PlacedRecord> {
  /** LOADED records of other loads in progress. The pallet was read here later, so they become UNLOADED. */
  unloaded: readonly R[];
  /** Invalid records of other loads. The pallet is not there any more. */
  cleared: readonly R[];
  /** Invalid records of the same load. The pallet belongs there now. */
  settled: readonly R[];
}

/**
 * A pallet becomes LOADED on the load `loadUuid`, which is in progress. `records` say where it was (`whereQuery`). Records of
 * a cancelled load stay, as facts of that load.
 */
export const boardingEffect = <R extends Pick<PlacedRecord, 'loadingStatus' | 'loadUuid' | 'manifestStatus'>>(
  records: readonly R[],
  loadUuid: string,
): BoardingEffect<R> => ({
  unloaded: records.filter((record) => record.loadingStatus === 'LOADED' && record.loadUuid !== loadUuid),
  ...invalidOf(
    records.filter((record) => isInvalid(record) && record.manifestStatus !== 'CANCELLED'),
    loadUuid,
  ),
});

/** The effects of several pallets as one. */
export const allBoarding = (effects: readonly BoardingEffect[]): BoardingEffect => ({
  unloaded: effects.flatMap(({ unloaded }) => unloaded),
  cleared: effects.flatMap(({ cleared }) => cleared),
  settled: effects.flatMap(({ settled }) => settled),
});

const invalidOf = <R extends Pick<PlacedRecord, 'loadUuid'>>(invalid: readonly R[], loadUuid: string) => ({
  cleared: invalid.filter((record) => record.loadUuid !== loadUuid),
  settled: invalid.filter((record) => record.loadUuid === loadUuid),
});

/** The effect if assets come to a load in progress: by a change of the paper, or because the load starts. */
export interface ComingEffect {
  /** By WMS id, the record with the date and the gate of the last reading. These assets are LOADED from now on. */
  loaded: ReadonlyMap<string, PlacedRecord>;
  /** Records of coming assets that were marked as LOADED before. Their pallets were read on another truck since. */
  outdated: PlacedRecord[];
  boarding: BoardingEffect;
}

/**
 * Assets come to the load `loadUuid`, which is in progress. `coming` are the records that they have already. An asset that
 * was read on the load before, as a wrong pallet or for another manifest of it, is LOADED there. An asset that a person has
 * marked as LOADED stays LOADED, unless it was read on another load in progress since.
 */
export function assetsCame(
  wmsIds: readonly string[],
  coming: readonly PlacedRecord[],
  where: readonly PlacedRecord[],
  loadUuid: string,
): ComingEffect {
  const own = new Set(coming.map(({ recordUuid }) => recordUuid));
  const placed = Map.groupBy(
    where.filter(({ recordUuid }) => !own.has(recordUuid)),
    ({ wmsId }) => wmsId!,
  );
  // Several manifests of the load may have the pallet.
  const marked = Map.groupBy(
    coming.filter(({ loadingStatus }) => loadingStatus === 'LOADED'),
    ({ wmsId }) => wmsId!,
  );
  const loaded = new Map<string, PlacedRecord>();
  const outdated: PlacedRecord[] = [];
  const effects: BoardingEffect[] = [];
  for (const wmsId of wmsIds) {
    const others = placed.get(wmsId) ?? [];
    const marks = marked.get(wmsId) ?? [];
    const lastMarked = marks.reduce((last, { loadingDate }) => Math.max(last, loadingDate ?? 0), 0);
    const here = others.find((record) => record.loadUuid === loadUuid);
    const later = others.find(
      (record) =>
        record.loadingStatus === 'LOADED' &&
        record.loadUuid !== loadUuid &&
        (record.loadingDate ?? 0) > lastMarked,
    );
    if (here && marks.length === 0) loaded.set(wmsId, here);
    else if (later && !here) for (const mark of marks) outdated.push(mark);
    if (here || (marks.length > 0 && !later)) effects.push(boardingEffect(others, loadUuid));
  }
  return { loaded, outdated, boarding: allBoarding(effects) };
}
