import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../../../src/core/lib/time.ts';
import { beginOf, dayAfter, dayIn } from '../../../../src/core/lib/zone.ts';
import { signIn } from '../../delivery/live/listener.ts';
import { type Dock, newDock } from '../../dispatch/load/shipment/dock.ts';
import { unescaped } from '../../markup.ts';
import { recorded } from '../../statements.ts';
import { type Pages, pagesOf } from './forms.ts';

const ZONE = 'Europe/Berlin';
const FIELDS = [
  { fieldKey: 'etd', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
  { fieldKey: 'haulier', fieldType: 'TEXT', role: 'CARRIER' },
];
const { DB } = env as unknown as { DB: D1Database };
const today = dayIn(ZONE, Date.now());

interface Completed {
  name: string;
  gate?: string;
  carrier?: string;
  /** Hours from the completion to the planned departure. */
  departs?: number;
  missing?: string;
  wrong?: string;
  /** Days since the completion. */
  ago?: number;
}

/** Completes a shipment with one loaded pallet. */
async function complete(dock: Dock, { name, gate, carrier, departs, missing, wrong, ago = 0 }: Completed) {
  await dock.couple(`${name}-1`, ...(wrong ? [wrong] : []));
  await dock.manifest(`M-${name}`, `${name}-1`, ...(missing === undefined ? [] : [`${name}-2`]));
  await dock.shipment(name, [`M-${name}`], gate ? { gateIdentifier: gate } : {});
  // The first instant of a day at the site. In UTC it is the day before.
  const closed = ago === 0 ? Date.now() : beginOf(ZONE, dayAfter(today, -ago));
  const etd = departs === undefined ? undefined : new Date(closed + departs * HOUR_MS).toISOString();
  for (const [fieldKey, fieldValue] of Object.entries({ etd, haulier: carrier }))
    if (fieldValue !== undefined)
      await dock.must('POST', `/shipment/${name}/custom-field`, { fieldKey, fieldValue });
  await dock.must('POST', `/shipment/${name}/status/IN_PROGRESS`);
  await dock.must('PATCH', `/shipment/${name}/asset-loading/track/${name}-1/status`, { status: 'LOADED' });
  if (wrong) {
    await dock.scan(wrong);
    await dock.scan(wrong, 'UNLOAD');
    await dock.scan(wrong);
  }
  const query = missing ? `?shortReason=${encodeURIComponent(missing)}` : '';
  await dock.must('POST', `/shipment/${name}/status/COMPLETED${query}`);
  if (ago === 0) return;
  const { uuid } = (await dock.must('GET', `/shipment/${name}`)).body;
  for (const [table, key] of [
    ['shipment', 'uuid'],
    ['shipment_figures', 'shipment_uuid'],
  ])
    await DB.prepare(`UPDATE ${table} SET close_date = ? WHERE ${key} = ?`).bind(closed, uuid).run();
}

let dock: Dock;
let pages: Pages;

beforeAll(async () => {
  dock = await newDock({ shipmentCustomFields: FIELDS, timeZone: ZONE });
  pages = pagesOf(await signIn(dock));
  const speedy = 'Speedy, <Sons> & Co';
  await complete(dock, { name: 'ON-TIME', gate: 'G', carrier: speedy, departs: 1 });
  await complete(dock, { name: 'LATE', gate: 'G', carrier: '=1+1', departs: -2, wrong: 'X-1' });
  await complete(dock, {
    name: 'SHORT',
    gate: 'H',
    carrier: speedy,
    departs: 1,
    missing: 'Next truck: at noon',
  });
  await complete(dock, { name: 'TYPED', gate: 'H', missing: 'The forklift, again' });
  await complete(dock, { name: 'SILENT', gate: 'H', missing: '' });
  await complete(dock, { name: 'EARLIER', gate: 'G', carrier: ' SPEEDY,  <sons> & Co', departs: -1, ago: 3 });
  await complete(dock, { name: 'BEFORE', gate: 'G', departs: 1, ago: 12 });
}, 60_000);

const RANGE = { from: dayAfter(today, -9), to: today };
const addressOf = (groupBy: string, path = '/app/report', range = RANGE) =>
  `${path}?${new URLSearchParams({ ...range, groupBy })}`;
const apiRows = async (groupBy: string) =>
  (await dock.must('GET', addressOf(groupBy, '/report'))).body.content as Record<string, number>[];

/** The text of an HTML element. */
const textOf = (html: string): string => unescaped(html.replace(/<[^>]*>/g, '')).trim();

/** The cells of the table of a report, row by row. */
const cellsOf = (html: string): string[][] =>
  [.../id="table".*?<tbody>(.*?)<\/tbody>/s.exec(html)![1]!.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row]) =>
    [...row!.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell]) => textOf(cell!)),
  );

