import { beforeEach, describe, expect, it } from 'vitest';
import { signIn } from '../../delivery/live/listener.ts';
import { type Dock, loadingDock } from '../../dispatch/load/shipment/dock.ts';
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
    expect(html).toContain('Make a manifest of the 1 left behind: M-2');
    expect(html).toContain('Make a manifest of the 2 left behind: N-2');
    const [m, n] = [await uuidOf('M'), await uuidOf('N')];
    const made = await pages.send(path, 'backorder', { manifest: n, externalIdentifier: 'N-2' });
    expect(made.status).toBe(303);
    const back = await read('/manifest/N-2');
    expect(back).toMatchObject({ tracksCount: 2, backorderOf: { manifestExternalId: 'N' } });
    const after = (await pages.get(path)).html;
    expect(after).toContain(`href="/app/manifest/${back.uuid}"`);
    expect(after).not.toContain('N-2</button>');
    expect(after).toContain('Make a manifest of the 1 left behind: M-2');
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

describe('a manifest in no shipment that was completed short', () => {
  /** Completes a manifest with one missing pallet. @returns its page */
  async function short(name: string): Promise<string> {
    const [there, missing] = [`${name.slice(-20)}-P`, `${name.slice(-20)}-Q`];
    await dock.couple(there);
    await dock.manifest(name, there, missing);
    await dock.must('POST', `/manifest/${name}/gate/H`);
    for (const status of ['TO_DO', 'IN_PROGRESS'])
      await dock.must('POST', `/manifest/${name}/status/${status}`);
    const own = `/app/manifest/${await uuidOf(name)}`;
    expect((await pages.agree(own, 'status', { status: 'COMPLETED', why: 'Damaged' })).status).toBe(303);
    return own;
  }
  const suggested = async (own: string) =>
    /name="externalIdentifier"[^>]* value="([^"]*)"/.exec((await pages.get(own)).html)?.[1];

  it('the page of a manifest in no shipment shows the reason that the user gave', async () => {
    expect((await pages.get(await short('ALONE'))).html).toContain('Why: Damaged');
  });

  it('a suggested name counts on past taken names and is not too long', async () => {
    for (const name of ['ORD-1-2', 'ORD-1-3', 'ORD-1-5']) await dock.manifest(name);
    const own = await short('ORD-1');
    expect(await suggested(own)).toBe('ORD-1-4');
    const fields = { manifest: own.split('/').at(-1)!, externalIdentifier: 'ORD-1-4' };
    expect((await pages.send(own, 'backorder', fields)).status).toBe(303);
    expect(await read('/manifest/ORD-1-4')).toMatchObject({ tracksCount: 2 });
    const long = 'x'.repeat(255);
    expect(await suggested(await short(long))).toBe(`${'x'.repeat(253)}-2`);
  });
});

describe('the name of a back order', () => {
  it('the suggested name of a back order is the next free number on the page of a shipment', async () => {
    await dock.manifest('N-2');
    await dock.manifest('M-2');
    await pages.agree(path, 'status', { status: 'COMPLETED', why: 'Next truck' });
    const { html } = await pages.get(path);
    expect(html).toContain('Make a manifest of the 1 left behind: M-3');
    expect(html).toContain('Make a manifest of the 2 left behind: N-3');
    await pages.send(path, 'backorder', { manifest: await uuidOf('N'), externalIdentifier: 'N-3' });
    await dock.shipment('T', ['N-3'], { gateIdentifier: 'H' });
    await dock.must('POST', '/shipment/T/status/IN_PROGRESS');
    await dock.must('POST', '/shipment/T/status/COMPLETED');
    const { uuid } = await read('/shipment/T');
    expect((await pages.get(`/app/shipment/${uuid}`)).html).toContain('value="N-4"');
  });

  it('the name of a back order can be typed if all names that are tried are taken', async () => {
    for (let number = 2; number <= 21; number += 1) await dock.manifest(`N-${number}`);
    await pages.agree(path, 'status', { status: 'COMPLETED', why: 'Next truck' });
    const { html } = await pages.get(path);
    expect(html).toContain('Make a manifest of the 1 left behind: M-2');
    expect(html).toMatch(/name="externalIdentifier"[^>]* value=""/);
  });
});
