import { expect, it } from 'vitest';
import { newDock } from '../../dispatch/load/shipment/dock.ts';
import { recorded, type Trip } from '../../statements.ts';
import { db, Receivers, register, until } from './receiver.ts';

/** The first reads of the background jobs. Each is one D1 round trip of a run. */
const FIRST_READS = {
  operations: /min\(due_date\) AS date FROM operation/,
  webhooks: /AS "activeCount"/,
  erasures: /INDEXED BY user_erasing/,
  retention: /FROM retention_due/,
  departures: /FROM departure_due/,
  nightlyExports: /FROM nightly_export_due/,
};

/** The round trips of the run of each job. */
const callsOf = (trips: readonly Trip[]): Record<string, number> =>
  Object.fromEntries(
    Object.entries(FIRST_READS).map(([job, read]) => [
      job,
      trips.filter(({ statements }) => statements.some(({ text }) => read.test(text))).length,
    ]),
  );

const total = (calls: Record<string, number>): number =>
  Object.values(calls).reduce((sum, one) => sum + one, 0);

/** Waits until all events of a webhook are delivered, and until the run of jobs that delivers them has ended. */
async function delivered(uuid: string): Promise<void> {
  await until(async () => {
    const { results } = await db
      .prepare(
        `SELECT 1 FROM event_log e JOIN webhook w ON w.organization_uuid = e.organization_uuid AND e.sequence_number > w.position
          WHERE w.uuid = ?1 UNION ALL SELECT 1 FROM webhook_delivery WHERE webhook_uuid = ?1 AND state <> 'SUCCEEDED'`,
      )
      .bind(uuid)
      .all();
    return results.length === 0;
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
}

it('the run of jobs after a scan calls D1 only for webhooks, and after a request for all jobs', async () => {
  const receivers = new Receivers();
  const dock = await newDock();
  await dock.couple('A');
  await dock.manifest('M', 'A');
  await dock.shipment('S', ['M'], { gateIdentifier: 'G' });
  await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
  const { uuid, url } = await register(dock);
  receivers.at(url, 204);
  await delivered(uuid);
  // The alarm may ring during a scan. It runs all jobs, so one of several scans counts.
  const scans: Record<string, number>[] = [];
  for (const direction of ['LOAD', 'UNLOAD', 'LOAD', 'UNLOAD']) {
    const before = receivers.of(url).length;
    const trips = await recorded(async () => {
      await dock.scan('A', direction);
      await delivered(uuid);
    });
    expect(receivers.of(url).length).toBeGreaterThan(before);
    scans.push(callsOf(trips));
  }
  const [{ webhooks, ...others }] = scans.toSorted((one, other) => total(one) - total(other)) as [
    ReturnType<typeof callsOf>,
  ];
  expect(webhooks).toBeGreaterThan(0);
  expect(others).toEqual({ operations: 0, erasures: 0, retention: 0, departures: 0, nightlyExports: 0 });
  const requested = await recorded(async () => {
    await dock.must('POST', `/webhook/${uuid}/test`);
    await delivered(uuid);
  });
  expect(Object.values(callsOf(requested)).every((calls) => calls > 0)).toBe(true);
});
