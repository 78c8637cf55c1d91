import { describe, expect, it } from 'vitest';
import { PAGES } from '../../../../src/web/ui/page/page.tsx';
import '../../../../src/app.ts';
import { signIn } from '../../delivery/live/listener.ts';
import { type Dock, loadingDock } from '../../dispatch/load/shipment/dock.ts';
import { gateUuid, type Pages, pagesOf } from './forms.ts';

async function loading(): Promise<{ dock: Dock; pages: Pages; path: string; gate: string; thing: string }> {
  const dock = await loadingDock();
  await dock.scan('A');
  await dock.scan('X');
  const { uuid } = (await dock.must('GET', '/shipment/S')).body;
  const gate = `/app/gate/${await gateUuid(dock)}`;
  const pages = pagesOf(await signIn(dock, 'ADMINISTRATOR'));
  return { dock, pages, path: `/app/shipment/${uuid}`, gate, thing: `shipment:${uuid}` };
}

const statusOf = async (dock: Dock): Promise<string> => (await dock.must('GET', '/shipment/S')).body.status;
const confirmedOf = (html: string): string => /name="confirmed" value="([^"]+)"/.exec(html)![1]!;

describe('actions that cannot be undone', () => {
  it('an irreversible action shows numbers and names first, at the gate and at the desk', async () => {
    const { dock, pages, path, gate, thing } = await loading();
    for (const [at, action, fields] of [
      [gate, 'cancel', { thing }],
      [path, 'status', { status: 'CANCELLED' }],
    ] as const) {
      const { html } = await pages.get(`${at}?${new URLSearchParams({ confirm: action, ...fields })}`);
      expect(html).toContain('Cancel shipment S?');
      expect(html).toContain('1 loaded pallet and 1 wrong pallet will stay aboard');
      expect(html).toContain('<li>X, ');
      expect((await pages.send(at, action, fields)).html).toContain('Cancel shipment S?');
    }
    const complete = await pages.get(`${path}?confirm=status&status=COMPLETED`);
    expect(complete.html).toContain('Complete with 3 missing and 1 wrong aboard?');
    expect(complete.html).toContain('<li>B, M</li>');
    expect((await pages.send(path, 'status', { status: 'COMPLETED' })).status).toBe(200);
    expect(await statusOf(dock)).toBe('IN_PROGRESS');
  });

  it('the reason of an irreversible action is in the audit log of the shipment and its manifests', async () => {
    const { dock, pages, path } = await loading();
    const why = { why: 'Next truck', whyNote: ' dock 2 is full ' };
    expect((await pages.agree(path, 'status', { status: 'COMPLETED', ...why })).status).toBe(303);
    const { body } = await dock.must(
      'GET',
      '/audit-log?action=SHIPMENT_STATUS_CHANGED,MANIFEST_STATUS_CHANGED&sort.sortBy=sequenceNumber&sort.direction=DESC',
    );
    const reason = { field: 'reason', oldValue: null, newValue: 'Next truck: dock 2 is full' };
    const said = body.content.filter(({ changes }: { changes: { field: string }[] }) =>
      changes.some(({ field }) => field === 'reason'),
    );
    expect(said.map(({ entityType }: { entityType: string }) => entityType).sort()).toEqual([
      'MANIFEST',
      'MANIFEST',
      'SHIPMENT',
    ]);
    for (const { changes } of said) expect(changes).toContainEqual(reason);
  });

  it('an irreversible action asks again when its numbers have changed', async () => {
    const { dock, pages, path } = await loading();
    const fields = { status: 'COMPLETED' };
    const confirmed = confirmedOf((await pages.get(`${path}?confirm=status&status=COMPLETED`)).html);
    await dock.scan(77);
    const again = await pages.send(path, 'status', { ...fields, confirmed });
    expect(again.status).toBe(409);
    expect(again.html).toContain('Somebody else has changed this');
    expect(again.html).toContain('2 wrong aboard');
    expect(await statusOf(dock)).toBe('IN_PROGRESS');
    const seen = confirmedOf(again.html);
    expect((await pages.send(path, 'status', { ...fields, confirmed: seen })).status).toBe(303);
  });

  it('an irreversible action sent again under its key has one effect', async () => {
    const { dock, pages, path } = await loading();
    const fields = { status: 'CANCELLED' };
    const confirmed = confirmedOf((await pages.get(`${path}?confirm=status&status=CANCELLED`)).html);
    const send = () => pages.send(path, 'status', { ...fields, confirmed }, 'held');
    expect((await send()).status).toBe(303);
    expect((await send()).status).toBe(303);
    expect(await statusOf(dock)).toBe('CANCELLED');
  });

  it('detaching a manifest while loading and retiring a marker ask first', async () => {
    const { dock, pages, path } = await loading();
    const manifestUuid = (await dock.must('GET', '/manifest/M')).body.uuid;
    const asked = await pages.send(path, 'detach', { manifestUuid });
    expect([asked.status, asked.html.includes('Detach M from S?')]).toEqual([200, true]);
    expect(asked.html).toContain('1 loaded pallet of this manifest is aboard');
    expect((await pages.agree(path, 'detach', { manifestUuid })).status).toBe(303);
    const track = `/app/track/${(await dock.must('GET', '/track/A')).body.uuid}`;
    expect((await pages.send(track, 'retire', { force: 'true' })).html).toContain('Retire marker ');
    expect((await dock.must('GET', '/track/A')).body.trackStatus).toBe('ACTIVE');
  });

  it('every action of a listed kind asks first', () => {
    const final = /^(cancel|complete|delete|detach|erase|reset|retire)$/;
    const asking = PAGES.flatMap(({ path, actions = {} }) =>
      Object.entries(actions).map(([name, { needsConfirmation: asks }]) => [path, name, asks] as const),
    );
    const found = asking.filter(([, name]) => final.test(name));
    expect(found.length).toBeGreaterThan(10);
    expect(found.filter(([, , asks]) => !asks)).toEqual([]);
  });
});
