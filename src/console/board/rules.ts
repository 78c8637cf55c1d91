import { topicOf, WAITING } from '../../live/rules.ts';
import type { Tally } from '../../manifest/asset-table.ts';
import type { GateReference } from '../../site/rules.ts';

/** A shipment, or a manifest that is in none: what is dispatched at a gate. Dates in epoch milliseconds. */
export interface Thing {
  kind: 'manifest' | 'shipment';
  uuid: string;
  externalIdentifier: string;
  status: string;
  activateDate: number | null;
  createDate: number;
  /** When a shipment is to leave, and with whom, where fields with these roles say so. */
  departureDate: number | null;
  carrier: string | null;
  vehicle: string | null;
  seal: string | null;
  notes: string | null;
  /** Of a shipment. */
  manifestsCount: number | null;
  counts: Tally;
}

/** A pallet that should not be where it was read. */
export interface WrongPallet {
  recordUuid: string;
  loadingStatus: 'WRONGLY_LOADED' | 'UNKNOWN_LOADING';
  /** Null for a marker that nobody knows. */
  wmsId: string | null;
  markerCode: number | null;
  date: number;
  manifestUuid: string;
  manifestExternalId: string;
  shipmentUuid: string | null;
  belongsTo: { externalIdentifier: string; status: string; gate: string | null }[];
}

/** An alert that nobody has resolved. */
export interface OpenAlert {
  uuid: string;
  alertType: string;
  severity: string;
  message: string;
  wmsId: string | null;
  markerCode: number | null;
  date: number;
  /** Of a device that fell silent: its name, and when it was last heard of. */
  device: string | null;
  heardDate: number | null;
  /** The record that it is about, if that is there still. */
  record: WrongPallet | null;
}

/** A gate with what happens there. */
export interface BoardGate extends GateReference {
  /** Whether it is out of service. */
  deleted: boolean;
  active: Thing[];
  waiting: Thing[];
  wrong: WrongPallet[];
  alerts: OpenAlert[];
}

/** A pallet of what is in progress at a gate. */
export interface Pallet {
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
  } | null;
}

/** A manifest of a shipment in progress. */
export interface Member {
  shipmentUuid: string;
  uuid: string;
  externalIdentifier: string;
  status: string;
  counts: Tally;
}

/** Pallets by which a pace is told, those loaded last: at a gate and on the page of what is loaded there it is the same. */
export const PACE_PALLETS = 20;

/** How far loading is: assets only. */
export function progressOf({ NOT_LOADED = 0, LOADED = 0, UNLOADED = 0, OFFLOADED = 0 }: Tally) {
  const total = NOT_LOADED + LOADED + UNLOADED + OFFLOADED;
  return { loaded: LOADED, total, missing: total - LOADED };
}

/** What is loaded of all that is in progress at a gate. */
export function sumOf({ active }: Pick<BoardGate, 'active'>) {
  const all = active.map(({ counts }) => progressOf(counts));
  const sum = (name: 'loaded' | 'total' | 'missing') => all.reduce((total, one) => total + one[name], 0);
  return { loaded: sum('loaded'), total: sum('total'), missing: sum('missing') };
}

/** Whether every pallet of something is loaded, and none that should not be. */
export function isReady({ counts }: Pick<Thing, 'counts'>): boolean {
  const { loaded, total } = progressOf(counts);
  return total > 0 && loaded === total && wrongCount(counts) === 0;
}

/** Pallets on the truck that are not to be there. */
export const wrongCount = ({ WRONGLY_LOADED = 0, UNKNOWN_LOADING = 0 }: Tally): number =>
  WRONGLY_LOADED + UNKNOWN_LOADING;

/** What is wrong at a gate, each once: invalid loadings of what is in progress, those left over, and other alerts. */
export function troubleOf({ wrong, alerts }: Pick<BoardGate, 'wrong' | 'alerts'>): {
  wrong: WrongPallet[];
  alerts: OpenAlert[];
} {
  const known = new Set(wrong.map(({ recordUuid }) => recordUuid));
  const left = alerts.flatMap(({ record }) => (record && !known.has(record.recordUuid) ? [record] : []));
  return { wrong: [...wrong, ...left], alerts: alerts.filter(({ record }) => record === null) };
}

