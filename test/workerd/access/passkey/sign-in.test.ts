import { describe, expect, it, vi } from 'vitest';
import { handleOf } from '../../../../src/access/passkey/rules.ts';
import { newTenant, operator } from '../../client.ts';
import { db } from '../../core/writer/requests.ts';
import { later } from '../../dispatch/device/devices.ts';
import { bindings, envOver, FAILURES, failingD1, fetchOver } from '../../failing.ts';
import { cookieOf, newPerson, type Person } from '../session/person.ts';
import { Authenticator, add, anAddress, HERE, isIn, signIn, visitor, withPasskey } from './authenticator.ts';

vi.spyOn(console, 'warn').mockImplementation(() => undefined);
const { tenant, person: robin, key } = await withPasskey();

const handle = (organization: string, userUuid: string): string =>
  Buffer.from(handleOf({ organization, userUuid })).toString('base64url');

describe('a passkey', () => {
  it('a passkey signs its user in, and the log names it', async () => {
    const { asked, send } = await visitor();
    expect(asked).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    const answer = await send(await key.sign(asked));
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/app']);
    expect(isIn(answer)).toBe(true);
    const { body } = await tenant.call('GET', `/audit-log?entityUuid=${robin.uuid}&pageSize=100`);
    const [record] = body.content
      .filter(({ action }: { action: string }) => action === 'USER_SIGNED_IN')
      .slice(-1);
    expect(record.changes).toContainEqual({ field: 'passkey', oldValue: null, newValue: 'A key' });
    expect(JSON.stringify(body)).not.toContain(key.id);
  });

  const wrong: [string, () => Promise<Parameters<typeof signIn>[1]> | Parameters<typeof signIn>[1]][] = [
    ['from another origin', { origin: 'http://evil.localhost:8787' }],
    ['from a frame of another site', { crossOrigin: true }],
    ['from a frame whose page is named', { topOrigin: 'http://evil.localhost:8787' }],
    ['from another port', { origin: 'http://localhost:8788' }],
    ['of another host', { host: 'evil.localhost' }],
    ['of another challenge', { challenge: 'bm90IHRoZSBjaGFsbGVuZ2UgdGhhdCB3YXMgZ2l2ZW4' }],
    ['that makes one', { type: 'webauthn.create' }],
    ['without the presence of a user', { flags: 4 }],
    ['without a verified user', { flags: 1 }],
    ['that another key signed', async () => ({ by: await Authenticator.new() })],
    ['of an unknown passkey', { id: 'AAAAAAAAAAAAAAAAAAAAAA' }],
    ['of no user', { userHandle: '' }],
    ['of another user', async () => ({ userHandle: handle(tenant.uuid, (await newPerson(tenant)).uuid) })],
    ['of another organization', async () => ({ userHandle: handle((await newTenant()).uuid, robin.uuid) })],
    ['of no organization', { userHandle: handle(crypto.randomUUID(), crypto.randomUUID()) }],
  ].map(([what, of]) => [what as string, typeof of === 'function' ? of : () => of as object]);

  it.each(wrong)('a passkey sign-in refuses an answer %s', async (_, of) => {
    const answer = await signIn(key, await of());
    expect([answer.status, isIn(answer)]).toEqual([401, false]);
    expect(answer.text).toContain('This passkey did not sign you in.');
    expect(isIn(await signIn(key))).toBe(true);
  });

  it('a passkey sign-in needs the cookie of its challenge in the same browser within five minutes', async () => {
    const one = await visitor();
    const two = await visitor();
    for (const kept of ['', 'nonsense', two.kept]) {
      expect([kept, (await one.send(await key.sign(one.asked), { kept })).status]).toEqual([kept, 401]);
    }
    const late = async () => one.send(await key.sign(one.asked));
    expect((await later(5 * 60_000 + 1, late)).status).toBe(401);
    expect(isIn(await late())).toBe(true);
  });

  it('a passkey challenge signs in only once, even with a copy of the answer and the cookie', async () => {
    const { asked, send } = await visitor();
    const signed = await key.sign(asked);
    const atOnce = await Promise.all([send(signed), send(signed), send(signed)]);
    expect(atOnce.map(({ status }) => status).sort()).toEqual([303, 401, 401]);
    expect(atOnce.filter(isIn)).toHaveLength(1);
    expect((await send(signed)).status).toBe(401);
  });

  it('a passkey challenge works after a 503 and then no second time', async () => {
    const { asked, send, request } = await visitor();
    const signed = await key.sign(asked);
    const failed = await fetchOver(
      envOver(failingD1({ message: FAILURES.locked, from: 1 }).db),
      request(signed),
    );
    expect([failed.status, failed.headers.get('Retry-After')]).toEqual([503, '2']);
    expect(failed.headers.getSetCookie().filter((set) => set.startsWith('passkey='))).toEqual([]);
    const answer = await send(signed);
    expect([isIn(answer), cookieOf(answer, 'passkey')]).toEqual([true, '']);
    expect((await send(signed)).status).toBe(401);
  });

  it('a passkey signs in although D1 fails after the commit', async () => {
    const { DB_1 } = bindings as unknown as { DB_1: D1Database };
    const other = failingD1({ message: FAILURES.locked, from: 1 }, DB_1);
    const signedOver = async (over: ReturnType<typeof failingD1>) => {
      const { asked, request } = await visitor();
      const bound = { ...envOver(over.db), DB_1: other.db };
      return fetchOver(bound, request(await key.sign(asked)));
    };
    const counting = () => failingD1({ message: FAILURES.locked, from: Number.POSITIVE_INFINITY });
    await signedOver(counting());
    const counted = counting();
    expect((await signedOver(counted)).status).toBe(303);
    // The last D1 call undoes the count of the attempt. No other database may count it, either.
    const failing = failingD1({ message: FAILURES.locked, from: counted.calls.count });
    const answer = await signedOver(failing);
    expect([answer.status, other.calls.count > 0]).toEqual([303, true]);
  });

  it('a passkey that counts its uses is refused with an equal or smaller count', async () => {
    const counting = await withPasskey(5);
    expect(isIn(await signIn(counting.key))).toBe(true);
    for (const counter of [0, 1, 5, 6]) {
      expect([counter, (await signIn(counting.key, { counter })).status]).toEqual([counter, 401]);
    }
    const [one, two] = [await visitor(), await visitor()];
    const counter = 50;
    const atOnce = await Promise.all([
      one.send(await counting.key.sign(one.asked, { counter })),
      two.send(await counting.key.sign(two.asked, { counter })),
    ]);
    expect(atOnce.filter(isIn)).toHaveLength(1);
    expect(isIn(await signIn(counting.key, { counter: 51 }))).toBe(true);
  });

  it('a passkey works only for the organization of its host, also after another organization took the slug', async () => {
    const { tenant: slugged, person, key: shared } = await withPasskey();
    const at = `http://${slugged.slug}.localhost:8787`;
    const own = await Authenticator.new();
    expect((await add(person, { key: own, origin: at })).status).toBe(303);
    expect(isIn(await signIn(own, {}, at))).toBe(true);
    // The passkey belongs to the shared host, the parent of the organization's host. No real authenticator
    // signs with it here, but a false one could.
    expect((await signIn(shared, {}, at)).status).toBe(401);
    // The passkey belongs to the organization's host, so it is not valid at the shared host.
    expect((await signIn(own, { origin: HERE, host: new URL(at).hostname })).status).toBe(401);
    const renamed = { name: 'Renamed', slug: `${slugged.slug}-new` };
    expect((await operator('PUT', `/organization/${slugged.uuid}`, renamed)).status).toBe(200);
    await newTenant({ slug: slugged.slug });
    expect((await signIn(own, {}, at)).status).toBe(401);
  });

  it('too many failed passkey sign-ins stop the address', async () => {
    const address = anAddress();
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      const { asked, send } = await visitor();
      expect((await send(await key.sign(asked, { flags: 1 }), { address })).status).toBe(401);
    }
    const { asked, send } = await visitor();
    const stopped = await send(await key.sign(asked), { address });
    expect([stopped.status, stopped.headers.get('Retry-After'), isIn(stopped)]).toEqual([429, '900', false]);
    expect(isIn(await signIn(key))).toBe(true);
  });
});

