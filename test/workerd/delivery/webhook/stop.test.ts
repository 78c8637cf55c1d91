import { beforeEach, describe, expect, it } from 'vitest';
import { type Env, settingsOf } from '../../../../src/core/env.ts';
import { seal } from '../../../../src/core/lib/seal.ts';
import { mailLinkPath } from '../../../../src/delivery/webhook/mail.ts';
import { sent } from '../../../platform/mail.ts';
import { call, ORIGIN, operator } from '../../client.ts';
import { type Dock, loadingDock } from '../../dispatch/load/shipment/dock.ts';
import { fetchOver } from '../../failing.ts';
import { showsButton } from './mail-pages.ts';
import { bindings, db, deliveries, linkIn, newTenant, register, registerMail, until } from './receiver.ts';

let dock: Dock;
let address: string;
beforeEach(async () => {
  dock = await loadingDock({ name: 'Acme Foods' });
  address = `Dock-${crypto.randomUUID()}@example.com`;
});

const mailed = (to = address) => registerMail(dock, to);
const mails = () => sent.filter(({ to }) => to.toLowerCase() === address.toLowerCase());
const webhookOf = async (uuid: string) => (await dock.must('GET', `/webhook/${uuid}`)).body;

/** A webhook that has sent an e-mail, and the link in it. */
async function mailedOnce(origin = ORIGIN): Promise<{ uuid: string; link: string }> {
  const { uuid } = await mailed();
  await db.prepare('UPDATE webhook SET link_origin = ?1 WHERE uuid = ?2').bind(origin, uuid).run();
  await dock.scan('X');
  await until(async () => (await deliveries(dock, uuid))[0]?.status === 'SUCCEEDED');
  return { uuid, link: linkIn(mails()[0]!) };
}

