import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { operator } from '../../client.ts';
import { signIn } from '../../delivery/live/listener.ts';
import { newDock } from '../../dispatch/load/shipment/dock.ts';
import { pagesOf } from '../../web/console/forms.ts';

const { DB: db } = env as unknown as { DB: D1Database };
const DEPARTURE = { fieldKey: 'etd', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' };

/** 08:30 on November 22 in Tokyo. */
const CREATED = Date.UTC(2024, 10, 21, 23, 30);
/** Yesterday in Tokyo. */
const YESTERDAY = new Date(Date.now() - 15 * 3_600_000).toISOString().slice(0, 10);
const dock = await newDock({ timeZone: 'Asia/Tokyo', shipmentCustomFields: [DEPARTURE] });
await dock.couple('P');
await dock.manifest('M', 'P');
for (const table of ['manifest', 'credential']) {
  const set = `UPDATE ${table} SET create_date = ?1 WHERE organization_uuid = ?2`;
  await db.prepare(set).bind(CREATED, dock.uuid).run();
}
await dock.shipment('S', ['M'], { gateIdentifier: 'G' });
await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
await dock.scan('P', 'LOAD', { scanDate: `${YESTERDAY} 08:30+0900` });
const pages = pagesOf(await signIn(dock));

/** The number of manifests of a list with this filter. */
const manifests = async (query: string): Promise<number | string> => {
  const { status, body } = await dock.call('GET', `/manifest?${query}`);
  return status === 200 ? body.totalElements : body.errors[0].message;
};

describe('a date in a filter', () => {
  it.each([
    ['createDateAfter=2024-11-22', 1],
    ['createDateBefore=2024-11-22', 0],
    ['createDateAfter=2024-11-22T08:30', 1],
    ['createDateAfter=2024-11-22T08:31', 0],
    ['createDateAfter=2024-11-22+08:30', 1],
    ['createDateBefore=2024-11-22%2008:31:00', 1],
    ['createDateBefore=2024-11-22%2008:30:00', 0],
    ['createDateAfter=2024-11-21T23:30Z', 1],
    ['createDateAfter=2024-11-21t23:31z', 0],
    ['createDateAfter=2024-11-22T00:30%2B01:00', 1],
    ['createDateAfter=2024-11-22T00:31%2B0100', 0],
    ['createDateAfter=2024-11-22T00:31+01', 0],
    ['createDateAfter=2024-11-22T00:30+01:00', 1],
    [`createDateAfter=${CREATED}`, 1],
    [`createDateBefore=${CREATED}`, 0],
  ])('the filter %s finds %i manifests of a site in Tokyo', async (query, count) => {
    expect(await manifests(query)).toBe(count);
  });

  it('a date that the service cannot read is refused with a hint about the plus sign', async () => {
    for (const value of ['2024-02-30', '2024-11-22T25:00', '2024-11-22T08:30 9', 'today']) {
      expect(await manifests(`createDateAfter=${encodeURIComponent(value)}`)).toContain(
        'In a query, + is written as %2B',
      );
    }
  });

  it('a date in an EPCIS query is a time of the site, too', async () => {
    const events = async (query: string): Promise<string[]> => {
      const { body } = await dock.must('GET', `/epcis/events?EQ_bizStep=loading&${query}`);
      const { eventList } = body.epcisBody.queryResults.resultsBody;
      return eventList.map(({ bizStep }: { bizStep: string }) => bizStep);
    };
    expect(await events(`GE_eventTime=${YESTERDAY}T08:30&LT_eventTime=${YESTERDAY} 08:31`)).toEqual([
      'loading',
    ]);
    expect(await events(`GE_eventTime=${YESTERDAY}T08:31`)).toEqual([]);
    expect(await events('GE_recordTime=2000-01-01T00:00+0900')).toEqual(['loading']);
  });

  it("a date in an operator's list of one organization is a time of its site", async () => {
    const keys = async (query: string): Promise<number> =>
      (await operator('GET', `/organization/${dock.uuid}/api-key?${query}`)).body.totalElements;
    expect(await keys('createDateAfter=2024-11-22T08:30&createDateBefore=2024-11-22T08:31')).toBe(1);
    expect(await keys('createDateAfter=2024-11-22T08:31')).toBe(0);
    const all = await operator('GET', '/organization?createDateAfter=2000-01-01');
    expect([all.status, all.body.totalElements > 0]).toEqual([200, true]);
  });

  it('a day in the filter of a page is a day of the site', async () => {
    const shows = async (query: string) => (await pages.get(`/app/manifest?${query}`)).html.includes('>M<');
    expect(await shows('createDateAfter=2024-11-22&createDateBefore=2024-11-23')).toBe(true);
    expect(await shows('createDateAfter=2024-11-21&createDateBefore=2024-11-22')).toBe(false);
  });
});

describe('a date in data', () => {
  const OFFSET = 'The date has no offset from UTC.';

  it.each([
    ['2024-11-22 08:30+0900', 200, ''],
    ['2024-11-22t08:30z', 200, ''],
    ['2024-11-22T08:30:00.123456789+09', 200, ''],
    ['2024-11-22T24:00+09:00', 200, ''],
    ['2024-11-22T08:30', 400, OFFSET],
    ['2024-11-22', 400, OFFSET],
    ['2024-11-22T08:30 09:00', 400, 'Use ISO 8601 with an offset'],
    ['2024-02-30T08:30+09:00', 400, 'Use ISO 8601 with an offset'],
    ['2024-11-22T25:00Z', 400, 'Use ISO 8601 with an offset'],
    // The clock of a camera is wrong. The reading counts at the time of receipt.
    ['1969-12-31T23:59:59Z', 200, ''],
  ])('the scanDate %s gets %i', async (scanDate, status, message) => {
    const answer = await dock.scan('P', 'LOAD', { scanDate });
    expect([answer.status, answer.body.errors?.[0].message ?? '']).toEqual([
      status,
      expect.stringContaining(message),
    ]);
  });

  it.each([
    ['2999-11-22 08:30+0900', 201, ''],
    ['2999-11-22T08:30', 400, OFFSET],
    ['2999-02-30T08:30Z', 400, 'Use ISO 8601 with an offset'],
    ['2000-01-01T00:00Z', 400, 'The date must be in the future.'],
    [9_007_199_254_740_992, 400, 'The date must be before the year 10000.'],
    [0.5, 400, 'Epoch milliseconds are a whole number.'],
  ])('the expiresDate %s gets %i and one sentence', async (expiresDate, status, message) => {
    const path = `/organization/${dock.uuid}/api-key`;
    const answer = await operator('POST', path, { name: 'Key', expiresDate });
    const errors: { message: string }[] = answer.body.errors ?? [];
    expect([answer.status, ...errors.map((error) => error.message)]).toEqual([
      status,
      ...(message === '' ? [] : [expect.stringContaining(message)]),
    ]);
  });

  it('a DATE_TIME field in another spelling is stored in RFC 3339, and a repeat changes nothing', async () => {
    const set = (fieldValue: string) =>
      dock.call('POST', '/shipment/S/custom-field', { fieldKey: 'etd', fieldValue });
    const first = await set('2024-11-22 14:30+0900');
    expect(first.body.customFields).toMatchObject([{ fieldValue: '2024-11-22T14:30:00+09:00' }]);
    expect((await set('2024-11-22t14:30:00+09')).body.updateDate).toBe(first.body.updateDate);
    const row = await db
      .prepare('SELECT field_date FROM custom_field WHERE organization_uuid = ?1')
      .bind(dock.uuid)
      .first();
    expect(row).toEqual({ field_date: Date.parse('2024-11-22T14:30:00+09:00') });
    const { status, body } = await set('2024-11-22T14:30');
    expect([status, body.code, body.detail]).toEqual([
      400,
      'customFieldNotDateTime',
      expect.stringContaining(OFFSET),
    ]);
    const items = [
      { shipmentExternalId: 'S', customFields: [{ fieldKey: 'etd', fieldValue: '2026-11-23 09:00+0900' }] },
    ];
    await dock.must('POST', '/shipment/bulk-upsert', { items });
    await expect
      .poll(async () => (await dock.must('GET', '/shipment/S')).body.customFields)
      .toMatchObject([{ fieldValue: '2026-11-23T09:00:00+09:00' }]);
  });
});
