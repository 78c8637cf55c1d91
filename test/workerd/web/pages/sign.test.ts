import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { Env } from '../../../../src/core/env.ts';
import { settingsOf } from '../../../../src/core/env.ts';
import { newUuid } from '../../../../src/core/lib/id.ts';
import { type SigningLink, signingToken } from '../../../../src/dispatch/signature/link.ts';
import { SIGNING_MS } from '../../../../src/dispatch/signature/rules.ts';
import { PUBLIC_LIMITS } from '../../../../src/web/pages/quota.ts';
import { call, ORIGIN, operator } from '../../client.ts';
import { type Dock, loadingDock } from '../../dispatch/shipment/dock.ts';
import { age, longGone, resolveAlerts, retain } from '../../retention/archives.ts';
import { saidBy } from './published.ts';

const keys = settingsOf(env as unknown as Env).sealingKeys;

async function linkOf(dock: Dock, path = 'shipment/S', more: Partial<SigningLink> = {}): Promise<string> {
  const { uuid } = (await dock.must('GET', `/${path}`)).body;
  const token = await signingToken(keys, {
    kind: path.startsWith('shipment') ? 'SHIPMENT' : 'MANIFEST',
    organization: dock.uuid,
    load: uuid,
    signature: newUuid(),
    expiresDate: Date.now() + 60_000,
    ...more,
  });
  return `${ORIGIN}/public/sign/${token}`;
}

const SIGNED = { role: 'DRIVER', name: 'Ben', strokes: [[[1, 2]]] };
const open = async (url: string) => {
  const { status, body } = await call('GET', url);
  return [status, saidBy(new TextDecoder().decode(body))] as const;
};
const sign = async (url: string, json: object = SIGNED) => (await call('POST', url, { json })).status;
/** Status and reason of a refused signature. */
const reasonOf = async (url: string, json: object = SIGNED) => {
  const { status, body } = await call('POST', url, { json });
  return [status, body.reason];
};
const namesOf = async (dock: Dock) =>
  (await dock.must('GET', '/shipment/S/signature')).body.map(({ name }: { name: string }) => name);

