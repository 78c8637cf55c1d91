import type { RowsOf } from '../../core/lib/asks.ts';
import type { Place, RecallChange } from '../../core/writer/recall.ts';
import { isSame } from '../alert/pallet-rules.ts';
import { palletName } from '../track/rules.ts';
import {
  type Decision,
  type GateView,
  type ManifestOfShipment,
  type MarkerView,
  type Scan,
  subjectOf,
} from './gate-view-rules.ts';
import { type askExpected, gateViewOf } from './scan-store.ts';

/**
 * The memory of a gate with its open loads. The things are the state of each pallet that the loads expect, by
 * `palletName`, and the ids of recent scans. A pallet with an alert, an invalid record, or a record of another gate is not
 * remembered: its scans are rare, and read everything.
 */
export interface GateMemory extends Place<MarkerView | typeof USED> {
  gate: GateView['gate'];
  target: ManifestOfShipment;
  /** The WMS ids of pallets by the marker codes that they had when the gate was read. */
  wmsIds: ReadonlyMap<number, string>;
}

/** The thing of a used scanId. */
const USED = 'used';
const scanName = (scanId: string): string => `scan ${scanId}`;

/** Whether nothing is unusual about a pallet: all records that say where it is are on the loads at the gate. */
function isPlain({ pallet, records, invalid, where, alerted }: MarkerView): boolean {
  const held = new Set(records.map(({ recordUuid }) => recordUuid));
  const isExpected = records.some(({ manifestStatus }) => manifestStatus === 'IN_PROGRESS');
  return (
    pallet !== undefined &&
    isExpected &&
    invalid.length === 0 &&
    !alerted &&
    where.every(({ recordUuid }) => held.has(recordUuid))
  );
}

/** The memory of a gate. Undefined if no load is in progress there. */
export function gateMemoryOf(rows: RowsOf<ReturnType<typeof askExpected>>): GateMemory | undefined {
  const {
    gates: [gate],
    targets: [target],
    pallets,
    alerted,
  } = rows;
  if (!gate || !target) return undefined;
  const { markers } = gateViewOf(gate, pallets, { ...rows, earlier: [] });
  const plain = [...markers.values()].filter(
    (marker) => isPlain(marker) && !alerted.some((row) => isSame(row, marker.pallet!)),
  );
  return {
    gate,
    target,
    things: new Map(plain.map((marker) => [palletName(marker.pallet!.wmsId), marker])),
    wmsIds: new Map(
      plain.flatMap(({ pallet }) =>
        pallet!.markerCode === null ? [] : [[pallet!.markerCode, pallet!.wmsId]],
      ),
    ),
  };
}

/** The state for scans at a remembered gate. Undefined if a pallet is not remembered, or a scanId was used. */
export function recalledView(
  { gate, target, wmsIds, things }: GateMemory,
  scans: readonly Pick<Scan, 'scanId' | 'markerCode' | 'wmsId'>[],
): GateView | undefined {
  const markers = new Map<string, MarkerView>();
  for (const scan of scans) {
    const wmsId = scan.markerCode === null ? scan.wmsId : wmsIds.get(scan.markerCode);
    const marker = wmsId ? things.get(palletName(wmsId)) : undefined;
    const isCurrent =
      scan.markerCode === null || (marker as MarkerView)?.pallet?.markerCode === scan.markerCode;
    if (!marker || marker === USED || !isCurrent || things.has(scanName(scan.scanId))) return undefined;
    markers.set(subjectOf(scan), marker);
  }
  return { gate, target, idleAlert: undefined, earlier: new Map(), usedIds: new Set(), markers };
}

/** Whether a decision changes nothing but the status of records of its pallet at the gate. */
const isPlainDecision = ({ added, removed, boarding, alert, damages, countedIn }: Decision): boolean =>
  !(added || alert || damages || countedIn) &&
  removed.length + boarding.unloaded.length + boarding.cleared.length + boarding.settled.length === 0;

/**
 * The effect of scans on the memory of gates. All gates forget their pallets. If the scans were decided on the memory of
 * `place`, it then has the plain pallets and the scanIds again. `markers` are the states after the scans.
 */
export function recalledAfter(
  decisions: readonly Decision[],
  markers: GateView['markers'],
  place: string | undefined,
): RecallChange {
  const wmsIdOf = ({ pallet, scan }: Decision) => pallet?.wmsId ?? scan.wmsId;
  const forgets = decisions.flatMap((decision) => palletName(wmsIdOf(decision) ?? ''));
  if (place === undefined) return { forgets };
  const unusual = new Set(decisions.filter((one) => !isPlainDecision(one)).map(wmsIdOf));
  const things = new Map<string, MarkerView | typeof USED>(
    decisions.map(({ scan }) => [scanName(scan.scanId), USED]),
  );
  for (const marker of markers.values()) {
    const wmsId = marker.pallet!.wmsId;
    if (!unusual.has(wmsId) && isPlain(marker)) things.set(palletName(wmsId), marker);
  }
  return { forgets, learns: { place, things } };
}
