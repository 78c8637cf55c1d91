import { describe, expect, it, vi } from 'vitest';
import { newTenant, operator, type Tenant } from '../../client.ts';
import { envOver, FAILURES, failingD1, fetchOver } from '../../failing.ts';
import { invited, newUser, unchanged } from '../user/users.ts';
import { cookieOf, isSignedIn, newPerson, PASSWORD, page } from './person.ts';

/** Use a link. @returns whether it leads to 404 or to a session. */
async function useLink(link: string): Promise<'nothing' | 'session'> {
  const shown = await page('GET', link);
  const set = await page('POST', link, { fields: { password: PASSWORD, passwordAgain: PASSWORD } });
  expect([shown.status, set.status]).toEqual(shown.status === 404 ? [404, 404] : [200, 303]);
  expect(cookieOf(set, 'session') === undefined).toBe(set.status === 404);
  return set.status === 404 ? 'nothing' : 'session';
}

type User = Awaited<ReturnType<typeof newUser>>;
const putAuthority = (tenant: Tenant, name: string, permissions: string[]) =>
  operator('PUT', `/organization/${tenant.uuid}/authority/${name}`, { permissions });
const change = async (tenant: Tenant, user: User, more: object) => {
  const answer = await tenant.call('PUT', `/user/${user.uuid}`, { ...unchanged(user), ...more });
  expect(answer.status).toBe(200);
};
const LEAD = ['APP_LOGIN', 'OPERATIONAL_APP_LOGIN'];

/** Actions that end a link. Some of them also end the user's sessions. */
const ENDS: Record<string, (tenant: Tenant, user: User) => Promise<unknown>> = {
  'another e-mail address': (tenant, user) => change(tenant, user, { email: 'other@example.com' }),
  'the same address in other letters': (tenant, user) =>
    change(tenant, user, { email: user.email.toUpperCase() }),
  'another authority': (tenant, user) =>
    change(tenant, user, { authority: { authorityName: 'ADMINISTRATOR' } }),
  'less authority': (tenant, user) => change(tenant, user, { authority: { authorityName: 'VIEWER' } }),
  'a permission more of the authority': (tenant) =>
    putAuthority(tenant, 'LEAD', [...LEAD, 'ROLE_MANAGEMENT']),
  'the end of the user': (tenant, user) => tenant.call('DELETE', `/user/${user.uuid}`),
  'another address, on the page of the user': async (tenant, user) => {
    const admin = await newPerson(tenant);
    const { firstName, lastName, uuid } = user;
    const fields = { firstName, lastName, email: 'paged@example.com', authorityName: 'LEAD' };
    expect((await admin.post(`/app/user/${uuid}`, 'update', fields)).status).toBe(303);
  },
  'another authority, on the page of the user': async (tenant, user) => {
    const admin = await newPerson(tenant);
    const { firstName, lastName, email, uuid } = user;
    const fields = { firstName, lastName, email, authorityName: 'ADMINISTRATOR' };
    expect((await admin.post(`/app/user/${uuid}`, 'update', fields)).status).toBe(303);
  },
  'a permission more, on the page of the authority': async (tenant, user) => {
    const admin = await newPerson(tenant);
    const path = `/app/authority/${user.authority.uuid}`;
    const fields = { authorityName: 'LEAD', permissions: 'BACKOFFICE_LOGIN' };
    expect((await admin.post(path, 'put', fields)).status).toBe(303);
  },
};

async function newLead(tenant: Tenant): Promise<User> {
  await putAuthority(tenant, 'LEAD', LEAD);
  return newUser(tenant, invited({ authority: { authorityName: 'LEAD' } }));
}

describe.each(Object.entries(ENDS))('%s', (what, end) => {
  it('a change of the user ends the link of the invitation', async () => {
    const tenant = await newTenant();
    const user = await newLead(tenant);
    await end(tenant, user);
    expect(await useLink(user.inviteLink)).toBe('nothing');
    if (what === 'the end of the user') return;
    const renewed = await tenant.call('DELETE', `/user/${user.uuid}/reset-password`);
    expect(await useLink(renewed.body.inviteLink)).toBe('session');
  });

  it('a change of the user ends the link of a reset', async () => {
    const tenant = await newTenant();
    const user = await newLead(tenant);
    const { inviteLink } = (await tenant.call('DELETE', `/user/${user.uuid}/reset-password`)).body;
    await end(tenant, user);
    expect(await useLink(inviteLink)).toBe('nothing');
  });
});

describe('a link stays valid', () => {
  const keeps: Record<string, (tenant: Tenant, user: User) => Promise<unknown>> = {
    'after another name and phone number': (tenant, user) =>
      change(tenant, user, { firstName: 'Joan', phoneNumber: '+31 20 123 45 67' }),
    'after a change that changes nothing': (tenant, user) => change(tenant, user, {}),
    'after a permission less of the authority': (tenant) => putAuthority(tenant, 'LEAD', LEAD.slice(0, 1)),
    'after the change of another authority': (tenant) => putAuthority(tenant, 'VIEWER', LEAD),
    'after the change of another user': async (tenant) =>
      change(tenant, await newLead(tenant), { email: 'other@example.com' }),
  };

  it.each(Object.entries(keeps))('a link stays valid: %s', async (_, keep) => {
    const tenant = await newTenant();
    const user = await newLead(tenant);
    await keep(tenant, user);
    expect((await page('GET', user.inviteLink)).status).toBe(200);
  });
});

describe('a session', () => {
  it.each(['another e-mail address', 'the same address in other letters', 'another authority'])(
    'an earlier session ends with %s',
    async (what) => {
      const tenant = await newTenant();
      const person = await newPerson(tenant, 'OPERATOR');
      const user = (await tenant.call('GET', `/user/${person.uuid}`)).body;
      await change(tenant, user, { firstName: 'Joan' });
      expect(await isSignedIn(person)).toBe(true);
      await ENDS[what]!(tenant, user);
      expect(await isSignedIn(person)).toBe(false);
    },
  );
});

it('a link is not used up by a 503, whichever call of D1 fails first, and no log has its token', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { inviteLink } = await newUser(await newTenant(), invited());
  for (const from of [1, 2]) {
    const { db } = failingD1({ message: FAILURES.locked, from });
    const body = new URLSearchParams({ password: PASSWORD, passwordAgain: PASSWORD });
    const failed = await fetchOver(envOver(db), new Request(inviteLink, { method: 'POST', body }));
    expect([from, failed.status]).toEqual([from, 503]);
  }
  const lines = warned.mock.calls.flat().join('\n');
  expect(lines).toContain('database is locked');
  expect(lines).not.toContain(inviteLink.split('/').at(-1));
  warned.mockRestore();
  expect(await useLink(inviteLink)).toBe('session');
});
