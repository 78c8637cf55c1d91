import type { RowsOf } from '../../core/lib/asks.ts';
import { newUuid } from '../../core/lib/id.ts';
import { missing } from '../../core/lib/missing.ts';
import type { Refusal } from '../../core/lib/problem.ts';
import { type Change, type Context, command, mergeChanges, unchanged } from '../../core/writer/command.ts';
import { raiseAlerts, resolvedAlerts } from '../alert/changes.ts';
import { cameraOf, type Scan, type ScanResult } from './gate-view-rules.ts';
import { recordedScans } from './scan-changes.ts';
import { decideScans } from './scan-rules.ts';
import { askGate, gateViewOf } from './scan-store.ts';

/**
 * Process a batch of camera scans at a gate in one commit. The commit has records, alerts,
 * timelines and the scans. A repeated scan gets its first result and changes nothing.
 */
export const recordScans = command('recordScans', {
  ask: askScans,
  decide: applyScans,
  conflictKeys: scanConflictKeys,
});

/**
 * The conflict keys: scanId and marker code of each scan. Scans of different markers cannot
 * conflict, unless they have the same scanId: only one of them is stored under it. A scan changes
 * neither the gate nor the choice of the manifest that is loaded there.
 */
function scanConflictKeys({ scans }: ReadAtGate): string[] {
  return scans.flatMap(({ scanId, markerCode }) => [`scan ${scanId}`, `code ${markerCode}`]);
}

/** A scan in a request. `scanDate: null` means now. */
export type ScanInput = Omit<Scan, 'scanDate' | 'camera'> & { scanDate: number | null };

/** A batch of scans at a gate. */
export interface ReadAtGate {
  gateIdentifier: string;
  scans: ScanInput[];
}

export function askScans({ scope }: Context, { gateIdentifier, scans }: ReadAtGate) {
  return askGate(scope, gateIdentifier, scans);
}

/** Turn the decisions of `scan-rules.ts` into a change. */
export function applyScans(
  context: Context,
  { gateIdentifier, scans: given }: ReadAtGate,
  rows: RowsOf<ReturnType<typeof askScans>>,
): Change<{ results: ScanResult[] }> | Refusal {
  const [gate] = rows.gates;
  if (!gate) return missing('gateNotFound', gateIdentifier);
  // A date in the future counts as now. Otherwise a later scan would look older than this scan.
  const { now, actor } = context;
  const scans = given.map((read) => ({
    ...read,
    scanDate: Math.min(read.scanDate ?? now, now),
    camera: cameraOf(read.cameraHardwareId, actor),
  }));
  const view = gateViewOf(gate, rows);
  const { results, decisions } = decideScans(view, scans, newUuid);
  const answer = { value: { results } };
  if (decisions.length === 0) return unchanged(answer);
  const alerts = decisions.flatMap(({ alert }) => alert ?? []);
  const resolved = decisions.flatMap(({ removed }) => removed.flatMap(({ alertUuids }) => alertUuids));
  return {
    ...mergeChanges(answer, [
      recordedScans(context, view, decisions),
      raiseAlerts(context, alerts),
      resolvedAlerts(
        context,
        resolved.map((uuid) => ({ uuid })),
      ),
    ]),
    // The scans are stored with their results.
    recordsItself: true,
  };
}
