/**
 * `npm run bench`: the service beside a bare Worker that does the same storage work, both under wrangler, taking
 * turns in one run. Absolute figures belong to the machine; ratios, round trips and rows do not.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { client } from './client.ts';
import { prepare } from './comparisons.ts';
import { costs } from './cost.ts';
import { deliveries } from './delivery.ts';
import { prepareDispatch } from './dispatch.ts';
import { dispatchCosts } from './dispatch-cost.ts';
import { compare } from './measure.ts';
import {
  printCosts,
  printDeliveries,
  printMeasured,
  printScaled,
  printVerdicts,
  type Verdict,
  verdictsOf,
} from './report.ts';
import { type Server, startBare, startService } from './server.ts';

/** At 8 the rate that a target is about, at 1 the time of a request by itself. */
const PLANS = [
  { concurrency: 8, rounds: 7, sliceMs: 600 },
  { concurrency: 1, rounds: 7, sliceMs: 400 },
];

const state = mkdtempSync(join(tmpdir(), 'bench-'));
const servers: Server[] = [];
try {
  const started = performance.now();
  servers.push(await startService(join(state, 'service')), await startBare(join(state, 'bare')));
  const [service, bare] = servers;
  console.log('Seeding two organizations with 100 and 5,000 manifests …');
  const { small, large, comparisons } = await prepare(service!.origin, bare!.origin);
  console.log('Seeding shipments in progress with 1,500 pallets …');
  comparisons.push(...(await prepareDispatch(service!.origin, client(bare!.origin))));
  console.log(`Seeded ${seconds(started)} s after the start.`);
  const verdicts: Verdict[] = [];
  for (const plan of PLANS) {
    for (const comparison of comparisons) {
      const measured = await compare(comparison.sides, plan);
      printMeasured(`${comparison.title}, concurrency ${plan.concurrency}`, measured);
      verdicts.push(...verdictsOf(comparison, measured, plan.concurrency));
    }
  }
  printCosts(await costs(small, large));
  console.log('\nSeeding 5,021 pallets for shipments …');
  printScaled(await dispatchCosts(service!.origin));
  console.log('\nListening to three organizations …');
  printDeliveries(await deliveries(service!.origin));
  printVerdicts(verdicts);
  console.log(`\nTook ${seconds(started)} s.`);
} catch (error) {
  console.error('Could not be measured:', error);
  process.exitCode = 1;
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  rmSync(state, { recursive: true, force: true });
}
// Connections that are kept open would keep the process.
process.exit();

function seconds(since: number): string {
  return ((performance.now() - since) / 1_000).toFixed(0);
}
