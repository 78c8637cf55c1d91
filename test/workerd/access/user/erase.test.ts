import { describe, expect, it } from 'vitest';
import { type Answer, newGate, newTenant, type Tenant } from '../../client.ts';
import { db } from '../../core/writer/requests.ts';
import { until } from '../../delivery/webhook/receiver.ts';
import { verified, wholeLog } from '../../log/audit/logs.ts';
import { bindings } from '../database/places.ts';
import { newPerson, PASSWORD, type Person, page, signInAgain, trySignIn } from '../session/person.ts';
import { invited, newUser, unchanged } from './users.ts';

/** Unique personal data that must not be found anywhere after the erasure. */
const PERSON = {
  firstName: 'Zsófia',
  lastName: 'Quillfeather',
  email: 'zsofia.quillfeather@example.com',
  phoneNumber: '+36 1 555 0199',
};
const TRACES = ['Zsófia', 'zsofia', 'Quillfeather', 'quillfeather', '555 0199', 'Pemberton', '203.0.113.77'];

/** All rows and objects that contain data of the person. */
async function traces(): Promise<string[]> {
  const found: string[] = [];
  for (const store of [bindings.DB, bindings.DB_1]) {
    const { results: tables } = await store
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%cf_%'")
      .all<{ name: string }>();
    for (const { name } of tables) {
      const { results } = await store.prepare(`SELECT * FROM "${name}"`).all();
      const texts = results.map((row) => JSON.stringify(row));
      found.push(
        ...texts
          .filter((text) => TRACES.some((trace) => text.includes(trace)))
          .map((text) => `${name} ${text}`),
      );
    }
  }
  return found;
}

const erase = (tenant: Tenant, uuid: string, query = '?erase=true', headers = {}): Promise<Answer> =>
  tenant.call('DELETE', `/user/${uuid}${query}`, undefined, headers);

/** Whether the erasure of a user has finished. */
const erased = async (uuid: string): Promise<boolean> =>
  (await db.prepare('SELECT erasing FROM user WHERE uuid = ?').bind(uuid).first('erasing')) === null;

/** A user who signs in, does typical things and changes the last name. */
async function busyPerson(tenant: Tenant): Promise<Person> {
  const { lastName: _, ...rest } = PERSON;
  const user = await newUser(
    tenant,
    invited({ ...rest, lastName: 'Pemberton', authority: { authorityName: 'ADMINISTRATOR' } }),
  );
  const set = await page('POST', user.inviteLink, {
    fields: { password: PASSWORD, passwordAgain: PASSWORD },
    headers: { 'CF-Connecting-IP': '203.0.113.77' },
  });
  expect(set.status).toBe(303);
  await tenant.call('PUT', `/user/${user.uuid}`, unchanged(user, { lastName: PERSON.lastName }));
  await trySignIn(
    { organization: tenant.slug, email: PERSON.email, password: 'wrong horse' },
    '203.0.113.77',
  );
  const person = await signInAgain({ ...user, organization: tenant.slug } as Person);
  await newGate(tenant, 'G');
  await tenant.call('POST', '/manifest', { externalIdentifier: 'M', assets: ['P'] });
  await tenant.call('POST', '/track/get-and-couple?imageDelivery=URL', { wmsId: 'P' });
  const track = (await tenant.call('GET', '/track/P')).body.uuid;
  const posted = [
    await person.post(`/app/track/${track}`, 'comment', { additionalInfo: 'wet' }),
    await person.post(`/app/track/${track}`, 'flag', { damaged: 'true', reason: 'wet' }),
  ];
  expect(posted.map(({ status }) => status)).toEqual([303, 303]);
  await tenant.call('POST', `/user/${user.uuid}/reset-password`);
  return person;
}

