import { describe, expect, it } from 'vitest';
import { look, post, signIn } from '../../delivery/live/listener.ts';
import { newDock } from '../../dispatch/load/shipment/dock.ts';
import { gateUuid } from './forms.ts';

const dock = await newDock();
await dock.couple('A', 'ELSEWHERE', 'NOWHERE');
await dock.manifest('M', 'A', 'UNMARKED');
await dock.shipment('S', ['M'], { gateIdentifier: 'G' });
await dock.manifest('N', 'ELSEWHERE');
await dock.shipment('OTHER', ['N'], { gateIdentifier: 'H' });
const path = `/app/gate/${await gateUuid(dock)}`;
const { cookie } = await signIn(dock);

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
async function scan(text: string, direction = 'LOAD'): Promise<any> {
  const token = /name="token" value="([^"]+)"/.exec(await (await look(path, cookie)).text())![1]!;
  const key = crypto.randomUUID();
  const fields = { scan: text, direction, action: 'scan', token, key, scanId: key };
  return (await post(path, fields, { Cookie: cookie, Accept: 'application/json' })).json();
}
const readyOn = async (): Promise<unknown[][]> => {
  const html = await (await look(path, cookie)).text();
  return JSON.parse(/data-ready="([^"]*)"/.exec(html)![1]!.replaceAll('&quot;', '"'));
};
const openAlerts = async (): Promise<string[]> =>
  (await dock.must('GET', '/alert-event?status=OPEN')).body.content.map(
    ({ alertType }: { alertType: string }) => alertType,
  );

describe('a scan before Start', () => {
  it('a pallet of the load that is ready answers Press Start first and offers Start, with and without a marker', async () => {
    const { uuid } = (await dock.must('GET', '/shipment/S')).body;
    for (const pallet of ['A', String(dock.codes['A']), 'UNMARKED'])
      expect(await scan(pallet)).toMatchObject({
        ...{ outcome: 'NO_ACTIVE_MANIFEST', said: 'Press Start first' },
        ...{ ready: 'S', manifest: 'S', record: null },
        start: { thing: `shipment:${uuid}`, text: 'Start' },
      });
    expect(await openAlerts()).toEqual(['SCAN_WITHOUT_ACTIVE_MANIFEST']);
  });

  it('the end of an id offers the pallets of the load that is ready', async () => {
    expect((await scan('rked')).choices.map(({ pallet }: { pallet: string }) => pallet)).toEqual([
      'UNMARKED',
    ]);
  });

  it('a pallet of another gate or of no load answers that nothing is being loaded, and where it belongs', async () => {
    const [elsewhere, nowhere, off] = [
      await scan('ELSEWHERE'),
      await scan('NOWHERE'),
      await scan('A', 'UNLOAD'),
    ];
    expect(elsewhere).toMatchObject({ hint: 'It belongs to N (Gate H).' });
    for (const answer of [elsewhere, nowhere, off]) {
      expect(answer).toMatchObject({
        outcome: 'NO_ACTIVE_MANIFEST',
        said: 'Nothing is being loaded here',
      });
      expect(answer).not.toHaveProperty('ready');
    }
  });

  it('the page has the pallets of the load that is ready until a load starts, so that it answers without a connection', async () => {
    const { uuid } = (await dock.must('GET', '/shipment/S')).body;
    const pallets = await readyOn();
    expect(pallets.map(([wmsId, marker, , load]) => [wmsId, marker, load])).toEqual([
      ['A', dock.codes['A'], `shipment:${uuid}`],
      ['UNMARKED', null, `shipment:${uuid}`],
    ]);
    await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
    expect(await readyOn()).toEqual([]);
    expect(await openAlerts()).toEqual([]);
    expect(await scan('A')).toMatchObject({ outcome: 'LOADED', said: 'Loaded', manifest: 'M' });
  });
});

it('the buttons to start name their loads if several wait, and More has all but the first', async () => {
  const own = await newDock();
  const gate = `/app/gate/${await gateUuid(own)}`;
  const user = await signIn(own);
  const foot = async (): Promise<string> =>
    /<footer class="gfoot">.*?<\/footer>/s.exec(await (await look(gate, user.cookie)).text())![0];
  const started = async (pattern: RegExp): Promise<string[]> =>
    [...(await foot()).matchAll(pattern)].map(([, name]) => name!);
  await own.manifest('M-1', 'A');
  await own.shipment('ONE', ['M-1'], { gateIdentifier: 'G' });
  expect(await foot()).toMatch(/>Start\s*<\/button>/);
  await own.manifest('M-2', 'B');
  await own.shipment('TWO', ['M-2'], { gateIdentifier: 'G' });
  for (const name of ['THREE', 'FOUR']) {
    await own.manifest(`M-${name}`, name);
    await own.shipment(name, [`M-${name}`], { gateIdentifier: 'G' });
  }
  expect(await started(/>Start\s*<span class="of">(\w+)<\/span>/g)).toEqual(['ONE', 'TWO', 'THREE']);
  // One of them is the next action. More has the other ones, because a phone has room for one.
  expect(await foot()).toMatch(/class="button"[^>]*>Start\s*<span class="of">ONE/);
  expect(await foot()).toMatch(/class="button quiet"[^>]*>Start\s*<span class="of">TWO/);
  expect(await started(/aria-label="Start: (\w+)"/g)).toEqual(['TWO', 'THREE', 'FOUR']);
});
