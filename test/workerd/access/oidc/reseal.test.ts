import { env } from 'cloudflare:workers';
import { afterEach, expect, it } from 'vitest';
import { resealProviders } from '../../../../src/access/oidc/reseal.ts';
import { clientSecretContext } from '../../../../src/access/oidc/store.ts';
import { type Env, settingsOf } from '../../../../src/core/env.ts';
import { databasesOf } from '../../../../src/core/lib/databases.ts';
import { open, seal } from '../../../../src/core/lib/seal.ts';
import { resealing } from '../../../../src/storage/transfer/secrets.ts';
import { newTenant } from '../../client.ts';
import { newPerson } from '../session/person.ts';
import { setProvider } from './company.ts';
import { CLIENT, endProviders, Provider } from './provider.ts';

const bindings = env as unknown as Env;
const NEXT = 'local-the-next-key-of-this-deployment';
afterEach(endProviders);

it('the client secret of a company account is resealed with the new key', async () => {
  const tenant = await newTenant();
  await setProvider(await newPerson(tenant), new Provider());
  const [key] = settingsOf(bindings).sealingKeys;
  await resealProviders(databasesOf(bindings), 'DB', [NEXT, key], tenant.uuid);
  const row = await bindings.DB.prepare(
    'SELECT uuid, client_secret AS sealed FROM identity_provider WHERE organization_uuid = ?1',
  )
    .bind(tenant.uuid)
    .first<{ uuid: string; sealed: string }>();
  expect(await open([NEXT], clientSecretContext(row!.uuid), row!.sealed)).toBe(CLIENT.secret);
  await expect(open([NEXT], clientSecretContext('another'), row!.sealed)).rejects.toThrow();
});

it('a client secret that no key opens stays, and does not stop the others', async () => {
  const providers: { uuid: string; organization: string }[] = [];
  for (let index = 0; index < 2; index += 1) {
    const tenant = await newTenant();
    await setProvider(await newPerson(tenant), new Provider());
    const row = await bindings.DB.prepare('SELECT uuid FROM identity_provider WHERE organization_uuid = ?1')
      .bind(tenant.uuid)
      .first<{ uuid: string }>();
    providers.push({ uuid: row!.uuid, organization: tenant.uuid });
  }
  const [first, second] = providers.sort((one, other) => (one.uuid < other.uuid ? -1 : 1));
  const [key] = settingsOf(bindings).sealingKeys;
  const foreign = await seal([key], clientSecretContext('of another provider'), CLIENT.secret);
  await bindings.DB.prepare('UPDATE identity_provider SET client_secret = ?1 WHERE uuid = ?2')
    .bind(foreign, first!.uuid)
    .run();
  await resealProviders(databasesOf(bindings), 'DB', [NEXT, key]);
  const secretOf = async ({ uuid }: { uuid: string }) =>
    (await bindings.DB.prepare('SELECT client_secret AS sealed FROM identity_provider WHERE uuid = ?1')
      .bind(uuid)
      .first<{ sealed: string }>())!.sealed;
  expect(await secretOf(first!)).toBe(foreign);
  expect(await open([NEXT], clientSecretContext(second!.uuid), await secretOf(second!))).toBe(CLIENT.secret);
});

it('an import opens a client secret it has the key for, and otherwise lets passwords sign in again', async () => {
  const place = clientSecretContext('a');
  const sealed = await seal(['the former key'], place, CLIENT.secret);
  const row = { uuid: 'a', client_secret: sealed, password_sign_in: 0, proven_date: 1 };
  const known = await resealing([NEXT, 'the former key'], false)('identity_provider', row);
  expect(await open([NEXT], place, String(known.row['client_secret']))).toBe(CLIENT.secret);
  expect(known.row).toMatchObject({ password_sign_in: 0, proven_date: 1 });
  const unknown = await resealing([NEXT], false)('identity_provider', row);
  expect(unknown.row).toMatchObject({ password_sign_in: 1, proven_date: null });
  expect((await resealing([NEXT], true)('identity_provider', row)).row).toEqual(row);
});
