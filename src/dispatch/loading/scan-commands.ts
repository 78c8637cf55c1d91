import type { SQL } from 'drizzle-orm';
import type { RowsOf } from '../../core/lib/asks.ts';
import { newUuid } from '../../core/lib/id.ts';
import { missing } from '../../core/lib/missing.ts';
import type { Refusal } from '../../core/lib/problem.ts';
import { type Change, type Context, command, mergeChanges, unchanged } from '../../core/writer/command.ts';
import { readingTime } from '../../pallet/device-time.ts';
import { raisedAlertsChange, resolvedAlertsChange } from '../alert/changes.ts';
import { palletName } from '../track/rules.ts';
import { cameraOf, type GateView, type Scan, type ScanResult, subjectOf } from './gate-view-rules.ts';
import { alertedPalletsChanges, recordedScansChange } from './scan-changes.ts';
import { decideScans } from './scan-rules.ts';
import {
  askExpected,
  askGate,
  type GateMemory,
  gateMemoryOf,
  gateViewOf,
  recalledAfter,
  recalledView,
} from './scan-store.ts';

/**
 * Process a batch of camera scans at a gate in one commit. The commit has records, alerts,
 * timelines and the scans. A repeated scan gets its first result and changes nothing.
 */
export const recordScans = command('recordScans', {
  ask: askScans,
  decide: applyScans,
  conflictKeys: scanConflictKeys,
  rowKeys: scanRowKeys,
  recall: {
    placeOf: ({ gateIdentifier }) => gateIdentifier,
    ask: (scope, { gateIdentifier }) => askExpected(scope, gateIdentifier),
    learn: (_, rows) => gateMemoryOf(rows),
    rows: recalledRows,
  },
});

/**
 * The conflict keys: scanId and subject of each scan. Scans of different subjects cannot conflict, unless they have the same
 * scanId, or their markers belong to one pallet (`rowKeys`). Only one scan is stored under a scanId. A scan changes
 * neither the gate nor the choice of the manifest that is loaded there.
 */
function scanConflictKeys({ scans }: ReadAtGate): string[] {
  return scans.flatMap((scan) => [`scan ${scan.scanId}`, subjectOf(scan)]);
}

/**
 * The row keys: the pallets, the alerts that cover one of them, and a gate without work, where the scan may raise an alert or
 * count in it. Two markers can belong to one pallet, at two gates. Scans of different pallets can change the same alert.
 */
function scanRowKeys({ gates, actives, pallets, alerted }: RowsOf<ReturnType<typeof askScans>>): string[] {
  return [
    ...pallets.map(({ wmsId }) => palletName(wmsId)),
    ...alerted.map(({ alertUuid }) => `alert ${alertUuid}`),
    ...(actives.length > 0 ? [] : gates.map(({ uuid }) => `idle ${uuid}`)),
  ];
}

/** A scan in a request. `scanDate: null` means now. */
type ScanInput = Omit<Scan, 'scanDate' | 'isReplaced' | 'camera'> & { scanDate: number | null };

/** A batch of scans at a gate. */
export interface ReadAtGate {
  gateIdentifier: string;
  scans: ScanInput[];
}

export function askScans({ scope }: Context, { gateIdentifier, scans }: ReadAtGate) {
  // The state may be remembered instead of read (`recalledRows`).
  return { ...askGate(scope, gateIdentifier, scans), recalled: undefined as SQL<GateView> | undefined };
}

/** The rows of `askScans` for scans whose gate and pallets are remembered. */
function recalledRows(
  memory: GateMemory,
  { scans }: ReadAtGate,
): RowsOf<ReturnType<typeof askScans>> | undefined {
  const view = recalledView(memory, scans);
  if (!view) return undefined;
  const pallets = [...view.markers].map(([subject, { pallet }]) => ({
    subject,
    cameraDates: null,
    ...pallet!,
  }));
  const { gate, active } = memory;
  const none = { earlier: [], records: [], invalid: [], where: [], alerted: [] };
  return {
    ...none,
    gates: [{ localManagerUuid: null, ...gate }],
    actives: [active],
    pallets,
    recalled: [view],
  };
}

/** Turn the decisions of `scan-rules.ts` into a change. */
export function applyScans(
  context: Context,
  { gateIdentifier, scans: given }: ReadAtGate,
  rows: RowsOf<ReturnType<typeof askScans>>,
): Change<{ results: ScanResult[] }> | Refusal {
  const [gate] = rows.gates;
  if (!gate) return missing('gateNotFound', gateIdentifier);
  const { now, actor } = context;
  const scans = given.map((read): Scan => {
    const { date: scanDate, isReplaced } = readingTime(read.scanDate, now);
    return { ...read, scanDate, isReplaced, camera: cameraOf(read.cameraHardwareId, actor) };
  });
  const [recalled] = rows.recalled;
  const view = recalled ?? gateViewOf(gate, scans, rows);
  const { results, decisions, markers } = decideScans(view, scans, newUuid);
  const answer = { value: { results } };
  if (decisions.length === 0) return unchanged(answer);
  const alerts = decisions.flatMap(({ alert }) => alert ?? []);
  const resolved = decisions.flatMap(({ removed }) => removed.flatMap(({ alertUuids }) => alertUuids));
  return {
    ...mergeChanges(answer, [
      recordedScansChange(context, view, decisions),
      raisedAlertsChange(context, alerts),
      ...alertedPalletsChanges(context, rows.alerted, decisions),
      resolvedAlertsChange(
        context,
        resolved.map((uuid) => ({ uuid })),
      ),
    ]),
    // The scans are stored with their results.
    recordsItself: true,
    recalled: recalledAfter(decisions, markers, recalled && gateIdentifier),
  };
}
