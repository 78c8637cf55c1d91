import { describe, expect, it } from 'vitest';
import { checkDigit } from '../../../../src/pallet/gs1.ts';
import { walksOf } from '../../conventions/walks.ts';
import { look, post, signIn } from '../../delivery/live/listener.ts';
import { newDock } from '../../dispatch/load/shipment/dock.ts';
import { recorded } from '../../statements.ts';
import { gateUuid, pagesOf } from './forms.ts';

const GS = '\u001d';
const sscc = (start: string) => start + checkDigit(start);
/** The pallets of the gate, by the way in which they are stored. */
const PLAIN = sscc('34012345000000001');
const PREFIXED = `00${sscc('34012345000000002')}`;
const PRINTED = `(00)${sscc('34012345000000003')}`;
const UNMARKED = `00${sscc('34012345000000004')}`;
const TWICE = sscc('34012345000000005');
const number = (wmsId: string) => wmsId.slice(-18);

const dock = await newDock();
/** Ids that only the index of folded ids finds: letters of both cases, and letters beyond ASCII. */
const MIXED = ['Roll-7b', '\u00c4PFEL-1', '\u00e4pfel-Kiste'];
await dock.couple(
  PLAIN,
  PREFIXED,
  PRINTED,
  'PAL-A1-5',
  'Case-1',
  'CASE-1',
  `00${TWICE}`,
  `(00)${TWICE}`,
  ...MIXED,
);
const pallets = [
  PLAIN,
  PREFIXED,
  PRINTED,
  UNMARKED,
  'PAL-A1-5',
  'Case-1',
  `00${TWICE}`,
  `(00)${TWICE}`,
  '\u00c9-No-Marker',
  ...MIXED,
];
await dock.manifest('M', ...pallets);
await dock.must('POST', '/manifest/M/gate/G');
await dock.must('POST', '/manifest/M/status/TO_DO');
await dock.must('POST', '/manifest/M/status/IN_PROGRESS');
const path = `/app/gate/${await gateUuid(dock)}`;
const person = await signIn(dock);
const pages = pagesOf(person);
const html = await (await look(path, person.cookie)).text();
const token = /name="token" value="([^"]+)"/.exec(html)![1]!;

/** Sends a scan as a page with scripts does. */
async function scan(text: string, more: Record<string, string> = {}) {
  const key = crypto.randomUUID();
  const fields = { scan: text, action: 'scan', token, key, scanId: key, ...more };
  const answer = await post(path, fields, { Cookie: person.cookie, Accept: 'application/json' });
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  return { status: answer.status, body: (await answer.json()) as any };
}
const uuidOf = async (wmsId: string): Promise<string> =>
  (await dock.must('GET', `/track/${encodeURIComponent(wmsId)}`)).body.uuid;
const assetsOf = async (manifest: string): Promise<{ trackIdentifier: string; loadingStatus: string }[]> =>
  (await dock.must('GET', `/manifest/${manifest}/asset`)).body;
const statusOf = async (wmsId: string) =>
  (await assetsOf('M')).find(({ trackIdentifier }) => trackIdentifier === wmsId)?.loadingStatus;

/** Texts with the pallet that each means. */
const MEANT: [text: string, pallet: string][] = [
  [`00${PLAIN}3302000123`, PLAIN],
  ['3114f4e4e4b2d05e01000000', PLAIN],
  [`3000 F90${number(PRINTED)}000`, PRINTED],
  [`]d202006141410000123724${GS}00${PLAIN}`, PLAIN],
  [`(02)00614141000012(37)24(00)${number(PREFIXED)}`, PREFIXED],
  [number(PREFIXED), PREFIXED],
  [`(00)${number(PREFIXED)}`, PREFIXED],
  [`https://example.com/x/00/${number(PRINTED)}?a=1`, PRINTED],
  [`urn:epc:id:sscc:4012345.3000000003`, PRINTED],
  [`00${number(PRINTED)}`, PRINTED],
  [`3401 2345\u00a0${PLAIN.slice(8)}\u200b`, PLAIN],
  ['pal-a1-5', 'PAL-A1-5'],
  ['ROLL-7B', MIXED[0]!],
  ['\u00e4pfel-1', MIXED[1]!],
  ['\u00c4PFEL-KISTE', MIXED[2]!],
  ['PQL)Q&)(', 'PAL-A1-5'],
  ['PAL\u00dfA1\u00df5', 'PAL-A1-5'],
  [`+C100${PLAIN}`, PLAIN],
  [`^02006141410000123724^00${PLAIN}`, PLAIN],
  [`https://dispatch.example.com/epc/${dock.uuid}/pallet/PAL-A1-5`, 'PAL-A1-5'],
  ['pql\u00b0q1\u00b05', 'PAL-A1-5'],
];

