import { describe, expect, it } from 'vitest';
import type { Permission } from '../../../../src/access/user/rules.ts';
import { wordsIn } from '../../../../src/messages/words.ts';
import { rightsIn } from '../../../../src/web/console/people/authority-words.ts';
import { isSignedIn, newPerson } from '../../access/session/person.ts';
import { invited, newUser, withPassword } from '../../access/user/users.ts';
import { newTenant, operator, type Tenant } from '../../client.ts';

const LEAD = [
  'BACKOFFICE_LOGIN',
  'APP_LOGIN',
  'ROLE_MANAGEMENT',
  'USER_MANAGEMENT_READ',
  'USER_MANAGEMENT_WRITE',
];

const tenant = await newTenant();
await operator('PUT', `/organization/${tenant.uuid}/authority/LEAD`, { permissions: LEAD });
await operator('PUT', `/organization/${tenant.uuid}/authority/DRIVER`, { permissions: ['APP_LOGIN'] });
const [lead, admin] = [await newPerson(tenant, 'LEAD'), await newPerson(tenant, 'ADMINISTRATOR')];

const fields = (authorityName: string, more: Record<string, string> = {}): Record<string, string> => {
  const { firstName, lastName, email } = invited();
  return { firstName, lastName, email, phoneNumber: '', authorityName, ...more };
};

const authorityOf = async (uuid: string) =>
  (await tenant.call('GET', `/user/${uuid}`)).body.authority.authorityName;

const wordsOf = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

describe('authorities in words', () => {
  it('pages show names and permissions in words, and no code of the API', async () => {
    const list = (await admin.get('/app/authority')).text;
    expect(wordsOf(list)).toContain('Forklift driver see pallets, manifests, shipments, gates and alerts;');
    const paths = [...list.matchAll(/href="(\/app\/authority\/[^"]+)"/g)].map(([, path]) => path!);
    expect(paths).toHaveLength(6);
    for (const path of ['/app/authority', '/app/user', `/app/user/${admin.uuid}`, '/app/account', ...paths]) {
      const text = wordsOf((await admin.get(path)).text);
      expect([path, text.match(/\b[A-Z]{2,}_[A-Z_]+\b|\bADMINISTRATOR\b|\bVIEWER\b/g)]).toEqual([path, null]);
    }
  });

  it('the list of users offers the authorities of the organization by name, and filters by one', async () => {
    const own = await newTenant();
    for (const name of ['LEAD', 'NIGHT, LATE'])
      await operator('PUT', `/organization/${own.uuid}/authority/${encodeURIComponent(name)}`, {
        permissions: ['APP_LOGIN'],
      });
    const [someone, user] = [await newPerson(own, 'ADMINISTRATOR'), await newPerson(own, 'LEAD')];
    const { text } = await someone.get('/app/user?role=LEAD');
    const [, select] = /<select id="role"[^>]*>(.*?)<\/select>/.exec(text)!;
    const options = [...select!.matchAll(/<option value="([^"]*)"[^>]*>([^<]*)/g)].map(([, ...of]) => of);
    // A filter splits its value at commas.
    expect(options).toEqual([
      ['', 'Any'],
      ['ADMINISTRATOR', 'Administrator'],
      ['FORKLIFT_OPERATOR', 'Forklift driver'],
      ['LEAD', 'LEAD'],
      ['OPERATOR', 'Dispatcher'],
      ['VIEWER', 'Viewer'],
    ]);
    expect(select).toMatch(/<option value="LEAD" selected/);
    expect([user, someone].map(({ uuid }) => text.includes(`/app/user/${uuid}"`))).toEqual([true, false]);
  });

  it('the rights of an authority follow from all its permissions together', () => {
    const { t } = wordsIn('en');
    const told = (...permissions: Permission[]) => rightsIn(wordsIn('en'), permissions).split('; ');
    expect(told()).toEqual([t('right.none')]);
    expect(told('USER_MANAGEMENT_READ', 'USER_MANAGEMENT_WRITE')).toEqual([t('right.seeUsers')]);
    expect(told('APP_LOGIN', 'OPERATIONAL_APP_LOGIN')).toEqual([
      t('right.see'),
      t('right.mark'),
      t('right.operate'),
    ]);
    expect(told('BACKOFFICE_LOGIN', 'APP_LOGIN')).toEqual([
      t('right.see'),
      t('right.mark'),
      t('right.changeOffice'),
    ]);
  });
});

