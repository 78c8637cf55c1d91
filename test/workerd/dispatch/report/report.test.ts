import { beforeAll, describe, expect, it } from 'vitest';
import { bindings } from '../../access/database/places.ts';
import { newTenant } from '../../client.ts';
import { request, writerOf } from '../../core/writer/requests.ts';
import { type Dock, loadingDock, newDock } from '../load/shipment/dock.ts';
import { report, today } from './reports.ts';

const ROLES = {
  shipmentCustomFields: [
    { fieldKey: 'haulier', fieldType: 'TEXT', role: 'CARRIER' },
    { fieldKey: 'leaves', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
  ],
};
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const field = (fieldKey: string, fieldValue: string) => ({ fieldKey, fieldValue });

describe('a report of completed shipments', () => {
  let dock: Dock;
  beforeAll(async () => {
    dock = await loadingDock(ROLES);
    await dock.must('POST', '/shipment/S/custom-field', field('haulier', 'Fast & Far'));
    await dock.must('POST', '/shipment/S/custom-field', field('leaves', minutesAgo(30)));
    await dock.must('POST', '/shipment/S/arrival', { arrivalDate: minutesAgo(90) });
    await dock.scan('A', 'LOAD', { scanDate: minutesAgo(45) });
    await dock.scan('X');
    // Two wrong pallets are caught before the truck leaves.
    for (const stray of ['X', 4_711]) {
      await dock.scan(stray);
      await dock.scan(stray, 'UNLOAD');
    }
    await dock.scan('X');
    await dock.must('POST', '/shipment/S/status/COMPLETED?shortReason=Not%20found%3A%20row%207');
  });

  it('a report has the sums of each group', async () => {
    const row = {
      shipmentsCompleted: 1,
      shipmentsPlanned: 1,
      shipmentsOnTime: 0,
      minutesLate: 30,
      loadingMinutes: 45,
      dwellMinutes: 90,
      gateMinutes: 0,
      palletsLoaded: 1,
      palletsWrong: 1,
      palletsCaught: 2,
      shipmentsShort: 1,
      shortByReason: [{ reason: 'Not found', count: 1 }],
    };
    for (const [groupBy, group] of [
      ['DAY', today()],
      ['MONTH', today().slice(0, 7)],
      ['CARRIER', 'Fast & Far'],
      ['GATE', 'G'],
    ] as const) {
      expect(await report(dock, groupBy)).toEqual([{ group, ...row }]);
    }
    expect(await report(dock, 'WEEK')).toMatchObject([{ group: expect.stringMatching(/^\d{4}-W\d\d$/) }]);
  });

  it('a report follows corrections of pallets and of the carrier, and keeps the planned departure', async () => {
    for (const pallet of ['B', 'C'])
      await dock.must('PATCH', `/shipment/S/asset-loading/track/${pallet}/status`, { status: 'LOADED' });
    const records: { recordUuid: string; loadingStatus: string }[] = (
      await dock.must('GET', '/shipment/S/asset-loading')
    ).body;
    const wrong = records.find(({ loadingStatus }) => loadingStatus === 'WRONGLY_LOADED')!;
    await dock.must('DELETE', `/shipment/S/asset-loading/${wrong.recordUuid}`);
    await dock.must('POST', '/shipment/S/custom-field', field('haulier', 'Slow'));
    // A late shipment stays late, even if its departure is changed or removed.
    const later = new Date(Date.now() + 3_600_000).toISOString();
    await dock.must('POST', '/shipment/S/custom-field', field('leaves', later));
    expect(await report(dock, 'CARRIER')).toMatchObject([
      { group: 'Slow', shipmentsOnTime: 0, minutesLate: 30 },
    ]);
    await dock.must('DELETE', '/shipment/S/custom-field/leaves');
    expect(await report(dock, 'CARRIER')).toMatchObject([
      {
        group: 'Slow',
        shipmentsPlanned: 1,
        minutesLate: 30,
        loadingMinutes: 45,
        palletsLoaded: 4,
        palletsWrong: 0,
        palletsCaught: 3,
        shipmentsShort: 0,
        shortByReason: [],
      },
    ]);
  });

  it('a report leaves out other days and other organizations', async () => {
    expect(await report(dock, 'DAY', '2026-01-01', '2026-01-02')).toEqual([]);
    expect(await report(await newDock(), 'DAY')).toEqual([]);
  });
});

describe('a query of a report', () => {
  it.each([
    ['from=2026-11-02&to=2026-11-01&groupBy=DAY', 'to'],
    ['from=2026-02-29&to=2026-03-01&groupBy=DAY', 'from'],
    ['from=2026-1-1&to=2026-03-01&groupBy=DAY', 'from'],
    ['from=2026-01-01T00:00:00Z&to=2026-03-01&groupBy=DAY', 'from'],
    ['from=2025-01-01&to=2026-01-02&groupBy=DAY', 'to'],
    ['from=2026-01-01&to=2026-01-02', 'groupBy'],
    ['from=2026-01-01&to=2026-01-02&groupBy=YEAR', 'groupBy'],
    ['to=2026-01-02&groupBy=DAY', 'from'],
    ['from=2026-01-01&to=2026-01-02&groupBy=DAY&site=1', 'site'],
  ])('%s is refused', async (query, wrong) => {
    const { status, body } = await (await newDock()).call('GET', `/report?${query}`);
    expect([status, body.errors.map(({ field }: { field: string }) => field)]).toEqual([400, [wrong]]);
  });

  it('accepts 366 days', async () => {
    expect(await report(await newDock(), 'MONTH', '2024-01-01', '2024-12-31')).toEqual([]);
  });

  it('needs an organization that dispatches by shipment', async () => {
    const tenant = await newTenant({ dispatchStrategy: 'MANIFEST' });
    const { body } = await tenant.call('GET', '/report?from=2026-01-01&to=2026-01-02&groupBy=DAY');
    expect(body.code).toBe('shipmentStrategyRequired');
  });
});

describe('a report by carrier', () => {
  const completed = async (carriers: string[]): Promise<Dock> => {
    const dock = await newDock(ROLES);
    for (const [index, carrier] of carriers.entries()) {
      await dock.couple(`P${index}`);
      await dock.manifest(`M${index}`, `P${index}`);
      const customFields = [field('haulier', carrier)];
      await dock.shipment(`S${index}`, [`M${index}`], { gateIdentifier: 'G', customFields });
      await dock.must('POST', `/shipment/S${index}/status/IN_PROGRESS`);
      await dock.must(
        'POST',
        `/shipment/S${index}/status/COMPLETED?shortReason=${index % 2 ? 'Damaged' : 'Lost'}`,
      );
    }
    return dock;
  };

  it('spellings that differ in case, white space or normal form are one carrier', async () => {
    const dock = await completed([
      'DHL Freight',
      'dhl freight',
      'DHL  Freight',
      'DHL Freight ',
      'M\u00fcller',
      'Mu\u0308ller',
      'M\u00dcLLER',
    ]);
    expect(await report(dock, 'CARRIER')).toMatchObject([
      { group: 'DHL Freight', shipmentsCompleted: 4, shortByReason: [{ count: 2 }, { count: 2 }] },
      {
        group: 'M\u00fcller',
        shipmentsCompleted: 3,
        shortByReason: [{ reason: 'Lost', count: 2 }, { count: 1 }],
      },
    ]);
  });

  it('the first spelling in the order of code points names a carrier with equally frequent ones', async () => {
    const dock = await completed(['fast', 'FAST', 'Fast']);
    expect(await report(dock, 'CARRIER')).toMatchObject([{ group: 'FAST', shipmentsCompleted: 3 }]);
  });
});

it('a planned departure that is entered at completion counts', async () => {
  const dock = await loadingDock(ROLES);
  await dock.must('POST', '/shipment/S/custom-field', field('leaves', minutesAgo(-30)));
  const fields = [field('leaves', minutesAgo(30))];
  const sent = request('changeShipmentStatus', { identifier: 'S', status: 'COMPLETED', fields });
  expect(await writerOf(dock).execute(sent)).toMatchObject({ kind: 'done' });
  expect(await report(dock, 'DAY')).toMatchObject([
    { shipmentsPlanned: 1, shipmentsOnTime: 0, minutesLate: 30 },
  ]);
});

it('a shipment counts on the day of the site on which it was completed', async () => {
  const dock = await newDock({ ...ROLES, timeZone: 'America/New_York' });
  const at = (date: string, uuid: string) =>
    bindings.DB.prepare(
      `INSERT INTO shipment_figures VALUES (?, ?, ?, NULL, NULL, NULL, 1, 1, 1, 1, 0, 0, NULL, 0)`,
    ).bind(dock.uuid, Date.parse(date), uuid);
  // Clocks go back on 1 November 2026: the day has 25 hours.
  await bindings.DB.batch([
    at('2026-11-01T03:59:59.999Z', 'a'),
    at('2026-11-01T04:00:00Z', 'b'),
    at('2026-11-02T04:59:59.999Z', 'c'),
    at('2026-11-02T05:00:00Z', 'd'),
  ]);
  const rows = await report(dock, 'DAY', '2026-10-31', '2026-11-02');
  expect(rows.map(({ group, shipmentsCompleted }) => [group, shipmentsCompleted])).toEqual([
    ['2026-10-31', 1],
    ['2026-11-01', 2],
    ['2026-11-02', 1],
  ]);
  expect(await report(dock, 'GATE', '2026-11-01', '2026-11-01')).toMatchObject([
    { group: null, shipmentsCompleted: 2 },
  ]);
});

it('a report has the 500 carriers with most shipments, and says that it has not all', async () => {
  const dock = await newDock();
  await bindings.DB.prepare(
    `INSERT INTO shipment_figures SELECT ?1, 1000 + value, 's' || value, 'C' || (value % 501), NULL, NULL, 1, 1, 1, 1, 0, 0, NULL, 0
      FROM (WITH RECURSIVE n(value) AS (SELECT 0 UNION ALL SELECT value + 1 FROM n WHERE value < 1001) SELECT value FROM n)`,
  )
    .bind(dock.uuid)
    .run();
  const { body } = await dock.must('GET', '/report?from=1970-01-01&to=1970-01-01&groupBy=CARRIER');
  expect([body.content.length, body.truncated]).toEqual([500, true]);
});
