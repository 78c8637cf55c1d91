import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { addressOf } from '../../../../src/access/session/rules.ts';
import { sha256Hex } from '../../../../src/core/lib/hash.ts';
import { CALLERS_MAXIMUM, type Permit, Turns } from '../../../../src/core/lib/turns.ts';
import { newTenant } from '../../client.ts';
import { newPerson, PASSWORD, signInAgain, trySignIn } from './person.ts';

const db = (env as unknown as { DB: D1Database }).DB;
/** Number of hashes that were made. */
let hashes = 0;

beforeEach(() => {
  hashes = 0;
  const take = Turns.prototype.take;
  vi.spyOn(Turns.prototype, 'take').mockImplementation(function (this: Turns, owner, run) {
    const counted = ({ work, leave }: Permit): Permit => ({
      work: (piece) =>
        work(() => {
          hashes += 1;
          return piece();
        }),
      leave,
    });
    return take.call(this, owner, (permit) => run(counted(permit))) as never;
  });
});
afterEach(() => vi.restoreAllMocks());

const failuresOf = async (address: string): Promise<number | undefined> =>
  (
    await db
      .prepare('SELECT failed_count AS n FROM sign_in_attempt WHERE attempt_key = ?1')
      .bind(sha256Hex(addressOf(address)))
      .first<{ n: number }>()
  )?.n;

it('99 concurrent sign-ins delay no other caller, and excess ones are refused at once and not counted', async () => {
  const tenant = await newTenant();
  const other = await newTenant();
  await other.call('GET', '/manifest');
  hashes = 0;
  const refusedAt: number[] = [];
  const address = '192.0.2.99';
  const crowd = Array.from({ length: 99 }, async (_, index) => {
    const typed = { organization: tenant.slug, email: `p${index}@example.com`, password: 'wrong' };
    const answer = await trySignIn(typed, address);
    if (answer.status === 503) {
      refusedAt.push(hashes);
      expect(answer.headers.get('Retry-After')).toBe('2');
      expect(answer.text).toContain('The service cannot answer right now. Try again in a moment.');
    }
    return answer.status;
  });
  const waited: number[] = [];
  const others = async () => {
    while (hashes < CALLERS_MAXIMUM) {
      const before = hashes;
      expect((await other.call('GET', '/manifest')).status).toBe(200);
      waited.push(hashes - before);
      // Calls within the process never yield the thread by themselves, unlike calls from outside.
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  const [statuses] = await Promise.all([Promise.all(crowd), others()]);
  expect(statuses.filter((status) => status === 401)).toHaveLength(CALLERS_MAXIMUM);
  expect(statuses.filter((status) => status === 503)).toHaveLength(99 - CALLERS_MAXIMUM);
  expect(hashes).toBe(CALLERS_MAXIMUM);
  // Other callers were served between any two hashes, and waited for at most one.
  expect(waited.length).toBeGreaterThanOrEqual(CALLERS_MAXIMUM);
  expect(Math.max(...waited)).toBeLessThanOrEqual(1);
  // Refused callers were refused before the first hashes were made.
  expect(Math.max(...refusedAt)).toBeLessThanOrEqual(1);
  expect(await failuresOf(address)).toBe(CALLERS_MAXIMUM);
});

it('password forms of one organization run a few at a time, and other requests run in between', async () => {
  const tenant = await newTenant();
  const create = (index: number) =>
    tenant.call('POST', '/user', {
      firstName: 'Robin',
      lastName: 'Field',
      email: `robin${index}@example.com`,
      authority: { authorityName: 'VIEWER' },
      passwordPolicyMode: 'TEMP_PASSWORD',
      password: 'correct horse',
    });
  // Warm up. The first run is so slow that a slot would be free again before the last request arrives.
  expect((await create(40)).status).toBe(201);
  hashes = 0;
  const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => create(index)));
  const refused = answers.filter(({ status }) => status !== 201);
  expect(answers.length - refused.length).toBe(CALLERS_MAXIMUM);
  for (const { status, headers, body } of refused) {
    expect([status, body.code, headers.get('Retry-After')]).toEqual([503, 'temporarilyUnavailable', '2']);
  }
  expect(hashes).toBe(CALLERS_MAXIMUM);
  const { body } = await tenant.call('GET', '/user');
  expect(body.totalElements).toBe(CALLERS_MAXIMUM + 1);
});

it('a user with a password signs in right after a crowd', async () => {
  const tenant = await newTenant();
  const person = await newPerson(tenant);
  const wrong = { organization: tenant.slug, email: person.email, password: 'wrong' };
  await Promise.all(Array.from({ length: 20 }, () => trySignIn(wrong, '192.0.2.98')));
  const again = await signInAgain(person);
  expect((await again.get('/app')).status).toBe(200);
  expect(PASSWORD).not.toBe('wrong');
});
