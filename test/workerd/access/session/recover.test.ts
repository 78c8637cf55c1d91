import { describe, expect, it, vi } from 'vitest';
import { sent } from '../../../platform/mail.ts';
import { newTenant } from '../../client.ts';
import { db } from '../../core/writer/requests.ts';
import { invited, newUser } from '../user/users.ts';
import { cookieOf, isSignedIn, newPerson, PASSWORD, page, trySignIn } from './person.ts';

let addresses = 0;

/** Send a form of the help page from an IP address of its own. */
function ask(action: 'forgot' | 'find', fields: Record<string, string>, address?: string) {
  addresses += 1;
  const headers = { 'CF-Connecting-IP': address ?? `203.0.113.${addresses}` };
  return page('POST', '/app/recover', { fields: { action, ...fields }, headers });
}

const mailsTo = (address: string) => sent.filter(({ to }) => to === address);
const mailTo = (address: string) =>
  vi.waitFor(() => {
    const [mail] = mailsTo(address);
    expect(mail).toBeDefined();
    return mail!;
  });
const linkIn = (text: string): string => /\S+\/app\/invite\/\S+/.exec(text)![0];

describe('a user who has forgotten the password', () => {
  it('gets a link to the stored address that sets a new one, once, and nothing ends before that', async () => {
    const tenant = await newTenant();
    const person = await newPerson(tenant);
    const asked = await ask('forgot', { organization: tenant.slug, email: person.email.toUpperCase() });
    expect([asked.status, asked.headers.get('Location')]).toEqual([303, '/app/login']);
    const { text, subject } = await mailTo(person.email);
    expect(subject).toContain(tenant.slug);
    expect(await isSignedIn(person)).toBe(true);
    const old = { organization: tenant.slug, email: person.email, password: PASSWORD };
    expect(cookieOf(await trySignIn(old), 'session')).toBeDefined();
    const fields = { password: 'another long sentence', passwordAgain: 'another long sentence' };
    const set = await page('POST', linkIn(text), { fields });
    expect(cookieOf(set, 'session')).toBeDefined();
    expect((await page('POST', linkIn(text), { fields })).status).toBe(404);
    expect(await isSignedIn(person)).toBe(false);
    expect(cookieOf(await trySignIn(old), 'session')).toBeUndefined();
  });

  it('gets no link after an hour', async () => {
    const tenant = await newTenant();
    const { email } = await newPerson(tenant);
    await ask('forgot', { organization: tenant.slug, email });
    const link = linkIn((await mailTo(email)).text);
    expect((await page('GET', link)).status).toBe(200);
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60 * 60_000 + 1_000);
    try {
      expect((await page('GET', link)).status).toBe(404);
    } finally {
      now.mockRestore();
    }
  });

  it('gets the same answer as somebody who does not exist, or who was only invited', async () => {
    const tenant = await newTenant();
    const { email: known } = await newPerson(tenant);
    const { email: waiting, inviteLink } = await newUser(tenant, invited());
    const shown = async (email: string, organization = tenant.slug) => {
      const { status, text, headers } = await ask('forgot', { organization, email });
      return [status, text, headers.get('Location'), cookieOf({ status, text, headers }, 'flash')];
    };
    const answer = await shown(known);
    await mailTo(known);
    expect(await shown('nobody@example.com')).toEqual(answer);
    expect(await shown(known, 'no-such-place')).toEqual(answer);
    expect(await shown(waiting)).toEqual(answer);
    // A stranger cannot end an invitation.
    expect((await page('GET', inviteLink)).status).toBe(200);
    expect(
      [mailsTo(known), mailsTo(waiting), mailsTo('nobody@example.com')].map(({ length }) => length),
    ).toEqual([1, 0, 0]);
  });

  it('gets no link in an organization whose users sign in with the company account only', async () => {
    const tenant = await newTenant();
    const { email } = await newPerson(tenant);
    await db
      .prepare(
        `INSERT INTO identity_provider (uuid, organization_uuid, issuer, client_id, client_secret, password_sign_in,
          proven_date, create_date, update_date) VALUES (?1, ?2, 'https://issuer.example', 'x', 'x', 0, 1, 1, 1)`,
      )
      .bind(crypto.randomUUID(), tenant.uuid)
      .run();
    expect((await ask('forgot', { organization: tenant.slug, email })).status).toBe(303);
    // The next e-mail arrives later than this one would.
    await ask('find', { email });
    expect((await mailTo(email)).text).toContain(tenant.slug);
    expect(mailsTo(email).filter(({ text }) => text.includes('/app/invite/'))).toEqual([]);
  });

  it('gets three e-mails in fifteen minutes, and each IP address has a limit, too', async () => {
    const tenant = await newTenant();
    const { email } = await newPerson(tenant);
    const statuses: number[] = [];
    for (let time = 0; time < 5; time += 1)
      statuses.push((await ask('forgot', { organization: tenant.slug, email })).status);
    expect(statuses).toEqual([303, 303, 303, 429, 429]);
    await vi.waitFor(() => expect(mailsTo(email)).toHaveLength(3));
    const many: number[] = [];
    for (let time = 0; time < 31; time += 1)
      many.push((await ask('find', { email: `no${time}@example.com` }, '192.0.2.77')).status);
    expect([many.filter((status) => status === 303).length, many.at(-1)]).toEqual([30, 429]);
  });
});

describe('a user who has forgotten the organization', () => {
  it('gets the names of all organizations with this address, and no others', async () => {
    const [one, other, third] = [await newTenant(), await newTenant(), await newTenant()];
    const email = 'many.sites@example.com';
    for (const tenant of [one, other]) await newUser(tenant, invited({ email }));
    await newUser(third, invited());
    expect((await ask('find', { email: ' Many.Sites@example.com' })).status).toBe(303);
    const { text } = await mailTo(email);
    expect(text).toContain(one.slug);
    expect(text).toContain(other.slug);
    expect(text).not.toContain(third.slug);
    expect(text).toContain('/app/login');
  });

  it('may enter its name instead of the short name', async () => {
    const name = `Gdańsk Logistics ${crypto.randomUUID()}`;
    const { email } = await newPerson(await newTenant({ name }));
    await ask('forgot', { organization: name.toUpperCase(), email });
    await mailTo(email);
  });
});

it('the sign-in page leads to the help beside the fields', async () => {
  const { text } = await page('GET', '/app/login');
  expect(text).toContain('<a href="/app/recover">Forgot password</a>');
  expect(text).toContain('<a href="/app/recover#organization">Find my organization</a>');
  expect((await page('GET', '/app/recover')).text).toContain('Send the link');
});
