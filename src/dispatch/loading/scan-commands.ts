import type { RowsOf } from '../../core/lib/asks.ts';
import { newUuid } from '../../core/lib/id.ts';
import { type Refusal, refusal } from '../../core/lib/problem.ts';
import { type Change, type Context, command, mergeChanges, unchanged } from '../../core/writer/command.ts';
import { raiseAlerts } from '../alert/changes.ts';
import type { Scan, ScanResult } from './gate-view-rules.ts';
import { recordedScans } from './scan-changes.ts';
import { decideScans } from './scan-rules.ts';
import { askGate, gateViewOf } from './scan-store.ts';

/**
 * Process a batch of scans of cameras at a gate in one commit: records, alerts, timelines and the scans themselves. A
 * scanId that was processed before gets its former answer, and has no effect.
 */
export const recordScans = command('recordScans', {
  ask: askScans,
  decide: applyScans,
  conflictKeys: scanConflictKeys,
});

/**
 * The conflict keys: a scan changes nothing that is read for another code, neither the gate nor which manifest is
 * loaded there.
 */
function scanConflictKeys({ scans }: ReadAtGate): string[] {
  return scans.flatMap(({ scanId, markerCode }) => [`scan ${scanId}`, `code ${markerCode}`]);
}

/** A scan in a request; without a date it happened now. */
export type ScanInput = Omit<Scan, 'scanDate'> & { scanDate: number | null };

/** A batch of scans at a gate. */
export interface ReadAtGate {
  gateIdentifier: string;
  scans: ScanInput[];
}

/** The reads to decide what scans mean. */
export function askScans({ scope }: Context, { gateIdentifier, scans }: ReadAtGate) {
  return askGate(scope, gateIdentifier, scans);
}

/** The change that scans make, by the decisions of `scan-rules.ts`. */
export function applyScans(
  context: Context,
  { scans: given }: ReadAtGate,
  rows: RowsOf<ReturnType<typeof askScans>>,
): Change<{ results: ScanResult[] }> | Refusal {
  const [gate] = rows.gates;
  if (!gate) return refusal('gateNotFound', 'There is no such gate.');
  // A date in the future is replaced by now, since a later scan must not look older than this one.
  const { now } = context;
  const scans = given.map((read) => ({ ...read, scanDate: Math.min(read.scanDate ?? now, now) }));
  const { results, decisions } = decideScans(gateViewOf(gate, rows), scans, newUuid);
  const answer = { value: { results } };
  if (decisions.length === 0) return unchanged(answer);
  const alerts = decisions.flatMap(({ alert }) => alert ?? []);
  return mergeChanges(answer, [recordedScans(context, gate, decisions), raiseAlerts(context, alerts)]);
}
