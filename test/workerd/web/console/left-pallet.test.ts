import { expect, it } from 'vitest';
import { look, post, signIn } from '../../delivery/live/listener.ts';
import { newDock } from '../../dispatch/load/shipment/dock.ts';
import { unescaped } from '../../markup.ts';
import { gateUuid } from './forms.ts';

const SSCC = '395212349000000123';
const LEFT = /^It left with GONE \(\d\d:\d\d\)\. Ask the office\.$/;

const dock = await newDock();
await dock.couple('MARKED');
await dock.manifest('M-1', SSCC, 'MARKED', 'NAMED-9001');
await dock.shipment('GONE', ['M-1'], { gateIdentifier: 'G' });
await dock.must('POST', '/shipment/GONE/status/IN_PROGRESS');
for (const { recordUuid } of (await dock.must('GET', '/shipment/GONE/asset-loading')).body)
  await dock.must('PATCH', `/shipment/GONE/asset-loading/${recordUuid}/status`, { status: 'LOADED' });
await dock.must('POST', '/shipment/GONE/status/COMPLETED');
const path = `/app/gate/${await gateUuid(dock)}`;
const { cookie } = await signIn(dock);

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
async function scan(text: string): Promise<any> {
  const token = /name="token" value="([^"]+)"/.exec(await (await look(path, cookie)).text())![1]!;
  const key = crypto.randomUUID();
  const fields = { scan: text, action: 'scan', token, key, scanId: key };
  return (await post(path, fields, { Cookie: cookie, Accept: 'application/json' })).json();
}

it('a pallet that has left says with which load and when, wherever it is scanned, with and without a marker', async () => {
  const texts = [SSCC, `(00)${SSCC}`, 'MARKED', String(dock.codes['MARKED'])];
  for (const text of texts) expect(await scan(text)).toMatchObject({ hint: expect.stringMatching(LEFT) });
  expect((await scan('NAMED-9001')).refused).toMatch(/^NAMED-9001: It left with GONE/);
  expect((await scan('NAMED-9002')).refused).toBe('No pallet has the name NAMED-9002.');
  await dock.manifest('M-2', 'OTHER');
  await dock.shipment('NEXT', ['M-2'], { gateIdentifier: 'G' });
  await dock.must('POST', '/shipment/NEXT/status/IN_PROGRESS');
  for (const text of texts)
    expect(await scan(text)).toMatchObject({
      said: 'Wrong pallet: take it off',
      hint: expect.stringMatching(LEFT),
    });
  const page = unescaped(await (await look(path, cookie)).text());
  expect(page).toContain('It left with GONE (');
  expect(page).not.toMatch(/Unknown marker|No pallet has this marker|on no open manifest/);
  for (const each of ['/app/board', '/app/board?screen=wall'])
    expect(unescaped(await (await look(each, cookie)).text())).not.toContain('Unknown marker');
});
