import { expect, it } from 'vitest';
import { signIn } from '../../delivery/live/listener.ts';
import { newDock } from '../../dispatch/load/shipment/dock.ts';
import { pagesOf } from './forms.ts';

const PALLET = 'PAL-90017';

/** A dock whose manifests M and N expect a pallet without a marker. */
async function expecting() {
  const dock = await newDock();
  await dock.couple('A');
  await dock.manifest('M', PALLET, 'A');
  await dock.manifest('N', PALLET);
  return { dock, pages: pagesOf(await signIn(dock, 'ADMINISTRATOR')) };
}

it('a pallet without a marker is found by its id and by a part of it, and has a page with its manifests', async () => {
  const { dock, pages } = await expecting();
  const { status, location } = await pages.get(`/app/search?q=${PALLET}`);
  expect([status, location]).toEqual([303, expect.stringMatching(/^\/app\/asset\/[0-9a-f-]{36}$/)]);
  const { html } = await pages.get(location!);
  const label = `${location}/label.pdf`;
  for (const text of [PALLET, 'no marker yet', '>M<', '>N<', `href="${label}"`]) expect(html).toContain(text);
  expect((await pages.get(label)).html.startsWith('%PDF-')).toBe(true);
  const part = await pages.get('/app/search?q=90017');
  expect(part.html).toContain('Pallets without a marker');
  // It is one pallet, although two manifests expect it.
  expect(part.html.split('href="/app/asset/')).toHaveLength(2);
  expect((await pages.get(`/app/search?q=${PALLET.toLowerCase().slice(1)}`)).html).toContain(location!);
  // The page of a manifest leads to it, too.
  const { uuid } = (await dock.must('GET', '/manifest/M')).body;
  expect((await pages.get(`/app/manifest/${uuid}`)).html).toContain('href="/app/asset/');
});

it('a pallet gets its marker on its page, and is then found as any pallet', async () => {
  const { dock, pages } = await expecting();
  const { location } = await pages.get(`/app/search?q=${PALLET}`);
  const given = await pages.send(location!, 'giveMarkers', {});
  expect([given.status, given.html.startsWith('%PDF-')]).toEqual([200, true]);
  const { uuid, markerCode } = (await dock.must('GET', `/track/${PALLET}`)).body;
  expect(markerCode).toBeGreaterThan(0);
  expect((await pages.get(location!)).location).toBe(`/app/track/${uuid}`);
  expect((await pages.get(`/app/search?q=${PALLET}`)).location).toBe(`/app/track/${uuid}`);
});

it('pallets without a marker have a list, and chosen ones get their markers there', async () => {
  const { dock, pages } = await expecting();
  await dock.manifest('O', 'OTHER-1', 'OTHER-2');
  expect((await pages.get('/app/track')).html).toContain('href="/app/asset"');
  const linksOf = (html: string) =>
    [...html.matchAll(/href="\/app\/asset\/([0-9a-f-]{36})"/g)].map(([, uuid]) => uuid!);
  const { html } = await pages.get('/app/asset');
  const uuids = linksOf(html);
  expect(uuids).toHaveLength(3);
  for (const text of [PALLET, 'OTHER-1', 'OTHER-2', 'To load', '>O<']) expect(html).toContain(text);
  expect(linksOf((await pages.get('/app/asset?q=other')).html)).toHaveLength(2);
  expect((await pages.get('/app/asset.csv')).html).toContain(PALLET);
  const labels = await pages.send('/app/asset', 'labels', { row: uuids[0]! });
  expect([labels.status, labels.html.startsWith('%PDF-')]).toEqual([200, true]);
  for (const row of uuids) {
    const given = await pages.send('/app/asset', 'giveMarkers', { row });
    expect([given.status, given.html.startsWith('%PDF-')]).toEqual([200, true]);
  }
  for (const pallet of [PALLET, 'OTHER-1', 'OTHER-2']) await dock.must('GET', `/track/${pallet}`);
  expect((await pages.get('/app/asset')).html).toContain('Every pallet of the open manifests has a marker.');
});

