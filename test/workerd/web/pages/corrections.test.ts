import { describe, expect, it } from 'vitest';
import { type Dock, newDock } from '../../dispatch/load/shipment/dock.ts';
import { recorded } from '../../statements.ts';
import { dataOf } from './data.ts';
import { type Addresses, addressesOf, departed, pageOf, saidBy } from './published.ts';

/** The corrections in the data of a proof, each as `revision pallet from to by`. */
async function corrections({ data }: Addresses): Promise<string[]> {
  const { body } = await dataOf(data);
  expect(body.revision).toBe(body.corrections.at(-1)?.revision ?? 0);
  return body.corrections.map(
    // biome-ignore lint/suspicious/noExplicitAny: an answer of the service
    (item: any) =>
      `${item.revision} ${item.trackIdentifier ?? item.markerCode ?? item.field} ${item.oldValue} ${item.newValue} ${item.actorType}`,
  );
}

const mark = (dock: Dock, pallet: string, json: object) =>
  dock.must('PATCH', `/shipment/S/asset-loading/track/${pallet}/status`, json);

describe('a correction after completion', () => {
  it('a correction is a numbered revision of every document that shows the record, and of no other', async () => {
    const dock = await departed();
    const [whole, m, n] = [
      await addressesOf(dock, 'shipment', 'S'),
      await addressesOf(dock, 'manifest', 'M'),
      await addressesOf(dock, 'manifest', 'N'),
    ];
    expect([await corrections(whole), await corrections(m), await corrections(n)]).toEqual([[], [], []]);
    await mark(dock, 'C', { status: 'LOADED', comment: 'Joan found it' });
    await mark(dock, 'D', { status: 'LOADED' });
    await mark(dock, 'C', { status: 'NOT_LOADED', gateExternalId: 'H' });
    expect(await corrections(whole)).toEqual([
      '1 C NOT_LOADED LOADED API_KEY',
      '2 D NOT_LOADED LOADED API_KEY',
      '3 C LOADED NOT_LOADED API_KEY',
    ]);
    expect(await corrections(m)).toEqual(['1 C NOT_LOADED LOADED API_KEY', '2 C LOADED NOT_LOADED API_KEY']);
    expect(await corrections(n)).toEqual(['1 D NOT_LOADED LOADED API_KEY']);
    const said = saidBy(await pageOf(whole.summary));
    expect(said).toContain('Revision 3, corrected since completion');
    expect(said).toContain('Corrections since completion (3)');
    expect(said).toMatch(/2 \d\d:\d\d D N Missing Loaded warehouse system/);
    // The page shows neither the person nor the comment.
    expect(said).not.toMatch(/Joan|WMS/);
  });

  it('a correction that removes an invalid record says so, also when the record is gone', async () => {
    const dock = await departed();
    const whole = await addressesOf(dock, 'shipment', 'S');
    await dock.must('DELETE', '/shipment/S/asset-loading/marker/4711');
    await dock.must('DELETE', '/shipment/S/asset-loading/track/X');
    expect(await corrections(whole)).toEqual([
      '1 4711 UNKNOWN_LOADING null API_KEY',
      '2 X WRONGLY_LOADED null API_KEY',
    ]);
    const { body } = await dataOf(whole.data);
    expect(body.corrections[1].markerCode).toBe(dock.codes['X']);
    // E is still aboard. Its order was cancelled.
    expect(body.counts).toMatchObject({ wronglyLoadedCount: 1, unknownLoadingCount: 0 });
    expect(saidBy(await pageOf(whole.summary))).toMatch(
      /1 \d\d:\d\d No identifier , Marker: 4711 N Unknown marker Removed/,
    );
  });

  it("a camera's correction after completion is a revision too", async () => {
    const dock = await departed();
    const whole = await addressesOf(dock, 'shipment', 'S');
    await dock.scan('A', 'OFFLOAD');
    expect(await corrections(whole)).toEqual(['1 A LOADED OFFLOADED ACCESS_TOKEN']);
    expect(saidBy(await pageOf(whole.summary))).toContain('Loaded Offloaded at destination device at a gate');
  });

  it('earlier changes and no-ops are no corrections', async () => {
    const dock = await newDock();
    await dock.couple('A', 'B');
    await dock.manifest('M', 'A');
    await dock.manifest('O', 'B');
    await dock.shipment('S', ['M', 'O'], { gateIdentifier: 'G' });
    await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
    await dock.must('POST', '/manifest/O/status/CANCELLED');
    // The manifest of this pallet is cancelled, so the pallet is no part of the shipment any more.
    const marked = { status: 'LOADED' };
    expect((await dock.call('PATCH', '/shipment/S/asset-loading/track/B/status', marked)).status).toBe(409);
    await mark(dock, 'A', { status: 'LOADED' });
    await dock.must('POST', '/shipment/S/status/COMPLETED');
    await mark(dock, 'A', { status: 'LOADED' });
    expect(await corrections(await addressesOf(dock, 'shipment', 'S'))).toEqual([]);
    await mark(dock, 'A', { status: 'NOT_LOADED', gateExternalId: 'G' });
    expect(await corrections(await addressesOf(dock, 'shipment', 'S'))).toEqual([
      '1 A LOADED NOT_LOADED API_KEY',
    ]);
  });

  it('a correction of a pallet on several manifests is one revision for each', async () => {
    const dock = await newDock();
    await dock.couple('A');
    await dock.manifest('M', 'A');
    await dock.manifest('N', 'A');
    await dock.shipment('S', ['M', 'N'], { gateIdentifier: 'G' });
    await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
    await dock.must('POST', '/shipment/S/status/COMPLETED');
    await mark(dock, 'A', { status: 'LOADED' });
    expect(await corrections(await addressesOf(dock, 'shipment', 'S'))).toHaveLength(2);
    expect(await corrections(await addressesOf(dock, 'manifest', 'N'))).toHaveLength(1);
  });

  it('corrections are counted and numbered when there are more than listed', async () => {
    const dock = await departed();
    const whole = await addressesOf(dock, 'shipment', 'S');
    for (let index = 0; index < 55; index += 1) {
      await mark(dock, 'C', { status: 'LOADED' });
      await mark(dock, 'C', { status: 'NOT_LOADED', gateExternalId: 'G' });
    }
    const html = await pageOf(whole.summary);
    const said = saidBy(html);
    expect(said).toContain('Corrections since completion (110)');
    expect(said).toContain('The latest 100 are listed.');
    const rows = html.slice(html.indexOf('id="corrections"')).matchAll(/<th scope="row">(\d+)<\/th>/g);
    expect([...rows].map(([, number]) => Number(number))).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 11),
    );
    expect(await corrections(whole)).toHaveLength(110);
  }, 60_000);

  it('a correction during a read is on the page completely or not at all', async () => {
    const dock = await departed();
    const whole = await addressesOf(dock, 'shipment', 'S');
    const { Database } = await import('../../../../src/core/lib/database.ts');
    const { ask } = Database.prototype;
    let done = false;
    Database.prototype.ask = async function (this: InstanceType<typeof Database>, asks) {
      const rows = await ask.call(this, asks);
      if (!done) {
        done = true;
        Database.prototype.ask = ask;
        await mark(dock, 'C', { status: 'LOADED' });
      }
      return rows as never;
    };
    const trips = await (async () => {
      try {
        const { body } = await dataOf(whole.data);
        expect(body.revision).toBe(1);
        expect(body.counts.loadedAssetsCount).toBe(2);
        return await recorded(() => dataOf(whole.data));
      } finally {
        Database.prototype.ask = ask;
      }
    })();
    expect(trips).toHaveLength(2);
  });
});
