/**
 * `npm run bench` compares the service with a bare Worker that does the same storage work. Both run under
 * wrangler and take turns in one run. It also compares with Fastify and SQLite, as a team would run them on
 * one machine. Absolute figures depend on the machine; ratios, round trips and rows do not. All figures are
 * written as JSON, with a plot of the ratios next to it. `-- --results PATH` sets the path (default:
 * test/bench/results.json). `-- --world` only measures callers that are far from D1, and replaces these figures.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { commandLine } from '../../src/cli/command-line.ts';
import { client } from './client.ts';
import { prepare } from './comparisons.ts';
import { costs } from './cost.ts';
import { deliveries } from './delivery.ts';
import { prepareDispatch } from './dispatch.ts';
import { dispatchCosts } from './dispatch-cost.ts';
import { prepareEvidence } from './evidence.ts';
import { keptBytes } from './kept.ts';
import { compare } from './measure.ts';
import { palletCost } from './pallet-cost.ts';
import {
  keptVerdict,
  palletVerdict,
  printCosts,
  printDeliveries,
  printKept,
  printMeasured,
  printPallet,
  printReports,
  printScaled,
  printSized,
  printVerdicts,
  reportVerdicts,
  sizedVerdicts,
  type Verdict,
  verdictsOf,
} from './report.ts';
import { yearReports } from './reports.ts';
import { type Figures, figuresOf, machine, writeFigures, writeWorlds } from './results.ts';
import { type Server, startBare, startRival, startService } from './server.ts';
import { sizedLists } from './sizes.ts';
import { printWorlds, worlds, worldVerdicts } from './worlds.ts';

/**
 * Concurrency 8 gives the throughput that targets are about. Concurrency 1 gives the time of a single
 * request.
 */
const PLANS = [
  { concurrency: 8, rounds: 7, sliceMs: 1_200, warmMs: 2_000 },
  { concurrency: 1, rounds: 7, sliceMs: 800, warmMs: 800 },
];

const { values } = commandLine(import.meta.filename, {
  options: { results: { type: 'string' }, world: { type: 'boolean', default: false } },
});
const results = resolve(values.results ?? join(import.meta.dirname, 'results.json'));
const state = mkdtempSync(join(tmpdir(), 'bench-'));
const servers: Server[] = [];
try {
  if (values.world) await onlyWorlds();
  else await everything();
} catch (error) {
  console.error('The benchmark failed:', error);
  process.exitCode = 1;
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  rmSync(state, { recursive: true, force: true });
}
// Open connections would keep the process running.
process.exit();

async function onlyWorlds(): Promise<void> {
  const found = await worlds(join(state, 'worlds'));
  printWorlds(found);
  printVerdicts(worldVerdicts(found));
  writeWorlds(results, found);
}

async function everything(): Promise<void> {
  const started = performance.now();
  servers.push(await startService(join(state, 'service')), await startBare(join(state, 'bare')));
  const [service, bare] = servers;
  const rival = await startRival(join(state, 'rival.sqlite'));
  if (rival) servers.push(rival);
  console.log('Seeding two organizations with 100 and 5,000 manifests …');
  const prepared = await prepare({ service: service!.origin, bare: bare!.origin, rival });
  const { small, large, comparisons } = prepared;
  console.log('Seeding shipments in progress with 1,500 pallets …');
  comparisons.push(...(await prepareDispatch(service!.origin, client(bare!.origin))));
  console.log('Seeding 100 coupled pallets for labels …');
  comparisons.push(...(await prepareEvidence(service!.origin, client(bare!.origin))));
  console.log(`Seeded ${seconds(started)} s after the start.`);
  const verdicts: Verdict[] = [];
  const measured: Figures['measured'] = [];
  for (const comparison of comparisons) {
    const busy = comparison.callers === undefined ? [] : [{ ...PLANS[0]!, concurrency: comparison.callers }];
    for (const plan of [...busy, ...PLANS]) {
      const found = await compare(comparison.sides, plan);
      printMeasured(`${comparison.title}, concurrency ${plan.concurrency}`, found);
      verdicts.push(...verdictsOf(comparison, found, plan.concurrency));
      measured.push(figuresOf(comparison, found, plan.concurrency));
    }
  }
  const costOfEach = await costs(small, large);
  printCosts(costOfEach);
  console.log('\nSeeding 5,021 pallets for shipments …');
  const dispatch = await dispatchCosts(service!.origin);
  printScaled(dispatch);
  const pallet = await palletCost(service!.origin);
  printPallet(pallet);
  verdicts.push(palletVerdict(pallet));
  console.log('\nMeasuring webhook deliveries of three organizations …');
  const delivered = await deliveries(service!.origin);
  printDeliveries(delivered);
  console.log('\nSeeding 1,101,000 tracks …');
  const sized = await sizedLists(join(state, 'sized'));
  printSized(sized);
  verdicts.push(...sizedVerdicts(sized));
  console.log('\nSeeding a year of shipments …');
  const reports = await yearReports(join(state, 'reports'));
  printReports(reports);
  verdicts.push(...reportVerdicts(reports));
  console.log('\nRunning a day of 1,000 orders …');
  const kept = await keptBytes(join(state, 'kept'));
  printKept(kept);
  verdicts.push(keptVerdict(kept));
  console.log('\nMeasuring callers that are far from D1 …');
  const distant = await worlds(join(state, 'worlds'));
  printWorlds(distant);
  verdicts.push(...worldVerdicts(distant));
  printVerdicts(verdicts);
  mkdirSync(dirname(results), { recursive: true });
  const written = writeFigures(results, {
    date: new Date().toISOString(),
    machine: machine(),
    rival: rival?.engine ?? null,
    measured,
    costs: costOfEach,
    sized,
    reports,
    kept,
    dispatch,
    pallet,
    deliveries: delivered,
    worlds: distant,
    verdicts,
  });
  console.log(`\nWrote ${written.map((path) => relative(process.cwd(), path)).join(' and ')}.`);
  console.log(`The run took ${seconds(started)} s.`);
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1_000).toFixed(0);
}
