import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { batchesOf, palletsOf, scansOf, shipmentsOf } from '../../../../src/cli/wms/shipments.ts';
import { orderOf, planOf } from './world.ts';

/** Shipments of two pallets each, one per day. */
const daily = (days: number) =>
  Array.from({ length: days }, (_, index) => {
    const day = new Date(Date.UTC(1996, 6, 1 + index)).toISOString().slice(0, 10);
    return orderOf(String(1_000 + index), day, String(1 + (index % 3)), 2);
  });

const order = fc
  .record({
    day: fc.option(fc.constantFrom('1996-07-15', '1996-07-16', '1997-01-01'), { nil: undefined }),
    shipper: fc.constantFrom('1', '2', 'OTHER'),
    pallets: fc.nat({ max: 5 }),
  })
  .map(
    ({ day, shipper, pallets }) =>
      (id: number) =>
        orderOf(String(id), day, shipper, pallets),
  );
const orders = fc
  .array(order, { maxLength: 40 })
  .map((makers) => makers.map((make, index) => make(index + 1)));

describe('shipments of orders', () => {
  test('WMS shipments group the orders of one day and shipper, in order', () => {
    const shipments = shipmentsOf([
      orderOf('1', '1996-07-16', '3', 2),
      orderOf('2', '1996-07-15', '3', 1),
      orderOf('3', undefined, '3', 1),
      orderOf('4', '1996-07-16', '1', 1),
      orderOf('5', '1996-07-16', '3', 1),
    ]);
    expect(
      shipments.map((shipment) => [
        shipment.shipmentId,
        shipment.gateId,
        shipment.orders.map((member) => member.manifestId),
      ]),
    ).toEqual([
      ['SHIP-1996-07-15-3', 'GATE-3', ['ORDER-2']],
      ['SHIP-1996-07-16-1', 'GATE-1', ['ORDER-4']],
      ['SHIP-1996-07-16-3', 'GATE-3', ['ORDER-1', 'ORDER-5']],
    ]);
    expect(shipments[2]!.fields).toEqual([
      { fieldKey: 'shipper', fieldValue: 'Shipper 3' },
      { fieldKey: 'shippedDate', fieldValue: '1996-07-16' },
      { fieldKey: 'orders', fieldValue: '2' },
    ]);
  });

  test('WMS shipments contain each shipped order once and no other', () => {
    fc.assert(
      fc.property(orders, (all) => {
        const shipments = shipmentsOf(all);
        const members = shipments.flatMap((shipment) => shipment.orders);
        expect(new Set(members).size).toBe(members.length);
        expect(new Set(members)).toEqual(new Set(all.filter((one) => one.shippedDay !== undefined)));
        for (const { shipmentId, gateId, orders: own } of shipments) {
          for (const { shippedDay, shipper, gateId: gate } of own) {
            expect([`SHIP-${shippedDay}-${shipper.id}`, gate]).toEqual([shipmentId, gateId]);
          }
        }
        expect(new Set(shipments.map((shipment) => shipment.shipmentId)).size).toBe(shipments.length);
      }),
    );
  });
});

describe('scans of shipments', () => {
  test('the scans of a WMS shipment are all of its pallets, and in some a foreign one', () => {
    const { shipments, scans, codes } = planOf(daily(60));
    const strays = (outcome: string) =>
      shipments.flatMap(({ shipmentId }, index) =>
        scans
          .get(shipmentId)!
          .filter((scan) => scan.outcome === outcome)
          .map(() => index),
      );
    expect(strays('WRONGLY_LOADED')).toEqual([0, 12, 12, 24, 36, 36, 48]);
    expect(strays('UNKNOWN_LOADING')).toEqual([0, 20, 40]);
    const [unknown] = scans
      .get(shipments[20]!.shipmentId)!
      .filter((scan) => scan.outcome === 'UNKNOWN_LOADING');
    expect(unknown).toMatchObject({ sscc: null, scanId: `unknown:${shipments[20]!.shipmentId}` });
    expect([...codes.values()]).not.toContain(unknown!.markerCode);
  });

  test('the scans of WMS shipments are the same in every run, with unique scanIds', () => {
    fc.assert(
      fc.property(orders, (all) => {
        const { shipments, scans, codes } = planOf(all);
        expect(scansOf(shipments, codes)).toEqual(scans);
        const planned = [...scans.values()].flat();
        const ids = planned.map((scan) => scan.scanId);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.every((id) => id.length >= 1 && id.length <= 100)).toBe(true);
        for (const shipment of shipments) {
          const own = new Set(palletsOf(shipment));
          const read = scans.get(shipment.shipmentId)!;
          expect(read.filter((scan) => scan.outcome === 'LOADED').map((scan) => scan.sscc)).toEqual([...own]);
          for (const { outcome, sscc, markerCode } of read) {
            if (outcome !== 'LOADED') expect(own.has(sscc ?? '')).toBe(false);
            if (sscc !== null) expect(markerCode).toBe(codes.get(sscc));
          }
        }
      }),
    );
  });

  test('the scans of a single WMS shipment contain no foreign pallet', () => {
    const { scans } = planOf(daily(1));
    expect([...scans.values()].flat().map((scan) => scan.outcome)).toEqual([
      'UNKNOWN_LOADING',
      'LOADED',
      'LOADED',
    ]);
  });

  test('the scans of WMS shipments need the marker of every pallet', () => {
    const { shipments } = planOf(daily(1));
    expect(() => scansOf(shipments, new Map())).toThrow(/has no marker/);
  });

  test.each([
    [0, []],
    [1, [1]],
    [100, [100]],
    [101, [100, 1]],
    [250, [100, 100, 50]],
  ])('%i scans travel in requests of %j', (count, sizes) => {
    const items = Array.from({ length: count }, (_, index) => index);
    const batches = batchesOf(items);
    expect(batches.map((batch) => batch.length)).toEqual(sizes);
    expect(batches.flat()).toEqual(items);
  });
});