describe('a signing link', () => {
  it('a signing link shows identifier, gate and count, and nothing else of the load', async () => {
    const dock = await loadingDock({ name: 'Acme Foods' });
    await dock.scan('A');
    const { status, body, headers } = await call('GET', await linkOf(dock));
    const html = new TextDecoder().decode(body);
    expect(status).toBe(200);
    expect(saidBy(html)).toMatch(/Shipment S Gate G 1 of 4 loaded Role/);
    expect(html).not.toContain('Acme');
    expect(html).not.toContain(dock.uuid);
    expect(headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(headers.get('X-Robots-Tag')).toContain('noindex');
  });

  it('a signing link adds one signature, however often it is sent', async () => {
    const dock = await loadingDock();
    const url = await linkOf(dock);
    expect(await Promise.all([sign(url), sign(url), sign(url)])).toEqual([201, 201, 201]);
    expect(await namesOf(dock)).toEqual(['Ben']);
    expect((await open(url))[1]).toContain('Your signature is saved.');
    expect(await sign(url, { ...SIGNED, name: 'Eva' })).toBe(409);
    expect(await namesOf(dock)).toEqual(['Ben']);
    const [record] = (await dock.must('GET', '/audit-log?action=SIGNATURE_ADDED')).body.content;
    expect(record.actor).toMatchObject({ actorType: 'SYSTEM', displayName: 'Signing link' });
  });

  it('a signing link refuses an invalid signature, and can be used afterwards', async () => {
    const dock = await loadingDock();
    const url = await linkOf(dock);
    for (const wrong of [
      {},
      { strokes: [] },
      { name: ' ' },
      { role: 'X' },
      { signDate: '2026-11-25T14:30:00Z' },
    ]) {
      expect(await sign(url, { ...(Object.keys(wrong).length === 0 ? {} : SIGNED), ...wrong })).toBe(400);
    }
    expect(await sign(url)).toBe(201);
  });

  it('a signing link of a completed load works for 30 days', async () => {
    const dock = await loadingDock();
    await dock.must('POST', '/shipment/S/status/COMPLETED');
    const url = await linkOf(dock);
    await age(dock, 29);
    expect((await open(url))[0]).toBe(200);
    await age(dock, 2);
    expect(await open(url)).toEqual([404, expect.stringContaining('was completed long ago')]);
    expect(await reasonOf(url)).toEqual([409, 'closed']);
    expect(await namesOf(dock)).toEqual([]);
    expect(SIGNING_MS).toBe(30 * 86_400_000);
  });

  it('a signing link that this service did not make, or of a suspended organization, reveals nothing', async () => {
    const dock = await loadingDock();
    const unknown = await open(`${ORIGIN}/public/sign/nothing`);
    expect(unknown[0]).toBe(404);
    const strange = await linkOf(dock, 'shipment/S', { organization: newUuid() });
    // Some bits of the last character mean nothing.
    const changed = (await linkOf(dock)).replace(/.(?=..$)/, (one) => (one === 'A' ? 'B' : 'A'));
    for (const url of [strange, changed]) {
      expect(await open(url)).toEqual(unknown);
      expect(await sign(url)).toBe(404);
    }
    const url = await linkOf(dock);
    await operator('POST', `/organization/${dock.uuid}/suspend`);
    expect(await open(url)).toEqual(unknown);
    expect(await sign(url)).toBe(404);
    await operator('POST', `/organization/${dock.uuid}/resume`);
    expect((await open(url))[0]).toBe(200);
    expect(await namesOf(dock)).toEqual([]);
  });

  it('a signing link works at shared hosts and at the host of its organization', async () => {
    const [dock, stranger] = [await loadingDock(), await loadingDock()];
    const url = await linkOf(dock);
    const at = (host: string) => url.replace(ORIGIN, host);
    const [own, shared, other] = [dock, { slug: 'api' }, stranger].map(({ slug }) =>
      at(`http://${slug}.localhost:8787`),
    );
    expect((await open(own!))[0]).toBe(200);
    expect((await open(shared!))[0]).toBe(200);
    expect(await open(other!)).toEqual(await open(`${ORIGIN}/public/sign/nothing`));
    expect(await sign(other!)).toBe(404);
    expect(await namesOf(dock)).toEqual([]);
    expect(await sign(own!)).toBe(201);
  });

  it('signing links are limited like other links, and too long ones are not opened', async () => {
    const url = await linkOf(await loadingDock());
    expect(await sign(`${url}${'A'.repeat(300)}`)).toBe(404);
    const headers = { 'CF-Connecting-IP': '203.0.113.39' };
    let status = 0;
    // The minute of the limit may end on the way.
    for (let sent = 0; sent <= 2 * PUBLIC_LIMITS.address && status !== 429; sent += 1)
      status = (await call('GET', `${ORIGIN}/public/sign/nothing`, { headers })).status;
    expect(status).toBe(429);
  });

  it('a signing link says why a load takes no signature, before the person draws', async () => {
    const dock = await loadingDock();
    const refused = async (url: string, said: string, reason: string) => {
      const [status, text] = await open(url);
      expect([status, text]).toEqual([404, expect.stringContaining(said)]);
      expect(text).toContain('This load cannot be signed');
      expect(await reasonOf(url)).toEqual([409, reason]);
    };
    const expired = await linkOf(dock, 'shipment/S', { expiresDate: Date.now() - 1 });
    await refused(expired, 'This link has expired', 'expired');
    await refused(await linkOf(dock, 'manifest/M'), 'now part of a shipment', 'moved');
    await refused(await linkOf(dock, 'shipment/S', { load: newUuid() }), 'does not exist', 'missing');
    const url = await linkOf(dock);
    await dock.must('POST', '/shipment/S/status/CANCELLED');
    await refused(url, 'was cancelled', 'cancelled');
    expect(await namesOf(dock)).toEqual([]);
  });

  it('a signing link of an archived load says that it takes no more signatures', async () => {
    const dock = await longGone();
    const url = await linkOf(dock);
    await resolveAlerts(dock);
    await retain(dock);
    expect((await dock.call('GET', '/shipment/S')).status).toBe(404);
    expect(await open(url)).toEqual([404, expect.stringContaining('was completed long ago')]);
    expect(await reasonOf(url)).toEqual([409, 'closed']);
  });

  it('a signature that waited for a connection has the time at which the person signed', async () => {
    const dock = await loadingDock();
    const url = await linkOf(dock);
    for (const waitedMs of [-1, 1.5, SIGNING_MS + 1, '5'])
      expect(await reasonOf(url, { ...SIGNED, waitedMs })).toEqual([400, 'failed']);
    const sent = Date.now();
    expect(await sign(url, { ...SIGNED, waitedMs: 3_600_000 })).toBe(201);
    const { body } = await dock.must('GET', '/shipment/S');
    const waited = sent - Date.parse(body.signatures[0].signDate);
    expect(waited).toBeGreaterThan(3_590_000);
    expect(waited).toBeLessThanOrEqual(3_600_000);
  });

  it('a refused signature names the part that is wrong, and a used link says so', async () => {
    const dock = await loadingDock();
    const url = await linkOf(dock);
    const many = Array.from({ length: 101 }, () => [[1, 2]]);
    expect(await reasonOf(url, { ...SIGNED, strokes: many })).toEqual([400, 'strokes']);
    expect(await reasonOf(url, { ...SIGNED, name: ' ' })).toEqual([400, 'name']);
    expect(await reasonOf(url, { ...SIGNED, role: 'X' })).toEqual([400, 'failed']);
    expect(await sign(url)).toBe(201);
    expect(await reasonOf(url, { ...SIGNED, name: 'Eva' })).toEqual([409, 'used']);
    for (let count = 1; count < 20; count += 1) expect(await sign(await linkOf(dock))).toBe(201);
    expect(await reasonOf(await linkOf(dock))).toEqual([409, 'limit']);
    // Links that have a signature still show it.
    await dock.must('POST', '/shipment/S/status/CANCELLED');
    expect((await open(url))[1]).toContain('Your signature is saved.');
  });

  it('a page to return to is only a page of gates and loads of this service', async () => {
    const dock = await loadingDock();
    const url = await linkOf(dock);
    const back = `/app/gate/${newUuid()}`;
    const html = async (asked: string) =>
      new TextDecoder().decode((await call('GET', `${url}?back=${encodeURIComponent(asked)}`)).body);
    expect(await html(back)).toContain(`href="${back}"`);
    for (const other of ['//evil.example', 'javascript:alert(1)', `${back}/../../x`]) {
      expect(await html(other)).not.toContain('>Back<');
    }
  });
});
