import { beforeAll, describe, expect, it } from 'vitest';
import { storedState } from '../../../contract/state.ts';
import { type PrintedLabel, printZpl } from '../../../unit/dispatch/printing-batch/zpl.ts';
import { type Answer, operator } from '../../client.ts';
import { look, signIn } from '../../delivery/live/listener.ts';
import { gateUuid, pagesOf } from '../../web/console/forms.ts';
import { type Dock, newDock } from '../load/shipment/dock.ts';
import { deviceOf, newTablet } from '../tablet/tablets.ts';

const SSCC = '340123450000000000';
const text = ({ body }: Answer): string => (typeof body === 'string' ? body : new TextDecoder().decode(body));
const shown = (label: PrintedLabel | undefined): string[] => label!.texts.map((one) => one.text);
const labelsOf = async (dock: Dock, path: string): Promise<string[][]> =>
  printZpl(text(await dock.must('GET', path))).map(shown);
const pagesIn = (pdf: string): string[] =>
  [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, ...size]) =>
    size.map(Number).map(Math.round).join(' x '),
  );

let dock: Dock;
let client: string;

beforeAll(async () => {
  dock = await newDock({ clientFeatureEnabled: true });
  client = (await dock.must('POST', '/client', { displayName: 'Speedy Foods', externalId: 'SPEEDY' })).body
    .externalId;
  await dock.couple(SSCC, 'B', 'FREE');
  const { body } = await dock.must('POST', '/track/get-and-couple?imageDelivery=URL', {
    wmsId: 'OWNED',
    clientId: client,
  });
  dock.codes['OWNED'] = body.markerCode;
  await dock.must('POST', '/manifest', {
    externalIdentifier: 'M',
    manifestStatus: 'TO_DO',
    gateExternalId: 'G',
    assets: ['B', SSCC, 'NO-MARKER'],
    customFields: [{ fieldKey: 'consignee', fieldValue: 'Großhandel ^Müller~' }],
  });
  await dock.manifest('PLAIN', 'OWNED');
});

describe('the label of a pallet', () => {
  it('a label names SSCC, last four digits, manifest, gate, consignee and marker', async () => {
    const [label] = await labelsOf(dock, `/track/${SSCC}/label?format=ZPL`);
    const gate = (await dock.must('GET', '/gate/G')).body.name;
    expect(label).toEqual([
      'Großhandel ^Müller~',
      '0000',
      'Gate',
      gate,
      'Manifest',
      'M',
      'Marker',
      String(dock.codes[SSCC]),
      '(00) 3401 2345 0000 00 0000',
    ]);
  });

  it('the label of a pallet without a marker has no marker, and else the same', async () => {
    const gate = (await dock.must('GET', '/gate/G')).body.name;
    expect(await labelsOf(dock, '/track/NO-MARKER/label?format=ZPL')).toEqual([
      ['Großhandel ^Müller~', 'RKER', 'Gate', gate, 'Manifest', 'M', 'NO-MARKER'],
    ]);
  });

  it('without the custom field, the consignee is the client of the pallet', async () => {
    const [label] = await labelsOf(dock, '/track/OWNED/label?format=ZPL');
    expect(label!.slice(0, 2)).toEqual(['Speedy Foods', 'WNED']);
    const empty = { fieldKey: 'consignee', fieldValue: ' ' };
    await dock.must('PUT', '/manifest/PLAIN', { customFields: [empty] });
    expect((await labelsOf(dock, '/track/OWNED/label?format=ZPL'))[0]![0]).toBe('Speedy Foods');
    await dock.must('PUT', '/manifest/PLAIN', { customFields: [{ ...empty, fieldValue: 'Alfreds' }] });
    expect((await labelsOf(dock, '/track/OWNED/label?format=ZPL'))[0]![0]).toBe('Alfreds');
  });

  it('a pallet on no manifest has a label, too', async () => {
    expect(await labelsOf(dock, '/track/FREE/label?format=ZPL')).toEqual([
      ['FREE', 'Marker', String(dock.codes['FREE']), 'FREE'],
    ]);
  });

  it('a label names the open manifest of a pallet before a closed one', async () => {
    await dock.couple('TWICE');
    for (const name of ['FIRST', 'SECOND']) await dock.manifest(name, 'TWICE');
    await dock.must('POST', '/manifest/SECOND/status/CANCELLED');
    expect((await labelsOf(dock, '/track/TWICE/label?format=ZPL'))[0]).toContain('FIRST');
  });

  it('captions are in the language of the reader', async () => {
    const german = await dock.call('GET', `/track/${SSCC}/label?format=ZPL`, undefined, {
      'Accept-Language': 'de',
    });
    expect(shown(printZpl(text(german))[0])).toEqual(expect.arrayContaining(['Tor', 'Ladeliste', 'Marker']));
  });

  it('the title of a PDF with labels is in the language of the reader', async () => {
    const german = await dock.call('GET', `/track/${SSCC}/label?format=PDF`, undefined, {
      'Accept-Language': 'de',
    });
    expect(text(german)).toContain('(Palettenetiketten)');
  });

  it.each([
    ['/track/NONE/label', 404, 'trackNotFound'],
    ['/manifest/NONE/label', 404, 'manifestNotFound'],
    ['/manifest/M/label?afterPallet=NO-MARKER', 404, 'trackNotFound'],
    ['/manifest/M/label?limit=501', 400, 'validationFailed'],
    ['/manifest/M/label?after=x', 400, 'validationFailed'],
    ['/manifest/M/label?size=A5', 400, 'validationFailed'],
    ['/manifest/M/label?format=PNG', 400, 'validationFailed'],
    ['/manifest/M/label?dpmm=10', 400, 'validationFailed'],
    ['/manifest/M/label?colour=red', 400, 'unknownParameter'],
  ])('%s is refused with %d %s', async (path, status, code) => {
    const { body, ...answer } = await dock.call('GET', path);
    expect([answer.status, body.code]).toEqual([status, code]);
  });

  it('labels of another organization are not found', async () => {
    const other = await newDock();
    for (const path of [`/track/${SSCC}/label`, '/manifest/M/label'])
      expect((await other.call('GET', path)).status).toBe(404);
    const { body } = await dock.must('GET', '/manifest/M');
    expect((await other.call('GET', `/manifest/${body.uuid}/label`)).status).toBe(404);
  });
});

