import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../../src/core/lib/time.ts';
import { sent } from '../../../platform/mail.ts';
import { call, operator } from '../../client.ts';
import { type Dock, loadingDock } from '../../dispatch/load/shipment/dock.ts';
import { showsButton } from './mail-pages.ts';
import {
  confirm,
  confirmationsTo,
  db,
  deliveries,
  linkIn,
  log,
  newTenant,
  register,
  registerMail,
  type Tenant,
  until,
} from './receiver.ts';

let dock: Dock;
let name: string;
let address: string;
beforeEach(async () => {
  dock = await loadingDock({ name: 'Acme Foods' });
  name = `victim-${crypto.randomUUID()}`;
  address = `${name}@example.com`;
});

const mailed = (more: Record<string, unknown> = {}) =>
  register(dock, { format: 'EMAIL', url: `mailto:${address}`, ...more });
/** All e-mails to one person. */
const mails = () => sent.filter(({ to }) => to.startsWith(name));
const webhookOf = async (uuid: string) => (await dock.must('GET', `/webhook/${uuid}`)).body;
const linkOf = async (to = address) => {
  await until(() => confirmationsTo(to).length > 0);
  return linkIn(confirmationsTo(to)[0]!, 'Receive');
};
const test = (tenant: Tenant, uuid: string) => tenant.call('POST', `/webhook/${uuid}/test`);
const textOf = (body: Uint8Array) => new TextDecoder().decode(body);
/** Wait until the log of a webhook has this many settled deliveries. @returns their types and errors. */
async function settled(tenant: Tenant, uuid: string, count: number) {
  await until(async () => {
    const all = await log(tenant, uuid);
    return all.length >= count && all.every(({ status }) => status !== 'PENDING');
  });
  return (await log(tenant, uuid)).map(({ eventType, error }) => [eventType, error]);
}
/** As if this time had passed for the e-mails of the organization. */
const pass = (milliseconds: number) =>
  db
    .prepare(
      'UPDATE mail_recipient SET hour_date = hour_date - ?1, ask_date = ask_date - ?1 WHERE organization_uuid = ?2',
    )
    .bind(milliseconds, dock.uuid)
    .run();

