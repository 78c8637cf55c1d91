import { beforeAll, describe, expect, it } from 'vitest';
import { printZpl } from '../../../unit/dispatch/printing-batch/zpl.ts';
import { type Answer, operator } from '../../client.ts';
import { look, signIn } from '../../delivery/live/listener.ts';
import { longGone, resolveAlerts, retain } from '../../retention/archives.ts';
import { gateUuid, type Pages, pagesOf } from '../../web/console/forms.ts';
import { type Dock, loadingDock, newDock, recordUuidOf } from '../load/shipment/dock.ts';

const textOf = ({ body }: Answer): string =>
  typeof body === 'string' ? body : new TextDecoder().decode(body);
/** The texts of each label of a ZPL answer. */
const labelsOf = async (dock: Dock, path: string): Promise<string[][]> =>
  printZpl(textOf(await dock.must('GET', `${path}/label?format=ZPL`))).map(({ texts }) =>
    texts.map(({ text }) => text),
  );
const uuidOf = async (dock: Dock, path: string): Promise<string> => (await dock.must('GET', path)).body.uuid;

describe('labels and other organizations', () => {
  let uuids: Record<'track' | 'manifest' | 'shipment' | 'record' | 'gate', string>;
  let own: Record<'manifest' | 'shipment' | 'gate', string>;
  let pages: Pages;
  let cookie: string;

  beforeAll(async () => {
    const [dock, stranger] = [await loadingDock(), await loadingDock()];
    uuids = {
      track: await uuidOf(dock, '/track/A'),
      manifest: await uuidOf(dock, '/manifest/M'),
      shipment: await uuidOf(dock, '/shipment/S'),
      record: await recordUuidOf(dock, 'A'),
      gate: await gateUuid(dock),
    };
    own = {
      manifest: await uuidOf(stranger, '/manifest/M'),
      shipment: await uuidOf(stranger, '/shipment/S'),
      gate: await gateUuid(stranger),
    };
    const person = await signIn(stranger);
    cookie = person.cookie;
    pages = pagesOf(person);
  });

  it.each(['manifest', 'shipment'] as const)(
    'a page does not show labels of a %s of another organization',
    async (kind) => {
      for (const format of ['pdf', 'zpl']) {
        const path = (uuid: string) => `/app/${kind}/${uuid}/labels.${format}`;
        expect((await look(path(own[kind]), cookie)).status).toBe(200);
        expect((await look(path(uuids[kind]), cookie)).status).toBe(404);
      }
    },
  );

  it('the label of a record of another organization is not found', async () => {
    expect((await look(`/app/asset/${uuids.record}/label.pdf`, cookie)).status).toBe(404);
  });

  it('a gate page does not show the label of a record of another organization', async () => {
    for (const gate of [own.gate, uuids.gate])
      expect((await look(`/app/gate/${gate}/label.pdf?record=${uuids.record}`, cookie)).status).toBe(404);
  });

  it('a list does not show labels of rows of another organization', async () => {
    for (const [path, row] of [
      ['/app/track', uuids.track],
      ['/app/shipment', uuids.shipment],
      ['/app/manifest', uuids.manifest],
      [`/app/manifest/${own.manifest}`, uuids.record],
      [`/app/shipment/${own.shipment}`, uuids.record],
    ] as const) {
      const sent = await pages.send(path, 'labels', { row });
      expect([path, sent.status, sent.html.startsWith('%PDF')]).toEqual([path, 400, false]);
    }
  });
});