const oneClick = (url: string) =>
  call('POST', url, {
    raw: 'List-Unsubscribe=One-Click',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
const textOf = (body: Uint8Array) => new TextDecoder().decode(body);

describe('the link that stops e-mails', () => {
  it('each e-mail has the link in its text, in its HTML and in the headers for the button of mail programs', async () => {
    const { link } = await mailedOnce('https://dispatch.example.com');
    const [mail] = mails();
    expect(link).toMatch(/^https:\/\/dispatch\.example\.com\/stop\/v1\.[\w.-]+$/);
    expect(link.length).toBeLessThan(600);
    expect(mail!.html).toContain(`<a href="${link}">Stop these e-mails</a>`);
    expect(mail!.headers).toEqual({
      'Auto-Submitted': 'auto-generated',
      'List-Unsubscribe': `<${link}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
  });

  it('an e-mail has no link in its headers without https, because the platform refuses it', async () => {
    const { link } = await mailedOnce();
    expect(link.startsWith(`${ORIGIN}/stop/`)).toBe(true);
    expect(Object.keys(mails()[0]!.headers)).toEqual(['Auto-Submitted']);
  });

  it('the link shows a page with a button in each language, and changes nothing', async () => {
    const { uuid, link } = await mailedOnce();
    await showsButton(link, 'Acme Foods', address);
    expect(await webhookOf(uuid)).toMatchObject({ active: true, disabledReason: null });
  });

  it('the link stops the e-mails by one request without redirect, and a repeat changes nothing', async () => {
    const { uuid, link } = await mailedOnce();
    const tagged = address.replace('@', '+tag@');
    const [second, third] = [await mailed(address.toUpperCase()), await mailed(tagged)];
    const other = await register(dock, { format: 'EMAIL', url: 'mailto:other@example.com' });
    for (const _ of [1, 2]) {
      const { status, body } = await oneClick(link);
      expect(status).toBe(200);
      expect(textOf(body)).toContain('The e-mails have stopped');
    }
    expect(textOf((await call('GET', link)).body)).not.toContain('<form');
    for (const stopped of [uuid, second.uuid, third.uuid])
      expect(await webhookOf(stopped)).toMatchObject({
        active: false,
        disabledReason: 'STOPPED',
        disabledDate: expect.any(String),
      });
    expect(await webhookOf(other.uuid)).toMatchObject({ active: true });
    const records = (await dock.must('GET', '/audit-log?action=WEBHOOK_DISABLED')).body.content;
    expect(records).toHaveLength(3);
    expect(records[0]).toMatchObject({ actor: { actorType: 'SYSTEM', displayName: 'Recipient of e-mails' } });
    expect(JSON.stringify(records[0].changes)).toContain('STOPPED');
    const alerts = (await dock.must('GET', '/alert-event?alertType=WEBHOOK_DISABLED')).body.content;
    expect(alerts.map(({ message }: { message: string }) => message).join()).toContain(
      'The recipient has stopped the e-mails',
    );
  });

  it('nothing sends e-mails to the address again, and another address works', async () => {
    const { uuid, link } = await mailedOnce();
    await oneClick(link);
    const before = mails().length;
    const url = `mailto:${address.toLowerCase()}`;
    const tagged = url.replace('@', '+new@');
    for (const [method, path, json] of [
      ['PUT', `/webhook/${uuid}`, { active: true }],
      ['PUT', `/webhook/${uuid}`, { active: true, url }],
      ['PUT', `/webhook/${uuid}`, { active: true, url: tagged }],
      ['POST', '/webhook', { name: 'Again', format: 'EMAIL', url }],
      ['POST', '/webhook', { name: 'Again', format: 'EMAIL', url: tagged }],
      ['POST', `/webhook/${uuid}/test`, undefined],
    ] as const) {
      const { status, body } = await dock.call(method, path, json);
      expect([path, status, body.code]).toEqual([path, 409, 'emailStopped']);
    }
    // As if a version without this check had activated the webhook.
    const activate =
      'UPDATE webhook SET active = 1, disabled_reason = NULL, disabled_date = NULL WHERE uuid = ?1';
    await db.prepare(activate).bind(uuid).run();
    await dock.scan(900_000_001);
    // The job of this webhook runs again.
    await register(dock);
    await until(async () => (await deliveries(dock, uuid)).some(({ error }) => error !== null));
    expect(mails()).toHaveLength(before);
    await dock.must('DELETE', `/webhook/${uuid}`);
    expect((await dock.call('POST', '/webhook', { name: 'Again', format: 'EMAIL', url })).status).toBe(409);

    const made = await register(dock, { format: 'EMAIL', url: `mailto:x${address}` });
    expect(made.active).toBe(true);
  });

  it('a stopped webhook works with another address', async () => {
    const { uuid, link } = await mailedOnce();
    await oneClick(link);
    const changed = await dock.must('PUT', `/webhook/${uuid}`, { url: `mailto:x${address}` });
    expect(changed.body).toMatchObject({ active: false, disabledReason: null, disabledDate: null });
    expect((await dock.must('PUT', `/webhook/${uuid}`, { active: true })).body.active).toBe(true);
  });

  it('the link works after a rotation of the key, and while the organization has no webhook', async () => {
    const keys = settingsOf(bindings).sealingKeys;
    const earlier = `earlier-${'k'.repeat(40)}`;
    const link = { organization: dock.uuid, mailbox: address.toLowerCase() };
    const path = await mailLinkPath([earlier], 'stop', link);
    const open = (env: Partial<Env>) =>
      fetchOver(
        { ...bindings, ...env },
        new Request(ORIGIN + path, {
          method: 'POST',
        }),
      );
    expect((await open({})).status).toBe(404);
    expect((await open({ SEALING_KEY: keys[0], SEALING_KEY_PREVIOUS: earlier })).status).toBe(200);
    const url = `mailto:${address}`;
    expect((await dock.call('POST', '/webhook', { name: 'Mail', format: 'EMAIL', url })).status).toBe(409);
  });

  it('a link of another kind, organization or host finds nothing', async () => {
    const keys = settingsOf(bindings).sealingKeys;
    const { link } = await mailedOnce();
    const tokens = [
      'x',
      `${link.split('/').at(-1)}A`,
      await seal(keys, 'signing link', dock.uuid.replaceAll('-', '') + address),
      (await mailLinkPath(keys, 'stop', { organization: crypto.randomUUID(), mailbox: address })).slice(
        '/stop/'.length,
      ),
      (await mailLinkPath(keys, 'confirm', { organization: dock.uuid, mailbox: address })).slice(
        '/confirm/'.length,
      ),
      'v1.'.padEnd(2_000, 'a'),
    ];
    for (const token of tokens)
      for (const method of ['GET', 'POST'])
        expect([token, (await call(method, `${ORIGIN}/stop/${token}`)).status]).toEqual([token, 404]);
    const other = await newTenant();
    const { slug } = (await operator('GET', `/organization/${other.uuid}`)).body;
    const elsewhere = link.replace('127.0.0.1', `${slug}.localhost`);
    expect((await call('GET', elsewhere)).status).toBe(404);
  });
});
