import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { hashPassword } from '../../../../src/access/user/password.ts';
import { CALLERS_MAXIMUM } from '../../../../src/core/lib/turns.ts';
import { newTenant, ORIGIN, operator } from '../../client.ts';
import { invited, newUser, unchanged, withPassword } from '../user/users.ts';
import {
  cookieOf,
  isSignedIn,
  newPerson,
  PASSWORD,
  type Person,
  page,
  type Shown,
  signInAgain,
  trySignIn,
  withSession,
} from './person.ts';

const db = (env as unknown as { DB: D1Database }).DB;
let addresses = 0;
/** An IP address without failures. */
const anAddress = (): string => {
  addresses += 1;
  return `203.0.113.${addresses}`;
};

const tenant = await newTenant();
const robin = await newPerson(tenant);

const right = () => ({ organization: tenant.slug, email: robin.email, password: PASSWORD });
/** The visible parts of a failure, without tokens, keys and input. */
const visible = ({ status, text }: Shown) => [
  status,
  text.replace(/value="[^"]*"/g, '').replace(/Request [\w-]+/, ''),
];

describe('the organization of a sign-in', () => {
  const signsIn = async (person: Person, organization: string) =>
    (await trySignIn({ organization, email: person.email, password: PASSWORD }, anAddress())).status;

  it('a user signs in with the name of the organization in any case, or with its slug', async () => {
    const own = await newTenant({ name: 'Hafen Logistik Gda\u0144sk Stra\u00dfe' });
    const person = await newPerson(own);
    for (const typed of [
      own.slug,
      ` ${own.slug.toUpperCase()} `,
      'Hafen Logistik Gda\u0144sk Stra\u00dfe',
      ' HAFEN LOGISTIK GDA\u0143SK STRASSE ',
    ])
      expect([typed, await signsIn(person, typed)]).toEqual([typed, 303]);
    expect(await signsIn(person, 'Hafen Logistik')).toBe(401);
  });

  it('a slug wins over the name of another organization, and a name of several is unknown', async () => {
    const own = await newTenant();
    const other = await newTenant({ name: own.slug });
    const [person, stranger] = [await newPerson(own), await newPerson(other)];
    expect([await signsIn(person, own.slug), await signsIn(stranger, own.slug)]).toEqual([303, 401]);
    const twins = [await newTenant({ name: 'Twin Dock' }), await newTenant({ name: 'TWIN DOCK' })];
    for (const twin of twins) {
      const one = await newPerson(twin);
      expect([await signsIn(one, 'Twin Dock'), await signsIn(one, twin.slug)]).toEqual([401, 303]);
    }
  });
});

