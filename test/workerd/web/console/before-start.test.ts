import { describe, expect, it } from 'vitest';
import { look, post, signIn } from '../../delivery/live/listener.ts';
import { newDock } from '../../dispatch/shipment/dock.ts';
import { gateUuid } from './forms.ts';

const dock = await newDock();
await dock.couple('A', 'ELSEWHERE', 'NOWHERE');
await dock.manifest('M', 'A', 'UNMARKED');
await dock.shipment('S', ['M'], { gateIdentifier: 'G' });
await dock.manifest('N', 'ELSEWHERE');
await dock.shipment('OTHER', ['N'], { gateIdentifier: 'H' });
const path = `/app/gate/${await gateUuid(dock)}`;
const { cookie } = await signIn(dock);

async function scan(text: string, direction = 'LOAD') {
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
  it('a pallet of the load that is ready answers Press Start first, with and without a marker', async () => {
    for (const pallet of ['A', String(dock.codes['A']), 'UNMARKED'])
      expect(await scan(pallet)).toMatchObject({
        ...{ outcome: 'NO_ACTIVE_MANIFEST', said: 'Press Start first' },
        ...{ ready: 'S', manifest: 'S', record: null },
      });
    expect(await openAlerts()).toEqual(['SCAN_WITHOUT_ACTIVE_MANIFEST']);
  });

  it('a pallet of another gate or of no load answers that nothing is being loaded', async () => {
    for (const answer of [await scan('ELSEWHERE'), await scan('NOWHERE'), await scan('A', 'UNLOAD')]) {
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

it('the button to start names its load if other loads wait at the gate, too', async () => {
  const own = await newDock();
  const gate = `/app/gate/${await gateUuid(own)}`;
  const user = await signIn(own);
  const foot = async (): Promise<string> =>
    /<footer class="gfoot">.*?<\/footer>/s.exec(await (await look(gate, user.cookie)).text())![0];
  await own.manifest('M-1', 'A');
  await own.shipment('ONE', ['M-1'], { gateIdentifier: 'G' });
  expect(await foot()).toMatch(/>Start\s*<\/button>/);
  await own.manifest('M-2', 'B');
  await own.shipment('TWO', ['M-2'], { gateIdentifier: 'G' });
  expect(await foot()).toMatch(/>Start\s*<span class="of">ONE<\/span>/);
});
