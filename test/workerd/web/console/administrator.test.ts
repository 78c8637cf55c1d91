import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import type { Env } from '../../../../src/core/env.ts';
import { page } from '../../access/session/person.ts';
import { operator } from '../../client.ts';
import { newOperator } from './operator-person.ts';

await operator('PUT', '/database/DB_1', { open: true });
const who = await newOperator('READ', 'PROVISION');
const JANE = { firstName: 'Jane', lastName: 'Doe', email: 'jane@example.com' };
const LIST = '/operator/organization';

const named = (more: Record<string, string> = {}) => {
  const slug = `n-${crypto.randomUUID().slice(0, 8)}`;
  return { name: `New ${slug}`, slug, timeZone: 'Europe/Berlin', ...more };
};
const linkIn = (html: string): string | undefined => /\/app\/invite\/[^<"]+(?=<\/code>)/.exec(html)?.[0];
const uuidOf = (html: string, slug: string): string =>
  new RegExp(`href="/operator/organization/([0-9a-f-]{36})">New ${slug}<`).exec(html)![1]!;
const redeem = (link: string) =>
  page('POST', link, {
    fields: { password: 'correct horse battery staple', passwordAgain: 'correct horse battery staple' },
  });

it.each(['DB', 'DB_1'])(
  'the form that creates an organization in %s invites its first administrator with a link that works once',
  async (databaseName) => {
    const of = named({ databaseName, ...JANE });
    const made = await who.post(LIST, 'create', of);
    expect([made.status, made.headers.get('Cache-Control')]).toEqual([200, 'no-store']);
    expect(made.text).toContain(`Jane Doe is invited as an administrator of New ${of.slug}.`);
    const link = linkIn(made.text)!;
    const mail = new URL(/href="(mailto:[^"]+)"/.exec(made.text)![1]!.replaceAll('&amp;', '&'));
    expect([decodeURIComponent(mail.pathname), mail.searchParams.get('subject')]).toEqual([
      JANE.email,
      `Your access to New ${of.slug}`,
    ]);
    expect(mail.searchParams.get('body')).toContain(link);
    const uuid = uuidOf(made.text, of.slug);
    const { body } = await operator('GET', `/organization/${uuid}`);
    expect([body.dispatchStrategy, body.timeZone, body.databaseName]).toEqual([
      'SHIPMENT',
      'Europe/Berlin',
      databaseName,
    ]);
    const signedIn = await redeem(link);
    expect([signedIn.status, signedIn.headers.get('Location')]).toEqual([303, '/app']);
    expect((await redeem(link)).status).toBe(404);
    const { DB, DB_1 } = env as unknown as Env & { DB_1: D1Database };
    const log = await (databaseName === 'DB' ? DB : DB_1)
      .prepare('SELECT actor_type, actor_uuid FROM audit_log WHERE organization_uuid = ? AND action = ?')
      .bind(uuid, 'USER_CREATED')
      .all();
    expect(log.results).toEqual([{ actor_type: 'OPERATOR', actor_uuid: who.uuid }]);
  },
);

it('an organization can be created without an administrator, and a faulty one creates nothing', async () => {
  expect((await who.post(LIST, 'create', named())).status).toBe(303);
  const of = named({ ...JANE, email: 'nobody' });
  const refused = await who.post(LIST, 'create', of);
  expect([refused.status, refused.text.includes('This is not an e-mail address.')]).toEqual([400, true]);
  expect((await who.get(`${LIST}?find=${of.slug}`)).text).toContain('No organization');
  const halfNamed = await who.post(LIST, 'create', named({ email: JANE.email }));
  expect(halfNamed.status).toBe(400);
});

it('a repeated form creates one organization and one administrator, and shows no second link', async () => {
  const of = named({ ...JANE, key: crypto.randomUUID() });
  const first = await who.post(LIST, 'create', of);
  const again = await who.post(LIST, 'create', of);
  expect([linkIn(first.text) === undefined, linkIn(again.text)]).toEqual([false, undefined]);
  expect([again.status, again.headers.get('Location')]).toEqual([
    303,
    `${LIST}/${uuidOf(first.text, of.slug)}`,
  ]);
  expect((await redeem(linkIn(first.text)!)).status).toBe(303);
});

it('an operator replaces a lost link, but not the password of an administrator who has one', async () => {
  const of = named(JANE);
  const made = await who.post(LIST, 'create', of);
  const path = `${LIST}/${uuidOf(made.text, of.slug)}`;
  const second = await who.post(path, 'invite', { ...JANE, email: JANE.email.toUpperCase() });
  expect([second.status, linkIn(second.text) === linkIn(made.text)]).toEqual([200, false]);
  expect((await redeem(linkIn(made.text)!)).status).toBe(404);
  expect((await redeem(linkIn(second.text)!)).status).toBe(303);
  const refused = await who.post(path, 'invite', JANE);
  expect([refused.status, linkIn(refused.text)]).toEqual([409, undefined]);
  const other = await who.post(path, 'invite', { ...JANE, email: 'joe@example.com' });
  expect((await redeem(linkIn(other.text)!)).status).toBe(303);
});

it('only an operator with the scope PROVISION invites', async () => {
  const reader = await newOperator('READ');
  const of = named();
  await who.post(LIST, 'create', of);
  const path = `${LIST}/${uuidOf((await who.get(LIST)).text, of.slug)}`;
  expect((await reader.post(path, 'invite', JANE)).status).toBe(403);
  expect((await reader.get(path)).text).not.toContain('Invite an administrator');
});

it('time zones are chosen from a list, which has a stored zone under its other name, too', async () => {
  const { slug } = named();
  const { body } = await operator('POST', '/organization', { name: slug, slug, timeZone: 'Etc/GMT+3' });
  const { text } = await who.get(`${LIST}/${body.uuid}`);
  const list = /<select[^>]* name="timeZone"[\s\S]*?<\/select>/.exec(text)![0];
  expect(list).toContain('<option selected="">Etc/GMT+3<');
  expect(list).toContain('<option>America/New_York<');
  expect(list.match(/<option/g)!.length).toBeGreaterThan(400);
});
