import { describe, expect, it } from 'vitest';
import { checkDigit } from '../../../../src/pallet/gs1.ts';
import { look, post, signIn } from '../../delivery/live/listener.ts';
import { newDock } from '../../dispatch/load/shipment/dock.ts';
import { gateUuid, pagesOf } from './forms.ts';

const [A, B, C] = ['34012345000000001', '34012345000000002', '34012345000000003'].map(
  (start) => start + checkDigit(start),
) as [string, string, string];

const dock = await newDock();
await dock.couple(A, 'PAL-1', 'RACK^M');
await dock.manifest('M', A, B, 'PAL-1', 'RACK^M');
await dock.must('POST', '/manifest/M/gate/G');
for (const status of ['TO_DO', 'IN_PROGRESS']) await dock.must('POST', `/manifest/M/status/${status}`);
const path = `/app/gate/${await gateUuid(dock)}`;
const person = await signIn(dock);
const token = /name="token" value="([^"]+)"/.exec(await (await look(path, person.cookie)).text())![1]!;

async function scan(text: string) {
  const key = crypto.randomUUID();
  const fields = { scan: text, action: 'scan', token, key, scanId: key };
  const answer = await post(path, fields, { Cookie: person.cookie, Accept: 'application/json' });
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  return { status: answer.status, body: (await answer.json()) as any };
}
const read = async (identifier: string) => {
  const scanId = crypto.randomUUID();
  return (await dock.device('POST', '/gate/G/scan', { scanId, identifier, direction: 'LOAD' })).body;
};
const counts = async () => {
  const { loadedAssetsCount } = (await dock.must('GET', '/manifest/M')).body;
  const { totalElements } = (await dock.must('GET', '/alert-event')).body;
  return { loadedAssetsCount, totalElements };
};

describe('a text that is typed behind a reading', () => {
  it.each(['\\n', '{ENTER}', '<CR>', '^M'])(
    '%s behind a reading is no part of it, on the page and in the device API',
    async (end) => {
      expect((await scan(`${A}${end}`)).body).toMatchObject({ outcome: 'LOADED', pallet: A });
      expect(await read(`00${B}${end}`)).toMatchObject({ outcome: 'LOADED', trackIdentifier: B });
      expect((await scan(`${dock.codes['PAL-1']}${end}`)).body).toMatchObject({
        outcome: 'LOADED',
        pallet: 'PAL-1',
      });
      expect((await scan(`nothing${end}`)).body.refused).toBe('No pallet has the name nothing.');
      expect((await scan(`${A}${end}(00)${B}${end}`)).body.done).toBe(`Loaded: ${A} Loaded: ${B}`);
    },
  );

  it('a pallet whose id ends in such a text is found', async () => {
    expect((await scan('RACK^M')).body).toMatchObject({ outcome: 'LOADED', pallet: 'RACK^M' });
    expect(await read('RACK^M')).toMatchObject({ outcome: 'LOADED', trackIdentifier: 'RACK^M' });
  });
});

describe('readings that a scanner without Enter has glued', () => {
  it.each([
    ['two expected pallets', A + B, [A, B]],
    ['an expected pallet and an unknown one', `00${A}00${C}`, [A, C]],
    ['two unknown pallets', `${C}34012345000000004${checkDigit('34012345000000004')}`, [C]],
    ['an SSCC and a marker', `${B}${dock.codes['PAL-1']}`, [B, String(dock.codes['PAL-1'])]],
    ['a marker and an SSCC', `${dock.codes['PAL-1']}${C}`, [String(dock.codes['PAL-1']), C]],
  ])('%s are named, and nothing is recorded', async (_, text, named) => {
    const before = await counts();
    const { status, body } = await scan(text);
    expect([status, body.refused]).toEqual([
      404,
      expect.stringMatching(/^Several pallets in one scan: .*send Enter/),
    ]);
    for (const name of named) expect(body.refused).toContain(name);
    expect(await read(text)).toMatchObject({ outcome: 'NOT_RECOGNIZED', recordUuid: null });
    expect(await counts()).toEqual(before);
  });

  it('a form that adds a pallet refuses such a text and names the pallets', async () => {
    const { uuid } = (await dock.must('GET', '/manifest/M')).body;
    const { status, html } = await pagesOf(person).send(`/app/manifest/${uuid}`, 'attach', {
      trackIdentifier: C + A,
    });
    expect(status).toBe(400);
    for (const name of [A, C]) expect(html).toContain(name);
  });
});
