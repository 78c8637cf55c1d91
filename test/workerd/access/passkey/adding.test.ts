import { describe, expect, it, vi } from 'vitest';
import { newTenant } from '../../client.ts';
import { db, request, writerOf } from '../../core/writer/requests.ts';
import { later } from '../../dispatch/device/devices.ts';
import { envOver, FAILURES, failingD1, fetchOver } from '../../failing.ts';
import { cookieOf, newPerson, type Person, page, signInAgain } from '../session/person.ts';
import {
  Authenticator,
  accountOf,
  add,
  isIn,
  signIn,
  visitor,
  type Wrong,
  withPasskey,
} from './authenticator.ts';

vi.spyOn(console, 'warn').mockImplementation(() => undefined);
const tenant = await newTenant();
const robin = await newPerson(tenant);

const rows = async ({ uuid }: Person): Promise<Record<string, unknown>[]> =>
  (await db.prepare('SELECT * FROM passkey WHERE user_uuid = ?1 ORDER BY create_date').bind(uuid).all())
    .results;

describe('a passkey is added', () => {
  it('a new passkey has a name, and the log shows no more than that', async () => {
    const person = await newPerson(tenant);
    const key = await Authenticator.new();
    const { asked } = await accountOf(person).options();
    expect(asked).toMatchObject({
      attestation: 'none',
      rp: { id: 'localhost' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    });
    expect((await add(person, { key, name: 'Phone <b>' })).status).toBe(303);
    const [row] = await rows(person);
    expect(row).toMatchObject({ name: 'Phone <b>', host: 'localhost', credential_id: key.id, counter: 0 });
    const { body } = await tenant.call('GET', `/audit-log?entityUuid=${person.uuid}&pageSize=100`);
    const record = body.content.find(({ action }: { action: string }) => action === 'PASSKEY_ADDED');
    expect(record.changes).toEqual([{ field: 'passkey', oldValue: null, newValue: 'Phone <b>' }]);
    expect(JSON.stringify(body)).not.toContain(String(row!['public_key']));
    expect((await accountOf(person).get()).text).toContain('Phone &lt;b&gt;');
    // The options name the existing passkey, so that the device makes no second one.
    expect((await accountOf(person).options()).asked).toMatchObject({ excludeCredentials: [{ id: key.id }] });
  });

  const wrong: [string, Wrong][] = [
    ['from another origin', { origin: 'http://evil.localhost:8787' }],
    ['from a frame of another site', { crossOrigin: true }],
    ['from a frame whose page is named', { topOrigin: 'http://evil.localhost:8787' }],
    ['of another host', { host: 'evil.localhost' }],
    ['of another challenge', { challenge: 'bm90IHRoZSBjaGFsbGVuZ2UgdGhhdCB3YXMgZ2l2ZW4' }],
    ['that signs in', { type: 'webauthn.get' }],
    ['without the presence of a user', { flags: 4 }],
    ['without a verified user', { flags: 1 }],
  ];
  it.each(wrong)('a new passkey refuses an answer %s', async (_, of) => {
    const before = (await rows(robin)).length;
    const answer = await add(robin, { key: await Authenticator.new(), wrong: of });
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('No passkey was added.');
    expect(await rows(robin)).toHaveLength(before);
  });

  it.each([
    [
      'packed',
      new Map<string, unknown>([
        ['alg', -8],
        ['sig', new Uint8Array(64)],
        ['x5c', [new Uint8Array(9)]],
      ]),
    ],
    ['tpm', new Map<string, unknown>([['ver', '2.0']])],
    ['none', new Map<string, unknown>([['more', 1]])],
    ['of-tomorrow', new Map()],
  ] as const)(
    'a new passkey with an attestation that nobody asked for is added: %s',
    async (...attestation) => {
      const person = await newPerson(tenant);
      const key = await Authenticator.new();
      expect((await add(person, { key, wrong: { attestation: [...attestation] } })).status).toBe(303);
      expect(isIn(await signIn(key))).toBe(true);
    },
  );

  it.each(['', 'AAAA', 'not base64!', 'o2NmbXRkbm9uZQ'])(
    'a new passkey with a broken attestation object is refused: %s',
    async (attestationObject) => {
      const account = accountOf(robin);
      const { asked, kept } = await account.options();
      const made = JSON.parse(await (await Authenticator.new()).make(asked));
      const broken = { ...made, response: { ...made.response, attestationObject } };
      expect((await account.add('x', JSON.stringify(broken), kept)).status).toBe(403);
    },
  );

  it('a passkey challenge adds once, for its session and browser, and a sign-in challenge adds nothing', async () => {
    const person = await newPerson(tenant);
    const [key, other] = [await Authenticator.new(), await Authenticator.new()];
    const account = accountOf(person);
    const { asked, kept } = await account.options();
    const credential = await key.make(asked);
    const again = accountOf(await signInAgain(person));
    const guest = await visitor();
    const signing = await other.make({ ...asked, challenge: guest.asked.challenge });
    expect((await account.add('x', credential, '')).status).toBe(403);
    expect((await again.add('x', credential, kept)).status).toBe(403);
    expect((await account.add('x', signing, guest.kept)).status).toBe(403);
    expect((await later(5 * 60_000 + 1, () => account.add('x', credential, kept))).status).toBe(403);
    expect((await account.add('x', credential, kept)).status).toBe(303);
    // A deleted passkey does not return through an old cookie.
    const [row] = await rows(person);
    await db.prepare('DELETE FROM passkey WHERE uuid = ?1').bind(row!['uuid']).run();
    expect((await account.add('x', credential, kept)).status).toBe(403);
    expect(await rows(person)).toEqual([]);
  });

  it('a passkey challenge that was answered adds no second passkey', async () => {
    const person = await newPerson(tenant);
    const account = accountOf(person);
    const { asked, kept } = await account.options();
    const [first, second] = [await Authenticator.new(), await Authenticator.new()];
    expect((await account.add('first', await first.make(asked), kept)).status).toBe(303);
    // The browser has no challenge any more. A copy of its cookie is useless.
    for (const key of [second, first]) {
      expect((await account.add('again', await key.make(asked), kept)).status).toBe(403);
    }
    expect((await rows(person)).map(({ name }) => name)).toEqual(['first']);
  });

  it('a passkey can be added with the same challenge after a 503', async () => {
    const person = await newPerson(tenant);
    const account = accountOf(person);
    const { asked, kept } = await account.options();
    const credential = await (await Authenticator.new()).make(asked);
    const { db: failing } = failingD1({ message: FAILURES.locked, from: 2 });
    const failed = await fetchOver(envOver(failing), await account.request('Phone', credential, kept));
    expect(failed.status).toBe(503);
    expect(failed.headers.getSetCookie().filter((set) => set.startsWith('passkey='))).toEqual([]);
    const added = await account.add('Phone', credential, kept);
    expect([added.status, cookieOf(added, 'passkey')]).toEqual([303, '']);
    expect(await rows(person)).toHaveLength(1);
  });

  it('a passkey can be added within a quarter of an hour after signing in', async () => {
    const key = await Authenticator.new();
    const { asked, kept } = await accountOf(robin).options();
    const credential = await key.make(asked);
    await later(15 * 60_000 + 60_000, async () => {
      const { shown } = await accountOf(robin).options();
      expect([shown.status, shown.text]).toEqual([403, expect.stringContaining('within 15 minutes')]);
      expect((await accountOf(robin).add('x', credential, kept)).status).toBe(403);
      const { text } = await accountOf(robin).get();
      expect(text).toContain('Sign out to sign in again');
      expect(text).not.toContain('data-passkey');
    });
  });

  it('a user has ten passkeys at most, and a passkey belongs to one user', async () => {
    const person = await newPerson(tenant);
    const key = await Authenticator.new();
    expect((await add(person, { key })).status).toBe(303);
    expect((await add(person, { key })).status).toBe(400);
    expect((await add(robin, { key })).status).toBe(400);
    for (let count = 2; count <= 10; count += 1) {
      expect((await add(person, { key: await Authenticator.new() })).status).toBe(303);
    }
    const more = await add(person, { key: await Authenticator.new() });
    expect([more.status, (await rows(person)).length]).toEqual([400, 10]);
    expect(more.text).toContain('You have 10 passkeys');
  });

  it('a passkey needs a visible name', async () => {
    const person = await newPerson(tenant);
    expect((await add(person, { key: await Authenticator.new(), name: ' \t ' })).status).toBe(400);
    expect(await rows(person)).toEqual([]);
  });

  it('a host without a name takes no passkeys', async () => {
    const { shown } = await accountOf(robin, 'http://127.0.0.1:8787').options();
    expect(shown.status).toBe(400);
    const { text } = await page('GET', '/app/login');
    expect([text.includes('data-passkey'), text.includes('webauthn')]).toEqual([false, false]);
  });
});

describe('a passkey is deleted', () => {
  it('only its user can delete a passkey, after a confirmation, and it no longer signs in', async () => {
    const { person, key } = await withPasskey(0, tenant);
    const [row] = await rows(person);
    const fields = { passkey: String(row!['uuid']) };
    const asked = await person.post('/app/account', 'deletePasskey', fields);
    expect(asked.text).toContain('Delete the passkey A key?');
    expect((await robin.post('/app/account', 'deletePasskey', fields)).status).toBe(404);
    const confirmed = /name="confirmed" value="([0-9a-f]+)"/.exec(asked.text)![1]!;
    expect((await robin.post('/app/account', 'deletePasskey', { ...fields, confirmed })).status).toBe(404);
    expect(isIn(await signIn(key))).toBe(true);
    expect((await person.post('/app/account', 'deletePasskey', { ...fields, confirmed })).status).toBe(303);
    expect((await signIn(key)).status).toBe(401);
  });
});

describe('a passkey is renamed', () => {
  it('only its user can rename a passkey, and the log has one record of it', async () => {
    const { person, key } = await withPasskey(0, tenant);
    const [row] = await rows(person);
    const rename = (who: Person, name: string) =>
      who.post('/app/account', 'renamePasskey', { passkey: String(row!['uuid']), name });
    const name = '<b>Gate 3</b> "\'&';
    expect((await rename(robin, name)).status).toBe(404);
    for (const wrong of ['', ' \t', 'x'.repeat(61)]) expect((await rename(person, wrong)).status).toBe(400);
    expect((await rows(person))[0]).toEqual(row);
    expect((await rename(person, name)).status).toBe(303);
    expect((await rename(person, name)).status).toBe(303);
    expect((await rows(person))[0]).toEqual({ ...row, name });
    expect((await person.get('/app/account')).text).not.toContain('<b>Gate');
    const { body } = await tenant.call('GET', `/audit-log?entityUuid=${person.uuid}&action=PASSKEY_RENAMED`);
    expect(body.content).toMatchObject([
      { changes: [{ field: 'passkey', oldValue: 'A key', newValue: name }], actor: { uuid: person.uuid } },
    ]);
    expect(isIn(await signIn(key))).toBe(true);
    await tenant.call('DELETE', `/user/${person.uuid}?erase=true`);
    const log = await tenant.call('GET', `/audit-log?entityUuid=${person.uuid}&pageSize=100`);
    expect(JSON.stringify(log.body)).not.toContain('Gate 3');
  });
});

describe('the stored challenges', () => {
  it('used challenges are deleted after their lifetime', async () => {
    const { tenant: own, key } = await withPasskey();
    const kept = async () =>
      (await db.prepare('SELECT 1 FROM used_challenge WHERE organization_uuid = ?1').bind(own.uuid).all())
        .results.length;
    await signIn(key);
    expect(await kept()).toBe(2);
    await later(5 * 60_000 + 1_000, async () => expect(isIn(await signIn(key))).toBe(true));
    expect(await kept()).toBe(1);
  });
});

it('a session that has ended adds no passkey after a reset', async () => {
  const person = await newPerson(tenant);
  const added = {
    userUuid: person.uuid,
    email: person.email,
    sessionUuid: crypto.randomUUID(),
    name: 'Late',
    host: 'localhost',
    credentialId: 'late',
    publicKey: 'x',
    counter: 0,
    answered: { challengeHash: 'late', expiresDate: Date.now() + 60_000 },
  };
  const outcome = await writerOf(tenant).execute(request('addPasskey', added));
  expect(outcome).toMatchObject({ kind: 'refused', refusal: { code: 'formExpired' } });
});