describe('the confirmation of an e-mail address', () => {
  it('a new address gets one e-mail that asks, and nothing else until its recipient confirms', async () => {
    const hook = await mailed();
    expect(hook).toMatchObject({ active: true, confirmation: 'PENDING', disabledReason: null });
    expect(await settled(dock, hook.uuid, 1)).toEqual([['EMAIL_CONFIRMATION', null]]);
    await dock.scan('X');
    // The job of another webhook of the organization runs after the event.
    const other = await register(dock);
    await test(dock, other.uuid);
    await until(async () => (await log(dock, other.uuid)).length > 0);
    expect(await deliveries(dock, hook.uuid)).toEqual([]);
    const [mail, ...more] = mails();
    expect(more).toEqual([]);
    expect(mail!.subject).toBe('Do you want e-mails from Acme Foods?');
    expect(mail!.text).toContain(
      'Acme Foods wants to send you e-mails about alerts and completed shipments.',
    );
    const link = linkIn(mail!, 'Receive');
    expect(mail!.html).toContain(`<a href="${link}">Receive these e-mails</a>`);
    expect(linkIn(mail!)).toContain('/stop/');
    expect(JSON.stringify(mail)).not.toContain(hook.name);
  });

  it('the link shows a page with a button in each language, and changes nothing', async () => {
    const { uuid } = await mailed();
    const link = await linkOf();
    await showsButton(link, 'Acme Foods', name);
    expect(await webhookOf(uuid)).toMatchObject({ confirmation: 'PENDING' });
    expect((await call('HEAD', link)).status).toBe(200);
    expect(await webhookOf(uuid)).toMatchObject({ confirmation: 'PENDING' });
  });

  it('the button starts the e-mails about later events, and a repeat changes nothing', async () => {
    const { uuid } = await mailed();
    await dock.scan('X');
    const link = await linkOf();
    for (const _ of [1, 2]) {
      const { status, body } = await call('POST', link);
      expect([status, textOf(body)]).toEqual([200, expect.stringContaining('You will receive the e-mails')]);
    }
    expect(textOf((await call('GET', link)).body)).not.toContain('<form');
    expect(await webhookOf(uuid)).toMatchObject({ active: true, confirmation: 'CONFIRMED' });
    await dock.scan(900_000_001);
    await until(async () => (await deliveries(dock, uuid))[0]?.status === 'SUCCEEDED');
    // The alert from before the confirmation is not sent.
    expect(mails().map(({ subject }) => subject)).toEqual([
      'Do you want e-mails from Acme Foods?',
      expect.stringMatching(/^Critical: Unknown/),
    ]);
    const records = (await dock.must('GET', '/audit-log?action=WEBHOOK_UPDATED')).body.content;
    expect(records).toMatchObject([
      {
        actor: { actorType: 'SYSTEM', displayName: 'Recipient of e-mails' },
        changes: [{ field: 'confirmation', oldValue: 'PENDING', newValue: 'CONFIRMED' }],
      },
    ]);
  });

  it('45 webhooks with plus addresses and their tests send one confirmation e-mail, or three if users ask again', async () => {
    const hooks = await Promise.all(
      Array.from({ length: 45 }, (_, index) =>
        register(dock, { format: 'EMAIL', url: `mailto:${name}+${index}@example.com` }),
      ),
    );
    await until(() => mails().length > 0);
    for (const { uuid } of hooks) await dock.must('PUT', `/webhook/${uuid}`, { name: 'Again' });
    expect(mails()).toHaveLength(1);
    const answers = [];
    for (const { uuid } of hooks) answers.push(await test(dock, uuid));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, ...Array(43).fill(429)]);
    expect(answers[0]!.body).toMatchObject({ eventType: 'EMAIL_CONFIRMATION' });
    expect(answers[2]!.body).toMatchObject({
      code: 'rateLimited',
      detail: expect.stringContaining('it has sent 3 confirmation e-mails within a day. Try again tomorrow.'),
    });
    await until(() => mails().length >= 3);
    expect(mails().map(({ subject }) => subject)).toEqual(
      Array(3).fill('Do you want e-mails from Acme Foods?'),
    );
    // One answer counts for all tags.
    await call('POST', linkIn(mails()[0]!, 'Receive'));
    for (const { uuid } of hooks) expect(await webhookOf(uuid)).toMatchObject({ confirmation: 'CONFIRMED' });
  });

  it('an address that has confirmed is not asked again by its organization, also after its webhook is deleted', async () => {
    const first = await registerMail(dock, address);
    await dock.must('DELETE', `/webhook/${first.uuid}`);
    await pass(40 * DAY_MS);
    for (const to of [address, `${name}+x@example.com`, address.toUpperCase()]) {
      const hook = await register(dock, { format: 'EMAIL', url: `mailto:${to}` });
      expect(hook.confirmation).toBe('CONFIRMED');
    }
    await dock.scan('X');
    await until(() => sent.filter(({ to }) => to.toLowerCase().startsWith(name)).length === 3);
    expect(confirmationsTo(address)).toEqual([]);
    const other = await newTenant();
    const asked = await register(other, { format: 'EMAIL', url: `mailto:${address}` });
    expect(asked.confirmation).toBe('PENDING');
    await linkOf();
  });

  it('all organizations together send three confirmation e-mails to an address in a day', async () => {
    for (let index = 0; index < 3; index += 1) {
      const tenant = await newTenant();
      const { uuid } = await register(tenant, {
        format: 'EMAIL',
        url: `mailto:${name}+${index}@example.com`,
      });
      expect(await settled(tenant, uuid, 1)).toEqual([['EMAIL_CONFIRMATION', null]]);
    }
    const { uuid } = await mailed();
    const tooMany =
      'Not sent: the recipient has got the maximum number of such e-mails. Send it again later.';
    expect(await settled(dock, uuid, 1)).toEqual([['EMAIL_CONFIRMATION', tooMany]]);
    expect(mails()).toHaveLength(3);
  });

  it('a recipient can stop instead of confirming, and cannot be asked again', async () => {
    const { uuid } = await mailed();
    const link = await linkOf();
    await call('POST', linkIn(mails()[0]!));
    expect(await webhookOf(uuid)).toMatchObject({
      active: false,
      confirmation: null,
      disabledReason: 'STOPPED',
    });
    expect((await test(dock, uuid)).body.code).toBe('emailStopped');
    for (const method of ['GET', 'POST'])
      expect(textOf((await call(method, link)).body)).toContain('The e-mails have stopped');
    expect(await webhookOf(uuid)).toMatchObject({ active: false, disabledReason: 'STOPPED' });
    expect(mails()).toHaveLength(1);
  });

  it('a paused webhook stays paused after the confirmation, and its events wait', async () => {
    const { uuid } = await mailed({ active: false });
    await confirm(address);
    expect(await webhookOf(uuid)).toMatchObject({ active: false, confirmation: 'CONFIRMED' });
    await dock.scan('X');
    await dock.must('PUT', `/webhook/${uuid}`, { active: true });
    await until(() => mails().length === 1);
    expect(mails()[0]!.subject).toMatch(/^Critical: Wrong pallet/);
  });

  it('a pending webhook can be paused, resumed and filtered like an active one', async () => {
    const { uuid } = await mailed();
    const active = async () =>
      (await dock.must('GET', '/webhook?active=true')).body.content.map(
        (hook: { uuid: string }) => hook.uuid,
      );
    expect(await active()).toEqual([uuid]);
    const put = async (json: object) => (await dock.must('PUT', `/webhook/${uuid}`, json)).body;
    expect(await put({ active: false })).toMatchObject({ active: false, confirmation: 'PENDING' });
    expect(await active()).toEqual([]);
    await dock.scan('X');
    expect(await put({ active: true })).toMatchObject({ active: true, confirmation: 'PENDING' });
    await confirm(address);
    await dock.scan(900_000_001);
    await until(async () => (await deliveries(dock, uuid))[0]?.status === 'SUCCEEDED');
    expect(mails().map(({ subject }) => subject)).toEqual([expect.stringMatching(/^Critical: Unknown/)]);
  });

  it('a webhook with a new address is pending until the new recipient confirms', async () => {
    const { uuid } = await registerMail(dock, address);
    const other = `other-${address}`;
    const changed = await dock.must('PUT', `/webhook/${uuid}`, { url: `mailto:${other}` });
    expect(changed.body).toMatchObject({ active: true, confirmation: 'PENDING' });
    await linkOf(other);
    await dock.scan('X');
    // Back to the confirmed address: events in between are not sent.
    expect((await dock.must('PUT', `/webhook/${uuid}`, { url: `mailto:${address}` })).body).toMatchObject({
      active: true,
      confirmation: 'CONFIRMED',
    });
    await dock.scan(900_000_001);
    await until(() => mails().length === 1);
    expect(mails()[0]!.subject).toMatch(/^Critical: Unknown/);
    expect(sent.filter(({ to }) => to === other)).toHaveLength(1);
  });

  it('a disabled webhook that is resumed with a new address works after the confirmation', async () => {
    const { uuid } = await registerMail(dock, address);
    await dock.scan('X');
    await until(() => mails().length === 1);
    await call('POST', linkIn(mails()[0]!));
    const url = `mailto:other-${address}`;
    const changed = await dock.must('PUT', `/webhook/${uuid}`, { url, active: true });
    expect(changed.body).toMatchObject({ active: true, confirmation: 'PENDING', disabledReason: null });
    await confirm(`other-${address}`);
    expect(await webhookOf(uuid)).toMatchObject({ active: true, confirmation: 'CONFIRMED' });
  });

  it('nothing but the confirmation e-mail is sent to an address that has not confirmed, even if its webhook is active', async () => {
    const { uuid } = await mailed();
    await linkOf();
    // As if a version without confirmations had activated the webhook.
    await db
      .prepare('UPDATE webhook SET active = 1, awaits_confirmation = 0 WHERE uuid = ?1')
      .bind(uuid)
      .run();
    await dock.scan('X');
    await register(dock);
    await until(async () => (await deliveries(dock, uuid)).some(({ error }) => error !== null));
    const [{ error }] = await deliveries(dock, uuid);
    expect(error).toBe('Not sent: the recipient has not confirmed the address.');
    expect(mails()).toHaveLength(1);
  });

  it('a link of another kind, organization or host finds nothing', async () => {
    const { uuid } = await mailed();
    const link = await linkOf();
    const other = await newTenant();
    const { slug } = (await operator('GET', `/organization/${other.uuid}`)).body;
    for (const wrong of [
      `${link}A`,
      link.replace('/confirm/', '/stop/'),
      linkIn(mails()[0]!).replace('/stop/', '/confirm/'),
      link.replace('127.0.0.1', `${slug}.localhost`),
    ])
      for (const method of ['GET', 'POST']) expect((await call(method, wrong)).status).toBe(404);
    expect(await webhookOf(uuid)).toMatchObject({ confirmation: 'PENDING' });
  });
});