describe('management of users', () => {
  it('the form for a new user begins with the weakest role with which a user can sign in', async () => {
    const chosenAt = async (organization: Tenant): Promise<string | undefined> => {
      const admin = await newPerson(organization, 'ADMINISTRATOR');
      const [choice] = /<select[^>]* name="authorityName".*?<\/select>/.exec(
        (await admin.get('/app/user')).text,
      )!;
      return /<option value="([^"]+)" selected/.exec(choice)?.[1];
    };
    const own = await newTenant();
    expect(await chosenAt(own)).toBe('VIEWER');
    const put = (name: string, permissions: string[]) =>
      operator('PUT', `/organization/${own.uuid}/authority/${name}`, { permissions });
    await put('NOTHING', []);
    await put('LOADER', ['APP_LOGIN']);
    expect(await chosenAt(own)).toBe('VIEWER');
    await put('LOOKS', ['OPERATIONAL_APP_LOGIN']);
    expect(await chosenAt(own)).toBe('LOOKS');
  });

  it('a user cannot assign an authority with more permissions than the own', async () => {
    const [choice] = /<select[^>]* name="authorityName".*?<\/select>/.exec(
      (await lead.get('/app/user')).text,
    )!;
    expect(choice).toContain('<option value="DRIVER"');
    expect(choice).toContain('<option value="LEAD">');
    expect(choice).not.toContain('<option value="ADMINISTRATOR">');
    const mode = { passwordPolicyMode: 'INVITE_LINK', password: '' };
    const total = async () => (await tenant.call('GET', '/user')).body.totalElements;
    const before = await total();
    for (const name of ['ADMINISTRATOR', 'OPERATOR', 'VIEWER', 'FORKLIFT_OPERATOR']) {
      const refused = await lead.post('/app/user', 'create', fields(name, mode));
      expect([name, refused.status]).toEqual([name, 403]);
      expect(refused.text).toContain('You do not have permission for this. Ask an administrator. You lack: ');
    }
    expect(await total()).toBe(before);
    const made = await lead.post('/app/user', 'create', fields('DRIVER', mode));
    expect(made.status).toBe(200);
    expect(made.text).toMatch(/\/app\/invite\/[\w-]{32}/);
    const user = await newUser(tenant, invited({ authority: { authorityName: 'DRIVER' } }));
    const raised = await lead.post(`/app/user/${user.uuid}`, 'update', fields('ADMINISTRATOR'));
    expect([raised.status, await authorityOf(user.uuid)]).toEqual([403, 'DRIVER']);
    const moved = await lead.post(`/app/user/${user.uuid}`, 'update', fields('LEAD'));
    expect([moved.status, await authorityOf(user.uuid)]).toEqual([303, 'LEAD']);
  });

  it('a user cannot change, reset or delete a user with more permissions', async () => {
    const path = `/app/user/${admin.uuid}`;
    expect((await lead.get(path)).text).not.toContain('name="action" value="reset"');
    for (const [action, typed] of [
      ['update', fields('DRIVER')],
      ['reset', {}],
      ['delete', {}],
    ] as const) {
      const refused =
        action === 'update' ? await lead.post(path, action, typed) : await lead.agree(path, action);
      expect([action, refused.status]).toEqual([action, 403]);
      expect(refused.text).not.toContain('/app/invite/');
    }
    expect(await isSignedIn(admin)).toBe(true);
    expect(await authorityOf(admin.uuid)).toBe('ADMINISTRATOR');
  });

  it("a user gets a link for a user they may reset, which ends that user's sessions", async () => {
    const driver = await newPerson(tenant, 'DRIVER');
    const reset = await lead.agree(`/app/user/${driver.uuid}`, 'reset');
    expect(reset.status).toBe(200);
    expect(reset.text).toMatch(/\/app\/invite\/[\w-]{32}/);
    expect(await isSignedIn(driver)).toBe(false);
  });

  it('a generated password shows once, and a repeated form shows none', async () => {
    const typed = fields('DRIVER', { passwordPolicyMode: 'TEMP_PASSWORD', password: '', key: 'once' });
    const first = await lead.post('/app/user', 'create', typed);
    const [, password] = /First password<\/dt><dd class="copied"><code>([^<]+)<\/code>/.exec(first.text)!;
    expect(password).toMatch(/^[2-9A-Za-z]{16}$/);
    const again = await lead.post('/app/user', 'create', typed);
    expect([again.status, again.text.includes(password!)]).toEqual([303, false]);
    const { body } = await tenant.call('GET', `/user?q=${encodeURIComponent(typed['email']!)}`);
    expect(body.totalElements).toBe(1);
    const six = fields('DRIVER', { passwordPolicyMode: 'TEMP_PASSWORD', password: '123456' });
    expect((await lead.post('/app/user', 'create', six)).text).toContain('<code>123456</code>');
    const given = fields('DRIVER', { passwordPolicyMode: 'TEMP_PASSWORD', password: 'shrt5' });
    const refused = await lead.post('/app/user', 'create', given);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(given['email']);
    expect(refused.text).not.toContain('shrt5');
  });
});