describe('a scan on the gate page', () => {
  it.each([...MEANT, [number(UNMARKED), UNMARKED], ['\u00e9-no-marker', '\u00c9-No-Marker']] as const)(
    'a scan of %j loads the pallet that it means',
    async (text, pallet) => {
      expect((await scan(text)).body).toMatchObject({ outcome: 'LOADED', pallet });
    },
  );

  it('a scan with another keyboard layout says so', async () => {
    expect((await scan('PQL)Q&)(')).body.hint).toMatch(/another keyboard layout/);
    const { status, body } = await scan('PQL)Q&)\u00e7');
    expect([status, body.refused]).toEqual([
      404,
      expect.stringMatching(/^No pallet .* another keyboard layout/),
    ]);
    expect((await scan('unknown-9')).body.refused).toBe('No pallet has the name unknown-9.');
  });

  it.each(['', '   ', '\u200b', '\t\r\n'])(
    'a scan without visible characters (%j) is refused',
    async (text) => {
      const { status, body } = await scan(text);
      expect([status, body.refused]).toEqual([
        400,
        expect.stringMatching(/^An entry is not valid: The text must have/),
      ]);
    },
  );

  it.each([
    ['the number of two pallets', TWICE, [`00${TWICE}`, `(00)${TWICE}`]],
    ['an id that two pallets have in other cases', 'case-1', ['CASE-1', 'Case-1']],
  ])('a scan of %s asks for the pallet and loads none', async (_, text, wmsIds) => {
    const before = (await dock.must('GET', '/manifest/M')).body.loadedAssetsCount;
    const { status, body } = await scan(text);
    expect(status).toBe(200);
    expect(body.question).toContain(text);
    expect(body.choices.map(({ pallet }: { pallet: string }) => pallet).sort()).toEqual([...wmsIds].sort());
    expect((await dock.must('GET', '/manifest/M')).body.loadedAssetsCount).toBe(before);
  });

  it('a browser without scripts gets the question as a page, and each choice loads its pallet', async () => {
    const { status, location } = await pages.send(path, 'scan', { scan: TWICE });
    expect(status).toBe(303);
    const { html: asked } = await pages.get(location!);
    expect(asked).toMatch(/<fieldset><legend>Several pallets match/);
    const values = [...asked.matchAll(/name="scan" value="([^"]+)"/g)].map(([, value]) => value!);
    expect(values.sort()).toEqual([`(00)${TWICE}`, `00${TWICE}`]);
    expect((await scan(`(00)${TWICE}`)).body).toMatchObject({ outcome: 'LOADED', pallet: `(00)${TWICE}` });
    expect(await statusOf(`00${TWICE}`)).toBe('NOT_LOADED');
  });

  it('a scan of a pallet that was loaded before says so, and the same scan sent again does not', async () => {
    const date = Date.now();
    const first = { scanId: 'first', scanDate: String(date) };
    expect((await scan('Case-1', first)).body).toMatchObject({ outcome: 'LOADED', said: 'Loaded' });
    expect((await scan('Case-1', first)).body).not.toHaveProperty('repeated');
    const later = { scanId: 'second', scanDate: String(date + 1) };
    expect((await scan('Case-1', later)).body).toMatchObject({ said: 'Already loaded', repeated: true });
    const byMarker = { scanId: 'third', scanDate: String(date + 2) };
    expect((await scan(String(dock.codes['Case-1']), byMarker)).body).toMatchObject({
      said: 'Already loaded',
      repeated: true,
    });
  });

  it('a text with several readings is as many scans', async () => {
    for (const wmsId of [PLAIN, PREFIXED]) await dock.scan(wmsId, 'UNLOAD');
    const { body } = await scan(`${PLAIN}\t${number(PREFIXED)}\tnothing\r\n${TWICE}\r\n`);
    expect(body.done).toBe(
      `Loaded: ${PLAIN} Loaded: ${PREFIXED} No pallet has the name nothing. Several pallets match ${TWICE}.`,
    );
    expect([await statusOf(PLAIN), await statusOf(PREFIXED)]).toEqual(['LOADED', 'LOADED']);
  });

  it('readings that are sent again in one text count once', async () => {
    for (const wmsId of [PLAIN, PREFIXED]) await dock.scan(wmsId, 'UNLOAD');
    const key = crypto.randomUUID();
    const text = `${PLAIN}\n${PREFIXED}`;
    const first = await scan(text, { key, scanId: key });
    for (const wmsId of [PLAIN, PREFIXED]) await dock.scan(wmsId, 'UNLOAD');
    expect(await scan(text, { key, scanId: key })).toEqual(first);
    expect([await statusOf(PLAIN), await statusOf(PREFIXED)]).toEqual(['UNLOADED', 'UNLOADED']);
  });

  it('a text with more readings than the maximum is refused as a whole', async () => {
    const many = Array.from({ length: 11 }, (_, index) => `N-${index}`).join('\n');
    expect((await scan(many)).status).toBe(400);
    expect((await scan(many.replace('\nN-10', ''))).status).toBe(200);
  });

  it('a scan that finds nothing needs three round trips to D1 and walks over no table', async () => {
    const trips = await recorded(() => scan('&\u00e9"unknown'));
    const own = trips.filter(({ statements }) => statements.some(({ text }) => /wms_id|wmsId/.test(text)));
    // The third one asks whether the pallet has left.
    expect(own).toHaveLength(3);
    for (const statement of own.flatMap(({ statements }) => statements))
      expect([statement.text, await walksOf(statement)]).toEqual([statement.text, []]);
  });
});