describe('the limit of test e-mails', () => {
  it('an organization sends five tests in an hour to all its addresses together', async () => {
    const first = await registerMail(dock, address);
    const second = await registerMail(dock, `other-${address}`);
    for (const { uuid } of [first, second, first, second, first])
      expect((await test(dock, uuid)).status).toBe(200);
    await until(async () => (await deliveries(dock, first.uuid)).every(({ status }) => status !== 'PENDING'));
    const [{ uuid: delivery }] = await deliveries(dock, first.uuid);
    for (const path of [
      `${first.uuid}/test`,
      `${second.uuid}/test`,
      `${first.uuid}/delivery/${delivery}/resend`,
    ]) {
      const { status, body } = await dock.call('POST', `/webhook/${path}`);
      expect([status, body.code]).toEqual([429, 'rateLimited']);
      expect(body.detail).toContain('an organization sends at most 5 test e-mails in an hour.');
    }
    // A new webhook for the address does not help.
    await dock.must('DELETE', `/webhook/${first.uuid}`);
    const again = await register(dock, { format: 'EMAIL', url: `mailto:${name}+new@example.com` });
    expect((await test(dock, again.uuid)).status).toBe(429);
    expect(mails()).toHaveLength(3);
    await pass(HOUR_MS);
    expect((await test(dock, again.uuid)).status).toBe(200);
  });

  it('all organizations together send five tests to an address in an hour', async () => {
    const other = await newTenant();
    const theirs = await registerMail(other, `${name}+theirs@example.com`);
    const ours = await registerMail(dock, address);
    for (let tests = 0; tests < 5; tests += 1) await test(other, theirs.uuid);
    await settled(other, theirs.uuid, 6);
    expect(mails()).toHaveLength(5);
    expect((await test(dock, ours.uuid)).status).toBe(200);
    expect((await settled(dock, ours.uuid, 2)).map(([, error]) => error)).toContain(
      'Not sent: the recipient has got the maximum number of such e-mails. Send it again later.',
    );
    expect(mails()).toHaveLength(5);
  });

  it('a confirmation e-mail that is sent again is a test once its recipient has confirmed', async () => {
    const { uuid } = await registerMail(dock, address);
    const [{ uuid: delivery }] = await log(dock, uuid);
    const resent = await dock.must('POST', `/webhook/${uuid}/delivery/${delivery}/resend`);
    expect(resent.body.eventType).toBe('WEBHOOK_TEST');
    await until(() => mails().length === 1);
    expect(mails()[0]!.subject).toMatch(/^Test: /);
  });
});
