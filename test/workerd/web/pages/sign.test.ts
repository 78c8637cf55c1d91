import { describe, expect, it } from 'vitest';
import { type Env, settingsOf } from '../../../../src/core/env.ts';
import { newUuid } from '../../../../src/core/lib/id.ts';
import { DAY_MS } from '../../../../src/core/lib/time.ts';
import {
  SIGNING_PATH,
  type SigningLink,
  signingToken,
} from '../../../../src/dispatch/load/shared/signature-link.ts';
import { SIGNING_MS } from '../../../../src/dispatch/load/shared/signature-rules.ts';
import { SIGNER_ROLES } from '../../../../src/dispatch/load/shared/table.ts';
import { PUBLIC_LIMITS } from '../../../../src/web/pages/quota.ts';
import { forgetPlace, setOpen } from '../../access/database/places.ts';
import { call, ORIGIN, operator } from '../../client.ts';
import { bindings, db } from '../../delivery/webhook/receiver.ts';
import { type Dock, loadingDock } from '../../dispatch/load/shipment/dock.ts';
import { fetchOver } from '../../failing.ts';
import { age, longGone, resolveAlerts, retain } from '../../retention/archives.ts';
import { saidBy } from './published.ts';

const keys = settingsOf(bindings).sealingKeys;

async function linkOf(
  dock: Dock,
  path = 'shipment/S',
  more: Partial<SigningLink & { organization: string }> = {},
): Promise<string> {
  const { uuid } = (await dock.must('GET', `/${path}`)).body;
  const token = signingToken(keys, {
    kind: path.startsWith('shipment') ? 'SHIPMENT' : 'MANIFEST',
    organization: dock.uuid,
    load: uuid,
    role: 'DRIVER',
    createDate: Date.now(),
    ...more,
  });
  return `${ORIGIN}${SIGNING_PATH}/${token}`;
}

