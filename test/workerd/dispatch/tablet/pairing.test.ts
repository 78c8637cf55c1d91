import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { pruneTablets } from '../../../../src/dispatch/tablet/store.ts';
import { ORIGIN, operator } from '../../client.ts';
import { headOf, listen, look, post, signIn } from '../../delivery/live/listener.ts';
import { envOver, FAILURES, failingD1, fetchOver } from '../../failing.ts';
import { gateUuid } from '../../web/console/forms.ts';
import { newDock } from '../load/shipment/dock.ts';
import { deviceOf, linkFor, logOf, newTablet, press, revoke } from './tablets.ts';

const { DB } = env as unknown as { DB: D1Database };
const dock = await newDock();
const gate = `/app/gate/${await gateUuid(dock)}`;
const manager = deviceOf((await signIn(dock)).cookie);

const all = async (table: string): Promise<string> =>
  JSON.stringify((await DB.prepare(`SELECT * FROM ${table}`).all()).results);

describe('a link', () => {
  it('a pairing link pairs one device: opening does not spend it, a race spends it once, and later use says so', async () => {
    const link = await linkFor(manager, gate, 'Racing');
    for (let opened = 0; opened < 3; opened += 1) {
      const page = await look(link, '');
      expect(page.status).toBe(200);
      expect(await page.text()).toContain('Pair this device');
    }
    const raced = await Promise.all([press(link), press(link), press(link)]);
    expect(raced.map(({ status }) => status).toSorted()).toEqual([303, 409, 409]);
    const won = raced.find(({ status }) => status === 303)!;
    expect(won.headers.get('Location')).toBe(gate);
    expect(won.headers.getSetCookie().join()).toMatch(/\btablet=\S{32}; Max-Age=34560000; Path=\/; HttpOnly/);
    for (const answer of [await look(link, ''), await press(link)]) {
      expect(answer.status).toBe(409);
      expect(await answer.text()).toContain('The link was used already. Ask for a new');
      expect(answer.headers.getSetCookie().join()).not.toContain('tablet=');
    }
    expect(await logOf(dock, 'GATE_TABLET_PAIRED')).toHaveLength(1);
  });

  it('a pairing link expires after a quarter of an hour and ends when revoked', async () => {
    const [link, other] = [await linkFor(manager, gate, 'Late'), await linkFor(manager, gate, 'Void')];
    await revoke(manager, gate, 'Void');
    expect([(await look(other, '')).status, (await press(other)).status]).toEqual([404, 404]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 15 * 60_000 + 1 });
    expect([(await look(link, '')).status, (await press(link)).status]).toEqual([404, 404]);
    vi.useRealTimers();
  });

  it('a 503 does not use up a pairing link, whichever call of D1 fails first', async () => {
    const link = await linkFor(manager, gate, 'Outage');
    for (const from of [1, 2]) {
      const { db } = failingD1({ message: FAILURES.locked, from });
      const body = new URLSearchParams({});
      const failed = await fetchOver(envOver(db), new Request(ORIGIN + link, { method: 'POST', body }));
      expect([from, failed.status]).toEqual([from, 503]);
    }
    expect((await press(link)).status).toBe(303);
  });

  it('a pairing link pairs no device on which a user is signed in', async () => {
    const link = await linkFor(manager, gate, 'Own');
    expect((await manager.get(link)).text).toContain('is signed in on this device');
    // This page was opened before the user signed in.
    const page = await look(link, '');
    const token = /name="token" value="([^"]+)"/.exec(await page.text())![1]!;
    const guest = /guest=[^;]+/.exec(page.headers.getSetCookie().join())![0];
    const sent = await post(link, { token }, { Cookie: `${guest}; ${manager.cookie}` });
    expect([sent.status, /sign out first/i.test(await sent.text())]).toEqual([403, true]);
    expect((await press(link)).status).toBe(303);
  });

  it('a pairing link needs the right to manage users and all rights of a tablet', async () => {
    const path = `/organization/${dock.uuid}/authority`;
    const people = ['USER_MANAGEMENT_READ', 'USER_MANAGEMENT_WRITE'];
    await operator('PUT', `${path}/LOADS`, { permissions: ['APP_LOGIN', 'OPERATIONAL_APP_LOGIN'] });
    await operator('PUT', `${path}/PEOPLE`, { permissions: ['APP_LOGIN', ...people] });
    for (const [authority, hint] of [
      ['LOADS', 'You do not have permission for this. Ask an administrator.'],
      ['PEOPLE', 'You lack: Work as a dispatcher.'],
    ] as const) {
      const person = deviceOf((await signIn(dock, authority)).cookie);
      const sent = await person.send(`${gate}/tablets`, { action: 'pair', name: 'Mine' }, '/app/password');
      expect([sent.status, sent.text.includes(hint)]).toEqual([403, true]);
    }
  });
});

