import { expect, it } from 'vitest';
import { ON_REQUEST } from '../../../src/core/writer/jobs.ts';
import { bindings } from '../access/database/places.ts';
import { countedD1 } from '../counted.ts';
import { planManifests } from '../dispatch/load/shipment/bulk.ts';
import { newDock } from '../dispatch/load/shipment/dock.ts';
import { plan, runOnce } from './archives.ts';

/** Cloudflare allows 1,000 statements in a run of an object, and its other jobs need some. */
const RUN_STATEMENTS = 500;

it('A run of retention makes few statements, and the next run continues', async () => {
  const { DB } = bindings;
  const dock = await newDock({ retentionDays: 90 });
  const manifests = Array.from({ length: 100 }, (_, index) => ({
    externalIdentifier: `M${index}`,
    assets: [],
  }));
  await planManifests(dock, manifests);
  await DB.prepare(
    "UPDATE manifest SET manifest_status = 'CANCELLED', close_date = 1 WHERE organization_uuid = ?",
  )
    .bind(dock.uuid)
    .run();
  await plan(dock);
  const runs: number[] = [];
  for (let next: unknown; next !== ON_REQUEST; ) {
    const { db, spent } = countedD1(DB);
    next = await runOnce(dock, { DB: db });
    runs.push(spent.statements);
  }
  expect(runs.length).toBeGreaterThan(1);
  expect(Math.max(...runs)).toBeLessThan(RUN_STATEMENTS);
  const left = await DB.prepare('SELECT count(*) AS count FROM manifest WHERE organization_uuid = ?')
    .bind(dock.uuid)
    .first('count');
  expect(left).toBe(0);
});
