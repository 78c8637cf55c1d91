import { beforeEach, expect, it } from 'vitest';
import { JPEG, noisyJpeg, png } from '../../../images.ts';
import { signIn } from '../../delivery/live/listener.ts';
import { gateUuid } from '../../web/console/forms.ts';
import { type Dock, loadingDock, recordUuidOf } from '../load/shipment/dock.ts';
import { deviceOf, newTablet } from '../tablet/tablets.ts';
import { objectsOf, open, orphansOf, photosOf, sendPhoto } from './photos.ts';

const HOUR_MS = 3_600_000;

let dock: Dock;
let gate: string;
beforeEach(async () => {
  dock = await loadingDock();
  gate = `/app/gate/${await gateUuid(dock)}`;
});

const recordOf = (pallet: string): Promise<string> => recordUuidOf(dock, pallet);

/** Sends a photo as the queue of a gate page does. @returns the status, and the message of a refusal */
async function send(
  cookie: string,
  fields: Record<string, string>,
  photo: Uint8Array = JPEG,
  to = gate,
  thumbnail?: Uint8Array,
) {
  const files = thumbnail ? { photo, thumbnail } : { photo };
  const values = { action: 'photo', takenDate: '1', ...fields };
  const answer = await sendPhoto(cookie, `${to}/photo`, values, files, { Accept: 'application/json' }, gate);
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

it('a queued photo has the thumbnail that the tablet has drawn, also if it is sent again with another one', async () => {
  const cookie = await tabletOf();
  const item = { kind: 'DAMAGE', record: await recordOf('A'), key: crypto.randomUUID() };
  const [photo, thumbnail] = [noisyJpeg(800, 600), noisyJpeg(400, 300, 4)];
  expect((await send(cookie, item, photo, gate, thumbnail))[0]).toBe(200);
  expect((await send(cookie, item, photo, gate, noisyJpeg(400, 300, 5)))[0]).toBe(200);
  const [stored, ...others] = await photosOf(dock);
  expect(others).toEqual([]);
  expect(Buffer.from((await open(`${stored.link}?thumbnail=true`)).bytes)).toEqual(thumbnail);
  expect([(await objectsOf(dock)).length, await orphansOf(dock)]).toEqual([1, []]);
});

it('a queued photo has the time at which it was taken, or none if the clock of the device is wrong', async () => {
  const cookie = await tabletOf();
  const thing = `shipment:${(await dock.must('GET', '/shipment/S')).body.uuid}`;
  const [earlier, ahead, fast, slow] = [-HOUR_MS, 240_000, HOUR_MS, -25 * HOUR_MS].map(
    (from) => Date.now() + from,
  );
  for (const takenDate of [earlier, ahead, fast, slow])
    expect((await send(cookie, { kind: 'LOAD', thing, takenDate: String(takenDate) }))[0]).toBe(200);
  const dates = (await photosOf(dock)).map(({ takenDate }) => takenDate).reverse();
  expect([dates[0], dates[2], dates[3]]).toEqual([new Date(earlier!).toISOString(), null, null]);
  expect(Date.parse(dates[1])).toBeLessThanOrEqual(Date.now());
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
    expect.stringContaining('A (G): The pallet or load is not at this gate any more.'),
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
