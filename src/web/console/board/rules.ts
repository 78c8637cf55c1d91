import { topicOf, WAITING, WORKERS } from '../../../delivery/live/rules.ts';
import type { AlertFacts, StillAboard } from '../../../dispatch/alert/rules.ts';
import type { GateReference } from '../../../dispatch/gate/rules.ts';
import type { Tally } from '../../../dispatch/load/shared/table.ts';
import type { Detail } from '../../../dispatch/track/rules.ts';

/** How forms name a shipment or manifest. */
export const loadValue = ({ kind, uuid }: Pick<BoardLoad, 'kind' | 'uuid'>): string => `${kind}:${uuid}`;

/** Departure, carrier, vehicle and seal of a shipment: the values of the custom fields with these roles. */
export interface Leaving {
  departureDate: number | null;
  carrier: string | null;
  vehicle: string | null;
  seal: string | null;
}

/** A load at a gate: a shipment, or a manifest without one. Dates in epoch milliseconds. */
export interface BoardLoad extends Leaving {
  kind: 'manifest' | 'shipment';
  uuid: string;
  externalIdentifier: string;
  status: string;
  activateDate: number | null;
  createDate: number;
  notes: string | null;
  /** When the truck of a shipment arrived. */
  arrivalDate: number | null;
  /** Present for shipments only. */
  manifestsCount: number | null;
  counts: Tally;
}

/** Where a pallet is or should be. */
export interface Place {
  /** The open manifests that expect it. */
  belongsTo: { externalIdentifier: string; status: string; gate: string | null }[];
  /** The load with which it left last. */
  left: { externalIdentifier: string; closeDate: number } | null;
}

/** A pallet that was scanned where it does not belong. */
export interface WrongPallet extends Place {
  recordUuid: string;
  loadingStatus: 'WRONGLY_LOADED' | 'UNKNOWN_LOADING';
  /** Null for an unknown marker. */
  wmsId: string | null;
  markerCode: number | null;
  date: number;
  manifestUuid: string;
  manifestExternalId: string;
  shipmentUuid: string | null;
}

/** An open alert that is not about a wrong pallet. */
export interface OpenAlert extends Omit<AlertFacts, 'gate'> {
  uuid: string;
  severity: string;
  /** The load or loading record that the alert is about. */
  recordUuid: string | null;
  date: number;
  stillAboard: StillAboard | null;
}

/** How many loads, wrong pallets and other alerts a gate has, also the ones beyond the limits. */
export interface GateTotals {
  active: number;
  waiting: number;
  wrong: number;
  alerts: number;
}

/** A gate with its loads, the wrong pallets of the loads in progress, and its other alerts. */
export interface BoardGate extends GateReference {
  /** Whether the gate is out of service. */
  deleted: boolean;
  active: BoardLoad[];
  waiting: BoardLoad[];
  wrong: WrongPallet[];
  alerts: OpenAlert[];
  totals: GateTotals;
}

/** A pallet of something in progress at a gate. */
export interface BoardPallet {
  recordUuid: string;
  wmsId: string;
  loadingStatus: 'NOT_LOADED' | 'LOADED' | 'UNLOADED' | 'OFFLOADED';
  date: number | null;
  manifestUuid: string;
  manifestExternalId: string;
  shipmentUuid: string | null;
  track: {
    uuid: string;
    markerCode: number;
    flagged: 0 | 1;
    damaged: 0 | 1;
    retirement: 'NONE' | 'SCHEDULED' | 'RETIRED';
    /** The reason for the flag, and the last comment. Of long texts, only the beginning. */
    reason: readonly Detail[] | null;
    comment: string | null;
  } | null;
}

/** A manifest of a shipment in progress. */
export interface BoardMember {
  shipmentUuid: string;
  uuid: string;
  externalIdentifier: string;
  status: string;
  counts: Tally;
}

/** The pace is computed from this many last loaded pallets, at a gate and on the page of a shipment. */
export const PACE_PALLETS = 20;

/** Progress of loading; only assets count. */
export function progressOf({ NOT_LOADED = 0, LOADED = 0, UNLOADED = 0, OFFLOADED = 0 }: Tally) {
  const total = NOT_LOADED + LOADED + UNLOADED + OFFLOADED;
  return { loaded: LOADED, total, missing: total - LOADED };
}

/** Progress of everything in progress at a gate. */
export function sumOf({ active }: Pick<BoardGate, 'active'>) {
  const all = active.map(({ counts }) => progressOf(counts));
  const sum = (name: 'loaded' | 'total' | 'missing') => all.reduce((total, one) => total + one[name], 0);
  return { loaded: sum('loaded'), total: sum('total'), missing: sum('missing') };
}

/** Whether all pallets are loaded, and no wrong one is. */
export function isReady({ counts }: Pick<BoardLoad, 'counts'>): boolean {
  const { loaded, total } = progressOf(counts);
  return total > 0 && loaded === total && wrongCount(counts) === 0;
}

/** Pallets that are on the truck but should not be. */
export const wrongCount = ({ WRONGLY_LOADED = 0, UNKNOWN_LOADING = 0 }: Tally): number =>
  WRONGLY_LOADED + UNKNOWN_LOADING;

/** Whether no pallet is known for a scan. A pallet that has left is known, although it may have no marker. */
export const isUnknown = ({ loadingStatus, left }: Pick<WrongPallet, 'loadingStatus' | 'left'>): boolean =>
  loadingStatus === 'UNKNOWN_LOADING' && left === null;