const passkeysOf = ({ uuid }: Person) =>
  db.prepare('SELECT * FROM passkey WHERE user_uuid = ?1').bind(uuid).all();

describe('a passkey no longer signs in', () => {
  it('a passkey of a suspended organization does not sign in until it is resumed', async () => {
    const own = await withPasskey();
    const path = `/organization/${own.tenant.uuid}`;
    await operator('POST', `${path}/suspend`);
    expect((await signIn(own.key)).status).toBe(403);
    await operator('POST', `${path}/resume`);
    expect(isIn(await signIn(own.key))).toBe(true);
  });

  it('a passkey of a user without the right to sign in no longer signs in', async () => {
    const authority = `/organization/${tenant.uuid}/authority/LEAVING`;
    await operator('PUT', authority, { permissions: ['APP_LOGIN'] });
    const leaving = await withPasskey(0, tenant, 'LEAVING');
    expect(isIn(await signIn(leaving.key))).toBe(true);
    await operator('PUT', authority, { permissions: ['USER_MANAGEMENT_READ'] });
    expect((await signIn(leaving.key)).status).toBe(401);
  });

  it.each([
    ['deleted', 'DELETE', '', undefined],
    ['reset', 'DELETE', '/reset-password', undefined],
    ['erased', 'DELETE', '?erase=true', undefined],
    ['given another e-mail address', 'PUT', '', { email: 'somebody.else@example.com' }],
  ])('a passkey no longer signs in once its user is %s', async (_, method, path, change) => {
    const own = await withPasskey();
    expect(isIn(await signIn(own.key))).toBe(true);
    const user = `/user/${own.person.uuid}`;
    const { body } = await own.tenant.call('GET', user);
    const { firstName, lastName, authority } = body;
    const json = change && { firstName, lastName, authority: { uuid: authority.uuid }, ...change };
    const { status } = await own.tenant.call(method, `${user}${path}`, json);
    expect(status).toBeLessThan(300);
    expect((await signIn(own.key)).status).toBe(401);
    expect((await passkeysOf(own.person)).results).toEqual([]);
  });

  it('a passkey row of a deleted user no longer signs in', async () => {
    const { tenant: own, person, key: left } = await withPasskey();
    const [row] = (await passkeysOf(person)).results;
    expect((await own.call('DELETE', `/user/${person.uuid}`)).status).toBe(200);
    const names = Object.keys(row!);
    await db
      .prepare(`INSERT INTO passkey (${names}) VALUES (${names.map(() => '?')})`)
      .bind(...Object.values(row!))
      .run();
    expect((await signIn(left)).status).toBe(401);
    expect((await passkeysOf(person)).results).toHaveLength(1);
  });

  it('a passkey still works after its user changed the password', async () => {
    const own = await withPasskey();
    const password = 'another correct horse';
    const fields = { password, passwordAgain: password, currentPassword: 'correct horse battery staple' };
    expect((await own.person.post('/app/password', 'change', fields)).status).toBe(303);
    expect(isIn(await signIn(own.key))).toBe(true);
  });
});
