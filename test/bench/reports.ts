import { DatabaseSync } from 'node:sqlite';
import { type Cost, costOf } from './cost.ts';
import { API, provision } from './seed.ts';
import { startService } from './server.ts';
import { storeFile } from './sizes.ts';

/** Shipments of a year with 5 million pallets, 33 pallets on each. */
export const YEAR = { shipments: 151_515, pallets: 33, carriers: 25, gates: 40 };
/** Target: the most milliseconds of a report of that year. */
export const REPORT_MAXIMUM_MS = 200;
const SLUG = 'year';
const GROUPS = ['DAY', 'WEEK', 'MONTH', 'CARRIER', 'GATE'];
/** The year of the report. */
const DAYS = 'from=2025-01-01&to=2025-12-31';

/**
 * Measure reports of a year. Completing as many shipments by requests would take hours. So their figures are inserted
 * into the file of the stopped service, which is then started again.
 */
export async function yearReports(state: string): Promise<Cost[]> {
  const gates = Array.from({ length: YEAR.gates }, (_, index) => `GATE${index}`);
  const first = await startService(state);
  let send: Awaited<ReturnType<typeof provision>>['send'];
  try {
    ({ send } = await provision(first.origin, SLUG, gates));
  } finally {
    await first.stop();
  }
  const store = new DatabaseSync(storeFile(state, SLUG));
  fill(store);
  store.close();
  const service = await startService(state, Number(new URL(first.origin).port));
  try {
    const costs: Cost[] = [];
    for (const groupBy of GROUPS) {
      const shot = { method: 'GET', path: `${API}/report?${DAYS}&groupBy=${groupBy}` } as const;
      // The first request warms up; only the second one is measured.
      await costOf(groupBy, send, shot);
      costs.push((await costOf(`GET /report?groupBy=${groupBy}`, send, shot)).cost);
    }
    return costs;
  } finally {
    await service.stop();
  }
}

function fill(store: DatabaseSync): void {
  const from = Date.UTC(2025, 0, 1);
  const step = Math.floor((365 * 86_400_000) / YEAR.shipments);
  store
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?1)
       INSERT INTO shipment_figures
       SELECT o.uuid, ?2 + i * ?3, printf('01995d2f-6c1c-7000-8000-%012x', i), 'Carrier number ' || (i * 7919 % ?4),
         (SELECT uuid FROM gate WHERE organization_uuid = o.uuid AND external_identifier = 'GATE' || (i * 31 % ?5)),
         ?2 + i * ?3 + (i * 101 % 120 - 90) * 60000, 30 + i % 70, 60 + i % 100, 40 + i % 80, ?6, iif(i % 20 = 0, 2, 0),
         iif(i % 40 = 0, 1, 0), iif(i % 20 = 0, 'Reason ' || (i % 7), NULL), i % 3
       FROM organization o, n WHERE o.slug = ?7`,
    )
    .run(YEAR.shipments, from, step, YEAR.carriers, YEAR.gates, YEAR.pallets, SLUG);
}
