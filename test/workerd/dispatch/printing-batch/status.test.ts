import { describe, expect, it } from 'vitest';
import { newTenant } from '../../client.ts';
import { logOf } from '../../core/writer/requests.ts';
import { newBatch, newScanner } from './batches.ts';

const STATUSES = ['CREATED', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED'] as const;
const REACHED: Record<string, readonly string[]> = {
  CREATED: ['IN_PROGRESS', 'COMPLETED', 'CANCELLED'],
  IN_PROGRESS: ['COMPLETED', 'CANCELLED'],
  COMPLETED: [],
  CANCELLED: [],
};

async function withBatch(status = 'CREATED') {
  const tenant = await newTenant();
  const { at } = await newBatch(tenant, await newScanner(tenant), { quantity: 3 });
  const moved = await tenant.call('POST', `${at}/status/${status}`);
  if (moved.status !== 200) throw new Error(JSON.stringify(moved.body));
  const batch = (await tenant.call('GET', at)).body;
  return { tenant, at, batch };
}

describe.each(['GET', 'POST'])('the status of a batch by %s', (method) => {
  it.each(STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const)))(
    'the batch status goes from %s to %s only as the contract says',
    async (from, to) => {
      const { tenant, at, batch } = await withBatch(from);
      const log = (await logOf(tenant)).length;
      const answer = await tenant.call(method, `${at}/status/${to}`);
      expect(answer.headers.get('Cache-Control')).toBe('no-store');
      const after = (await tenant.call('GET', at)).body;
      if (REACHED[from]!.includes(to)) {
        expect([answer.status, answer.body]).toEqual([200, after]);
        expect(after).toMatchObject({
          status: to,
          printedCount: to === 'COMPLETED' ? 3 : 0,
          completeDate: to === 'COMPLETED' ? after.updateDate : null,
        });
        const entries = (await logOf(tenant)).slice(log);
        expect(entries).toMatchObject([
          { action: 'PRINTING_BATCH_STATUS_CHANGED', entity_uuid: batch.uuid, actor_type: 'API_KEY' },
        ]);
        expect(JSON.parse(entries[0]!.changes as string)).toEqual([
          { field: 'status', oldValue: from, newValue: to },
        ]);
        return;
      }
      expect(after).toEqual(batch);
      expect(await logOf(tenant)).toHaveLength(log);
      if (from === to) expect([answer.status, answer.body]).toEqual([200, batch]);
      else if (REACHED[from]!.length === 0)
        expect([answer.status, answer.body.code]).toEqual([409, 'batchClosed']);
      else {
        expect([answer.status, answer.body.code]).toEqual([400, 'transitionNotAllowed']);
        expect(answer.body.allowedValues).toEqual(REACHED[from]);
      }
    },
  );

  it.each(['DONE', 'completed', 'COMPLETED%20', 'constructor', '%00'])(
    'the batch status is never %s',
    async (status) => {
      const { tenant, at, batch } = await withBatch();
      const answer = await tenant.call(method, `${at}/status/${status}`);
      expect([answer.status, answer.body.code]).toEqual([400, 'unknownStatus']);
      expect(answer.body.allowedValues).toEqual(STATUSES);
      expect((await tenant.call('GET', at)).body).toEqual(batch);
    },
  );

  it('the batch status needs a key of the organization', async () => {
    const { tenant, at, batch } = await withBatch();
    const stranger = await newTenant();
    for (const headers of [{ 'X-AUTH-KEY': '' }, { 'X-AUTH-KEY': stranger.key }]) {
      const answer = await tenant.call(method, `${at}/status/COMPLETED`, undefined, headers);
      expect(answer.status).toBe(headers['X-AUTH-KEY'] === '' ? 401 : 404);
    }
    expect((await tenant.call('GET', at)).body).toEqual(batch);
  });

  it('concurrent changes to one batch status change it once', async () => {
    const { tenant, at } = await withBatch();
    const log = (await logOf(tenant)).length;
    const ask = (status: string) => tenant.call(method, `${at}/status/${status}`);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => ask(index % 2 === 0 ? 'COMPLETED' : 'CANCELLED')),
    );
    const { status } = (await tenant.call('GET', at)).body;
    answers.forEach((answer, index) => {
      const wanted = index % 2 === 0 ? 'COMPLETED' : 'CANCELLED';
      expect(answer.status).toBe(wanted === status ? 200 : 409);
    });
    expect(await logOf(tenant)).toHaveLength(log + 1);
  });
});

