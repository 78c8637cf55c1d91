import { expect, it } from 'vitest';
import { look, post, signIn } from '../../delivery/live/listener.ts';
import { newDock } from '../../dispatch/load/shipment/dock.ts';

const dock = await newDock();
const { cookie } = await signIn(dock, 'ADMINISTRATOR');
const worker = await signIn(dock, 'FORKLIFT_OPERATOR');

const pageOf = async (manifest: string, of = cookie): Promise<string> => {
  const { body } = await dock.must('GET', `/manifest/${manifest}`);
  return (await look(`/app/manifest/${body.uuid}`, of)).text();
};
const uuidOf = async (manifest: string): Promise<string> =>
  (await dock.must('GET', `/manifest/${manifest}`)).body.uuid;

/** Sends a form that asks for labels: as a script does, or as a browser does. */
async function give(
  path: string,
  fields: Record<string, string> = {},
  { key = crypto.randomUUID(), json = false, of = cookie } = {},
): Promise<Response> {
  const token = /name="token" value="([^"]+)"/.exec(await (await look('/app/board', of)).text())?.[1] ?? '';
  const headers = { Cookie: of, ...(json ? { Accept: 'application/json' } : {}) };
  return post(path, { ...fields, token, key, action: 'giveMarkers' }, headers);
}
const codesOf = async (manifest: string): Promise<number[]> =>
  (await dock.must('GET', `/manifest/${manifest}/asset-loading`)).body.map(
    ({ track }: { track: { markerCode: number } | null }) => track?.markerCode,
  );

it('one form gives markers to the pallets that have none and answers with their labels, once for a repeat', async () => {
  await dock.couple('A-old');
  await dock.manifest('A', 'A-1', 'A-old', 'A-2');
  const html = await pageOf('A');
  expect(html).toContain('2 pallets have no marker yet.');
  expect(html).toContain('Give 2 markers and print labels');
  const path = `/app/manifest/${await uuidOf('A')}`;
  const key = crypto.randomUUID();
  const asked = await give(path, {}, { key, json: true });
  expect([asked.status, await asked.json()]).toEqual([200, { done: '2 markers given.' }]);
  const codes = await codesOf('A');
  expect(new Set(codes).size).toBe(3);
  const [labels, again] = [await give(path, {}, { key }), await give(path, {}, { key })];
  expect([labels.status, labels.headers.get('Content-Type')]).toEqual([200, 'application/pdf']);
  await Promise.all([labels.arrayBuffer(), again.arrayBuffer()]);
  expect(await codesOf('A')).toEqual(codes);
  const other = await give(path, {}, { json: true });
  expect([other.status, await other.json()]).toMatchObject([
    400,
    { refused: 'Every pallet of these open manifests has a marker already.' },
  ]);
  expect(await pageOf('A')).not.toContain('no marker yet');
  await dock.couple('next');
  expect(dock.codes['next']).toBe(Math.max(...codes) + 1);
});

it('a pallet of two manifests gets one marker, and shipments are given markers for all of their manifests', async () => {
  await dock.manifest('B-1', 'B-x', 'B-both');
  await dock.manifest('B-2', 'B-both', 'B-y');
  await dock.shipment('B', ['B-1', 'B-2']);
  const { body } = await dock.must('GET', '/shipment/B');
  expect((await give('/app/shipment', { row: body.uuid }, { json: true })).status).toBe(200);
  const [one, two] = [await codesOf('B-1'), await codesOf('B-2')];
  expect(new Set([...one, ...two]).size).toBe(3);
  expect(one[1]).toBe(two[0]);
});

it('two forms at once give each pallet one marker', async () => {
  await dock.manifest('C', ...Array.from({ length: 30 }, (_, at) => `C-${at}`));
  const path = `/app/manifest/${await uuidOf('C')}`;
  const answers = await Promise.all([1, 2, 3].map(() => give(path, {}, { json: true })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
  expect(new Set(await codesOf('C')).size).toBe(30);
});

it('a user who may not change manifests sees the count without the button, and is refused', async () => {
  await dock.manifest('D', 'D-1');
  const html = await pageOf('D', worker.cookie);
  expect([html.includes('1 pallet has no marker yet.'), html.includes('giveMarkers')]).toEqual([true, false]);
  const list = async (of: string) => (await look('/app/manifest', of)).text();
  expect([await list(cookie), await list(worker.cookie)].map((text) => text.includes('giveMarkers'))).toEqual(
    [true, false],
  );
  for (const path of [`/app/manifest/${await uuidOf('D')}`, '/app/manifest'])
    expect((await give(path, { row: await uuidOf('D') }, { of: worker.cookie })).status).toBe(403);
  expect(await codesOf('D')).toEqual([undefined]);
});

it('a closed manifest and a manifest of another organization give no markers', async () => {
  await dock.manifest('E', 'E-1');
  await dock.must('POST', '/manifest/E/status/CANCELLED');
  const other = await newDock();
  await other.manifest('F', 'F-1');
  const { body } = await other.must('GET', '/manifest/F');
  for (const row of [await uuidOf('E'), body.uuid])
    expect((await give('/app/manifest', { row }, { json: true })).status).toBe(400);
  expect((await other.must('GET', '/manifest/F/asset-loading')).body[0].track).toBeNull();
});