describe('management of authorities', () => {
  it('a user cannot grant permissions they lack, or change an authority that has them', async () => {
    const put = (authorityName: string, permissions: string) =>
      lead.post('/app/authority', 'put', { authorityName, permissions });
    expect((await put('NEW', 'AGENT_MANAGEMENT_READ')).status).toBe(403);
    expect((await put('LEAD', 'LOCAL_MANAGER_LOGIN')).status).toBe(403);
    expect((await put('VIEWER', 'APP_LOGIN')).status).toBe(403);
    expect((await put('ADMINISTRATOR', 'APP_LOGIN')).status).toBe(400);
    expect((await put('NEW', 'APP_LOGIN')).status).toBe(303);
    const { body } = await tenant.call('GET', '/authority');
    const held = Object.fromEntries(
      body.map(({ authorityName, permissions }: { authorityName: string; permissions: string[] }) => [
        authorityName,
        permissions,
      ]),
    );
    expect(held).toMatchObject({
      NEW: ['APP_LOGIN'],
      LEAD,
      VIEWER: ['BACKOFFICE_LOGIN', 'OPERATIONAL_APP_LOGIN'],
    });
  });

  it('a changed authority takes effect at once', async () => {
    const driver = await newPerson(tenant, 'DRIVER');
    expect((await driver.get('/app/audit-log')).status).toBe(403);
    const permissions = ['APP_LOGIN', 'BACKOFFICE_LOGIN'];
    await operator('PUT', `/organization/${tenant.uuid}/authority/DRIVER`, { permissions });
    expect((await driver.get('/app/audit-log')).status).toBe(200);
    await operator('PUT', `/organization/${tenant.uuid}/authority/DRIVER`, { permissions: ['APP_LOGIN'] });
    expect((await driver.get('/app/audit-log')).status).toBe(403);
  });
});

it('the audit log names the managers of users and records sign-ins without tokens', async () => {
  const user = await newUser(tenant, withPassword({ authority: { authorityName: 'DRIVER' } }));
  await lead.agree(`/app/user/${user.uuid}`, 'delete');
  const { body } = await tenant.call('GET', `/audit-log?actorUuid=${lead.uuid}&pageSize=100`);
  const [last] = body.content;
  expect(last).toMatchObject({
    action: 'USER_DELETED',
    entityUuid: user.uuid,
    actor: { actorType: 'USER', uuid: lead.uuid, displayName: 'Jane Doe' },
  });
  const actions = body.content.map(({ action }: { action: string }) => action);
  expect(actions).toContain('USER_PASSWORD_SET');
  expect(JSON.stringify(body)).not.toContain(lead.session);
});
