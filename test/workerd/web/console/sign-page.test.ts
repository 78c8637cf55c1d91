import { beforeAll, expect, it } from 'vitest';
import { settingsOf } from '../../../../src/core/env.ts';
import { openSigningToken } from '../../../../src/dispatch/load/shared/signature-link.ts';
import { storedState } from '../../../contract/state.ts';
import { signIn } from '../../delivery/live/listener.ts';
import { bindings } from '../../delivery/webhook/receiver.ts';
import { type Dock, loadingDock } from '../../dispatch/load/shipment/dock.ts';
import { gateUuid, type Pages, pagesOf } from './forms.ts';

let dock: Dock;
let pages: Pages;
let uuids: Record<string, string>;

/** Shipment S is loaded at G. Manifest OWN is in no shipment and has gate H. */
beforeAll(async () => {
  dock = await loadingDock();
  await dock.manifest('OWN', 'X');
  await dock.must('POST', '/manifest/OWN/gate/H');
  pages = pagesOf(await signIn(dock));
  const uuidOf = async (path: string) => (await dock.must('GET', path)).body.uuid;
  uuids = {
    S: await uuidOf('/shipment/S'),
    M: await uuidOf('/manifest/M'),
    OWN: await uuidOf('/manifest/OWN'),
    G: await gateUuid(dock),
    H: await gateUuid(dock, 'H'),
  };
});

const at = (path: string): string => path.replace(/\b(S|M|OWN|G|H)\b/g, (name) => uuids[name]!);
const statusOf = async (path: string, as = pages) => (await as.get(at(path))).status;

it.each([
  ['/app/shipment/S/sign', 200],
  ['/app/manifest/OWN/sign', 200],
  ['/app/gate/G/sign/S', 200],
  ['/app/gate/H/sign/OWN', 200],
  // A load at another gate, a manifest of a shipment, and the other kind of load.
  ['/app/gate/H/sign/S', 404],
  ['/app/gate/G/sign/OWN', 404],
  ['/app/gate/G/sign/M', 404],
  ['/app/manifest/M/sign', 404],
  ['/app/manifest/S/sign', 404],
  ['/app/shipment/OWN/sign', 404],
])('%s makes a signing link only for a load that can be signed there: %i', async (path, status) => {
  const before = await storedState(dock);
  expect(await statusOf(path)).toBe(status);
  expect(await statusOf(`${path}?role=DRIVER`)).toBe(status);
  expect(await storedState(dock)).toEqual(before);
});

it.each(['/app/shipment/S/sign', '/app/manifest/OWN/sign', '/app/gate/G/sign/S', '/app/gate/H/sign/OWN'])(
  '%s asks for the role, and then makes a link for this role',
  async (path) => {
    const asked = (await pages.get(at(path))).html;
    expect(asked).not.toContain('/public/sign');
    const links = [...asked.matchAll(/href="([^"]*\?role=[A-Z]+)"/g)].map(([, link]) => link!);
    expect(links).toEqual(['DRIVER', 'LOADER', 'CONSIGNEE'].map((role) => `${at(path)}?role=${role}`));
    for (const link of links) {
      const { html } = await pages.get(link);
      const [, url] = /<code>([^<]*)<\/code>/.exec(html)!;
      expect(new URL(url!).pathname.length).toBeLessThanOrEqual(64);
      const made = openSigningToken(settingsOf(bindings).sealingKeys, url!.split('/').at(-1)!)!;
      expect(made).toMatchObject({
        kind: path.includes('OWN') ? 'MANIFEST' : 'SHIPMENT',
        load: at(path.includes('OWN') ? 'OWN' : 'S'),
        role: link.split('=')[1],
      });
      expect(Math.abs(made.createDate - Date.now())).toBeLessThan(60_000);
    }
  },
);

it('a page makes no signing link for another organization or a user who may only look', async () => {
  const stranger = pagesOf(await signIn(await loadingDock()));
  const viewer = pagesOf(await signIn(dock, 'VIEWER'));
  for (const path of ['/app/shipment/S/sign', '/app/manifest/OWN/sign', '/app/gate/G/sign/S']) {
    expect([path, await statusOf(path, stranger)]).toEqual([path, 404]);
    expect([path, await statusOf(path, viewer)]).toEqual([path, 403]);
  }
});

it('a page makes a signing link for a completed load, and none for a cancelled or deleted one', async () => {
  const other = await loadingDock();
  const person = pagesOf(await signIn(other));
  const { uuid } = (await other.must('GET', '/shipment/S')).body;
  await other.must('POST', '/shipment/S/status/COMPLETED');
  expect((await person.get(`/app/shipment/${uuid}/sign`)).status).toBe(200);
  await other.manifest('P', 'X');
  const manifest = (await other.must('GET', '/manifest/P')).body.uuid;
  expect((await person.get(`/app/manifest/${manifest}/sign`)).status).toBe(200);
  await other.must('POST', '/manifest/P/status/CANCELLED');
  expect((await person.get(`/app/manifest/${manifest}/sign`)).status).toBe(404);
  await other.must('DELETE', '/manifest/P');
  expect((await person.get(`/app/manifest/${manifest}/sign`)).status).toBe(404);
});
