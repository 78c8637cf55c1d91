import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { canonicalJson, sha256Hex } from '../../../../src/core/lib/hash.ts';
import { API } from '../../client.ts';
import { signIn } from '../../delivery/live/listener.ts';
import { type Dock, loadingDock, newDock } from '../../dispatch/load/shipment/dock.ts';
import { pagesOf } from '../../web/console/forms.ts';

const db = (env as unknown as { DB: D1Database }).DB;

/** The stored fingerprint of a key. */
const storedFingerprint = ({ uuid }: Dock, key: string): Promise<string | null> =>
  db
    .prepare('SELECT fingerprint FROM idempotency WHERE organization_uuid = ?1 AND key = ?2')
    .bind(uuid, key)
    .first<string>('fingerprint');

/** The fingerprint of a request. */
const fingerprint = (request: string, payload: unknown): string =>
  sha256Hex(`${request}\n${canonicalJson(payload)}`);

describe('A repeat finds the stored answer:', () => {
  it('the fingerprint of an API request is made of its method, path, query and body', async () => {
    const dock = await newDock();
    const body = { displayName: 'Client', externalId: 'C' };
    await dock.call('POST', '/client', body, { 'Idempotency-Key': 'with' });
    await dock.must('POST', '/track/get-and-couple?imageDelivery=URL', { wmsId: 'A' });
    await dock.call('PATCH', '/track/A/flag', undefined, { 'Idempotency-Key': '"empty"' });
    await dock.call('PATCH', '/track/A/unflag', undefined, { 'Idempotency-Key': 'none' });
    await dock.call('PATCH', '/track/A/flag', {}, { 'Idempotency-Key': 'object' });
    const stored = await Promise.all(
      ['with', 'empty', 'none', 'object'].map((key) => storedFingerprint(dock, key)),
    );
    expect(stored).toEqual([
      fingerprint(`POST ${API}/client`, body),
      fingerprint(`PATCH ${API}/track/A/flag`, null),
      fingerprint(`PATCH ${API}/track/A/unflag`, null),
      fingerprint(`PATCH ${API}/track/A/flag`, {}),
    ]);
  });

  it('the order of query parameters does not matter', async () => {
    const dock = await newDock();
    const headers = { 'Idempotency-Key': 'order' };
    const allocate = (query: string) =>
      dock.call('POST', `/marker-code/allocate?${query}`, undefined, headers);
    const first = await allocate('quantity=2&imageDelivery=URL');
    expect(await storedFingerprint(dock, 'order')).toBe(
      fingerprint(`POST ${API}/marker-code/allocate?imageDelivery=URL&quantity=2`, null),
    );
    const repeats = [
      await allocate('quantity=2&imageDelivery=URL'),
      await allocate('imageDelivery=URL&quantity=2'),
    ];
    for (const repeat of repeats) {
      expect([repeat.status, repeat.headers.get('Idempotent-Replayed')]).toEqual([200, 'true']);
      expect(repeat.body).toEqual(first.body);
    }
    expect((await allocate('imageDelivery=URL&quantity=3')).status).toBe(422);
  });

  it('the key of a form contains its user, and its fingerprint the action and the input', async () => {
    const dock = await loadingDock();
    const person = await signIn(dock);
    const pages = pagesOf(person);
    const names = { displayName: 'Client', externalId: 'C' };
    expect((await pages.send('/app/client', 'create', names, 'k1')).status).toBe(303);
    expect(await storedFingerprint(dock, `${person.uuid} k1`)).toBe(
      fingerprint('POST /app/client', { action: 'create', ...names }),
    );
    const { uuid } = (await dock.must('GET', '/shipment/S')).body;
    const path = `/app/shipment/${uuid}`;
    const { html } = await pages.get(`${path}?confirm=status&status=CANCELLED`);
    const confirmed = /name="confirmed" value="([^"]+)"/.exec(html)![1]!;
    const fields = { status: 'CANCELLED', confirmed, why: 'No carrier', whyNote: 'Strike' };
    expect((await pages.send(path, 'status', fields, 'k2')).status).toBe(303);
    expect(await storedFingerprint(dock, `${person.uuid} k2`)).toBe(
      fingerprint(`POST ${path}`, { action: 'status', status: 'CANCELLED' }),
    );
  });
});
