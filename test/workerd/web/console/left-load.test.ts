import { describe, expect, it } from 'vitest';
import { signIn } from '../../delivery/live/listener.ts';
import { type Dock, loadingDock, newDock } from '../../dispatch/load/shipment/dock.ts';
import { unescaped } from '../../markup.ts';
import { gateUuid, pagesOf } from './forms.ts';

const wrongRecord = async (dock: Dock): Promise<string> =>
  (await dock.must('GET', '/shipment/S/asset-loading')).body.find(
    ({ loadingStatus }: { loadingStatus: string }) => loadingStatus === 'WRONGLY_LOADED',
  )?.recordUuid;

const PLACES = ['shipment', 'gate', 'board'] as const;
type Place = (typeof PLACES)[number];
/** The page, the name and the fields of a form. */
type Form = [path: string, action: string, fields: Record<string, string>];

/** A dock with the wrong pallet X on S, and the pages of a person there with the forms that remove it. */
async function wrongAboard() {
  const dock = await loadingDock();
  await dock.scan('X');
  const { uuid } = (await dock.must('GET', '/shipment/S')).body;
  const record = await wrongRecord(dock);
  const forms: Record<Place, Form> = {
    shipment: [`/app/shipment/${uuid}`, 'removeRecord', { record }],
    gate: [`/app/gate/${await gateUuid(dock)}`, 'remove', { record, thing: `shipment:${uuid}` }],
    board: ['/app/board', 'remove', { record, thing: `shipment:${uuid}` }],
  };
  return { dock, pages: pagesOf(await signIn(dock)), forms };
}

describe('the record of a wrong pallet', () => {
  it.each(PLACES)(
    'the record of a wrong pallet is removed from a load that has left only after a question, also by an old form of the page of the %s',
    async (place) => {
      const { dock, pages, forms } = await wrongAboard();
      await dock.must('POST', '/shipment/S/status/COMPLETED');
      const asked = await pages.send(...forms[place]);
      expect(asked.status).toBe(200);
      expect(unescaped(asked.html)).toContain('Was X taken off before S left?');
      expect(await wrongRecord(dock)).toBeDefined();
      expect((await pages.agree(...forms[place])).status).toBe(303);
      expect(await wrongRecord(dock)).toBeUndefined();
      const { body } = await dock.must('GET', '/audit-log?action=UNAUTHORIZED_LOADING_RESOLVED');
      expect(body.content[0].changes).toContainEqual({ field: 'afterClose', oldValue: null, newValue: true });
    },
  );

  it.each(PLACES)(
    'the record of a wrong pallet is removed from a load in progress without a question on the page of the %s',
    async (place) => {
      const { dock, pages, forms } = await wrongAboard();
      expect((await pages.send(...forms[place])).status).toBe(303);
      expect(await wrongRecord(dock)).toBeUndefined();
    },
  );

  it('the record of a wrong pallet is on the page of its load after departure, with buttons that ask, and on no page of the gate', async () => {
    const { dock, pages, forms } = await wrongAboard();
    await dock.must('POST', '/shipment/S/status/COMPLETED');
    const [path] = forms.shipment;
    const { html } = await pages.get(path);
    expect(html).toContain('1 wrong pallet aboard.');
    expect(html).not.toContain('name="action" value="removeRecord"');
    expect(html).toContain(`${path}?confirm=removeRecord&amp;record=${forms.shipment[2]['record']}`);
    for (const at of [forms.gate[0], `${forms.gate[0]}/scan`, '/app/board', '/app/board?screen=wall'])
      expect([
        at,
        /wrong pallet aboard|class="haz"|data-state="WRONG"/i.test((await pages.get(at)).html),
      ]).toEqual([at, false]);
    expect((await pages.get('/app/alert?status=OPEN')).html).toContain('Pallet X was scanned');
  });
});

it('a pallet that stayed behind is missing on its own page, and on the page of its truck', async () => {
  const dock = await newDock();
  await dock.couple('A', 'B');
  await dock.manifest('M', 'A', 'B');
  await dock.manifest('LATER', 'B');
  await dock.shipment('S', ['M'], { gateIdentifier: 'G' });
  await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
  await dock.scan('A');
  await dock.must('POST', '/shipment/S/status/COMPLETED');
  const pages = pagesOf(await signIn(dock));
  const { uuid } = (await dock.must('GET', '/track/B')).body;
  const { html } = await pages.get(`/app/track/${uuid}`);
  const stateOn = (manifest: string) =>
    new RegExp(`>${manifest}</a>.*?</tr>`, 's').exec(html)![0].replaceAll(/<[^>]+>/g, ' ');
  expect([stateOn('M'), stateOn('LATER')]).toEqual([
    expect.stringContaining('Missing'),
    expect.stringContaining('To load'),
  ]);
});

describe('the question before manifests are created from a list', () => {
  /** A dock: pallet A has left with shipment S, and the open manifest P expects pallet X. */
  async function left() {
    const dock = await loadingDock();
    await dock.scan('A');
    await dock.must('POST', '/shipment/S/status/COMPLETED');
    await dock.manifest('P', 'X');
    return pagesOf(await signIn(dock, 'ADMINISTRATOR'));
  }
  const lists = [
    ['pallets', { externalIdentifier: 'Q', pallets: 'A\nX\nNEW' }],
    ['orders', { externalIdentifier: '', pallets: 'order;pallet\nQ;A\nQ;X\nQ;NEW' }],
  ] as const;

  it.each(lists)(
    'the question of a list of %s names the pallets that have left and the expected ones',
    async (_, list) => {
      const pages = await left();
      const { html } = await pages.send('/app/manifest/new', 'create', { gate: '', ...list });
      const text = unescaped(html);
      expect(text).toMatch(/A · S · \d\d? \w+ \d{4}, \d\d:\d\d/);
      expect(text).toContain('X · P');
      expect(text).not.toContain('NEW · ');
      expect(text).toMatch(/<b>1<\/b> <span>(?:<[^>]+>)+ Left with another load/);
    },
  );
});
