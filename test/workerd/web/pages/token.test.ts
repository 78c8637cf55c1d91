import { describe, expect, it } from 'vitest';
import { findPublished } from '../../../../src/web/pages/published-store.ts';
import { storedState } from '../../../contract/state.ts';
import { type Answer, call, ORIGIN } from '../../client.ts';
import { walksOf } from '../../conventions/walks.ts';
import { newDock } from '../../dispatch/load/shipment/dock.ts';
import { lookedUp } from '../../statements.ts';
import { addressesOf, departed } from './published.ts';

describe('a token', () => {
  const text = ({ body }: Answer): string => new TextDecoder().decode(body);

  it('a public token has 192 random bits, and each manifest and shipment has its own', async () => {
    const dock = await departed();
    const tokens = await Promise.all(
      [
        ['shipment', 'S'],
        ['manifest', 'M'],
        ['manifest', 'N'],
      ].map(async ([kind, identifier]) => {
        const { summary, document } = await addressesOf(dock, kind as 'shipment', identifier!);
        const token = /^http:\/\/127.0.0.1:8787\/public\/shipment-summary\/([A-Za-z0-9_-]{32})$/.exec(
          summary,
        )![1]!;
        expect(document).toBe(`${ORIGIN}/public/proof-of-shipment/${token}.pdf`);
        return token;
      }),
    );
    expect(new Set(tokens).size).toBe(3);
  });

  it('an unknown public token gives the same 404 page for every reason on every path', async () => {
    const dock = await departed();
    const { summary, document } = await addressesOf(dock, 'shipment', 'S');
    const token = summary.slice(-32);
    const { body } = await dock.must('GET', '/shipment/S');
    const wrong = [
      'x',
      `${token}x`,
      token.slice(1),
      `${token.slice(1)}${token[0] === 'A' ? 'B' : 'A'}`,
      'A'.repeat(32),
      body.uuid,
      'S',
      "'; DROP TABLE manifest; --",
      '%00',
      '%ff',
      '..%2f..%2fopenapi',
    ];
    const bodies = new Set<string>();
    for (const name of wrong) {
      for (const path of [
        `/public/shipment-summary/${name}`,
        `/public/proof-of-shipment/${name}.pdf`,
        `/public/proof-of-shipment/${name}.json`,
      ]) {
        const answer = await call('GET', path);
        expect([path, answer.status, answer.headers.get('Content-Type')]).toEqual([
          path,
          404,
          'text/html; charset=utf-8',
        ]);
        expect(answer.headers.get('Referrer-Policy')).toBe('no-referrer');
        expect(answer.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
        expect(answer.headers.get('Cache-Control')).toBe('no-store');
        bodies.add(text(answer));
      }
    }
    for (const url of [`${summary}?page=99`, `${document}?part=2`]) bodies.add(text(await call('GET', url)));
    expect(bodies.size).toBe(1);
    const [page] = bodies;
    expect(page).not.toContain(token);
    // A token works only for its own page, document and data.
    expect((await call('GET', `/public/shipment-summary/${token}.pdf`)).status).toBe(404);
    expect((await call('GET', `/public/proof-of-shipment/${token}`)).body.code).toBe('notFound');
  });

  it('a public token does not exist before completion or after cancellation', async () => {
    const dock = await newDock();
    await dock.couple('A');
    await dock.manifest('M', 'A');
    await dock.shipment('S', ['M'], { gateIdentifier: 'G' });
    const shown = async () => (await dock.must('GET', '/shipment/S')).body;
    expect([(await shown()).proofOfShipmentUrl, 'shipmentSummaryUrl' in (await shown())]).toEqual([
      null,
      false,
    ]);
    await dock.must('POST', '/shipment/S/status/CANCELLED');
    expect([(await shown()).proofOfShipmentUrl, 'shipmentSummaryUrl' in (await shown())]).toEqual([
      null,
      false,
    ]);
  });

  it("a public token works at shared hosts and its organization's own host", async () => {
    const dock = await departed();
    const stranger = await newDock();
    const { summary, document } = await addressesOf(dock, 'shipment', 'S');
    for (const [host, status] of [
      [`http://${dock.slug}.localhost:8787`, 200],
      ['http://api.localhost:8787', 200],
      [`http://${stranger.slug}.localhost:8787`, 404],
      ['http://nobody.localhost:8787', 404],
    ] as const) {
      for (const url of [summary, document]) {
        expect([host, (await call('GET', url.replace(ORIGIN, host))).status]).toEqual([host, status]);
      }
    }
  });

  it('a public token is found by an index, and its load without a walk', async () => {
    const statements = await lookedUp((databases) => findPublished(databases, 'token'));
    expect(statements).toHaveLength(2);
    for (const statement of statements) expect(await walksOf(statement)).toEqual([]);
  });
});

describe('public paths', () => {
  it('public paths take GET and HEAD and change nothing', async () => {
    const dock = await departed();
    const addresses = Object.values(await addressesOf(dock, 'shipment', 'S'));
    const before = await storedState(dock);
    for (const url of addresses) {
      const [get, head] = [await call('GET', url), await call('HEAD', url)];
      expect([get.status, head.status, head.body?.length ?? 0]).toEqual([200, 200, 0]);
      for (const name of ['ETag', 'Content-Type', 'Cache-Control', 'Content-Security-Policy']) {
        expect(head.headers.get(name)).toBe(get.headers.get(name));
      }
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const refused = await call(method, url);
        expect([refused.status, refused.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
      }
    }
    expect(await storedState(dock)).toEqual(before);
  });
});