it('a pallet without a marker is found after its truck has left, loaded or left behind, and its page says when it left', async () => {
  const dock = await newDock();
  const [aboard, behind] = ['395212349000000123', '395212349000000130'];
  await dock.manifest('GONE', aboard!, behind!);
  for (const change of ['gate/G', 'status/TO_DO', 'status/IN_PROGRESS'])
    await dock.must('POST', `/manifest/GONE/${change}`);
  const records = (await dock.must('GET', '/manifest/GONE/asset-loading')).body;
  const { recordUuid } = records.find((one: { trackIdentifier: string }) => one.trackIdentifier === aboard);
  await dock.must('PATCH', `/manifest/GONE/asset-loading/${recordUuid}/status`, { status: 'LOADED' });
  await dock.must('POST', '/manifest/GONE/status/COMPLETED');
  const pages = pagesOf(await signIn(dock, 'ADMINISTRATOR'));
  const found = async (q: string) => (await pages.get(`/app/search?q=${encodeURIComponent(q)}`)).location;
  const location = await found(aboard!);
  expect(location).toMatch(/^\/app\/asset\/[0-9a-f-]{36}$/);
  expect(await found(`(00)${aboard}`)).toBe(location);
  const { html } = await pages.get(location!);
  expect(html).toMatch(/Left<\/dt><dd[^>]*><a href="\/app\/manifest\/[^"]*"[^>]*>GONE<\/a>/);
  expect(html).not.toContain('value="giveMarkers"');
  const timeline = html.slice(html.indexOf('id="timeline"'));
  for (const text of ['Loaded', 'GONE']) expect(timeline).toContain(text);
  expect((await pages.get((await found(behind!))!)).html).toContain('Missing');
  const part = (await pages.get('/app/search?q=9000000')).html;
  expect(part.split('href="/app/asset/')).toHaveLength(3);
});

it('the timeline of a pallet keeps what happened before it had a marker, and a record that was deleted by hand', async () => {
  const { dock, pages } = await expecting();
  for (const change of ['gate/G', 'status/TO_DO', 'status/IN_PROGRESS'])
    await dock.must('POST', `/manifest/M/${change}`);
  await dock.manifest('W', 'WRONG');
  const read = async (scanId: string, identifier: string) =>
    (await dock.device('POST', '/gate/G/scan', { scanId, identifier, direction: 'LOAD' })).body;
  expect((await read('1', PALLET)).outcome).toBe('LOADED');
  const { outcome, recordUuid } = await read('2', 'WRONG');
  expect(outcome).toBe('WRONGLY_LOADED');
  await dock.must('DELETE', `/manifest/M/asset-loading/${recordUuid}`);
  const wrong = await pages.get((await pages.get('/app/search?q=WRONG')).location!);
  expect(wrong.html).toContain('Record of a wrong pallet, deleted by hand');

  await dock.couple(PALLET, 'WRONG');
  const typesOf = async (wmsId: string): Promise<string[]> =>
    (await dock.must('GET', `/track/${wmsId}/activity`)).body.content.map(
      ({ activityType }: { activityType: string }) => activityType,
    );
  expect((await typesOf(PALLET)).sort()).toEqual(['ATTACHED', 'ATTACHED', 'COUPLED', 'LOADED']);
  expect((await typesOf('WRONG')).sort()).toEqual(['ATTACHED', 'COUPLED', 'DETACHED', 'SEEN']);
  const { uuid } = (await dock.must('GET', `/track/${PALLET}`)).body;
  const { content } = (await dock.must('GET', `/track/${PALLET}/activity`)).body;
  expect(content.every(({ deepLink }: { deepLink: string }) => deepLink.endsWith(`/track/${uuid}`))).toBe(
    true,
  );
  const { html } = await pages.get(`/app/track/${uuid}`);
  expect(html.slice(html.indexOf('id="timeline"'))).toContain('Loaded');
});

it('a pallet of a cancelled manifest is not found as one without a marker, and another organization sees no pallet', async () => {
  const { dock, pages } = await expecting();
  const { location } = await pages.get(`/app/search?q=${PALLET}`);
  const stranger = pagesOf(await signIn(await newDock(), 'ADMINISTRATOR'));
  expect((await stranger.get(location!)).status).toBe(404);
  expect((await stranger.get(`/app/search?q=${PALLET}`)).status).toBe(200);
  for (const manifest of ['M', 'N']) await dock.must('POST', `/manifest/${manifest}/status/CANCELLED`);
  const { status, html } = await pages.get(`/app/search?q=${PALLET}`);
  expect([status, html.includes('/app/asset/')]).toEqual([200, false]);
  expect((await pages.get('/app/asset')).html).not.toContain(PALLET);
});
