import { describe, expect, it } from 'vitest';
import { signIn } from '../../delivery/live/listener.ts';
import { loadingDock } from '../../dispatch/load/shipment/dock.ts';
import { pagesOf } from './forms.ts';

/** The text of the page without markup. */
const shown = async (): Promise<string> => {
  const { html } = await pages.get(path);
  return html
    .slice(html.indexOf('<main'))
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
};

const dock = await loadingDock();
const pages = pagesOf(await signIn(dock, 'ADMINISTRATOR'));
const path = `/app/shipment/${(await dock.must('GET', '/shipment/S')).body.uuid}`;

describe('the page of a shipment', () => {
  it('the shipment page shows first how much is loaded and which pallets are wrong', async () => {
    const { totalAssetsCount: total } = (await dock.must('GET', '/shipment/S')).body;
    expect(await shown()).toContain(`0 of ${total} loaded ${total} to load.`);
    const counted = async () =>
      (await pages.get(`${path}/loading-list`)).html.match(/class="of"[^>]*>[^<]*: \d+ pallets?/g);
    const before = await counted();
    expect(before).not.toBeNull();
    await dock.scan('X');
    // A wrong pallet is on the printed list, but the list of its manifest has no more pallets.
    expect(await counted()).toEqual(before);
    const page = await shown();
    expect(page).toContain('1 wrong pallet aboard. Take it off before the truck leaves.');
    expect(page.indexOf('wrong pallet')).toBeLessThan(page.indexOf(`of ${total} loaded`));
    const record = /name="record" value="([^"]+)"/.exec((await pages.get(path)).html)![1]!;
    expect((await pages.send(path, 'removeRecord', { record })).status).toBe(303);
    expect(await shown()).not.toContain('wrong pallet aboard');
  });

  it('a load of more pallets than are searched has no empty list of problems', async () => {
    const assets = Array.from({ length: 501 }, (_, index) => `MANY-${index}`);
    const { uuid } = (await dock.must('POST', '/manifest', { externalIdentifier: 'MANY', assets })).body;
    const { html } = await pages.get(`/app/manifest/${uuid}`);
    expect(html).toContain('500');
    expect(html).not.toContain('problems-title');
    await dock.couple('MANY-0');
    await dock.must('PATCH', '/track/MANY-0/flag', { reason: 'Wet' });
    expect((await pages.get(`/app/manifest/${uuid}`)).html).toContain('problems-title');
  });

  it('the page of a completed shipment shows the pallets that stayed, without offloaded pallets', async () => {
    const records = (await dock.must('GET', '/shipment/S/asset-loading')).body;
    const total = records.length;
    const mark = async (record: string, status: string) =>
      await pages.send(path, 'mark', {
        pallet: records.find(({ recordUuid }: { recordUuid: string }) => recordUuid === record)
          .trackIdentifier,
        status,
        gate: 'G',
        comment: '',
      });
    expect((await mark(records[0].recordUuid, 'LOADED')).status).toBe(303);
    expect((await pages.agree(path, 'status', { status: 'COMPLETED' })).status).toBe(303);
    expect(await shown()).toContain('Completed, some missing');
    expect(await shown()).toContain(`${total - 1} stayed behind`);
    for (const { recordUuid } of records.slice(1)) await mark(recordUuid, 'LOADED');
    expect(await shown()).not.toContain('Completed, some missing');
    await dock.scan(records[0].trackIdentifier, 'OFFLOAD');
    const after = await shown();
    expect(after).toContain('Everything has left 1 offloaded at the destination');
    expect(after).not.toContain('Completed, some missing');
  });
});