/** Whether there are wrong pallets, and all of them are unknown. */
export const areUnknown = (wrong: readonly Pick<WrongPallet, 'loadingStatus' | 'left'>[]): boolean =>
  wrong.length > 0 && wrong.every(isUnknown);

/** Sort by planned departure. Loads without one come last, in the given order. */
export const byDeparture = (things: readonly BoardLoad[]): BoardLoad[] =>
  things.toSorted(
    (one, other) =>
      (one.departureDate ?? Number.POSITIVE_INFINITY) - (other.departureDate ?? Number.POSITIVE_INFINITY) ||
      0,
  );

/** States of a gate. */
export type GateState = 'WRONG' | 'READY' | 'LOADING' | 'WAITING' | 'FREE' | 'OUT';

/** The state of a gate. READY: everything in progress is loaded. Device problems do not change the state. */
export function gateStateOf(gate: BoardGate): GateState {
  if (gate.wrong.length > 0) return 'WRONG';
  if (gate.active.length > 0) {
    return gate.active.every(isReady) ? 'READY' : 'LOADING';
  }
  if (gate.waiting.length > 0) return 'WAITING';
  return gate.deleted ? 'OUT' : 'FREE';
}

/** The load of a gate that is most late. Undefined if none is late. */
export const latestOf = (
  { active, waiting }: Pick<BoardGate, 'active' | 'waiting'>,
  now: number,
): BoardLoad | undefined => {
  const [first] = byDeparture([...active, ...waiting]);
  return first && isLate(first, now) ? first : undefined;
};

const isLate = ({ departureDate }: Pick<BoardLoad, 'departureDate'>, now: number): boolean =>
  departureDate !== null && departureDate < now;

/** The waiting loads that the board shows: the next one and each late one. A loading truck does not hide that they are late. */
export const waitingInSight = ({ waiting }: Pick<BoardGate, 'waiting'>, now: number): BoardLoad[] =>
  waiting.filter((load, index) => index === 0 || isLate(load, now));

/** A gate on the wall screen. */
export interface WallGate {
  gate: BoardGate;
  state: GateState;
  /** The load that the row shows: the current load, or else the next one. */
  thing: BoardLoad | undefined;
  /** The load whose lateness the row shows: its own load if it is late, else the latest load of the gate. */
  late: BoardLoad | undefined;
  /** The time that the wall shows: the planned departure, else the start of loading. Epoch milliseconds. */
  time: number | null;
}

/**
 * Gates in the order of the wall screen: first wrong pallets, then late departures. The other gates with a load follow
 * by time, whether their loading has begun or not. Gates without a load are last.
 */
export function onWall(gates: readonly BoardGate[], now: number): WallGate[] {
  const rankOf = ({ state, late }: WallGate) =>
    state === 'WRONG' ? 0 : late ? 1 : state === 'OUT' ? 4 : state === 'FREE' ? 3 : 2;
  return gates
    .map((gate) => {
      const [thing] = gate.active.length > 0 ? gate.active : gate.waiting;
      const time = thing?.departureDate ?? (gate.active.length > 0 ? (thing?.activateDate ?? null) : null);
      const late = thing && isLate(thing, now) ? thing : latestOf(gate, now);
      return { gate, state: gateStateOf(gate), thing, late, time };
    })
    .toSorted(
      (one, other) =>
        rankOf(one) - rankOf(other) ||
        (one.time ?? Number.MAX_SAFE_INTEGER) - (other.time ?? Number.MAX_SAFE_INTEGER),
    );
}

/** The topics of everything that a gate shows. */
export function gateTopics(gate: BoardGate): string[] {
  const topics = new Set([topicOf('gate', gate.externalIdentifier)]);
  for (const { kind, externalIdentifier } of [...gate.active, ...gate.waiting]) {
    topics.add(topicOf(kind, externalIdentifier));
  }
  for (const { manifestExternalId } of gate.wrong) topics.add(topicOf('manifest', manifestExternalId));
  for (const { uuid } of gate.alerts) topics.add(topicOf('alert', uuid));
  return [...topics];
}

/** The topics of the pallets in the lists of a gate page: others may flag them and comment on them. */
export const palletTopics = ({ open, loaded }: { open: BoardPallet[]; loaded: BoardPallet[] }): string[] =>
  [...open, ...loaded].flatMap(({ wmsId, track }) => (track ? topicOf('track', wmsId) : []));

/** The topics of loads whose signatures a gate page shows. */
export const signedTopics = (signed: readonly Pick<BoardLoad, 'kind' | 'externalIdentifier'>[]): string[] =>
  signed.map(({ kind, externalIdentifier }) => topicOf(kind, externalIdentifier));

/** The topic of the badges that a tablet recognizes. */
export const badgeTopics = ({ badges }: { badges: unknown }): string[] => (badges ? [WORKERS] : []);

/** The topics of the list of loads without a gate. */
export const waitingTopics = (unassigned: readonly BoardLoad[]): string[] => [
  WAITING,
  ...unassigned.map(({ kind, externalIdentifier }) => topicOf(kind, externalIdentifier)),
];

/** The viewer's rights. */
export interface Rights {
  mark: boolean;
  /** Starting and completing work at a gate. */
  load: boolean;
  operate: boolean;
  audit: boolean;
  /** Desk work. Tablets do not offer it, because a tablet belongs to its gate. */
  desk: boolean;
  /** Managing gate workers and tablets. */
  people: boolean;
  /** Creating gates. */
  site: boolean;
}