const SIGNED = { name: 'Ben', strokes: [[[1, 2]]] };
/** As if the load had been made some days ago. */
const madeBefore = (dock: Dock, days: number) =>
  db
    .prepare('UPDATE shipment SET create_date = ?1 WHERE organization_uuid = ?2')
    .bind(Date.now() - days * DAY_MS, dock.uuid)
    .run();
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
  it('a signing link shows organization, load, gate, count and statement, and nothing else of the load', async () => {
    const dock = await loadingDock({ name: 'Acme Foods' });
    await dock.scan('A');
    const { status, body, headers } = await call('GET', await linkOf(dock));
    const html = new TextDecoder().decode(body);
    expect(status).toBe(200);
    expect(saidBy(html)).toMatch(
      /Acme Foods .*Shipment S Gate G 1 of 4 loaded Role: Driver I have taken over this load for transport\. Name/,
    );
    expect(html).not.toContain(dock.uuid);
    expect(html).not.toContain('/public/proof');
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
      { role: 'LOADER' },
      { signDate: '2026-11-25T14:30:00Z' },
    ]) {
      expect(await sign(url, { ...(Object.keys(wrong).length === 0 ? {} : SIGNED), ...wrong })).toBe(400);
    }
    expect(await sign(url)).toBe(201);
  });

  it('the path of a signing link has at most 64 characters, and each link differs', async () => {
    const dock = await loadingDock();
    const createDate = Date.now();
    const links = new Set<string>();
    for (const role of SIGNER_ROLES) {
      for (const path of ['shipment/S', 'manifest/M']) {
        const link = await linkOf(dock, path, { role, createDate });
        expect(new URL(link).pathname.length).toBeLessThanOrEqual(64);
        links.add(link);
      }
    }
    expect(links.size).toBe(6);
    // Also in one millisecond: at most a few of 50 links are the same.
    const same = await Promise.all(
      Array.from({ length: 50 }, () => linkOf(dock, 'shipment/S', { createDate })),
    );
    expect(new Set(same).size).toBeGreaterThan(30);
  });

  it.each(SIGNER_ROLES)(
    'a signing link for %s adds a signature of this role, with or without its name',
    async (role) => {
      const dock = await loadingDock();
      const [named, unnamed] = [
        await linkOf(dock, 'shipment/S', { role }),
        await linkOf(dock, 'shipment/S', { role }),
      ];
      expect(await sign(named, { ...SIGNED, role })).toBe(201);
      expect(await sign(unnamed, { ...SIGNED, name: 'Eva' })).toBe(201);
      const signed = (await dock.must('GET', '/shipment/S/signature')).body;
      expect(signed.map(({ role, name }: { role: string; name: string }) => [role, name])).toEqual([
        [role, 'Ben'],
        [role, 'Eva'],
      ]);
      for (const { uuid } of signed)
        expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-/);
    },
  );

  it('a signing link cannot sign in another role, nor replace the signature of another role', async () => {
    const dock = await loadingDock();
    const ana = { role: 'LOADER', name: 'Ana', strokes: [[[1, 1]]], signDate: new Date().toISOString() };
    await dock.must('POST', '/shipment/S/signature', ana);
    const url = await linkOf(dock);
    const forged = { role: 'LOADER', name: 'Mallory', strokes: [[[1, 1]]], waitedMs: 29 * DAY_MS };
    expect(await reasonOf(url, forged)).toEqual([400, 'role']);
    const { role: _, ...unnamed } = forged;
    expect(await sign(url, unnamed)).toBe(201);
    expect((await dock.must('GET', '/shipment/S')).body.signatures).toMatchObject([
      { role: 'LOADER', name: 'Ana' },
      { role: 'DRIVER', name: 'Mallory' },
    ]);
  });

  it.each([
    ['the link was made', 0, 10],
    ['the load was made', 10, 0],
  ])('a signature by a link is not dated before %s', async (_, linkDays, loadDays) => {
    const dock = await loadingDock();
    await madeBefore(dock, loadDays);
    const earliest = Date.now() - 1000;
    const url = await linkOf(dock, 'shipment/S', { createDate: Date.now() - linkDays * DAY_MS });
    expect(await sign(url, { ...SIGNED, waitedMs: 29 * DAY_MS })).toBe(201);
    const [{ signDate }] = (await dock.must('GET', '/shipment/S')).body.signatures;
    expect(Date.parse(signDate)).toBeGreaterThan(earliest - 60_000);
  });

  it('a used signing link shows its signature, and from completion on the proof of shipment', async () => {
    const dock = await loadingDock();
    const url = await linkOf(dock, 'shipment/S', { role: 'CONSIGNEE' });
    await sign(url);
    const opened = async () => new TextDecoder().decode((await call('GET', url)).body);
    expect(saidBy(await opened())).toMatch(
      /Role: Consignee I have received this load\. Your signature is saved.* Consignee Ben /,
    );
    expect(await opened()).toContain('<path d="M1 2L1 2"');
    expect(await opened()).not.toContain('/public/proof');
    await dock.must('POST', '/shipment/S/status/COMPLETED');
    const { proofOfShipmentUrl } = (await dock.must('GET', '/shipment/S')).body;
    expect(await opened()).toContain(`href="${new URL(proofOfShipmentUrl).pathname}"`);
  });

  it('a signing link works after a rotation of the key, and adds the same signature', async () => {
    const dock = await loadingDock();
    const earlier = `earlier-${'k'.repeat(40)}`;
    const { uuid } = (await dock.must('GET', '/shipment/S')).body;
    const token = signingToken([earlier], {
      kind: 'SHIPMENT',
      organization: dock.uuid,
      load: uuid,
      role: 'DRIVER',
      createDate: Date.now(),
    });
    const send = async (env: Partial<Env>) => {
      const request = new Request(`${ORIGIN}/public/sign/${token}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(SIGNED),
      });
      return (await fetchOver({ ...bindings, ...env }, request)).status;
    };
    expect(await send({})).toBe(404);
    for (const _ of [1, 2])
      expect(await send({ SEALING_KEY: keys[0], SEALING_KEY_PREVIOUS: earlier })).toBe(201);
    expect(await namesOf(dock)).toEqual(['Ben']);
  });

  it('a signing link works for 30 days, also for a completed load', async () => {
    const dock = await loadingDock();
    await dock.must('POST', '/shipment/S/status/COMPLETED');
    await age(dock, 29);
    const links = [
      await linkOf(dock),
      await linkOf(dock, 'shipment/S', { createDate: Date.now() - 29 * DAY_MS }),
    ];
    for (const url of links) expect((await open(url))[0]).toBe(200);
    await age(dock, 2);
    for (const url of links) {
      expect(await open(url)).toEqual([404, expect.stringContaining('was completed long ago')]);
      expect(await reasonOf(url)).toEqual([409, 'closed']);
    }
    expect(await namesOf(dock)).toEqual([]);
    expect(SIGNING_MS).toBe(30 * 86_400_000);
  });

  it('a signing link that this service did not make, or of a suspended organization, reveals nothing', async () => {
    const dock = await loadingDock();
    const unknown = await open(`${ORIGIN}/public/sign/nothing`);
    expect(unknown[0]).toBe(404);
    const link = await linkOf(dock);
    const start = link.lastIndexOf('/') + 1;
    // Some bits of the last character mean nothing.
    const changed = Array.from({ length: 50 }, (_, index) =>
      [...link].map((one, at) => (at !== start + index ? one : one === 'A' ? 'B' : 'A')).join(''),
    );
    for (const url of [await linkOf(dock, 'shipment/S', { load: newUuid() }), ...changed]) {
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

  it('a signing link finds a load in another database', async () => {
    await setOpen('DB_1', true);
    const dock = await loadingDock({ databaseName: 'DB_1' });
    const url = await linkOf(dock);
    forgetPlace(dock.uuid);
    expect((await open(url))[0]).toBe(200);
    expect(await sign(url)).toBe(201);
    expect(await namesOf(dock)).toEqual(['Ben']);
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
    await dock.manifest('P', 'X');
    const refused = async (url: string, said: string, reason: string) => {
      const [status, text] = await open(url);
      expect([status, text]).toEqual([404, expect.stringContaining(said)]);
      expect(text).toContain('This load cannot be signed');
      expect(await reasonOf(url)).toEqual([409, reason]);
    };
    const expired = await linkOf(dock, 'shipment/S', { createDate: Date.now() - SIGNING_MS });
    await refused(expired, 'This link has expired', 'expired');
    await refused(await linkOf(dock, 'manifest/M'), 'now part of a shipment', 'moved');
    const deleted = await linkOf(dock, 'manifest/P');
    await dock.must('DELETE', '/manifest/P');
    await refused(deleted, 'does not exist', 'missing');
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
    await madeBefore(dock, 1);
    const url = await linkOf(dock, 'shipment/S', { createDate: Date.now() - DAY_MS });
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
    expect(await reasonOf(url, { ...SIGNED, role: 'X' })).toEqual([400, 'role']);
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
