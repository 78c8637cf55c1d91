/**
 * `npm run bench` compares the service with a bare Worker that does the same storage work. Both run under
 * wrangler and take turns in one run. It also compares with Fastify and SQLite, as a team would run them on
 * one machine. Absolute figures depend on the machine; ratios, round trips and rows do not. It takes about 8
 * minutes on two cores.
 *
 * `npm run bench -- PART …` runs only some parts: reads, writes, dispatch, evidence, costs, deliveries, sizes,
 * reports, kept, neighbour, worlds.
 *
 * A whole run writes its figures as JSON to test/bench/results.json, and a plot of the ratios next to it.
 * `--results PATH` sets another path. A run of some parts writes nothing without `--results`. With it, the file
 * must exist. The new figures of the parts replace the earlier ones in it.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { commandLine } from '../../src/cli/command-line.ts';
import { type Bench, partsOf } from './parts.ts';
import { printVerdicts } from './report.ts';
import { type Figures, machine, merged, type PartFigures, replaced, writeFigures } from './results.ts';
import { type Server, startBare, startRival, startService } from './server.ts';

const { values, positionals } = commandLine(import.meta.filename, {
  allowPositionals: true,
  options: { results: { type: 'string' } },
});
const results = resolve(values.results ?? join(import.meta.dirname, 'results.json'));
const state = mkdtempSync(join(tmpdir(), 'bench-'));
const servers: Server[] = [];
try {
  await run();
} catch (error) {
  console.error('The benchmark failed:', error);
  process.exitCode = 1;
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  rmSync(state, { recursive: true, force: true });
}
// Open connections would keep the process running.
process.exit();

async function run(): Promise<void> {
  const begun = performance.now();
  const bench = shared();
  const parts = partsOf(bench);
  const unknown = positionals.find((name) => !Object.hasOwn(parts, name));
  if (unknown !== undefined) {
    console.error(`The benchmark has no part "${unknown}". Its parts are ${Object.keys(parts).join(', ')}.`);
    process.exitCode = 2;
    return;
  }
  const isWhole = positionals.length === 0;
  const found: PartFigures[] = [];
  for (const [name, measure] of Object.entries(parts)) {
    if (!isWhole && !positionals.includes(name)) continue;
    const start = performance.now();
    console.log(`\nPart ${name} …`);
    found.push(await measure());
    console.log(`\nPart ${name} took ${seconds(start)} s.`);
  }
  const figures = merged(found);
  printVerdicts(figures.verdicts);
  if (isWhole) {
    const rival = (await bench.rival())?.engine ?? null;
    const of = { date: new Date().toISOString(), machine: machine(), rival };
    write({ ...of, ...figures } as Figures);
  } else if (values.results !== undefined) write(replaced(results, figures));
  console.log(`The run took ${seconds(begun)} s.`);
}

function write(figures: Figures): void {
  mkdirSync(dirname(results), { recursive: true });
  const written = writeFigures(results, figures);
  console.log(`\nWrote ${written.map((path) => relative(process.cwd(), path)).join(' and ')}.`);
}

/** The servers, each started by its first use. */
function shared(): Bench {
  const once = <T extends Server | undefined>(start: () => Promise<T>) => {
    let started: Promise<T> | undefined;
    return () => {
      started ??= start().then((server) => {
        if (server) servers.push(server);
        return server;
      });
      return started;
    };
  };
  return {
    state,
    service: once(() => startService(join(state, 'service'))),
    bare: once(() => startBare(join(state, 'bare'))),
    rival: once(() => startRival(join(state, 'rival.sqlite'))),
  };
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1_000).toFixed(0);
}
