import { join } from 'node:path';
import { client } from './client.ts';
import { type Comparison, type Prepared, prepare } from './comparisons.ts';
import { costs } from './cost.ts';
import { deliveries } from './delivery.ts';
import { prepareDispatch } from './dispatch.ts';
import { dispatchCosts } from './dispatch-cost.ts';
import { prepareEvidence } from './evidence.ts';
import { keptBytes } from './kept.ts';
import { compare } from './measure.ts';
import { neighbours, neighbourVerdicts, printNeighbours } from './neighbour.ts';
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
  reportVerdicts,
  sizedVerdicts,
  type Verdict,
  verdictsOf,
} from './report.ts';
import { yearReports } from './reports.ts';
import { type Figures, figuresOf, type PartFigures } from './results.ts';
import type { Server } from './server.ts';
import { sizedLists } from './sizes.ts';
import { printWorlds, worlds, worldVerdicts } from './worlds.ts';

/**
 * Concurrency 8 gives the throughput that targets are about. Concurrency 1 gives the time of a single
 * request.
 */
const PLANS = [
  { concurrency: 8, rounds: 5, sliceMs: 700, warmMs: 1_000 },
  { concurrency: 1, rounds: 5, sliceMs: 400, warmMs: 300 },
];

/** The servers that parts share. Each starts when a part needs it. */
export interface Bench {
  /** A folder for data. */
  state: string;
  service(): Promise<Server>;
  bare(): Promise<Server>;
  rival(): Promise<(Server & { engine: string }) | undefined>;
}

/** The parts of the benchmark, in the order of a whole run. */
export function partsOf(bench: Bench) {
  let seeded: Promise<Prepared> | undefined;
  const seed = () => {
    seeded ??= seedOrganizations(bench);
    return seeded;
  };
  const folder = (name: string) => join(bench.state, name);
  const both = async () => [(await bench.service()).origin, client((await bench.bare()).origin)] as const;
  return {
    /** Reads of one thing, images and lists. */
    reads: async () => measured((await seed()).reads),
    /** Allocation of codes, and get-and-couple. */
    writes: async () => measured((await seed()).writes),
    /** Scans and the status of shipments. */
    dispatch: async () => measured(await prepareDispatch(...(await both()))),
    /** Labels, photos and signatures. */
    evidence: async () => measured(await prepareEvidence(...(await both()))),
    /** The cost of each request in D1. */
    async costs() {
      const { small, large } = await seed();
      const found = await costs(small, large);
      printCosts(found);
      const { origin } = await bench.service();
      const dispatch = await dispatchCosts(origin);
      printScaled(dispatch);
      const pallet = await palletCost(origin);
      printPallet(pallet);
      return { costs: found, dispatch, pallet, verdicts: [palletVerdict(pallet)] };
    },
    /** Deliveries to webhooks. */
    async deliveries() {
      const found = await deliveries((await bench.service()).origin);
      printDeliveries(found);
      return { deliveries: found, verdicts: [] };
    },
    /** Lists of up to a million tracks. */
    async sizes() {
      const sized = await sizedLists(folder('sized'));
      printSized(sized);
      return { sized, verdicts: sizedVerdicts(sized) };
    },
    /** Reports of a year of shipments. */
    async reports() {
      const reports = await yearReports(folder('reports'));
      printReports(reports);
      return { reports, verdicts: reportVerdicts(reports) };
    },
    /** The bytes that a day of 1,000 orders leaves. */
    async kept() {
      const kept = await keptBytes(folder('kept'));
      printKept(kept);
      return { kept, verdicts: [keptVerdict(kept)] };
    },
    /** Requests of an organization while another one sends heavy requests. */
    async neighbour() {
      const found = await neighbours((await bench.service()).origin);
      printNeighbours(found);
      return { neighbours: found, verdicts: neighbourVerdicts(found) };
    },
    /** Callers that are far from D1. */
    async worlds() {
      const distant = await worlds(folder('worlds'));
      printWorlds(distant);
      return { worlds: distant, verdicts: worldVerdicts(distant) };
    },
  } satisfies Record<string, () => Promise<PartFigures>>;
}

async function seedOrganizations(bench: Bench): Promise<Prepared> {
  const [service, bare, rival] = [await bench.service(), await bench.bare(), await bench.rival()];
  return prepare({ service: service.origin, bare: bare.origin, rival });
}

async function measured(comparisons: readonly Comparison[]): Promise<PartFigures> {
  const verdicts: Verdict[] = [];
  const figures: Figures['measured'] = [];
  for (const comparison of comparisons) {
    const busy = comparison.callers === undefined ? [] : [{ ...PLANS[0]!, concurrency: comparison.callers }];
    for (const plan of [...busy, ...PLANS]) {
      const found = await compare(comparison.sides, plan);
      printMeasured(`${comparison.title}, concurrency ${plan.concurrency}`, found);
      verdicts.push(...verdictsOf(comparison, found, plan.concurrency));
      figures.push(figuresOf(comparison, found, plan.concurrency));
    }
  }
  return { measured: figures, verdicts };
}