describe('the labels of a manifest', () => {
  it('a manifest has a label for each pallet, page by page, and pallets without a marker come last', async () => {
    await dock.manifest('PAGES', 'Z-2', 'B', 'Z-1', SSCC);
    const ids = ['(00) 3401 2345 0000 00 0000', 'B', 'Z-1', 'Z-2'];
    const all = await labelsOf(dock, '/manifest/PAGES/label?format=ZPL');
    expect(all.map((label) => label.at(-1))).toEqual(ids);
    const read: string[] = [];
    let next: string | undefined = '/manifest/PAGES/label?format=ZPL&limit=1';
    while (next !== undefined) {
      const answer: Answer = await dock.must('GET', next);
      read.push(...printZpl(text(answer)).map((label) => shown(label).at(-1)!));
      next = /<[^>]*(\/manifest[^>]*)>; rel="next"/.exec(answer.headers.get('Link') ?? '')?.[1];
    }
    expect(read).toEqual(ids);
  });

  it('a pallet without a marker has one label on several manifests, which names the latest open one', async () => {
    await dock.manifest('ONE', 'SHARED');
    await dock.manifest('TWO', 'SHARED');
    expect(await labelsOf(dock, '/track/SHARED/label?format=ZPL')).toEqual([
      ['ARED', 'Manifest', 'TWO', 'SHARED'],
    ]);
    await dock.must('POST', '/manifest/TWO/status/CANCELLED');
    expect((await labelsOf(dock, '/track/SHARED/label?format=ZPL'))[0]).toContain('ONE');
    await dock.must('POST', '/manifest/ONE/status/CANCELLED');
    expect((await dock.call('GET', '/track/SHARED/label')).body.code).toBe('trackNotFound');
  });

  it('a closed manifest prints no label of a pallet that was deleted later', async () => {
    await dock.couple('GONE');
    await dock.manifest('CLOSED', 'GONE');
    await dock.must('POST', '/manifest/CLOSED/status/CANCELLED');
    expect(await labelsOf(dock, '/manifest/CLOSED/label?format=ZPL')).toHaveLength(1);
    await dock.must('DELETE', '/track/GONE');
    expect((await dock.call('GET', '/manifest/CLOSED/label')).body.code).toBe('trackNotFound');
  });

  it('the size of labels is the setting of the organization, A4 at first, unless the request names another', async () => {
    const sizes = async (query = '') => pagesIn(text(await dock.must('GET', `/manifest/M/label${query}`)));
    expect(await sizes()).toEqual(['595 x 842']);
    const each = (size: string): string[] => [size, size, size];
    expect(await sizes('?size=INCH_4X6')).toEqual(each('288 x 432'));
    const changed = await operator('PUT', `/organization/${dock.uuid}`, { labelSize: 'A6' });
    expect(changed.body.labelSize).toBe('A6');
    expect(await sizes()).toEqual(each('298 x 420'));
    expect((await operator('PUT', `/organization/${dock.uuid}`, { labelSize: 'A7' })).status).toBe(400);
    expect((await operator('PUT', `/organization/${dock.uuid}`, { labelSize: 'A4' })).body.labelSize).toBe(
      'A4',
    );
  });

  it('printing labels changes nothing, and no cache keeps them', async () => {
    const before = await storedState(dock);
    const answer = await dock.must('GET', '/manifest/M/label?size=LETTER');
    expect(answer.headers.get('Content-Type')).toBe('application/pdf');
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    expect((await dock.must('GET', '/manifest/M/label?format=ZPL')).headers.get('Content-Type')).toBe(
      'application/zpl',
    );
    expect(await storedState(dock)).toEqual(before);
  });
});

