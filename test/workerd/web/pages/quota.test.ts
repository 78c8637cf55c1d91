import { describe, expect, it } from 'vitest';
import { PUBLIC_LIMITS } from '../../../../src/web/pages/quota.ts';
import { call, ORIGIN } from '../../client.ts';
import { addressesOf, departed } from './published.ts';

const UNKNOWN_TOKEN = 'Q'.repeat(32);
const page = (token: string): string => `${ORIGIN}/public/shipment-summary/${token}`;
const from = (address: string, url: string) => call('GET', url, { headers: { 'CF-Connecting-IP': address } });
const textOf = (body: Uint8Array): string => new TextDecoder().decode(body);

const WINDOW_MS = 60_000;

/**
 * Runs a test step within one minute of the clock, because a new minute starts a new quota. The step runs again if
 * its minute ended, or if less than ten seconds are left for later requests.
 */
async function inOneMinute<Result>(play: (round: number) => Promise<Result>): Promise<Result> {
  for (let round = 0; ; round += 1) {
    const start = Date.now();
    const result = await play(round);
    if (Math.floor(start / WINDOW_MS) === Math.floor((Date.now() + 10_000) / WINDOW_MS)) return result;
  }
}

describe('public pages and documents', () => {
  it('the public quota limits an address for all links and delays no other address', async () => {
    const { summary, document, data } = await addressesOf(await departed(), 'shipment', 'S');
    const address = await inOneMinute(async (round) => {
      const guessing = `192.0.2.${round}`;
      for (let count = 0; count < PUBLIC_LIMITS.address; count += 1) {
        // Each request uses another link, as an attacker does who guesses tokens.
        const token = `${count}`.padStart(UNKNOWN_TOKEN.length, 'B');
        const { status } = await from(guessing, page(token));
        if (status !== 404) throw new Error(`${count}: ${status}`);
      }
      return guessing;
    });
    for (const url of [page(UNKNOWN_TOKEN), page('no token'), summary, document]) {
      const { status, headers, body } = await from(address, url);
      expect([status, headers.get('Retry-After'), headers.get('RateLimit')]).toEqual([
        429,
        '60',
        '"address";r=0;t=60',
      ]);
      expect(headers.get('RateLimit-Policy')).toBe('"address";q=600;w=60, "link";q=300;w=60');
      expect([headers.get('Content-Type'), headers.get('Cache-Control')]).toEqual([
        'text/html; charset=utf-8',
        'no-store',
      ]);
      expect(textOf(body)).toContain('Too many requests');
    }
    const refused = await from(address, data);
    expect([refused.status, refused.body.code]).toEqual([429, 'rateLimited']);
    const other = await from('203.0.113.2', summary);
    expect([other.status, other.headers.get('RateLimit-Policy')]).toEqual([
      200,
      '"address";q=600;w=60, "link";q=300;w=60',
    ]);
    // Pages that are the same for all readers do not count.
    for (const path of ['/health', '/docs']) {
      expect([path, (await from(address, `${ORIGIN}${path}`)).status]).toEqual([path, 200]);
    }
  });

  it('the public quota limits a link for all addresses and delays no other link', async () => {
    const { summary } = await addressesOf(await departed(), 'shipment', 'S');
    const { link, statuses } = await inOneMinute(async (round) => {
      const link = page(`${round}`.padStart(UNKNOWN_TOKEN.length, 'Q'));
      const statuses = new Set<number>();
      for (let count = 0; count < PUBLIC_LIMITS.link; count += 1) {
        const { status } = await from(`198.51.100.${count % 250}`, link);
        statuses.add(status);
      }
      return { link, statuses };
    });
    const { status, headers } = await from('203.0.113.1', link);
    expect([[...statuses], status, headers.get('RateLimit')]).toEqual([[404], 429, '"link";r=0;t=60']);
    expect((await from('203.0.113.1', summary)).status).toBe(200);
  });

  it('the public quota counts an IPv6 network as one address and other networks apart', async () => {
    const inNetwork = (network: number, host: number) =>
      `2001:db8:0:${network.toString(16)}::${host.toString(16)}`;
    const network = await inOneMinute(async (round) => {
      for (let count = 0; count < PUBLIC_LIMITS.address; count += 1) {
        const { status } = await from(
          inNetwork(round, count + 1),
          page(`${count}`.padStart(UNKNOWN_TOKEN.length, 'C')),
        );
        if (status !== 404) throw new Error(`${count}: ${status}`);
      }
      return round;
    });
    expect((await from(inNetwork(network, 0xffff), page(UNKNOWN_TOKEN))).status).toBe(429);
    expect((await from(inNetwork(0xfff0, 1), page(UNKNOWN_TOKEN))).status).toBe(404);
  });
});