describe('erasing a user', () => {
  it('erasing a user removes every trace of the person and keeps the records of actions', async () => {
    const tenant = await newTenant();
    const { uuid } = await busyPerson(tenant);
    const other = await newPerson(tenant);
    expect((await traces()).length).toBeGreaterThan(10);
    const before = await wholeLog(tenant);
    expect((await erase(tenant, uuid)).status).toBe(200);
    await until(() => erased(uuid));
    expect(await traces()).toEqual([]);
    // The log is unchanged except for the person.
    const log = await wholeLog(tenant);
    expect(log.slice(0, before.length).map(({ hash }) => hash)).toEqual(before.map(({ hash }) => hash));
    expect(await verified(tenant)).toMatchObject({ verified: log.length, fault: undefined });
    expect(log.at(-1)).toMatchObject({ action: 'USER_ERASED', entityUuid: uuid, entityExternalId: null });
    const own = log.filter(({ actor }) => actor.uuid === uuid);
    expect(own.length).toBeGreaterThan(3);
    for (const record of own) {
      expect(record).toMatchObject({ actor: { displayName: 'Erased user' }, ipAddress: null });
    }
    expect(log.some(({ actor }) => actor.displayName === 'Jane Doe')).toBe(true);
    const updated = log.find(({ action }) => action === 'USER_CREATED')!;
    expect(updated.changes.map(({ field }) => field)).toEqual(['authority', 'passwordPolicyMode']);
    // Timelines and comments are, too.
    const { body: activity } = await tenant.call('GET', '/track/P/activity');
    expect(activity.content.map(({ author }: Answer['body']) => author.firstName)).toContain('Erased user');
    const { body: comments } = await tenant.call('GET', '/track/P/comments');
    expect(comments[0].author.firstName).toBe('Erased user');
    // The address can be used again, by another user.
    const next = await newUser(tenant, invited({ email: PERSON.email }));
    expect(next.uuid).not.toBe(uuid);
    expect((await erase(tenant, next.uuid)).status).toBe(200);
    expect((await other.get('/app')).status).toBe(200);
  });

  it('a deleted user can be erased once', async () => {
    const tenant = await newTenant();
    const { uuid } = await busyPerson(tenant);
    expect((await erase(tenant, uuid, '')).status).toBe(200);
    expect((await traces()).length).toBeGreaterThan(5);
    expect((await erase(tenant, uuid)).status).toBe(200);
    await until(() => erased(uuid));
    expect(await traces()).toEqual([]);
    expect((await erase(tenant, uuid)).body.code).toBe('userNotFound');
  });

  it('an ambiguous erase request is refused and changes nothing', async () => {
    const tenant = await newTenant();
    const user = await newUser(tenant);
    const stranger = await newTenant();
    for (const value of ['yes', '1', '', 'true&erase=false']) {
      expect([value, (await erase(tenant, user.uuid, `?erase=${value}`)).status]).toEqual([value, 400]);
    }
    expect((await erase(tenant, user.uuid, '?erase=true', { 'If-Match': '"another"' })).status).toBe(412);
    expect((await erase(stranger, user.uuid)).status).toBe(404);
    // During a move, copied rows would keep the name.
    await db
      .prepare(`CREATE TRIGGER "move_user_update_${tenant.uuid}" AFTER UPDATE ON gate BEGIN SELECT 1; END`)
      .run();
    expect((await erase(tenant, user.uuid)).body.code).toBe('moveUnderWay');
    await db.prepare(`DROP TRIGGER "move_user_update_${tenant.uuid}"`).run();
    expect((await tenant.call('GET', `/user/${user.uuid}`)).body).toMatchObject({ firstName: 'Jane' });
  });

  it('a replayed answer from before an erasure contains nothing of the person', async () => {
    const tenant = await newTenant();
    const key = { 'Idempotency-Key': crypto.randomUUID() };
    const body = invited(PERSON);
    const { body: user } = await tenant.call('POST', '/user', body, key);
    await erase(tenant, user.uuid);
    const again = await tenant.call('POST', '/user', body, key);
    expect([again.status, again.body]).toMatchObject([
      201,
      { uuid: user.uuid, firstName: 'Erased', lastName: 'user', email: '', phoneNumber: null },
    ]);
  });
});
