import { beforeEach, describe, expect, it } from 'vitest';
import { refusing, sent } from '../../../platform/mail.ts';
import { API, ORIGIN } from '../../client.ts';
import { type Dock, loadingDock } from '../../dispatch/load/shipment/dock.ts';
import { fetchOver } from '../../failing.ts';
import { bindings, db, deliveries, Receivers, registerMail, until } from './receiver.ts';

let dock: Dock;
let address: string;
let receivers: Receivers;
beforeEach(async () => {
  dock = await loadingDock();
  receivers = new Receivers();
  address = `dock-${crypto.randomUUID()}@example.com`;
});

const mailed = (more: Record<string, unknown> = {}) => registerMail(dock, address, more);
const mails = () => sent.filter(({ to }) => to === address);
const webhookOf = async (uuid: string) => (await dock.must('GET', `/webhook/${uuid}`)).body;

async function settled(uuid: string, count: number) {
  await until(async () => {
    const found = await deliveries(dock, uuid);
    return found.length >= count && found.every(({ status }) => status !== 'PENDING');
  });
  return deliveries(dock, uuid);
}

describe('a webhook that sends e-mails', () => {
  it('sends an e-mail for alerts and completed shipments only, and no request', async () => {
    const hook = await mailed({ customHeaders: [{ name: 'X-Key', value: 'hidden-value' }] });
    expect(hook).toMatchObject({ format: 'EMAIL', url: `mailto:${address}` });
    await dock.scan('X');
    await dock.scan('X', 'UNLOAD');
    for (const pallet of ['A', 'B', 'C']) await dock.scan(pallet);
    await dock.must('POST', '/shipment/S/status/COMPLETED');
    const log = await settled(hook.uuid, 2);
    expect(log.map(({ eventType, status, error }) => ({ eventType, status, error }))).toEqual([
      { eventType: 'ALERT_RAISED', status: 'SUCCEEDED', error: null },
      { eventType: 'SHIPMENT_STATUS_CHANGED', status: 'SUCCEEDED', error: null },
    ]);
    // The identifier of the message, from the local runtime.
    for (const { response } of log) expect(response).toMatch(/^<?[\w.-]+@warehouse\.example>?$/);
    const [alert, completed] = mails();
    expect(Object.keys(alert!).sort()).toEqual(['from', 'headers', 'html', 'subject', 'text', 'to']);
    expect(alert).toMatchObject({ from: 'dispatch@warehouse.example', to: address });
    expect(alert!.subject).toMatch(/^Critical: Wrong pallet: /);
    expect(alert!.text).toContain((await dock.must('GET', '/alert-event')).body.content[0].deepLink);
    expect(completed!.text).toContain('Shipment S is completed with 4 of 4 pallets.');
    expect(JSON.stringify(mails())).not.toMatch(/hidden-value|whsec_/);
    expect(receivers.received).toEqual([]);
  });

  it('a test and a replay send an e-mail', async () => {
    const hook = await mailed();
    await dock.scan('X');
    const [{ sequenceNumber }] = await settled(hook.uuid, 1);
    const range = { sequenceNumberFrom: sequenceNumber, sequenceNumberTo: sequenceNumber };
    await dock.must('POST', `/webhook/${hook.uuid}/replay`, range);
    await dock.must('POST', `/webhook/${hook.uuid}/test`);
    await until(() => mails().length === 3);
    expect(mails().some(({ subject }) => subject.startsWith('Test: '))).toBe(true);
  });

  it('an e-mail is sent again after a temporary error, and its address is in no error', async () => {
    const hook = await mailed();
    refusing.set(address, 'E_RATE_LIMIT_EXCEEDED');
    await dock.scan('X');
    await until(async () => (await deliveries(dock, hook.uuid))[0]?.attemptsCount > 0);
    refusing.delete(address);
    const [{ attempts, status }] = await settled(hook.uuid, 1);
    expect(status).toBe('SUCCEEDED');
    expect(attempts[0]).toMatchObject({
      statusCode: null,
      response: 'E_RATE_LIMIT_EXCEEDED',
      error: 'The platform did not send the e-mail.',
    });
    expect(JSON.stringify(attempts)).not.toContain(address);
    expect(mails()).toHaveLength(1);
    expect(await webhookOf(hook.uuid)).toMatchObject({ active: true, failingSince: null });
  });

  it.each([
    ['E_RECIPIENT_SUPPRESSED', 0, 'GONE'],
    ['E_RECIPIENT_NOT_ALLOWED', 0, 'GONE'],
    ['E_DAILY_LIMIT_EXCEEDED', 0, null],
    ['E_DELIVERY_FAILED', 0, null],
    ['E_SENDER_NOT_VERIFIED', 0, null],
    ['E_SENDER_NOT_VERIFIED', 6, 'FAILING'],
  ])('%s after failures of %i days disables the webhook: %s', async (code, days, disabledReason) => {
    const hook = await mailed();
    const since = days === 0 ? null : Date.now() - days * 86_400_000;
    await db.prepare('UPDATE webhook SET failing_since = ?1 WHERE uuid = ?2').bind(since, hook.uuid).run();
    refusing.set(address, code);
    await dock.scan('X');
    await until(async () =>
      disabledReason === null
        ? (await deliveries(dock, hook.uuid))[0]?.attemptsCount > 0
        : !(await webhookOf(hook.uuid)).active,
    );
    expect((await webhookOf(hook.uuid)).disabledReason).toBe(disabledReason);
    refusing.delete(address);
  });
});

