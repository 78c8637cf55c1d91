import type { Outcome } from '../../src/core/writer/command.ts';
import type { ScanResult } from '../../src/dispatch/loading/gate-view-rules.ts';
import type { ReadAtGate } from '../../src/dispatch/loading/scan-commands.ts';
import { readingKey } from '../../src/dispatch/loading/scan-rules.ts';
import type { Wish } from './callers.ts';
import type { LogCheck } from './log-check.ts';
import type { Store } from './store.ts';
import { Finding } from './world.ts';

/** Checks that all answers to a scan are equal. */
export class ScanAnswers {
  /** The result of each scan since the last restore, by organization and reading. */
  readonly #results = new Map<string, string>();

  /** A restore loses scans, and their repeats are new scans then. */
  putBack(): void {
    this.#results.clear();
  }

  take({ organization, name, input, id }: Wish, outcome: Outcome): void {
    if (name !== 'recordScans' || outcome.kind !== 'done') return;
    const { results } = JSON.parse(outcome.body) as { results: ScanResult[] };
    for (const [index, scan] of (input as ReadAtGate).scans.entries()) {
      const result = JSON.stringify(results[index]);
      const key = `${organization} ${readingKey(scan)}`;
      const before = this.#results.get(key) ?? result;
      if (before !== result)
        throw new Finding(`a scan of ${id} was answered ${result}, but earlier ${before}`);
      this.#results.set(key, result);
    }
  }
}

/** No open alert is about a loading record that was removed. */
export async function checkAlerts(store: Store, { organization }: LogCheck): Promise<void> {
  const [left] = await store.read(
    `SELECT uuid FROM alert WHERE organization_uuid = ? AND status = 'OPEN'
      AND alert_type IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')
      AND NOT EXISTS (SELECT 1 FROM asset_loading WHERE asset_loading.uuid = alert.record_uuid)`,
    organization,
  );
  if (left) throw new Finding(`${organization}: alert ${left['uuid']} is open, but its record was removed`);
}
