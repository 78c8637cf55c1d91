import { describe, expect, it } from 'vitest';
import { canonicalJson, sha256Hex } from '../../../../src/core/lib/hash.ts';
import { recordUuid } from '../../../../src/core/writer/chain.ts';
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
  (await db
    .prepare('SELECT erasing_position FROM user WHERE uuid = ?')
    .bind(uuid)
    .first('erasing_position')) === null;

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

/** Append a record to a log without the service, as older versions wrote it: with the hash over names. */
async function insertOld(tenant: Tenant, more: Record<string, unknown>): Promise<void> {
  const end = (await wholeLog(tenant)).at(-1)!;
  const record = {
    action: 'TRACK_FLAGGED',
    entityType: 'TRACK',
    entityUuid: tenant.uuid,
    entityExternalId: 'P',
    changes: [{ field: 'flagged', oldValue: false, newValue: true }],
    requestId: 'of before',
    ipAddress: '203.0.113.77',
    ...more,
    actor: { actorType: 'USER', uuid: tenant.uuid, displayName: 'Somebody', ...(more['actor'] as object) },
    sequenceNumber: end.sequenceNumber + 1,
    eventDate: end.eventDate,
    previousHash: end.hash,
  };
  const hash = sha256Hex(canonicalJson(record));
  const { actor } = record;
  await db
    .prepare(
      `INSERT INTO audit_log (organization_uuid, sequence_number, uuid, event_date, action, actor_type, actor_uuid,
        actor_display_name, entity_type, entity_uuid, entity_external_id, changes, request_id, ip_address, previous_hash, hash)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)`,
    )
    .bind(
      ...[tenant.uuid, record.sequenceNumber, recordUuid(Date.parse(record.eventDate), hash)],
      ...[Date.parse(record.eventDate), record.action, actor.actorType, actor.uuid, actor.displayName],
      ...[record.entityType, record.entityUuid, record.entityExternalId, JSON.stringify(record.changes)],
      ...[record.requestId, record.ipAddress, record.previousHash, hash],
    )
    .run();
}

/**
 * A user with records from before there were commitments, about the user's own actions and about the user;
 * and a second user in these records.
 */
async function recordedBefore(tenant: Tenant): Promise<[string, string]> {
  const [user, other] = [await newUser(tenant, invited(PERSON)), await newUser(tenant)];
  const actor = { uuid: user.uuid, displayName: 'Zsófia Quillfeather' };
  const about = {
    entityType: 'USER',
    entityUuid: user.uuid,
    entityExternalId: PERSON.email,
    changes: [
      { field: 'lastName', oldValue: 'Pemberton', newValue: PERSON.lastName },
      { field: 'authority', oldValue: 'OPERATOR', newValue: 'ADMINISTRATOR' },
    ],
  };
  for (let count = 0; count < 5; count += 1) await insertOld(tenant, { actor });
  await insertOld(tenant, { ...about, actor: { uuid: other.uuid, displayName: 'Jane Doe' } });
  await insertOld(tenant, { actor: { uuid: other.uuid, displayName: 'Jane Doe' } });
  await insertOld(tenant, { ...about, actor });
  return [user.uuid, other.uuid];
}

describe('records that were hashed with the name', () => {
  it('old records that were hashed with the name lose it, and a record vouches for the rest', async () => {
    const tenant = await newTenant();
    const [uuid, other] = await recordedBefore(tenant);
    const before = await wholeLog(tenant);
    expect(await verified(tenant)).toMatchObject({ verified: before.length, fault: undefined });
    expect((await erase(tenant, uuid)).status).toBe(200);
    await until(() => erased(uuid));
    expect((await traces()).filter((trace) => trace.includes(uuid))).toEqual([]);
    const log = await wholeLog(tenant);
    expect(log.filter(({ identity }) => identity?.erasedUserUuid === uuid)).toHaveLength(7);
    expect(log.at(-1)).toMatchObject({
      action: 'USER_RECORDS_ERASED',
      changes: [{ newValue: { from: 1, to: before.length, count: 7 } }],
    });
    expect(await verified(tenant)).toMatchObject({ verified: log.length, fault: undefined });
    // A record about both users is vouched for only once.
    expect((await erase(tenant, other)).status).toBe(200);
    await until(() => erased(other));
    expect((await traces()).filter((trace) => trace.startsWith('audit'))).toEqual([]);
    expect(await verified(tenant)).toMatchObject({ fault: undefined });
    expect((await wholeLog(tenant)).map(({ hash }) => hash).slice(0, log.length)).toEqual(
      log.map(({ hash }) => hash),
    );
  });

  it('an erasure cannot hide another change, because the rest of a record must be as it was committed', async () => {
    const forge = async (statement: string): Promise<unknown> => {
      const tenant = await newTenant();
      const [uuid] = await recordedBefore(tenant);
      await erase(tenant, uuid);
      await until(() => erased(uuid));
      const [first] = (await wholeLog(tenant)).filter(({ identity }) => identity?.erasedUserUuid === uuid);
      const { meta } = await db
        .prepare(
          `UPDATE audit_record SET ${statement} WHERE sequence_number = ?1 AND organization_number =
            (SELECT number FROM organization_number WHERE organization_uuid = ?2)`,
        )
        .bind(first!.sequenceNumber, tenant.uuid)
        .run();
      expect(meta.changes).toBe(1);
      return (await verified(tenant)).fault?.what;
    };
    expect(await forge("changes = '[]'")).toContain('is not what it vouches for');
    expect(await forge("entity_external_id = 'Q'")).toContain('is not what it vouches for');
    expect(await forge('erased_user_uuid = NULL')).toContain('its content was changed');
    expect(await forge('erased_user_uuid = randomblob(16)')).toContain('is not what it vouches for');
  });

  it('an erasure walks old records while others write', async () => {
    const tenant = await newTenant();
    const user = await newUser(tenant, invited(PERSON));
    const actor = { uuid: user.uuid, displayName: 'Zsófia Quillfeather' };
    for (let count = 0; count < 3; count += 1) await insertOld(tenant, { actor });
    await erase(tenant, user.uuid);
    await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        tenant.call('POST', '/manifest', { externalIdentifier: `M${index}` }),
      ),
    );
    await until(() => erased(user.uuid));
    expect(await verified(tenant)).toMatchObject({ fault: undefined });
  });
});
