import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../../src/core/lib/time.ts';
import { signIn } from '../../delivery/live/listener.ts';
import { newDock } from '../../dispatch/load/shipment/dock.ts';
import { recorded, type Trip } from '../../statements.ts';
import { type Pages, pagesOf } from './forms.ts';

const { DB } = env as unknown as { DB: D1Database };
const COUNT = 3_000;
const FIELDS = [{ fieldKey: 'haulier', fieldType: 'TEXT', role: 'CARRIER' }];
const dayOf = (date: number) => new Date(date).toISOString().slice(0, 10);

let pages: Pages;

/** Completes 3,000 shipments in the last 300 days, all at gate G, of the same carrier, and late. */
beforeAll(async () => {
  const dock = await newDock({ shipmentCustomFields: FIELDS });
  pages = pagesOf(await signIn(dock));
  const gate = (await dock.must('GET', '/gate/G')).body.uuid;
  const closed = `${Date.now()} - n * ${DAY_MS / 10}`;
  const numbers = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${COUNT})`;
  await DB.batch(
    [
      `${numbers} INSERT INTO shipment (uuid, organization_uuid, external_identifier, status, gate_uuid, folded_identifier,
        folded_notes, create_date, update_date, close_date, public_token)
      SELECT ?1 || n, ?1, 'S' || n, 'COMPLETED', '${gate}', 's', '', ${closed}, 1, ${closed}, ?1 || n FROM numbers`,
      `${numbers} INSERT INTO custom_field (organization_uuid, owner_uuid, field_key, field_value)
      SELECT ?1, ?1 || n, 'haulier', 'Fast' FROM numbers`,
      `${numbers} INSERT OR REPLACE INTO shipment_figures
      SELECT ?1, ${closed}, ?1 || n, 'Fast', '${gate}', 1, 1, 1, 1, 1, 1, 0, 'Damaged', 0 FROM numbers`,
    ].map((statement) => DB.prepare(statement).bind(dock.uuid)),
  );
}, 60_000);

/** The rows that D1 reads for the first page of a list, without the count of all its rows. */
async function readsOf(trips: readonly Trip[]): Promise<number> {
  const [page] = trips.flatMap(({ statements }) =>
    statements.filter(({ text }) => text.includes('page_position')),
  );
  const { meta } = await DB.prepare(page!.text)
    .bind(...page!.params)
    .run();
  return meta.rows_read;
}

describe('a list that a number of a report leads to', () => {
  it.each([
    ['all shipments', ''],
    ['late shipments', '&outcome=LATE'],
    ['short shipments with a reason', '&outcome=SHORT&shortReason=Damaged'],
    ['the shipments of a carrier', '&carrier=Fast'],
    ['the shipments at a gate', '&gate=G'],
    ['the oldest shipments', '&sort.sortBy=closeDate&sort.direction=ASC'],
  ])('a page of %s of a year reads few of 3,000 rows', async (_, more) => {
    const [from, to] = [dayOf(Date.now() - 365 * DAY_MS), dayOf(Date.now() + DAY_MS)];
    const path = `/app/shipment?status=COMPLETED&closeDateAfter=${from}&closeDateBefore=${to}${more}`;
    let html = '';
    const trips = await recorded(async () => {
      ({ html } = await pages.get(path));
    });
    expect(html).toMatch(/of 3(&#44;|,)?000/);
    expect(await readsOf(trips)).toBeLessThan(1_000);
  });
});