describe('signing in', () => {
  it('signing in sets a session cookie that scripts and other sites cannot read', async () => {
    const answer = await trySignIn(right(), anAddress());
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/app']);
    const [cookie] = answer.headers.getSetCookie().filter((text) => text.startsWith('session='));
    expect(cookie).toMatch(/^session=[\w-]{32}; Max-Age=57600; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it('signing in binds the cookie to the host, and to https where available', async () => {
    const answer = await trySignIn(right(), anAddress(), 'https://dispatch.example.com');
    const cookie = answer.headers.getSetCookie().find((text) => text.startsWith('__Host-session='));
    expect(cookie).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect(cookie).not.toMatch(/domain/i);
  });

  it('signing in stores only the hash of the token and no secret', async () => {
    const answer = await trySignIn(right(), anAddress());
    const token = cookieOf(answer, 'session')!;
    const link = (await newUser(tenant, invited())).inviteLink.split('/').at(-1);
    const { results } = await db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'")
      .all<{ name: string }>();
    let rows = 0;
    for (const { name } of results) {
      const all = JSON.stringify((await db.prepare(`SELECT * FROM "${name}"`).all()).results);
      rows += all.length;
      for (const secret of [token, robin.session, PASSWORD, link])
        expect(all.includes(secret), name).toBe(false);
    }
    expect(rows).toBeGreaterThan(1_000);
  });

  it('signing in takes organization and e-mail address in any case', async () => {
    const typed = { organization: ` ${tenant.slug.toUpperCase()} `, email: robin.email.toUpperCase() };
    expect((await trySignIn({ ...right(), ...typed }, anAddress())).status).toBe(303);
  });

  it('signing in finds no user by an address or slug that only Unicode folding makes equal', async () => {
    const { slug, ...own } = await newTenant({ slug: `kim-${crypto.randomUUID().slice(0, 8)}` });
    const email = `kiss.${crypto.randomUUID()}@example.com`;
    await newUser({ slug, ...own }, withPassword({ email, password: PASSWORD }));
    const typed = { organization: slug, email, password: PASSWORD };
    for (const wrong of [
      { email: email.replace('k', '\u212a') },
      { email: email.replace('ss', '\u00df') },
      { email: email.replace('s', '\u017f') },
      { organization: slug.replace('k', '\u212a') },
    ]) {
      expect([wrong, (await trySignIn({ ...typed, ...wrong }, anAddress())).status]).toEqual([wrong, 401]);
    }
    expect((await trySignIn(typed, anAddress())).status).toBe(303);
  });

  it('a failed sign-in looks the same for every reason', async () => {
    const other = await newTenant();
    const invitee = await newUser(tenant, invited());
    const deleted = await newUser(tenant, withPassword({ password: PASSWORD }));
    await tenant.call('DELETE', `/user/${deleted.uuid}`);
    const permissions = ['LOCAL_MANAGER_LOGIN', 'USER_MANAGEMENT_READ'];
    await operator('PUT', `/organization/${tenant.uuid}/authority/OUTSIDE`, { permissions });
    const outside = await newUser(
      tenant,
      withPassword({ password: PASSWORD, authority: { authorityName: 'OUTSIDE' } }),
    );
    const wrong = [
      { ...right(), password: 'wrong' },
      { ...right(), password: '' },
      { ...right(), email: 'nobody@example.com' },
      { ...right(), email: '' },
      { ...right(), email: 'Ärger"><b>' },
      { ...right(), organization: 'nowhere' },
      { ...right(), organization: '' },
      { ...right(), organization: other.slug },
      { ...right(), email: invitee.email },
      { ...right(), email: deleted.email },
      { ...right(), email: outside.email },
    ];
    const answers = [];
    for (const fields of wrong) answers.push(await trySignIn(fields, anAddress()));
    for (const answer of answers) {
      expect(visible(answer)).toEqual(visible(answers[0]!));
      expect(answer.headers.getSetCookie().some((cookie) => cookie.startsWith('session='))).toBe(false);
    }
    expect(answers[0]!.status).toBe(401);
    expect(answers[0]!.text).toContain('The sign-in failed.');
    expect(answers[0]!.text).not.toContain(PASSWORD);
  });

  it('signing in works for the organization of the host only', async () => {
    const other = await newTenant();
    const at = (slug: string) => `http://${slug}.localhost:8787`;
    expect((await trySignIn(right(), anAddress(), at(tenant.slug))).status).toBe(303);
    expect((await trySignIn(right(), anAddress(), at(other.slug))).status).toBe(401);
    const headers = { Cookie: `session=${robin.session}` };
    expect((await page('GET', `${at(tenant.slug)}/app`, { headers })).status).toBe(200);
    expect((await page('GET', `${at(other.slug)}/app`, { headers })).status).toBe(303);
  });

  it('signing in answers in time however often a form repeats a field', async () => {
    const fields = new URLSearchParams('email=a&'.repeat(120_000));
    expect((await page('POST', '/app/login', { fields })).status).toBe(400);
  }, 15_000);

  it('signing in never leads to another host', async () => {
    for (const next of ['//evil.example', 'https://evil.example/', '/app//evil.example', '/public']) {
      const answer = await page('POST', '/app/login', { fields: { ...right(), next } });
      expect([next, answer.headers.get('Location')]).toEqual([next, '/app']);
    }
  });
});

describe('too many failures', () => {
  it('too many failures stop an address at one account, and no other sign-in', async () => {
    const address = anAddress();
    const wrong = { ...right(), password: 'wrong' };
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      expect((await trySignIn(wrong, address)).status).toBe(401);
    }
    const stopped = await trySignIn(right(), address);
    expect([stopped.status, stopped.headers.get('Retry-After')]).toEqual([429, '900']);
    expect(stopped.text).toContain('The sign-in failed.');
    expect((await trySignIn(right(), anAddress())).status).toBe(303);
    const colleague = await newPerson(tenant);
    expect((await trySignIn({ ...right(), email: colleague.email }, address)).status).toBe(303);
    // The count is in D1, so it survives a restart. It ends on time, even if more attempts are made.
    await db.prepare('UPDATE sign_in_attempt SET expires_date = ?1').bind(Date.now()).run();
    expect((await trySignIn(right(), address)).status).toBe(303);
  });

  it('too many concurrent failures are counted too', async () => {
    const address = anAddress();
    const wrong = { ...right(), password: 'wrong' };
    // As many attempts at once as the service checks at once.
    const atOnce = () =>
      Promise.all(Array.from({ length: CALLERS_MAXIMUM }, () => trySignIn(wrong, address)));
    const answers = [...(await atOnce()), ...(await atOnce())];
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2 * CALLERS_MAXIMUM - 10);
  });

  it('an address that tries many accounts is stopped and leaves few rows', async () => {
    const address = anAddress();
    const rows = async () =>
      (await db.prepare('SELECT count(*) AS n FROM sign_in_attempt').first<{ n: number }>())!.n;
    const before = await rows();
    await trySignIn({ ...right(), email: 'a0@example.com', password: 'x' }, address);
    await db.prepare('UPDATE sign_in_attempt SET failed_count = 100 WHERE failed_count = 1').run();
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const fields = { ...right(), email: `a${attempt}@example.com`, password: 'x' };
      expect((await trySignIn(fields, address)).status).toBe(429);
    }
    expect((await rows()) - before).toBe(2);
  });

  it('failed sign-ins stay counted after a success, which itself does not count', async () => {
    const address = anAddress();
    for (let round = 1; round <= 5; round += 1) {
      for (let attempt = 1; attempt <= 2; attempt += 1)
        expect((await trySignIn({ ...right(), password: 'x' }, address)).status).toBe(401);
      // The count is full after the last round, so even the correct password is refused.
      expect((await trySignIn(right(), address)).status).toBe(round < 5 ? 303 : 429);
    }
  });
});