describe('labels of pallets that are wrong, retired, closed or archived', () => {
  it('a manifest prints no label of a wrong pallet, and the label of that pallet names its own manifest', async () => {
    const dock = await loadingDock();
    await dock.manifest('OTHER', 'X');
    await dock.scan('X');
    const holders = await Promise.all(
      ['M', 'N'].map(async (name) =>
        (await labelsOf(dock, `/manifest/${name}`)).map((label) => label.at(-1)),
      ),
    );
    expect(holders.flat().sort()).toEqual(['A', 'B', 'B', 'C']);
    const { content } = (await dock.must('GET', '/alert-event')).body;
    const record = await recordUuidOf(dock, 'X', content[0].manifestExternalId);
    const { cookie } = await signIn(dock);
    const gate = await gateUuid(dock);
    expect((await look(`/app/gate/${gate}/label.pdf?record=${record}`, cookie)).status).toBe(200);
    expect((await labelsOf(dock, '/track/X'))[0]).toEqual(expect.arrayContaining(['Manifest', 'OTHER']));
  });

  it('a closed manifest prints the labels of the pallets that it had, not of later ones with their ids', async () => {
    const dock = await loadingDock();
    const before = dock.codes['A'];
    await dock.must('POST', '/shipment/S/status/COMPLETED');
    const closed = await labelsOf(dock, '/manifest/M');
    await dock.must('PATCH', '/track/A/retire?force=true');
    await dock.couple('A');
    expect(dock.codes['A']).not.toBe(before);
    expect(await labelsOf(dock, '/manifest/M')).toEqual(closed);
    expect(closed.flat()).toContain(String(before));
    expect((await labelsOf(dock, '/track/A'))[0]).toContain(String(dock.codes['A']));
  });

  it('a retired pallet keeps its label, and a deleted pallet has no label', async () => {
    const dock = await newDock();
    await dock.couple('A');
    const uuid = await uuidOf(dock, '/track/A');
    const label = await labelsOf(dock, '/track/A');
    await dock.must('PATCH', '/track/A/retire');
    expect([await labelsOf(dock, '/track/A'), await labelsOf(dock, `/track/${uuid}`)]).toEqual([
      label,
      label,
    ]);
    await dock.must('DELETE', `/track/${uuid}`);
    for (const name of ['A', uuid]) {
      const { status, body } = await dock.call('GET', `/track/${name}/label`);
      expect([status, body.code, body.detail]).toEqual([
        404,
        'trackNotFound',
        `Track "${name}" does not exist.`,
      ]);
    }
  });

  it('an archived manifest prints no label and says where it is, and its pallets are not found', async () => {
    const dock = await longGone();
    const { uuid } = (await dock.must('GET', '/manifest/M')).body;
    expect(await labelsOf(dock, '/manifest/M')).not.toEqual([]);
    await resolveAlerts(dock);
    await retain(dock);
    for (const name of ['M', uuid]) {
      const { status, body } = await dock.call('GET', `/manifest/${name}/label`);
      expect([status, body.code]).toEqual([404, 'manifestNotFound']);
      expect(body.detail).toContain('is in the archive: /integration/rest/api/v1/archive/');
    }
    expect((await dock.call('GET', '/track/A/label')).body.code).toBe('trackNotFound');
  });

  it('a deleted manifest and a manifest without pallets refuse labels with their reason', async () => {
    const dock = await newDock();
    await dock.manifest('GONE', 'A');
    await dock.manifest('BARE');
    await dock.must('DELETE', '/manifest/GONE');
    const reasonOf = async (path: string) => (await dock.call('GET', `${path}/label`)).body.detail;
    expect(await reasonOf('/manifest/GONE')).toBe('Manifest "GONE" does not exist.');
    expect(await reasonOf('/manifest/BARE')).toBe('Manifest "BARE" has no more pallets with a label.');
    expect(await reasonOf('/track/A')).toBe('Track "A" does not exist.');
    const pages = pagesOf(await signIn(dock));
    const uuid = await uuidOf(dock, '/manifest/BARE');
    expect((await pages.get(`/app/manifest/${uuid}/labels.pdf`)).status).toBe(400);
  });

  it('a sandbox and an organization without shipments print labels, too', async () => {
    const dock = await newDock({ sandbox: true, dispatchStrategy: 'MANIFEST' });
    await dock.couple('A');
    await dock.manifest('M', 'A');
    expect(await labelsOf(dock, '/manifest/M')).toEqual(await labelsOf(dock, '/track/A'));
    await operator('POST', `/organization/${dock.uuid}/suspend`);
    expect((await dock.call('GET', '/track/A/label')).status).toBe(403);
  });
});
