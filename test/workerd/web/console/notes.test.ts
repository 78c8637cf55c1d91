import { beforeAll, expect, it } from 'vitest';
import { storedState } from '../../../contract/state.ts';
import { signIn } from '../../delivery/live/listener.ts';
import { type Dock, loadingDock } from '../../dispatch/load/shipment/dock.ts';
import { gateUuid, type Pages, pagesOf } from './forms.ts';

let dock: Dock;
let gate: string;
let pages: Pages;
let records: Record<string, string>;

beforeAll(async () => {
  dock = await loadingDock();
  await dock.must('PUT', '/manifest/M', { assets: ['A', 'B', 'BARE'] });
  gate = `/app/gate/${await gateUuid(dock)}`;
  pages = pagesOf(await signIn(dock));
  const { body } = await dock.must('GET', '/manifest/M/asset-loading');
  records = Object.fromEntries(
    body.map((each: { uuid: string; trackIdentifier: string }) => [each.trackIdentifier, each.uuid]),
  );
});

const trackOf = async (pallet: string) => (await dock.must('GET', `/track/${pallet}`)).body;
const lastReason = async () => {
  const { content } = (
    await dock.must('GET', '/audit-log?action=TRACK_FLAGGED&sort.sortBy=sequenceNumber&sort.direction=DESC')
  ).body;
  return content[0].changes.find(({ field }: { field: string }) => field === 'reason')?.newValue;
};

it('damage at the gate flags the pallet, with the comment as its reason, once for a repeat', async () => {
  const form = { record: records['A']!, comment: ' Foil torn ' };
  const key = crypto.randomUUID();
  for (const _ of [1, 2]) expect((await pages.send(gate, 'damage', form, key)).status).toBe(303);
  expect(await trackOf('A')).toMatchObject({ damaged: true, trackStatus: 'FLAGGED' });
  expect(await lastReason()).toBe('Foil torn');
  const { content } = (await dock.must('GET', '/track/A/activity')).body;
  expect(
    content.filter(({ activityType }: { activityType: string }) => activityType === 'FLAGGED'),
  ).toHaveLength(1);
});

it('damage at the gate needs no comment, and a blank one gives no reason', async () => {
  expect((await pages.send(gate, 'damage', { record: records['B']!, comment: '  ' })).status).toBe(303);
  expect(await trackOf('B')).toMatchObject({ damaged: true });
  expect(await lastReason()).toBeUndefined();
});

it('a comment at the gate has at most 1,000 characters, and is added once for a repeat', async () => {
  const form = { record: records['A']!, comment: 'x'.repeat(1_000) };
  const key = crypto.randomUUID();
  for (const _ of [1, 2]) expect((await pages.send(gate, 'comment', form, key)).status).toBe(303);
  const comments = (await dock.must('GET', '/track/A/comments')).body;
  expect(comments.map(({ additionalInfo }: { additionalInfo: string }) => additionalInfo)).toEqual([
    form.comment,
  ]);
});

it.each([
  ['a comment without text', 'comment', 'A', '', 400],
  ['a comment of 1,001 characters', 'comment', 'A', 'x'.repeat(1_001), 400],
  ['damage with 1,001 characters', 'damage', 'A', 'x'.repeat(1_001), 400],
  ['damage of a pallet without a marker', 'damage', 'BARE', '', 404],
  ['a comment on a pallet without a marker', 'comment', 'BARE', 'Wet', 404],
] as const)('%s is refused and changes nothing', async (_, action, pallet, comment, status) => {
  const before = await storedState(dock);
  expect((await pages.send(gate, action, { record: records[pallet]!, comment })).status).toBe(status);
  expect(await storedState(dock)).toEqual(before);
});

it.each(['damage', 'comment'])(
  '%s needs the right to mark pallets, in the own organization',
  async (action) => {
    const viewer = pagesOf(await signIn(dock, 'VIEWER'));
    const form = { record: records['A']!, comment: 'Mine' };
    const before = await storedState(dock);
    expect((await viewer.send(gate, action, form)).status).toBe(403);
    const stranger = await loadingDock();
    const theirs = pagesOf(await signIn(stranger));
    expect((await theirs.send(`/app/gate/${await gateUuid(stranger)}`, action, form)).status).toBe(404);
    expect((await trackOf('A')).commentsCount).toBe(1);
    expect(await storedState(dock)).toEqual(before);
  },
);