describe('a tablet', () => {
  it('the log names a tablet; its secrets are in no row, record or event', async () => {
    const link = await linkFor(manager, gate, 'Named');
    const answer = await press(link);
    const secrets = [
      link.split('/').at(-1)!,
      /tablet=([^;]+)/.exec(answer.headers.getSetCookie().join())![1]!,
    ];
    const [created] = (await logOf(dock, 'GATE_TABLET_CREATED')).slice(-1);
    expect(created).toMatchObject({ entityType: 'GATE_TABLET', entityExternalId: 'Named' });
    const [paired] = (await logOf(dock, 'GATE_TABLET_PAIRED')).slice(-1);
    expect(paired.actor).toEqual({ actorType: 'TABLET', uuid: created.entityUuid, displayName: 'Named' });
    const stored = [
      'gate_tablet',
      'audit_log',
      'event_log',
      'idempotency',
      'recent_answer',
      'sign_in_attempt',
    ];
    for (const table of stored) {
      const rows = await all(table);
      for (const secret of secrets) expect([table, rows.includes(secret)]).toEqual([table, false]);
    }
    const { text } = await manager.get(`${gate}/tablets`);
    expect(text).toContain('Named');
    expect(text).toContain('Robin Field');
  });

  it('a renamed tablet appears with both names in the log', async () => {
    const device = await newTablet(manager, gate, 'Before');
    const [{ entityUuid }] = (await logOf(dock, 'GATE_TABLET_CREATED')).slice(-1);
    const fields = { action: 'rename', tablet: entityUuid, name: 'After' };
    expect((await manager.send(`${gate}/tablets`, fields)).status).toBe(200);
    const [record] = await logOf(dock, 'GATE_TABLET_UPDATED');
    expect(record.changes).toEqual([{ field: 'name', oldValue: 'Before', newValue: 'After' }]);
    expect((await device.get(gate)).text).toContain('After');
    const other = `/app/gate/${await gateUuid(dock, 'H')}/tablets`;
    expect((await manager.send(other, fields)).status).toBe(404);
  });

  it('a revoked tablet learns this within seconds and shows a plain message', async () => {
    const device = await newTablet(manager, gate, 'Gone');
    expect((await device.get('/app')).location).toBe(gate);
    const page = await listen(device, await headOf(dock));
    await page.until(1);
    await revoke(manager, gate, 'Gone');
    await vi.waitFor(
      () => expect(page.closed ?? page.notices.length).toSatisfy((n: number) => n === 4401 || n > 1),
      {
        timeout: 5_000,
      },
    );
    for (const path of [gate, `${gate}/scan`, '/app', '/app/board']) {
      const shown = await device.get(path);
      expect([path, shown.status, shown.location]).toEqual([path, 403, null]);
      expect(shown.text).toContain('This tablet was revoked');
    }
    expect((await device.send(gate, { action: 'scan', scan: 'X' })).status).toBe(403);
    const [record] = (await logOf(dock, 'GATE_TABLET_REVOKED')).slice(-1);
    expect(record.changes).toContainEqual({ field: 'reason', oldValue: null, newValue: 'Lost' });
  });

  it('a tablet does nothing while its organization is suspended and continues afterwards', async () => {
    const own = await newDock();
    const path = `/app/gate/${await gateUuid(own)}`;
    const device = await newTablet(deviceOf((await signIn(own)).cookie), path);
    const suspend = (word: string) => operator('POST', `/organization/${own.uuid}/${word}`);
    await suspend('suspend');
    expect((await device.get(path)).status).toBe(403);
    await suspend('resume');
    expect((await device.get(path)).status).toBe(200);
  });

  it('a gate has 20 tablets at most', async () => {
    const own = await newDock();
    const path = `/app/gate/${await gateUuid(own)}`;
    const boss = deviceOf((await signIn(own)).cookie);
    for (let count = 1; count <= 20; count += 1) await linkFor(boss, path, `T${count}`);
    const over = await boss.send(`${path}/tablets`, { action: 'pair', name: 'T21' });
    expect([
      over.status,
      over.text.includes('T21: The limit of tablets is reached. Revoke one first. The maximum is 20.'),
    ]).toEqual([409, true]);
    await revoke(boss, path, 'T1');
    expect(await linkFor(boss, path, 'T21')).toContain('/app/pair/');
  });

  it('a revoked tablet is deleted after 30 days', async () => {
    const device = await newTablet(manager, gate, 'Old');
    await revoke(manager, gate, 'Old');
    const day = 86_400_000;
    await pruneTablets(DB, Date.now() + 29 * day);
    expect((await device.get(gate)).status).toBe(403);
    await pruneTablets(DB, Date.now() + 31 * day);
    expect((await device.get(gate)).status).toBe(303);
  });
});