describe('labels on pages', () => {
  it('the page of a manifest has links to its labels as PDF and as ZPL', async () => {
    const person = await signIn(dock);
    const { body } = await dock.must('GET', '/manifest/M');
    const { html } = await pagesOf(person).get(`/app/manifest/${body.uuid}`);
    for (const [format, type, labels] of [
      ['pdf', 'application/pdf', 1],
      ['zpl', 'application/zpl', 3],
    ] as const) {
      const path = `/app/manifest/${body.uuid}/labels.${format}`;
      expect(html).toContain(`href="${path}"`);
      const answer = await look(path, person.cookie);
      expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, type]);
      const content = await answer.text();
      expect(format === 'zpl' ? printZpl(content).length : pagesIn(content).length).toBe(labels);
    }
  });

  it('the label of a marker without a pallet has the marker only', async () => {
    const person = await signIn(dock);
    const { body } = await dock.must('POST', '/marker-code/allocate?quantity=1&imageDelivery=URL');
    const code = body.entries[0].markerCode;
    const answer = await look(`/app/marker-code/${code}/label.pdf`, person.cookie);
    expect(await answer.text()).toContain('1 marker label');
    const pallet = await look(`/app/marker-code/${dock.codes['B']}/label.pdf`, person.cookie);
    expect(await pallet.text()).toContain('NotoSans');
  });

  it('a tablet prints the labels of pallets at its own gate only', async () => {
    const gate = `/app/gate/${await gateUuid(dock)}`;
    const elsewhere = `/app/gate/${await gateUuid(dock, 'H')}`;
    const device = await newTablet(deviceOf((await signIn(dock)).cookie), gate, 'Dock 1');
    const recordOf = async (manifest: string) =>
      (await dock.must('GET', `/manifest/${manifest}/asset-loading`)).body[0].uuid;
    const [own, other] = [await recordOf('M'), await recordOf('PLAIN')];
    await dock.must('POST', '/manifest/M/status/IN_PROGRESS');
    expect((await device.get(gate)).text).toContain(`href="${gate}/label.pdf?record=${own}"`);
    const printed = await device.get(`${gate}/label.pdf?record=${own}`);
    expect([printed.status, printed.text.startsWith('%PDF')]).toEqual([200, true]);
    expect((await device.get(`${gate}/label.pdf?record=${other}`)).status).toBe(404);
    expect((await device.get(`${elsewhere}/label.pdf?record=${own}`)).status).toBe(303);
    const uuid = (await dock.must('GET', '/manifest/M')).body.uuid;
    expect((await device.get(`/app/manifest/${uuid}/labels.pdf`)).status).toBe(303);
  });
});
