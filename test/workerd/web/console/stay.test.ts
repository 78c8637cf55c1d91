import { beforeEach, describe, expect, it } from 'vitest';
import { suggestedName } from '../../../../src/web/console/resources/load/backorder.tsx';
import { signIn } from '../../delivery/live/listener.ts';
import { type Dock, loadingDock } from '../../dispatch/shipment/dock.ts';
import { type Pages, pagesOf } from './forms.ts';

let dock: Dock;
let pages: Pages;
let path: string;
beforeEach(async () => {
  dock = await loadingDock();
  await dock.scan('A');
  path = `/app/shipment/${(await dock.must('GET', '/shipment/S')).body.uuid}`;
  pages = pagesOf(await signIn(dock, 'ADMINISTRATOR'));
});

const read = async (name: string) => (await dock.must('GET', name)).body;
const uuidOf = async (name: string): Promise<string> => (await read(`/manifest/${name}`)).uuid;

describe('the page of a shipment that was completed short', () => {
  const complete = () =>
    pages.agree(path, 'status', { status: 'COMPLETED', why: 'Next truck', whyNote: 'dock 2 <b>' });

  it('shows the reason that the user gave, which the API shows too', async () => {
    expect((await complete()).status).toBe(303);
    expect((await read('/shipment/S')).shortReason).toBe('Next truck: dock 2 <b>');
    expect((await pages.get(path)).html).toContain('Why: Next truck: dock 2 &lt;b&gt;');
    const { html } = await pages.get(`/app/manifest/${await uuidOf('N')}`);
    expect(html).toContain('Why: Next truck: dock 2');
  });

  it('offers a manifest of the pallets that stayed, once for each manifest, and links both', async () => {
    await complete();
    const { html } = await pages.get(path);
    expect(html).toContain('Make a manifest of the 1: M-2');
    expect(html).toContain('Make a manifest of the 2: N-2');
    const [m, n] = [await uuidOf('M'), await uuidOf('N')];
    const made = await pages.send(path, 'backorder', { manifest: n, externalIdentifier: 'N-2' });
    expect(made.status).toBe(303);
    const back = await read('/manifest/N-2');
    expect(back).toMatchObject({ tracksCount: 2, backorderOf: { manifestExternalId: 'N' } });
    const after = (await pages.get(path)).html;
    expect(after).toContain(`href="/app/manifest/${back.uuid}"`);
    expect(after).not.toContain('N-2</button>');
    expect(after).toContain('Make a manifest of the 1: M-2');
    const ofBack = (await pages.get(`/app/manifest/${back.uuid}`)).html;
    expect(ofBack).toContain(`href="/app/manifest/${n}"`);
    const own = await pages.get(`/app/manifest/${m}`);
    expect(own.html).toContain('value="M-2"');
    expect(own.html).toContain('Make a manifest of the 1');
  });

  it('offers it only to users who may operate', async () => {
    await complete();
    const viewer = pagesOf(await signIn(dock, 'VIEWER'));
    expect((await viewer.get(path)).html).not.toContain('Make a manifest');
    const fields = { manifest: await uuidOf('N'), externalIdentifier: 'N-2' };
    expect((await viewer.send(path, 'backorder', fields)).status).toBe(403);
  });
});

describe('the question before a shipment is cancelled', () => {
  it('asks about its manifests, and plans them again unless the user chooses otherwise', async () => {
    const { html } = await pages.get(`${path}?confirm=status&status=CANCELLED`);
    expect(html).toMatch(/name="manifests" value="RELEASE" checked/);
    expect(html).toContain('Not loaded');
    expect(html).not.toContain('Missing');
    const confirmed = /name="confirmed" value="([^"]+)"/.exec(html)![1]!;
    const fields = { status: 'CANCELLED', confirmed, why: 'No carrier', manifests: 'RELEASE' };
    expect((await pages.send(path, 'status', fields)).status).toBe(303);
    expect(await read('/shipment/S')).toMatchObject({ status: 'CANCELLED', manifests: [] });
    expect(await read('/manifest/M')).toMatchObject({ manifestStatus: 'PLANNED', gate: null });
  });

  it('cancels the manifests, too, if the user chooses this', async () => {
    const { html } = await pages.get(`${path}?confirm=status&status=CANCELLED`);
    const confirmed = /name="confirmed" value="([^"]+)"/.exec(html)![1]!;
    await pages.send(path, 'status', { status: 'CANCELLED', confirmed, manifests: 'CANCEL' });
    expect(await read('/manifest/M')).toMatchObject({ manifestStatus: 'CANCELLED' });
  });

  it('does not ask about manifests before a manifest is cancelled', async () => {
    const of = `/app/manifest/${await uuidOf('M')}`;
    expect((await pages.get(`${of}?confirm=status&status=CANCELLED`)).html).not.toContain('name="manifests"');
  });
});

it('a back order of a back order has the next number', () => {
  const part = { uuid: '', externalIdentifier: 'ORD-5001', status: '', counts: {}, backorder: null };
  const of = { manifestExternalId: 'ORD-5001', manifestUuid: '' };
  expect(suggestedName({ ...part, backorderOf: null })).toBe('ORD-5001-2');
  expect(suggestedName({ ...part, externalIdentifier: 'ORD-5001-2', backorderOf: of })).toBe('ORD-5001-3');
  expect(suggestedName({ ...part, externalIdentifier: 'X', backorderOf: of })).toBe('X-2');
  const long = suggestedName({ ...part, externalIdentifier: 'x'.repeat(255), backorderOf: null });
  expect([long.length, long.slice(-3)]).toEqual([255, 'x-2']);
});
