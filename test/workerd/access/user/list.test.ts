import { describe, expect, it } from 'vitest';
import { newTenant, type Tenant } from '../../client.ts';
import { invited, newUser } from './users.ts';

describe('the list of users', () => {
  async function withUsers(): Promise<Tenant> {
    const tenant = await newTenant();
    const people: [string, string, string][] = [
      ['Anna', 'Zwart', 'OPERATOR'],
      ['Élodie', 'Ampère', 'VIEWER'],
      ['Bob', 'Straße', 'VIEWER'],
      ['carl_', 'Mc 100%', 'ADMINISTRATOR'],
    ];
    for (const [firstName, lastName, authorityName] of people) {
      await newUser(
        tenant,
        invited({
          firstName,
          lastName,
          email: `${firstName.replace('É', 'E')}@Example.com`,
          authority: { authorityName },
        }),
      );
    }
    return tenant;
  }
  const names = async (tenant: Tenant, query: string) => {
    const { status, body } = await tenant.call('GET', `/user?${query}`);
    expect([query, status, body.totalElements]).toEqual([query, 200, body.content?.length]);
    return body.content.map(({ firstName }: { firstName: string }) => firstName);
  };

  it('the user list filters by one or several roles, repeated or with commas', async () => {
    const tenant = await withUsers();
    const by = async (query: string) => (await names(tenant, query)).sort();
    expect(await by('role=VIEWER')).toEqual(['Bob', 'Élodie']);
    expect(await by('role=VIEWER,OPERATOR')).toEqual(['Anna', 'Bob', 'Élodie']);
    expect(await by('role=ADMINISTRATOR&role=OPERATOR')).toEqual(['Anna', 'carl_']);
    expect(await by('role=viewer')).toEqual([]);
    expect(await by('role=FORKLIFT_OPERATOR,nothing')).toEqual([]);
    expect((await tenant.call('GET', '/user?role=')).status).toBe(400);
  });

  it.each([
    ['ÉLODIE', ['Élodie']],
    ['STRASSE', ['Bob']],
    ['100%', ['carl_']],
    ['_', ['carl_']],
    ['%', ['carl_']],
    ['example.COM', ['carl_', 'Bob', 'Élodie', 'Anna']],
    ['*', ['carl_', 'Bob', 'Élodie', 'Anna']],
    ['Anna Zwart', []],
    ['annaz', []],
  ])('the user list finds %s in a name or e-mail address', async (q, expected) => {
    expect(await names(await withUsers(), `q=${encodeURIComponent(q)}`)).toEqual(expected);
  });

  it('the user list sorts as requested, newest first by default', async () => {
    const tenant = await withUsers();
    expect(await names(tenant, '')).toEqual(['carl_', 'Bob', 'Élodie', 'Anna']);
    expect(await names(tenant, 'sort.sortBy=lastName')).toEqual(['Élodie', 'carl_', 'Bob', 'Anna']);
    expect(await names(tenant, 'sort.sortBy=firstName&sort.direction=DESC')).toEqual([
      'Élodie',
      'carl_',
      'Bob',
      'Anna',
    ]);
    expect(await names(tenant, 'sort.sortBy=email')).toEqual(['Anna', 'Bob', 'Élodie', 'carl_']);
    expect(await names(tenant, 'role=VIEWER&q=bob')).toEqual(['Bob']);
    const bad = await tenant.call('GET', '/user?sort.sortBy=authority');
    expect([bad.status, bad.body.allowedValues]).toEqual([
      400,
      ['createDate', 'updateDate', 'firstName', 'lastName', 'email'],
    ]);
  });
});
