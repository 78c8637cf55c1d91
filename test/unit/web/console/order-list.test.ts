import { describe, expect, it } from 'vitest';
import type { ShipmentCustomField } from '../../../../src/core/writer/settings.ts';
import { checkDigit } from '../../../../src/pallet/gs1.ts';
import { certaintyOf, orderColumns } from '../../../../src/web/console/order-list/columns.ts';
import { readOrders } from '../../../../src/web/console/order-list/read.ts';
import { fileValues } from '../../../../src/web/console/pallet-list/file.ts';
import { readPallets } from '../../../../src/web/console/pallet-list/read.ts';
import { cpuMs } from '../../../cpu-time.ts';
import { wordsIn } from '../../../messages.ts';
import { sheetOf } from './workbook.ts';

const sscc = (number: number): string => {
  const digits = `3952123${String(number).padStart(10, '0')}`;
  return digits + checkDigit(digits);
};
/** 2026-11-25 09:00 in Berlin. */
const NOW = Date.parse('2026-11-25T08:00:00Z');
const ROLES: ShipmentCustomField[] = [
  { fieldKey: 'etd', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
  { fieldKey: 'carrier', fieldType: 'TEXT', role: 'CARRIER' },
  { fieldKey: 'temperature', fieldType: 'NUMBER', role: null },
];
const words = wordsIn('en');

interface Chosen {
  column?: string;
  orderColumn?: string;
  shipmentColumn?: string;
  fields?: Record<string, string>;
  fillsOrders?: boolean;
}

/** Reads a list as the page does, with these live pallets. */
async function read(
  of: string | Uint8Array,
  { column = '', orderColumn = '', shipmentColumn = '', fields = {}, fillsOrders = false }: Chosen = {},
  dispatchStrategy: 'SHIPMENT' | 'MANIFEST' = 'SHIPMENT',
) {
  const bytes = typeof of === 'string' ? new TextEncoder().encode(of) : of;
  const values = await fileValues(words, bytes);
  const list = (await readPallets(
    { pallets: String(values['pallets']), column, sheet: String(values['sheet']) },
    words,
    async () => [],
  ))!;
  const settings = { dispatchStrategy, shipmentCustomFields: ROLES, timeZone: 'Europe/Berlin' };
  const columns = orderColumns(list, settings, { orderColumn, shipmentColumn, facts: {}, fields });
  const found =
    columns.order === undefined
      ? undefined
      : readOrders(list, columns, { timeZone: 'Europe/Berlin', now: NOW, fillsOrders }, words);
  return {
    list,
    columns,
    orders: found?.orders.map(({ externalIdentifier, assets, shipment }) => [
      externalIdentifier,
      assets,
      shipment,
    ]),
    priorities: found?.orders.map(({ externalIdentifier, priority }) => [externalIdentifier, priority]),
    shipments: found?.shipments.map(({ externalIdentifier, customFields }) => [
      externalIdentifier,
      Object.fromEntries(customFields.map(({ fieldKey, fieldValue }) => [fieldKey, fieldValue])),
    ]),
    bad: found?.bad.map(({ line, reason }) => `${line}: ${reason()}`),
  };
}

describe('a line without an order', () => {
  const wrong = `${sscc(3).slice(0, -1)}${(Number(sscc(3).at(-1)) + 1) % 10}`;
  const list = [
    'Order;NVE;Tour',
    `;${sscc(9)};`,
    `O-1;${sscc(1)};T-1`,
    `;${sscc(2)};`,
    `O-2;${wrong};T-2`,
    `;${sscc(4)};`,
  ].join('\n');

  it('is bad by default', async () => {
    expect((await read(list)).orders).toEqual([['O-1', [sscc(1)], 'T-1']]);
  });

  it('has the order and the shipment of the line above if the user chooses it, also above a bad line', async () => {
    const { orders, bad } = await read(list, { fillsOrders: true });
    expect(orders).toEqual([
      ['O-1', [sscc(1), sscc(2)], 'T-1'],
      ['O-2', [sscc(4)], null],
    ]);
    expect(bad).toEqual(['2: The line names no order.', '5: The check digit of this SSCC is wrong.']);
  });
});

describe('a column of departures', () => {
  it.each(['Abfahrt', 'Abfahrtszeit', 'Departure', 'Shipment departure', 'Partenza'])(
    '%s is never the name of a shipment',
    async (heading) => {
      expect(certaintyOf(heading, 'SHIPMENT')).toBe(0);
      expect(certaintyOf(heading, 'PLANNED_DEPARTURE')).toBeGreaterThan(0);
      const found = await read(`Order;NVE;${heading}\nO-1;${sscc(1)};25.11.2026 18:30`, {}, 'SHIPMENT');
      expect(found.columns.shipment).toBeUndefined();
    },
  );
  it('trips and tours still are', () => {
    for (const heading of ['Fahrt', 'Tour', 'LKW-Fahrt', 'Trip no'])
      expect(certaintyOf(heading, 'SHIPMENT'), heading).toBeGreaterThan(0);
  });
});

describe('a list of orders', () => {
  it('an export of SAP with German headings becomes manifests and shipments with carrier and departure', async () => {
    const file = [
      'Transport;Lieferung;Pos;NVE;Ware;Gewicht;Spediteur;Abfahrtszeit',
      `T-1;80001;1;${sscc(1)};Schrauben;"812,5";Nordfracht GmbH;25.11.2026 14:30`,
      `T-1;80001;2;${sscc(2)};Muttern;"640,0";Nordfracht GmbH;25.11.2026 14:30`,
      `T-1;80002;1;${sscc(3)};Schrauben;"812,5";;`,
      `T-2;80003;1;${sscc(4)};Bolzen;"99,0";Alpen Cargo;26.11.2026 06:05`,
      '',
    ].join('\r\n');
    const latin1 = Buffer.from(file, 'latin1');
    const { orders, shipments, bad, list } = await read(latin1);
    expect(list.taken).toBe('4');
    expect(orders).toEqual([
      ['80001', [sscc(1), sscc(2)], 'T-1'],
      ['80002', [sscc(3)], 'T-1'],
      ['80003', [sscc(4)], 'T-2'],
    ]);
    expect(shipments).toEqual([
      ['T-1', { etd: '2026-11-25T14:30:00+01:00', carrier: 'Nordfracht GmbH' }],
      ['T-2', { etd: '2026-11-26T06:05:00+01:00', carrier: 'Alpen Cargo' }],
    ]);
    expect(bad).toEqual([]);
  });

  it('a workbook with dates as numbers, shortened numbers and a line without an order names each problem', async () => {
    const { orders, shipments, bad } = await read(
      sheetOf([
        ['Tour', 'Order No.', 'SSCC', 'Carrier', 'ETD'],
        ['R7', 'SO-1', sscc(1), 'Harbour', { number: '46351.604166666664' }],
        ['R7', 'SO-1', { number: '3.95212E+17' }, 'Harbour', { number: '46351.604166666664' }],
        ['R7', '', sscc(2), 'Harbour', ''],
        ['R8', 'SO-1', sscc(3), 'Harbour', ''],
        ['R7', 'SO-2', sscc(4), 'Other', ''],
        ['R7', 'SO-2', sscc(1), 'Harbour', ''],
        ['R7', 'SO-2', sscc(5), 'Harbour', ''],
      ]),
    );
    expect(orders).toEqual([
      ['SO-1', [sscc(1)], 'R7'],
      ['SO-2', [sscc(5)], 'R7'],
    ]);
    expect(shipments).toEqual([['R7', { etd: '2026-11-25T14:30:00+01:00', carrier: 'Harbour' }]]);
    expect(bad).toEqual([
      '3: A spreadsheet has shortened this number. Format the column as text and save the file again.',
      '4: The line names no order.',
      '5: Order SO-1 has another shipment in line 2.',
      '6: Carrier differs from line 2 of the same shipment.',
      '7: It is already in line 2.',
    ]);
  });

  it.each([
    ['en', 'Load\tSales order\tLPN'],
    ['de', 'Sendungs-Nr.\tAuftragsnummer\tPalettennummer'],
    ['es', 'Envío\tN.º pedido\tPalé'],
    ['fr', 'Expédition\tN° commande\tPalette'],
    ['it', 'Spedizione\tNumero ordine\tPallet'],
    ['nl', 'Rit\tBestelnummer\tPallet'],
    ['pl', 'Wysyłka\tNr zlecenia\tPaleta'],
    ['pt', 'Viagem\tEncomenda n.º\tPalete'],
  ])('a pasted list with headings in %s is grouped by order and shipment', async (_, heading) => {
    const { orders } = await read(`${heading}\nS-1\tO-1\tP-1\nS-1\tO-2\tP-2\nS-2\tO-3\tP-3\n`);
    expect(orders).toEqual([
      ['O-1', ['P-1'], 'S-1'],
      ['O-2', ['P-2'], 'S-1'],
      ['O-3', ['P-3'], 'S-2'],
    ]);
  });

  it('a table without headings is grouped by the ids that repeat', async () => {
    const rows = [1, 2, 3, 4, 5, 6].map((at) => `${sscc(at)},A${10 + Math.ceil(at / 3)},12.5,Bolts`);
    const { orders, list } = await read(rows.join('\n'));
    expect(list.taken).toBe('1');
    expect(orders!.map(([name, pallets]) => [name, pallets!.length])).toEqual([
      ['A11', 3],
      ['A12', 3],
    ]);
  });

  it.each([
    'Order date',
    'Order quantity',
    'Auftragsposition',
    'Auftragsdatum',
    'Lieferadresse Name',
    'Kunde',
    'Gate',
  ])('a column %s is not the column of the orders', (heading) => {
    expect(certaintyOf(heading, 'ORDER')).toBe(0);
  });

  it('a column that is chosen counts, and a list without a column of orders has no orders', async () => {
    const list = `Delivery;Wave;LPN\nD-1;W-1;P-1\nD-2;W-1;P-2`;
    expect((await read(list)).orders!.map(([name]) => name)).toEqual(['D-1', 'D-2']);
    expect((await read(list, { orderColumn: '2' })).orders).toEqual([['W-1', ['P-1', 'P-2'], null]]);
    expect((await read(list, { orderColumn: '2', shipmentColumn: '1' })).bad).toEqual([
      '3: Order W-1 has another shipment in line 2.',
    ]);
    expect((await read('LPN\nP-1\nP-2')).orders).toBeUndefined();
    expect((await read(list, { orderColumn: 'none' })).orders).toBeUndefined();
  });

  it('a site that dispatches by manifest gets no shipments', async () => {
    const { orders, shipments } = await read('Tour;Order;LPN\nT;O-1;P-1', {}, 'MANIFEST');
    expect([orders, shipments]).toEqual([[['O-1', ['P-1'], null]], []]);
  });

  it('a field without a role is found by its key, and a value of another type is a bad line', async () => {
    const { shipments, bad } = await read(
      'Trip;Order;LPN;Temperature\nT-1;O-1;P-1;-18\nT-2;O-2;P-2;cold\nT-3;O-3;P-3;',
    );
    expect(shipments).toEqual([
      ['T-1', { temperature: '-18' }],
      ['T-3', {}],
    ]);
    expect(bad).toEqual(['3: temperature cannot be stored.']);
  });

  it('a column of priorities is found by its heading, in names of the API or words of the page', async () => {
    const { columns, priorities, bad } = await read(
      'Order;Priority;LPN\nA;HIGH;P-1\nA;high;P-2\nB;;P-3\nC;Low;P-4\nD;soon;P-5\nA;LOW;P-6',
    );
    expect(columns.facts).toEqual({ priority: 2 });
    expect(priorities).toEqual([
      ['A', 'HIGH'],
      ['B', undefined],
      ['C', 'LOW'],
    ]);
    expect(bad).toEqual(['6: Priority cannot be stored.', expect.stringContaining('7: ')]);
  });

  it('a blank priority says nothing, so a later line of the order may name one, and then only that', async () => {
    const { priorities, bad } = await read('Order;Priority;LPN\nA;;P-1\nA;HIGH;P-2\nA;;P-3\nA;LOW;P-4');
    expect(priorities).toEqual([['A', 'HIGH']]);
    expect(bad).toEqual([expect.stringMatching(/^5: .*3/)]);
  });

  it('ids that cannot be stored or cannot be part of a path are bad lines', async () => {
    const { orders, bad } = await read(`Order;LPN\n..;P-1\n${'x'.repeat(256)};P-2\n#REF!;P-3\n4,2E+11;P-4`);
    expect(orders).toEqual([]);
    expect(bad).toEqual([
      '2: The order id is too long or contains characters that cannot be stored.',
      '3: The order id is too long or contains characters that cannot be stored.',
      '4: The spreadsheet shows an error in this cell.',
      expect.stringContaining('5: A spreadsheet has shortened'),
    ]);
  });
});

describe('the column with the pallets', () => {
  const columns = [
    [1, 'a', '12,5'],
    [2, 'b', '7,0'],
  ] as const;

  it('a column of SSCCs is taken although another column has the heading of pallets', async () => {
    const { list } = await read(
      `Palette;Barcode;Ware\n${columns.map(([at, ware]) => `${at};${sscc(at)};${ware}`).join('\n')}`,
    );
    expect([list.taken, list.pallets]).toEqual(['2', [sscc(1), sscc(2)]]);
  });

  it.each(['1', '3', '4', 'line'])(
    'column %s is not offered for pallets beside a column of SSCCs',
    async (column) => {
      const rows = columns.map(([at, ware, weight]) => `${at};${sscc(at)};${ware};${weight}`);
      const { list } = await read(`Pos;NVE;Ware;Gewicht\n${rows.join('\n')}`, { column });
      expect([list.taken, list.better]).toEqual([column, '2']);
    },
  );

  it('numbers that a spreadsheet has shortened are no pallets', async () => {
    const { list } = await read('Pos;NVE;Ware\n1;3,95212E+17;Schrauben\n2;3,95212E+17;Muttern');
    expect([list.taken, list.pallets, list.bad.length]).toEqual(['2', [], 2]);
  });
});

it('a date, a name or a value that is too long is a bad line, and is not read', async () => {
  const blanks = ' '.repeat(60_000);
  const list = `Auftrag;Sendung;NVE;etd;carrier
A1;S1;P-1;1.1.26 1${blanks}!;DHL
A2${'x'.repeat(600)};S2;P-2;;DHL
A3;S3;P-3;;${'x'.repeat(2_500)}
A4;S4;P-4;;DHL`;
  const started = cpuMs();
  const { bad } = await read(list, { orderColumn: '1', shipmentColumn: '2', column: '3' });
  expect(bad?.map((line) => line.split(':')[0])).toEqual(['2', '3', '4']);
  expect(cpuMs() - started).toBeLessThan(1_000);
});