describe('the search box', () => {
  it.each(MEANT)('a search for %j opens the pallet that it means', async (q, pallet) => {
    const { status, location } = await pages.get(`/app/search?${new URLSearchParams({ q })}`);
    expect([status, location]).toEqual([303, `/app/track/${await uuidOf(pallet)}`]);
  });

  it('a search for the number of two pallets lists both, and an exact id opens its pallet', async () => {
    const { status, html: list } = await pages.get(`/app/search?q=${TWICE}`);
    expect(status).toBe(200);
    for (const wmsId of [`00${TWICE}`, `(00)${TWICE}`]) expect(list).toContain(await uuidOf(wmsId));
    const { location } = await pages.get(`/app/search?q=00${TWICE}`);
    expect(location).toBe(`/app/track/${await uuidOf(`00${TWICE}`)}`);
  });

  it('a search that finds nothing names the keyboard layout', async () => {
    const { html: nothing } = await pages.get(`/app/search?${new URLSearchParams({ q: 'XQL)Q&)(' })}`);
    expect(nothing).toContain('another keyboard layout');
  });
});

describe('forms of desks', () => {
  it('the form that adds a pallet stores a known pallet as it is, and a new SSCC as 18 digits', async () => {
    await dock.manifest('N');
    const uuid = (await dock.must('GET', '/manifest/N')).body.uuid;
    const fresh = sscc('34012345000000009');
    const add = (trackIdentifier: string) =>
      pages.send(`/app/manifest/${uuid}`, 'attach', { trackIdentifier });
    for (const text of [
      number(PREFIXED),
      `]C100${number(PREFIXED)}`,
      'pal-a1-5',
      `(00) ${fresh}`,
      ` New\u200b-1 `,
    ])
      expect((await add(text)).status).toBe(303);
    const ids = (await assetsOf('N')).map(({ trackIdentifier }) => trackIdentifier);
    expect(ids.sort()).toEqual([PREFIXED, fresh, 'New-1', 'PAL-A1-5'].sort());
    const several = await add(TWICE);
    expect([several.status, several.html]).toEqual([400, expect.stringContaining(`00${TWICE}`)]);
    const azerty = [...sscc('34012345000000008')].map((digit) => 'à&é"\'(-è_ç'[Number(digit)]).join('');
    const mistyped = await add(azerty);
    expect([mistyped.status, mistyped.html]).toEqual([400, expect.stringContaining('keyboard')]);
    expect(await assetsOf('N')).toHaveLength(4);
    expect((await add('\u00df'.repeat(300))).status).toBe(400);
  });

  it('the search of a gate page and of a list finds an SSCC in any notation', async () => {
    const q = `https://example.com/00/${number(PREFIXED)}`;
    for (const page of [
      `${path}?${new URLSearchParams({ q })}`,
      `/app/track?${new URLSearchParams({ find: q })}`,
    ])
      expect((await pages.get(page)).html).toContain(PREFIXED);
  });
});