describe('the GET that changes a status', () => {
  it('the GET that changes a batch status has no HEAD: 405, and nothing changes', async () => {
    const { tenant, at, batch } = await withBatch();
    for (const status of ['COMPLETED', 'DONE']) {
      const head = await tenant.call('HEAD', `${at}/status/${status}`);
      expect([head.status, head.headers.get('Allow')]).toEqual([405, 'GET, POST']);
    }
    const put = await tenant.call('PUT', `${at}/status/COMPLETED`);
    expect([put.status, put.headers.get('Allow')]).toEqual([405, 'GET, POST']);
    expect((await tenant.call('HEAD', at)).status).toBe(200);
    expect((await tenant.call('PUT', at)).headers.get('Allow')).toBe('GET, HEAD, DELETE');
    expect((await tenant.call('GET', at)).body).toEqual(batch);
  });

  it.each([
    ['Sec-Purpose', 'prefetch'],
    ['Sec-Purpose', 'prefetch;prerender'],
    ['Sec-Purpose', 'prefetch;anonymous-client-ip'],
    ['Purpose', 'prefetch'],
    ['X-Purpose', 'preview'],
    ['X-Moz', 'Prefetch'],
  ])('the GET that changes a batch status refuses a prefetch: %s: %s', async (name, value) => {
    const { tenant, at, batch } = await withBatch();
    const headers = { [name]: value };
    const answer = await tenant.call('GET', `${at}/status/COMPLETED`, undefined, headers);
    expect([answer.status, answer.body.code]).toEqual([403, 'prefetchRefused']);
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    expect((await tenant.call('GET', at)).body).toEqual(batch);
    // Browsers do not prefetch a POST, and other GETs change nothing.
    expect((await tenant.call('GET', at, undefined, headers)).status).toBe(200);
    expect((await tenant.call('POST', `${at}/status/COMPLETED`, undefined, headers)).status).toBe(200);
  });

  it('the GET that changes a batch status ignores an Idempotency-Key, and the POST does not', async () => {
    const { tenant, at } = await withBatch();
    const keyed = (method: string, status: string) =>
      tenant.call(method, `${at}/status/${status}`, undefined, { 'Idempotency-Key': 'k' });
    const [first, second] = [await keyed('GET', 'IN_PROGRESS'), await keyed('GET', 'COMPLETED')];
    expect([first.status, second.status, second.body.status]).toEqual([200, 200, 'COMPLETED']);
    const [post, again] = [await keyed('POST', 'COMPLETED'), await keyed('POST', 'COMPLETED')];
    expect([post.headers.get('Idempotent-Replayed'), again.headers.get('Idempotent-Replayed')]).toEqual([
      null,
      'true',
    ]);
    const other = await keyed('POST', 'CANCELLED');
    expect([other.status, other.body.code]).toEqual([422, 'idempotencyKeyReused']);
  });

  it('the GET that changes a batch status can be repeated by a proxy, also after the batch is closed', async () => {
    const { tenant, at } = await withBatch();
    const first = await tenant.call('GET', `${at}/status/COMPLETED`);
    for (let repeat = 0; repeat < 3; repeat += 1) {
      const again = await tenant.call('GET', `${at}/status/COMPLETED`);
      expect([again.status, again.body]).toEqual([200, first.body]);
    }
  });
});
