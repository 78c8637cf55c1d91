import { expect, it, vi } from 'vitest';
import { db } from '../../core/writer/requests.ts';
import { Authenticator, accountOf, add, isIn, signIn, withPasskey } from './authenticator.ts';

it('passkeys neither sign in nor can be added where only the company account signs in', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { tenant, person, key } = await withPasskey();
  expect(isIn(await signIn(key))).toBe(true);
  await db
    .prepare(
      `INSERT INTO identity_provider (uuid, organization_uuid, issuer, client_id, client_secret, password_sign_in, proven_date,
        create_date, update_date) VALUES (?1, ?2, 'https://issuer.example', 'x', 'x', 0, 1, 1, 1)`,
    )
    .bind(crypto.randomUUID(), tenant.uuid)
    .run();
  expect((await signIn(key)).status).toBe(401);
  const added = await add(person, { key: await Authenticator.new() });
  expect([added.status, added.text.includes('company account only')]).toEqual([400, true]);
  const { text } = await accountOf(person).get();
  expect([text.includes('data-passkey'), text.includes('not with passkeys')]).toEqual([false, true]);
  await db
    .prepare('UPDATE identity_provider SET password_sign_in = 1 WHERE organization_uuid = ?1')
    .bind(tenant.uuid)
    .run();
  expect(isIn(await signIn(key))).toBe(true);
  expect((await accountOf(person).get()).text).toContain('data-passkey');
});