/** What is to leave first stands first, and what nobody has planned last; otherwise as it was. */
export const byDeparture = (things: readonly Thing[]): Thing[] =>
  things.toSorted(
    (one, other) =>
      (one.departureDate ?? Number.POSITIVE_INFINITY) - (other.departureDate ?? Number.POSITIVE_INFINITY) ||
      0,
  );

/** What a gate is at, in the order in which somebody should look at it. */
export type GateState = 'WRONG' | 'READY' | 'LOADING' | 'WAITING' | 'FREE' | 'OUT';

/** The state of a gate: READY once everything that is in progress is loaded. Trouble of devices is none of it. */
export function stateOf(gate: BoardGate): GateState {
  if (troubleOf(gate).wrong.length > 0) return 'WRONG';
  if (gate.active.length > 0) {
    return gate.active.every(isReady) ? 'READY' : 'LOADING';
  }
  if (gate.waiting.length > 0) return 'WAITING';
  return gate.deleted ? 'OUT' : 'FREE';
}

/** What needs somebody stands first. */
const RANKS: readonly GateState[] = ['WRONG', 'READY', 'LOADING', 'WAITING', 'FREE', 'OUT'];

/** A gate as a wall shows it. */
export interface WallGate {
  gate: BoardGate;
  state: GateState;
  /** Whether what is there should have left. */
  late: boolean;
}

/**
 * Gates in the order in which a wall shows them: wrong pallets, then what is late, then what is all loaded, and so on; of
 * these what leaves first, or is under way for longest.
 */
export function onWall(gates: readonly BoardGate[], now: number): WallGate[] {
  const first = ({ active, waiting }: BoardGate) => (active.length > 0 ? active : waiting)[0];
  const since = (gate: BoardGate) => {
    const thing = first(gate);
    return thing?.departureDate ?? thing?.activateDate ?? Number.POSITIVE_INFINITY;
  };
  const rankOf = ({ state, late }: WallGate) => (late && state !== 'WRONG' ? 0.5 : RANKS.indexOf(state));
  return gates
    .map((gate) => ({
      gate,
      state: stateOf(gate),
      late: (first(gate)?.departureDate ?? Number.POSITIVE_INFINITY) < now,
    }))
    .toSorted((one, other) => {
      const rank = rankOf(one) - rankOf(other);
      const [begun, others] = [since(one.gate), since(other.gate)];
      return rank !== 0 || begun === others ? rank : begun - others;
    });
}

/** Gates as people count them: Gate 2 before Gate 10. */
export const inOrder = <T extends GateReference>(gates: readonly T[]): T[] =>
  gates.toSorted(
    (one, other) =>
      ORDER.compare(one.name, other.name) || ORDER.compare(one.externalIdentifier, other.externalIdentifier),
  );
const ORDER = new Intl.Collator('en', { numeric: true });

/** The topics of what a gate shows. */
export function topicsOf(gate: BoardGate): string[] {
  const topics = new Set([topicOf('gate', gate.externalIdentifier)]);
  for (const { kind, externalIdentifier } of [...gate.active, ...gate.waiting]) {
    topics.add(topicOf(kind, externalIdentifier));
  }
  for (const { manifestExternalId } of gate.wrong) topics.add(topicOf('manifest', manifestExternalId));
  for (const { uuid } of gate.alerts) topics.add(topicOf('alert', uuid));
  return [...topics];
}

/** The same of the list of what waits for a gate. */
export const waitingTopics = (unassigned: readonly Thing[]): string[] => [
  WAITING,
  ...unassigned.map(({ kind, externalIdentifier }) => topicOf(kind, externalIdentifier)),
];

/** What the viewer may do. */
export interface Rights {
  mark: boolean;
  operate: boolean;
  audit: boolean;
  /** What is done from a desk: not at a tablet, which belongs to its gate. */
  desk: boolean;
  /** Who works at gates, and by which tablets. */
  people: boolean;
}
