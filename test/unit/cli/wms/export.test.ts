import { describe, expect, test } from 'vitest';
import { isSscc } from '../../../../src/cli/demo/sscc.ts';
import { type ExportTexts, mapExport } from '../../../../src/cli/wms/export.ts';

const ORDERS =
  'orderID,customerID,employeeID,orderDate,requiredDate,shippedDate,shipVia,freight,' +
  'shipName,shipAddress,shipCity,shipRegion,shipPostalCode,shipCountry';
const plain =
  "1001,VINET,5,1996-07-04 00:00:00.000,1996-08-01 00:00:00.000,1996-07-16 00:00:00.000,3,32.38,Vins,59 rue de l'Abbaye,Reims,NULL,51100,France";
/** An order with an unquoted comma in the address, so it has one column more than the header. */
const comma =
  '1002,HANAR,4,1996-07-08 00:00:00.000,1996-08-05 00:00:00.000,NULL,2,65.83,Hanari Carnes,Rua do Paço, 67,Rio de Janeiro,RJ,05454-876,Brazil';

const texts = (changed: Partial<ExportTexts> & { rows?: string[] } = {}): ExportTexts => ({
  orders: [ORDERS, ...(changed.rows ?? [plain, comma])].join('\n'),
  orderDetails: [
    'orderID,productID,unitPrice,quantity,discount',
    '1001,11,14.00,12,0',
    '1001,42,9.80,10,0.15',
    '1002,11,7.70,5,0',
  ].join('\n'),
  customers: [
    'customerID,companyName,contactName,contactTitle,address,city,region,postalCode,country,phone,fax',
    'VINET,Vins et alcools Chevalier,Paul Henriot,Manager,Abbaye,Reims,NULL,51100,France,26,26',
    'HANAR,Hanari Carnes,Mario Pontes,Manager,Rua do Paço, 67,Rio,RJ,05454,Brazil,21,NULL',
  ].join('\n'),
  shippers: ['shipperID,companyName,phone', '2,United Package,(503)', '3,Federal Shipping,(503)'].join('\n'),
  ...changed,
});

const values = (fields: { fieldKey: string; fieldValue: string }[]) =>
  Object.fromEntries(fields.map(({ fieldKey, fieldValue }) => [fieldKey, fieldValue]));

const countryOf = (row: string) =>
  values(mapExport(texts({ rows: [row, comma] })).orders[0]!.fields)['shipCountry'];

describe('WMS export', () => {
  test('a WMS order becomes a manifest with its fields and a line per pallet', () => {
    const { orders, gates } = mapExport(texts());
    const [first] = orders;
    expect(orders.map((order) => order.manifestId)).toEqual(['ORDER-1001', 'ORDER-1002']);
    expect(first).toMatchObject({
      shippedDay: '1996-07-16',
      shipper: { id: '3', name: 'Federal Shipping' },
      gateId: 'GATE-3',
    });
    expect(values(first!.fields)).toEqual({
      customer: 'Vins et alcools Chevalier',
      shipper: 'Federal Shipping',
      orderDate: '1996-07-04',
      requiredDate: '1996-08-01',
      shipCountry: 'France',
    });
    expect(first!.pallets.map(({ fields }) => values(fields))).toEqual([
      { product: '11', quantity: '12' },
      { product: '42', quantity: '10' },
    ]);
    const codes = orders.flatMap((order) => order.pallets.map((pallet) => pallet.sscc));
    expect(codes.every(isSscc)).toBe(true);
    expect(new Set(codes).size).toBe(3);
    expect(gates).toEqual([
      { externalIdentifier: 'GATE-3', name: 'Gate of Federal Shipping' },
      { externalIdentifier: 'GATE-2', name: 'Gate of United Package' },
    ]);
  });

  test('a WMS row with unquoted commas loses no field that is read', () => {
    const [, second] = mapExport(texts()).orders;
    expect(second).toMatchObject({ shippedDay: undefined, gateId: 'GATE-2' });
    expect(values(second!.fields)).toEqual({
      customer: 'Hanari Carnes',
      shipper: 'United Package',
      orderDate: '1996-07-08',
      requiredDate: '1996-08-05',
      shipCountry: 'Brazil',
    });
  });

  test('more commas and a quoted field in a WMS row change nothing', () => {
    expect(countryOf(plain.replace('Vins,', 'Vins, alcools, cidres,'))).toBe('France');
    expect(countryOf(plain.replace("59 rue de l'Abbaye", '"59, rue de l\'Abbaye"'))).toBe('France');
    expect(countryOf(plain.replace('Vins,', 'Vins "fins",'))).toBe('France');
  });

  test('a WMS row with an ambiguous country has no country', () => {
    expect(countryOf(plain.replace(',France', ''))).toBeUndefined();
    expect(countryOf(plain.replace('France', 'NULL'))).toBeUndefined();
    expect(countryOf(plain.replace('France', '51100'))).toBeUndefined();
  });

  test('NULL and unknown values of a WMS row become no field', () => {
    const row = plain
      .replace('VINET', 'NOONE')
      .replace('1996-08-01 00:00:00.000', 'NULL')
      .replace(',3,32', ',NULL,32');
    const { orders, gates } = mapExport(texts({ rows: [row, comma] }));
    expect(orders[0]).toMatchObject({
      gateId: 'GATE-OTHER',
      shipper: { id: 'OTHER', name: 'other shippers' },
    });
    expect(values(orders[0]!.fields)).toEqual({ orderDate: '1996-07-04', shipCountry: 'France' });
    expect(gates[0]).toEqual({ externalIdentifier: 'GATE-OTHER', name: 'Gate of other shippers' });
  });

  test('a byte order mark, CRLF and blank lines of a WMS file do not matter', () => {
    const orders = `\uFEFF${texts().orders.replaceAll('\n', '\r\n')}\r\n\r\n`;
    expect(mapExport(texts({ orders }))).toEqual(mapExport(texts()));
  });

  test('a WMS order without lines becomes a manifest without pallets', () => {
    const { orders } = mapExport(texts({ rows: [plain, comma, plain.replace('1001', '1003')] }));
    expect(orders[2]).toMatchObject({ manifestId: 'ORDER-1003', pallets: [] });
  });

  test.each([
    ['an order twice', { rows: [plain, plain, comma] }, /1001 occurs twice/],
    ['a line without its order', { rows: [plain] }, /1002 has lines/],
    [
      'an invalid shipped date',
      { rows: [plain.replace('1996-07-16 00:00:00.000', '16/07/1996'), comma] },
      /1001 has the shipped date 16\/07\/1996/,
    ],
    ['another file', { orders: 'a,b\n1,2' }, /must begin with the columns orderID/],
    [
      'a line twice',
      { orderDetails: 'orderID,productID,unitPrice,quantity\n1001,11,1,1\n1001,11,1,2' },
      /Product 11 occurs twice in order 1001/,
    ],
  ])('the WMS import refuses %s', (_, changed, message) => {
    expect(() => mapExport(texts(changed))).toThrow(message);
  });
});