describe('a session ends', () => {
  it('signing out ends a session, by POST only', async () => {
    const person = await signInAgain(robin);
    expect((await person.get('/app/logout')).status).toBe(303);
    expect(await isSignedIn(person)).toBe(true);
    const out = await person.post('/app/logout', 'sign-out');
    expect([out.status, out.headers.get('Location'), cookieOf(out, 'session')]).toEqual([
      303,
      '/app/login',
      '',
    ]);
    expect(await isSignedIn(person)).toBe(false);
    expect(await isSignedIn(robin)).toBe(true);
  });

  it('deleting, resetting or reassigning a user ends the sessions, other changes do not', async () => {
    for (const [end, ends] of [
      [(uuid: string) => tenant.call('DELETE', `/user/${uuid}`), true],
      [(uuid: string) => tenant.call('DELETE', `/user/${uuid}/reset-password`), true],
      [(uuid: string) => change(uuid, { authority: { authorityName: 'VIEWER' } }), true],
      [(uuid: string) => change(uuid, { phoneNumber: '+49 1' }), false],
    ] as const) {
      const person = await newPerson(tenant);
      expect((await end(person.uuid)).status).toBe(200);
      expect(await isSignedIn(person)).toBe(!ends);
    }
  });

  it('changing the password ends all other sessions of the user', async () => {
    const person = await newPerson(tenant);
    const other = await signInAgain(person);
    const fields = { currentPassword: PASSWORD, password: 'another one', passwordAgain: 'another one' };
    const changed = await person.post('/app/password', 'change', fields);
    expect(changed.status).toBe(303);
    expect([await isSignedIn(person), await isSignedIn(other)]).toEqual([false, false]);
    const headers = { Cookie: `session=${cookieOf(changed, 'session')}` };
    expect((await page('GET', '/app', { headers })).status).toBe(200);
    expect((await trySignIn({ ...right(), email: person.email }, anAddress())).status).toBe(401);
  });

  it('a form that changes the password twice leaves its own session signed in', async () => {
    const person = await newPerson(tenant);
    await person.token();
    const typed = { currentPassword: PASSWORD, password: 'another one', passwordAgain: 'another one' };
    const send = () => person.post('/app/password', 'change', { ...typed, key: 'pressed twice' });
    const both = await Promise.all([send(), send()]);
    const given = both.map((answer) => cookieOf(answer, 'session')).filter(Boolean);
    expect(given.length).toBeGreaterThan(0);
    for (const session of given) {
      expect((await page('GET', '/app', { headers: { Cookie: `session=${session}` } })).status).toBe(200);
    }
  });

  it('a session ends after four idle hours and after sixteen in any case', async () => {
    for (const column of ['last_seen_date', 'expires_date']) {
      const person = await signInAgain(robin);
      const hash = await hashOf(person.session);
      const over = column === 'expires_date' ? Date.now() : Date.now() - 4 * 3_600_000;
      const set = db.prepare(`UPDATE session SET ${column} = ?1 WHERE token_hash = ?2`);
      await set.bind(over + 60_000, hash).run();
      expect([column, await isSignedIn(person)]).toEqual([column, true]);
      await set.bind(over, hash).run();
      expect([column, await isSignedIn(person)]).toEqual([column, false]);
    }
  });

  it('a user can end one or all other own sessions, and never a session of another user', async () => {
    const person = await newPerson(tenant);
    const [second, third] = [await signInAgain(person), await signInAgain(person)];
    const uuidOf = async ({ session }: Person) =>
      (await db
        .prepare('SELECT uuid FROM session WHERE token_hash = ?1')
        .bind(await hashOf(session))
        .first<{ uuid: string }>())!.uuid;
    const stranger = await newPerson(tenant);
    await stranger.post('/app/account', 'end', { session: await uuidOf(second) });
    expect(await isSignedIn(second)).toBe(true);
    await person.post('/app/account', 'end', { session: await uuidOf(second) });
    expect([await isSignedIn(second), await isSignedIn(third)]).toEqual([false, true]);
    await person.post('/app/account', 'endOthers');
    expect([await isSignedIn(third), await isSignedIn(person), await isSignedIn(stranger)]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('the twenty-first session of a user ends the oldest', async () => {
    const first = await newPerson(tenant);
    await db.prepare('UPDATE session SET last_seen_date = last_seen_date - 1000').run();
    for (let count = 2; count <= 20; count += 1) await signInAgain(first);
    expect(await isSignedIn(first)).toBe(true);
    await signInAgain(first);
    expect(await isSignedIn(first)).toBe(false);
  }, 60_000);
});

async function hashOf(token: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  return Buffer.from(digest).toString('hex');
}

async function change(uuid: string, more: Record<string, unknown>) {
  const { body } = await tenant.call('GET', `/user/${uuid}`);
  return tenant.call('PUT', `/user/${uuid}`, unchanged(body, more));
}

describe('a link', () => {
  const choose = (link: string, password: string, again = password) =>
    page('POST', link, { fields: { password, passwordAgain: again } });

  it('a link sets a password once and signs in', async () => {
    const { inviteLink, email } = await newUser(tenant, invited());
    expect((await page('GET', inviteLink)).text).toContain(email);
    const set = await choose(inviteLink, PASSWORD);
    expect([set.status, set.headers.get('Location')]).toEqual([303, '/app']);
    expect(cookieOf(set, 'session')).toBeTruthy();
    for (const again of [await page('GET', inviteLink), await choose(inviteLink, 'something else')]) {
      expect(again.status).toBe(404);
      expect(again.text).toContain('The link is no longer valid.');
      expect(again.text).not.toContain(email);
    }
    expect((await trySignIn({ ...right(), email }, anAddress())).status).toBe(303);
  });

  it('an expired, replaced or orphaned link is refused in the same way', async () => {
    const expired = await newUser(tenant, invited());
    await db
      .prepare('UPDATE user SET invite_expires_date = ?1 WHERE uuid = ?2')
      .bind(Date.now(), expired.uuid)
      .run();
    const replaced = await newUser(tenant, invited());
    const reset = await tenant.call('DELETE', `/user/${replaced.uuid}/reset-password`);
    const gone = await newUser(tenant, invited());
    await tenant.call('DELETE', `/user/${gone.uuid}`);
    const links = [expired.inviteLink, replaced.inviteLink, gone.inviteLink, `${ORIGIN}/app/invite/nonsense`];
    const answers = [];
    for (const link of links) answers.push(await choose(link, PASSWORD), await page('GET', link));
    for (const answer of answers) expect(visible(answer)).toEqual(visible(answers[0]!));
    expect(answers[0]!.status).toBe(404);
    expect((await choose(reset.body.inviteLink, PASSWORD)).status).toBe(303);
  });

  it('a link that sets a bad password names the fault and stays valid', async () => {
    const { inviteLink } = await newUser(tenant, invited());
    for (const [password, again, message] of [
      ['short', 'short', 'at least 8 characters'],
      ['long enough', 'other', 'The two passwords differ. Enter the same password twice.'],
      ['with\u0007bell', 'with\u0007bell', 'no control characters'],
    ] as const) {
      const answer = await choose(inviteLink, password, again);
      expect(answer.status).toBe(400);
      expect(answer.text).toContain(message);
      expect(answer.text).not.toContain(password);
    }
    expect((await choose(inviteLink, PASSWORD)).status).toBe(303);
  });

  it('a link does not sign in a user who may not sign in', async () => {
    const { inviteLink } = await newUser(tenant, invited({ authority: { authorityName: 'OUTSIDE' } }));
    const set = await choose(inviteLink, PASSWORD);
    expect([set.headers.get('Location'), cookieOf(set, 'session')]).toEqual(['/app/login', undefined]);
  });

  it('a link works for the organization of the host only', async () => {
    const other = await newTenant();
    const { inviteLink } = await newUser(tenant, invited());
    const { pathname } = new URL(inviteLink);
    expect((await page('GET', `http://${other.slug}.localhost:8787${pathname}`)).status).toBe(404);
    expect((await page('GET', `http://${tenant.slug}.localhost:8787${pathname}`)).status).toBe(200);
  });
});

describe('a first password', () => {
  it('a first password must be changed before anything else', async () => {
    const user = await newUser(
      tenant,
      withPassword({ password: PASSWORD, authority: { authorityName: 'OPERATOR' } }),
    );
    const signedIn = await trySignIn({ ...right(), email: user.email }, anAddress());
    const person = withSession(user, tenant.slug, cookieOf(signedIn, 'session')!);
    for (const path of ['/app', '/app/manifest', '/app/account', '/app/board']) {
      expect([path, (await person.get(path)).headers.get('Location')]).toEqual([path, '/app/password']);
    }
    const refused = await person.post(`/app/alert/${crypto.randomUUID()}`, 'resolve');
    expect(refused.headers.get('Location')).toBe('/app/password');
    const typed = (currentPassword: string, password: string) =>
      person.post('/app/password', 'change', { currentPassword, password, passwordAgain: password });
    expect((await typed('wrong', 'a new password')).text).toContain('This is not your current password.');
    expect((await typed(PASSWORD, PASSWORD)).text).toContain('Choose a password that differs');
    const changed = await typed(PASSWORD, 'a new password');
    expect(changed.headers.get('Location')).toBe('/app');
    const headers = { Cookie: `session=${cookieOf(changed, 'session')}` };
    expect((await page('GET', '/app', { headers })).headers.get('Location')).toBe('/app/board');
    expect((await page('GET', '/app/board', { headers })).status).toBe(200);
  });

  it.each(['123456', 'secret7', 'aaaaaa', 'password'])(
    'a first password may be %s and opens the page that changes it',
    async (given) => {
      const administrator = { authority: { authorityName: 'ADMINISTRATOR' } };
      const user = await newUser(tenant, withPassword({ password: given, ...administrator }));
      const answer = await trySignIn({ ...right(), email: user.email, password: given }, anAddress());
      const person = withSession(user, tenant.slug, cookieOf(answer, 'session')!);
      for (const path of ['/app', '/app/user', '/app/user.csv', '/app/board', `/app/user/${user.uuid}`]) {
        expect([path, (await person.get(path)).headers.get('Location')]).toEqual([path, '/app/password']);
      }
      expect((await person.get('/app/feed?after=0')).status).toBeGreaterThanOrEqual(300);
      const typed = (password: string) =>
        person.post('/app/password', 'change', { currentPassword: given, password, passwordAgain: password });
      for (const own of ['crates7', given, 'baseball1', 'aaaaaaaa'])
        expect([own, (await typed(own)).status]).toEqual([own, 400]);
      expect((await typed('seven crates of tea')).headers.get('Location')).toBe('/app');
    },
  );

  it('a first password cannot become a common one or the own name, by form or link', async () => {
    const person = await newPerson(tenant);
    const { inviteLink } = await newUser(tenant, invited({ lastName: 'Johannsen' }));
    for (const password of ['baseball1', `${person.email.split('@')[0]}!`, 'example-2026']) {
      const fields = { password, passwordAgain: password };
      const changed = await person.post('/app/password', 'change', { currentPassword: PASSWORD, ...fields });
      expect([changed.status, changed.text.includes(password)]).toEqual([400, false]);
    }
    for (const password of ['baseball1', 'johannsen2026']) {
      const set = await page('POST', inviteLink, { fields: { password, passwordAgain: password } });
      expect([set.status, cookieOf(set, 'session')]).toEqual([400, undefined]);
    }
  });

  it('a password that became too common still signs in', async () => {
    const user = await newUser(tenant, withPassword({ authority: { authorityName: 'ADMINISTRATOR' } }));
    const stored = await hashPassword('123456');
    await db.prepare('UPDATE user SET password_hash = ?1 WHERE uuid = ?2').bind(stored, user.uuid).run();
    const answer = await trySignIn({ ...right(), email: user.email, password: '123456' }, anAddress());
    expect([answer.status, Boolean(cookieOf(answer, 'session'))]).toEqual([303, true]);
  });

  it('a first password cannot be guessed by trying', async () => {
    const person = await newPerson(tenant);
    const fields = { currentPassword: 'wrong', password: 'a new one', passwordAgain: 'a new one' };
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      expect((await person.post('/app/password', 'change', fields)).status).toBe(400);
    }
    const right = { ...fields, currentPassword: PASSWORD };
    expect((await person.post('/app/password', 'change', right)).status).toBe(429);
  });
});