/** The links to lists on a page, with their texts. */
const linksOf = (html: string): [href: string, text: string][] =>
  [...html.matchAll(/<a href="(\/app\/(?:shipment|report\/wrong-pallets)\?[^"]*)">(.*?)<\/a>/gs)].map(
    ([, href, text]) => [unescaped(href!), textOf(text!)],
  );

const rowsOf = (html: string): number =>
  Number(
    /<caption>[^<]*of (\d+)<\/caption>/.exec(html)?.[1] ?? (html.includes('class="empty"') ? 0 : Number.NaN),
  );

describe('the page of a report', () => {
  it.each(['DAY', 'WEEK', 'MONTH', 'CARRIER', 'GATE'])(
    'the page shows the figures of the API by %s',
    async (groupBy) => {
      const { status, html } = await pages.get(addressOf(groupBy));
      expect(status).toBe(200);
      const rows = await apiRows(groupBy);
      expect(rows.length).toBeGreaterThan(0);
      // A cell may have a second figure: 3 shipments, "With departure: 2" of them.
      const figuresOf = (cell: string) => (cell.match(/\d+/g) ?? []).map(Number);
      const shown = cellsOf(html).map((cells) => [
        ...figuresOf(cells[1]!),
        figuresOf(cells[2]!).at(-1),
        ...[7, 8, 9, 10].map((column) => figuresOf(cells[column]!)[0]),
      ]);
      expect(shown).toEqual(
        rows.map((row) => [
          row['shipmentsCompleted'],
          row['shipmentsPlanned'],
          row['shipmentsPlanned']! - row['shipmentsOnTime']!,
          row['palletsLoaded'],
          row['palletsCaught'],
          row['palletsWrong'],
          row['shipmentsShort'],
        ]),
      );
      expect(cellsOf(html).map((cells) => cells[2]!.replace(/\s*Late: .*/, ''))).toEqual(
        rows.map(({ shipmentsOnTime, shipmentsPlanned }) =>
          shipmentsPlanned === 0 ? '–' : `${Math.round((100 * shipmentsOnTime!) / shipmentsPlanned!)}%`,
        ),
      );
    },
  );

  it('each number leads to a list with exactly that many rows', async () => {
    let checked = 0;
    for (const groupBy of ['DAY', 'WEEK', 'CARRIER', 'GATE']) {
      const { html } = await pages.get(addressOf(groupBy));
      for (const [href, text] of linksOf(html)) {
        const listed = await pages.get(href);
        const number = /^\d+(?!%|\d)|(?<=: )\d+$/.exec(text)?.[0];
        expect([href, listed.status]).toEqual([href, 200]);
        if (number === undefined) {
          expect([href, text, rowsOf(listed.html) > 0]).toEqual([href, text, true]);
        } else expect([href, text, rowsOf(listed.html)]).toEqual([href, text, Number(number)]);
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThan(60);
  }, 60_000);

  it('reasons of short shipments lead to their shipments', async () => {
    const { html } = await pages.get(addressOf('CARRIER'));
    const reasons = linksOf(html).filter(([href]) => href.includes('shortReason'));
    expect(
      reasons.map(([href, text]) => [new URL(href, 'http://x').searchParams.get('shortReason'), text]),
    ).toEqual([
      ['Next truck', '1'],
      ['The forklift, again', '1'],
    ]);
    const names = async (href: string) =>
      [...(await pages.get(href)).html.matchAll(/<th scope="row">(.*?)<\/th>/gs)].map(([, name]) =>
        textOf(name!),
      );
    expect((await names(reasons[0]![0])).join()).toContain('SHORT');
    const [silent] = linksOf(html).find(([href]) => href.includes('without=SHORT_REASON'))!;
    expect((await names(silent)).join()).toContain('SILENT');
  });

  it('the list of wrong pallets names the pallet and its shipment', async () => {
    const { html } = await pages.get(addressOf('DAY', '/app/report/wrong-pallets'));
    expect([html.includes('X-1'), html.includes('>LATE<')]).toEqual([true, true]);
    const other = pagesOf(await signIn(await newDock({ shipmentCustomFields: FIELDS })));
    expect((await other.get('/app/report/wrong-pallets')).html).not.toContain('X-1');
    expect((await other.get('/app/report')).html).toContain('No shipment was completed in this period.');
  });

  it('the page shows in words how a report differs from the period before', async () => {
    const { html } = await pages.get(addressOf('DAY'));
    // Six shipments after one: two of four were on time, after one of one.
    expect(html).toContain('50 percentage points less than the 10 days before');
    expect(html).toContain('Today is not over.');
    const later = await pages.get(
      addressOf('DAY', '/app/report', { from: dayAfter(today, -3), to: dayAfter(today, -3) }),
    );
    // A Monday is compared with the Monday before.
    expect(later.html).toMatch(/no data for the (day before|same days of the week before)/);
    expect(later.html).not.toContain('Today is not over.');
  });

  it('a report is read in one round trip, and a year by day has a bounded size', async () => {
    expect(await recorded(() => pages.get(addressOf('GATE')))).toHaveLength(1);
    const year = { from: dayAfter(today, -365), to: today };
    const { status, html } = await pages.get(addressOf('DAY', '/app/report', year));
    expect([status, html.length < 100_000 || html.length]).toEqual([200, true]);
  });

  it('days that cannot be reported are named, and nothing is read', async () => {
    const tooLong = addressOf('DAY', '/app/report', { from: dayAfter(today, -366), to: today });
    const backwards = addressOf('DAY', '/app/report', { from: today, to: dayAfter(today, -1) });
    for (const [path, text] of [
      [tooLong, 'A report has at most 366 days.'],
      [backwards, 'The last day is before the first day.'],
    ] as const) {
      const trips = await recorded(async () => expect((await pages.get(path)).html).toContain(text));
      expect(trips).toHaveLength(0);
      expect((await pages.get(path.replace('/report', '/report.csv'))).status).toBe(400);
    }
    for (const query of [
      'from=2026-02-30',
      'from=0001-01-01',
      'groupBy=YEAR',
      'to=9999-12-31',
      'from=a&to=b',
    ])
      expect([query, (await pages.get(`/app/report?${query}`)).status]).toEqual([query, 200]);
  });

  it('the file of a report has the names and figures of the API, and no formula', async () => {
    const { status, html: file } = await pages.get(addressOf('CARRIER', '/app/report.csv'));
    expect(status).toBe(200);
    const [head, ...lines] = file.trim().split('\r\n');
    const rows = await apiRows('CARRIER');
    expect(head).toBe(
      Object.keys(rows[0]!)
        .map((name) => `"${name}"`)
        .join(),
    );
    expect(lines).toHaveLength(rows.length);
    const line = lines.find((one) => one.includes('1+1'))!;
    expect(line).toMatch(/^"'=1\+1","1","1","0",/);
    expect(lines.find((one) => one.startsWith('"Speedy'))).toContain('"Next truck: 1"');
  });

  it('the file of a report with too many carriers ends with a line that says so', async () => {
    const many = await newDock({ shipmentCustomFields: FIELDS });
    await DB.prepare(
      `INSERT INTO shipment_figures SELECT ?, 1000, 'S' || value, 'C' || value, NULL, NULL, 1, 1, 1, 1, 0, 0, NULL, 0
        FROM (WITH RECURSIVE n(value) AS (SELECT 0 UNION ALL SELECT value + 1 FROM n WHERE value < 500) SELECT value FROM n)`,
    )
      .bind(many.uuid)
      .run();
    const range = { from: '1970-01-01', to: '1970-01-01' };
    const path = addressOf('CARRIER', '/app/report.csv', range);
    const { html: file } = await pagesOf(await signIn(many)).get(path);
    const [head, ...lines] = file.trim().split('\r\n');
    const last = lines.pop()!;
    expect([lines.length, last.split('","').length]).toEqual([500, head!.split('","').length]);
    expect(last).toMatch(
      /^"The table shows only the 500 carriers or gates with the most shipments\."(,""){12}$/,
    );
  });

  it('the counts of the last 24 hours equal the lists that they link to', async () => {
    const { html } = await pages.get('/app/report');
    expect(html).toContain('Last 24 hours');
    const links = [...html.matchAll(/<dd><a href="(\/app\/(?:shipment|manifest|alert)\?[^"]*)">(\d+)<\/a>/g)];
    expect(links).toHaveLength(3);
    for (const [, href, count] of links) {
      const listed = await pages.get(unescaped(href!));
      expect([href, rowsOf(listed.html)]).toEqual([href, Number(count)]);
    }
    const past = await pages.get(addressOf('DAY', '/app/report', { from: '2020-01-01', to: '2020-01-02' }));
    expect(past.html).not.toContain('Last 24 hours');
    expect(past.html).toContain('No shipment was completed in this period.');
  });

  it('an organization without shipments has the last 24 hours, and a way to reports', async () => {
    const other = await newDock({ dispatchStrategy: 'MANIFEST' });
    const { html } = await pagesOf(await signIn(other)).get('/app/report');
    expect(html).toContain('This organization does not dispatch by shipment yet.');
    expect(html).toContain('Last 24 hours');
    expect(html).not.toContain('name="groupBy"');
  });
});
