import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import type { Env } from '../../src/core/env.ts';
import { until } from '../workerd/delivery/webhook/receiver.ts';
import { departingDock, departs, HOUR } from '../workerd/dispatch/departure/departures.ts';
import type { Dock } from '../workerd/dispatch/load/shipment/dock.ts';
import { exceeded } from './invocation.ts';
import { LIMITS } from './limits.ts';

const { DB, WRITER } = env as unknown as Env;

/** A job that makes a query for each shipment cannot do all of them in one invocation. */
const SHIPMENTS = LIMITS.queries + 200;

/** Copy shipment S of a dock, with its custom fields. */
async function copyShipment({ uuid }: Dock): Promise<void> {
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${SHIPMENTS})`;
  const copied = [
    `INSERT INTO shipment (uuid, organization_uuid, external_identifier, status, gate_uuid, activate_date, close_date,
        public_token, folded_identifier, folded_notes, create_date, update_date)
      ${numbers} SELECT uuid || '-' || i, organization_uuid, external_identifier || i, status, gate_uuid, activate_date,
        close_date - i, public_token || i, folded_identifier || i, folded_notes, create_date, update_date
      FROM n CROSS JOIN shipment WHERE organization_uuid = ?1 AND external_identifier = 'S'`,
    `INSERT INTO custom_field (organization_uuid, owner_uuid, field_key, field_value)
      ${numbers} SELECT organization_uuid, owner_uuid || '-' || i, field_key, field_value
      FROM n CROSS JOIN custom_field WHERE organization_uuid = ?1`,
  ];
  await DB.batch(copied.map((text) => DB.prepare(text).bind(uuid)));
}

/** Wake the object of a dock as the schedule does, and wait until its jobs have left this number of rows. */
async function work({ uuid }: Dock, rows: string, count: number): Promise<void> {
  const before = exceeded.count;
  await WRITER.get(WRITER.idFromName(uuid)).scheduleJobs(Date.now());
  const counted = () => DB.prepare(`SELECT count(*) FROM ${rows}`).bind(uuid).first<number>('count(*)');
  await until(async () => (await counted()) === count, 40_000);
  expect(exceeded.count).toBe(before);
}

it('more departures than an invocation has queries are late, and each raises one alert', async () => {
  const dock = await departingDock();
  await dock.manifest('M', 'A');
  await dock.shipment('S', ['M'], { customFields: [departs(Date.now() - HOUR)] });
  await copyShipment(dock);
  const alerts = "alert WHERE organization_uuid = ?1 AND alert_type = 'DEPARTURE_LATE'";
  await work(dock, alerts, SHIPMENTS + 1);
});
