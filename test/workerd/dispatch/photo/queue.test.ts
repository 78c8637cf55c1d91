import { beforeEach, expect, it } from 'vitest';
import { JPEG, png } from '../../../images.ts';
import { look, post, signIn } from '../../delivery/live/listener.ts';
import { gateUuid } from '../../web/console/forms.ts';
import { type Dock, loadingDock, recordUuidOf } from '../shipment/dock.ts';
import { deviceOf, newTablet } from '../tablet/tablets.ts';
import { objectsOf, orphansOf, photosOf } from './photos.ts';

const HOUR_MS = 3_600_000;

let dock: Dock;
let gate: string;
beforeEach(async () => {
  dock = await loadingDock();
  gate = `/app/gate/${await gateUuid(dock)}`;
});

const recordOf = (pallet: string): Promise<string> => recordUuidOf(dock, pallet);

/** Sends a photo as the queue of a gate page does. @returns the status, and the message of a refusal */
async function send(cookie: string, fields: Record<string, string>, bytes: Uint8Array = JPEG, to = gate) {
  const html = await (await look(gate, cookie)).text();
  const token = /name="token" value="([^"]+)"/.exec(html)?.[1] ?? '';
  const form = new FormData();
  const values = { token, key: crypto.randomUUID(), action: 'photo', takenDate: '1', ...fields };
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  form.set('photo', new File([Uint8Array.from(bytes)], 'photo.jpg'));
  const answer = await post(`${to}/photo`, form, { Cookie: cookie, Accept: 'application/json' });
  return [answer.status, ((await answer.json()) as { refused?: string }).refused] as const;
}

const tabletOf = async () => (await newTablet(deviceOf((await signIn(dock)).cookie), gate)).cookie;

it('a queued photo is stored once, however often the queue sends it, and needs the same bytes', async () => {
  const cookie = await tabletOf();
  const item = { kind: 'DAMAGE', record: await recordOf('A'), key: crypto.randomUUID() };
  const answers = await Promise.all([1, 2, 3].map(() => send(cookie, item)));
  answers.push(await send(cookie, item));
  expect(answers.map(([status]) => status)).toEqual([200, 200, 200, 200]);
  expect((await send(cookie, item, png()))[0]).toBe(422);
  expect((await send(cookie, { ...item, record: await recordOf('B') }))[0]).toBe(422);
  const photos = await photosOf(dock);
  expect(photos).toMatchObject([{ kind: 'DAMAGE', trackIdentifier: 'A', author: { firstName: 'Tablet 1' } }]);
  expect([(await objectsOf(dock)).length, await orphansOf(dock)]).toEqual([1, []]);
  expect((await dock.must('GET', '/track/A')).body.damaged).toBe(true);
  const { totalElements } = (await dock.must('GET', '/audit-log?action=PHOTO_ADDED')).body;
  expect(totalElements).toBe(1);
});

it('a queued photo has the time at which it was taken, and a fast clock counts as now', async () => {
  const cookie = await tabletOf();
  const thing = `shipment:${(await dock.must('GET', '/shipment/S')).body.uuid}`;
  const [earlier, ahead] = [Date.now() - HOUR_MS, Date.now() + HOUR_MS];
  for (const takenDate of [earlier, ahead])
    expect((await send(cookie, { kind: 'LOAD', thing, takenDate: String(takenDate) }))[0]).toBe(200);
  const dates = (await photosOf(dock)).map((photo) => Date.parse(photo.takenDate));
  expect(dates[1]).toBe(earlier);
  expect(dates[0]).toBeLessThanOrEqual(Date.now());
  for (const takenDate of ['0', '-1', 'noon', ''])
    expect([takenDate, (await send(cookie, { kind: 'LOAD', thing, takenDate }))[0]]).toEqual([
      takenDate,
      400,
    ]);
});

it('a queued photo is refused after its pallet left the gate, also for a signed-in user', async () => {
  const { cookie } = await signIn(dock);
  const record = await recordOf('A');
  expect((await send(cookie, { kind: 'DAMAGE', record }))[0]).toBe(200);
  const elsewhere = `/app/gate/${await gateUuid(dock, 'H')}`;
  expect((await send(cookie, { kind: 'DAMAGE', record }, JPEG, elsewhere))[0]).toBe(409);
  await dock.must('POST', '/shipment/S/status/COMPLETED');
  const [status, refused] = await send(cookie, { kind: 'DAMAGE', record });
  expect([status, refused]).toEqual([
    409,
    expect.stringContaining('Pallet "A" is not being loaded at gate "G".'),
  ]);
  expect(await photosOf(dock)).toHaveLength(1);
});

it('a queued photo is refused without a thing, of another organization, and of a user who may only look', async () => {
  const { cookie } = await signIn(dock);
  expect((await send(cookie, { kind: 'LOAD' }))[0]).toBe(400);
  expect((await send(cookie, { kind: 'LOAD', record: crypto.randomUUID() }))[0]).toBe(404);
  expect((await send(cookie, { kind: 'SELFIE', record: await recordOf('A') }))[0]).toBe(400);
  expect((await send(cookie, { kind: 'LOAD', record: await recordOf('A') }, Buffer.from('<svg/>')))[0]).toBe(
    400,
  );
  const record = await recordOf('A');
  const viewer = await signIn(dock, 'VIEWER');
  expect((await send(viewer.cookie, { kind: 'DAMAGE', record }))[0]).toBe(403);
  const [own, ownGate] = [dock, gate];
  dock = await loadingDock();
  gate = `/app/gate/${await gateUuid(dock)}`;
  expect((await send((await signIn(dock)).cookie, { kind: 'DAMAGE', record }))[0]).toBe(404);
  [dock, gate] = [own, ownGate];
  expect([await photosOf(dock), await objectsOf(dock), await orphansOf(dock)]).toEqual([[], [], []]);
});