describe('addresses of e-mails', () => {
  const post = (format: string | undefined, url: string) =>
    dock.call('POST', '/webhook', { name: 'Mail', url, ...(format ? { format } : {}) });

  it.each([
    ['EMAIL', 'https://hooks.example.com/1'],
    ['EMAIL', 'mailto:'],
    ['EMAIL', 'mailto:dock'],
    ['EMAIL', 'mailto:a@example.com,b@example.com'],
    ['EMAIL', 'mailto:a@example.com?bcc=b@example.com'],
    ['EMAIL', 'mailto:a@example.com\r\nBcc: b@example.com'],
    ['EMAIL', 'mailto:a%0d%0abcc:b@example.com'],
    ['EMAIL', 'mailto:A <a@example.com>'],
    ['EMAIL', `mailto:${'a'.repeat(243)}@example.com`],
    ['EVENT', 'mailto:a@example.com'],
    ['EVENT', 'mailto:a@b.example?bcc=c@d.example'],
    ['EVENT', 'mailto:a@example.com\r\nBcc: b@example.com'],
    ['SLACK', 'mailto:dock'],
    [undefined, 'MAILTO:a@example.com?cc=b@example.com'],
    ['EPCIS_2_0', 'mailto:a@example.com'],
    ['SLACK', 'MAILTO:a@example.com'],
    ['TEAMS', 'mailto:a@example.com'],
    [undefined, 'mailto:a@example.com'],
  ])('the format %s is refused for %j', async (format, url) => {
    const { status, body } = await post(format, url);
    expect([status, body.errors?.[0].field], JSON.stringify(body)).toEqual([400, 'url']);
    expect((await dock.must('GET', '/webhook')).body.content).toEqual([]);
  });

  it('a change keeps format and address together', async () => {
    const hook = await mailed();
    const put = (json: object) => dock.call('PUT', `/webhook/${hook.uuid}`, json);
    for (const json of [{ format: 'SLACK' }, { format: 'EVENT' }, { url: 'https://hooks.example.com/x' }])
      expect([(await put(json)).status, json]).toEqual([400, json]);
    expect(await webhookOf(hook.uuid)).toMatchObject({ format: 'EMAIL', url: `mailto:${address}` });
    const url = 'https://hooks.example.com/x';
    expect((await put({ url, format: 'SLACK' })).body).toMatchObject({ url, format: 'SLACK' });
    expect((await put({ format: 'EMAIL' })).status).toBe(400);
  });

  it.each([
    ['the binding', { EMAIL: undefined }],
    ['the sender', { EMAIL_FROM: undefined }],
  ])('e-mails are refused without %s, and other formats work', async (_, without) => {
    const made = await mailed();
    const ask = (method: string, path: string, json: object) =>
      fetchOver(
        { ...bindings, ...without },
        new Request(`${ORIGIN}${API}${path}`, {
          method,
          headers: { 'X-AUTH-KEY': dock.key, 'Content-Type': 'application/json' },
          body: JSON.stringify(json),
        }),
      );
    const url = 'https://hooks.example.com/1';
    for (const [method, path, json] of [
      ['POST', '/webhook', { name: 'Mail', format: 'EMAIL', url: `mailto:${address}` }],
      ['PUT', `/webhook/${made.uuid}`, { url: 'mailto:other@example.com' }],
      ['PUT', `/webhook/${made.uuid}`, { format: 'EMAIL' }],
    ] as const) {
      const { status, body } = await ask(method, path, json);
      expect([status, body.code]).toEqual([409, 'emailNotConfigured']);
      expect(body.detail).toContain('Webhook "');
    }
    expect((await ask('POST', '/webhook', { name: 'Chat', format: 'SLACK', url })).status).toBe(201);
    expect((await ask('PUT', `/webhook/${made.uuid}`, { active: false })).status).toBe(200);
  });
});
