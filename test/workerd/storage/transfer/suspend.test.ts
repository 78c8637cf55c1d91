import { describe, expect, it } from 'vitest';
import { silentOrganizations } from '../../../../src/dispatch/device/store.ts';
import { newWorld } from '../../../contract/world.ts';
import { bindings, newTenantIn, setOpen } from '../../access/database/places.ts';
import { newPerson, PASSWORD, trySignIn } from '../../access/session/person.ts';
import { call, newTenant, ORIGIN, operator, type Tenant } from '../../client.ts';
import { move } from '../move/moves.ts';

const act = (uuid: string, word: 'suspend' | 'resume') => operator('POST', `/organization/${uuid}/${word}`);

const answersOf = async ({ call: integration, device }: Tenant) => [
  (await integration('GET', '/track')).body.code,
  (await integration('POST', '/track/get-and-couple', { wmsId: 'P' })).body.code,
  (await device('POST', '/heartbeat', { deviceType: 'SCANNER', uuid: crypto.randomUUID() })).body.code,
];

describe('an organization that is suspended', () => {
  it.each(['DB', 'DB_1'])(
    'a suspended organization in %s refuses every credential with 403, shows public pages, and works after resuming',
    async (name) => {
      await setOpen('DB_1', true);
      const { tenant, names } = await newWorld();
      if (name === 'DB_1') await move(tenant, 'DB_1');
      const suspended = await act(tenant.uuid, 'suspend');
      expect(suspended.body).toMatchObject({ status: 'SUSPENDED', suspendDate: suspended.body.updateDate });
      for (const code of await answersOf(tenant)) expect(code).toBe('organizationSuspended');
      const refused = await tenant.call('GET', '/track');
      expect(refused.status).toBe(403);
      expect((await call('GET', `${ORIGIN}/public/shipment-summary/${names.publicToken}`)).status).toBe(200);
      const image = `${ORIGIN}/integration/rest/api/v1/marker-code/image/${names.markerCode}.png`;
      expect((await call('GET', image)).status).toBe(200);
      // The list shows it, too. A repeat changes nothing.
      const listed = await operator('GET', '/organization?pageSize=100');
      const row = listed.body.content.find(({ uuid }: { uuid: string }) => uuid === tenant.uuid);
      expect(row).toEqual(suspended.body);
      expect((await act(tenant.uuid, 'suspend')).body).toEqual(suspended.body);
      const resumed = await act(tenant.uuid, 'resume');
      expect(resumed.body).toMatchObject({ status: 'ACTIVE', suspendDate: null });
      expect((await act(tenant.uuid, 'resume')).body).toEqual(resumed.body);
      expect((await tenant.call('GET', '/track')).status).toBe(200);
      const log = await tenant.call('GET', '/audit-log?action=ORGANIZATION_SUSPENDED,ORGANIZATION_RESUMED');
      expect(log.body.content).toHaveLength(2);
    },
  );

  it('a suspended organization is not revealed to an invalid credential', async () => {
    const tenant = await newTenant();
    await act(tenant.uuid, 'suspend');
    expect(
      (await call('GET', '/integration/rest/api/v1/track', { headers: { 'X-AUTH-KEY': `${tenant.key}x` } }))
        .status,
    ).toBe(401);
  });

  it('a suspended organization shows sessions a notice only and accepts no sign-in and no link', async () => {
    const tenant = await newTenant();
    const person = await newPerson(tenant);
    const status = async (path: string) => (await person.get(path)).status;
    const signIn = async () =>
      (await trySignIn({ organization: tenant.slug, email: person.email, password: PASSWORD })).status;
    expect([await status('/app/password'), await signIn()]).toEqual([200, 303]);
    await act(tenant.uuid, 'suspend');
    expect([await status('/app/password'), await status('/app'), await signIn()]).toEqual([403, 403, 403]);
    // Users can still sign in to another organization.
    expect(await status('/app/login')).toBe(200);
    await act(tenant.uuid, 'resume');
    expect([await status('/app/password'), await signIn()]).toEqual([200, 303]);
  });

  it('a suspended organization raises no alerts of silent devices', async () => {
    const tenant = await newTenantIn('DB_1');
    const { body: scanner } = await operator('POST', `/organization/${tenant.uuid}/scanner`, { name: 'S' });
    await tenant.device('POST', '/heartbeat', {
      deviceType: 'SCANNER',
      uuid: scanner.uuid,
      status: 'ONLINE',
    });
    await act(tenant.uuid, 'suspend');
    const { DB_1 } = bindings;
    const silent = async () =>
      (await silentOrganizations(DB_1, Date.now() + 3_600_000)).includes(tenant.uuid);
    expect(await silent()).toBe(false);
    await act(tenant.uuid, 'resume');
    expect(await silent()).toBe(true);
  });
});
