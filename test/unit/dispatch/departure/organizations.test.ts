import { expect, it } from 'vitest';
import { runOverdueJobs } from '../../../../src/core/writer/each.ts';
import { overdueDepartures } from '../../../../src/dispatch/departure/store.ts';
import { Service } from './service.ts';

const COUNT = 1_000;
const HOUR = 3_600_000;

/** Copies an organization with an empty shipment that departs at a date. */
function copies({ sqlite }: Service, like: string, departure: number): void {
  const numbers = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${COUNT})`;
  const names = sqlite
    .prepare("SELECT name FROM pragma_table_info('organization')")
    .all()
    .map(({ name }) => String(name));
  const values = names.map((name) =>
    name === 'uuid' ? `'${departure}-' || n` : name === 'slug' ? `'slug-${departure}-' || n` : name,
  );
  sqlite.exec(`${numbers} INSERT INTO organization (${names.join()})
    SELECT ${values.join()} FROM numbers CROSS JOIN organization WHERE uuid = '${like}'`);
  sqlite.exec(`${numbers} INSERT INTO shipment (uuid, organization_uuid, external_identifier, status, folded_identifier,
      folded_notes, create_date, update_date)
    SELECT '${departure}-s-' || n, '${departure}-' || n, 'S', 'TO_DO', 's', '', 1, 1 FROM numbers`);
  sqlite.exec(`${numbers} INSERT INTO custom_field (organization_uuid, owner_uuid, field_key, field_value)
    SELECT '${departure}-' || n, '${departure}-s-' || n, 'etd', '${new Date(departure).toISOString()}' FROM numbers`);
  sqlite.exec(`${numbers} INSERT INTO departure_due SELECT '${departure}-' || n, ${departure} FROM numbers`);
}

it('a thousand organizations that are due in the same minute all get their alerts in two runs of the schedule', async () => {
  const service = new Service();
  const organization = await service.organization();
  copies(service, organization, Date.now() + HOUR);
  copies(service, organization, Date.now() - HOUR);
  const told: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    await runOverdueJobs(service.env, 'DB', [overdueDepartures], Date.now());
    told.push(service.alerts().length);
  }
  // Organizations that are not due are not woken.
  expect(told).toEqual([COUNT / 2, COUNT, COUNT]);
  expect(service.sqlite.prepare('SELECT count(*) AS left FROM departure_due').get()).toEqual({ left: COUNT });
}, 60_000);
