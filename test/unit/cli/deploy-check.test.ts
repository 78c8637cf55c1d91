import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dispatch, erase, type Site } from '../../../src/cli/check-day.ts';
import {
  imageCache,
  location,
  migrations,
  sameVersion,
  schedule,
  weakTags,
} from '../../../src/cli/check-platform.ts';
import { Probe } from '../../../src/cli/check-probe.ts';
import { isLoopback, webhook } from '../../../src/cli/check-webhook.ts';

interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  text?: string;
  delayMs?: number;
}

/** The answer of the service that a test simulates. */
let answer: (request: IncomingMessage, count: number) => Reply;
let server: Server;
let site: Site;
const PALLET = { uuid: 'u', wmsId: 'w', markerCode: 1, markerImageUrl: 'https://other.example/marker/1.png' };

beforeEach(async () => {
  let count = 0;
  server = createServer(async (request, response) => {
    count += 1;
    const { status = 200, headers = {}, body = {}, text, delayMs = 0 } = answer(request, count);
    await sleep(delayMs);
    response.writeHead(status, headers).end(text ?? JSON.stringify(body));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const probe = new Probe(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  site = { organization: { uuid: 'o', slug: 'check-1' }, wms: probe, devices: probe, scannerUuid: 's' };
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

describe('the dispatch day of a check', () => {
  const GOOD = {
    scan: { outcome: 'LOADED' },
    validate: { valid: true },
    shipment: {
      status: 'COMPLETED',
      loadedAssetsCount: 1,
      proofOfShipmentUrl: 'https://other.example/p.pdf',
    },
    proof: '%PDF-1.7',
    log: { content: [{ sequenceNumber: 1 }, { sequenceNumber: 2 }] },
  };
  const service = (day: typeof GOOD) => {
    answer = ({ url = '' }) => {
      if (url.endsWith('/scan')) return { body: day.scan };
      if (url.endsWith('/validate')) return { body: day.validate };
      if (url.endsWith('/p.pdf')) return { text: day.proof };
      if (url.includes('/event?')) return { body: day.log };
      return { body: url.endsWith('/CHECK-SHIPMENT') ? day.shipment : {} };
    };
    return dispatch(site, [PALLET]);
  };

  it('the dispatch day of a check reports the pallets, the proof and the log', async () => {
    expect(await service(GOOD)).toBe(
      '1 pallets are loaded, and the proof of shipment is a PDF. The log has 2 events without a gap.',
    );
  });

  it.each<[Partial<typeof GOOD>, string]>([
    [{ scan: { outcome: 'WRONGLY_LOADED' } }, 'The scan of marker 1 was answered WRONGLY_LOADED.'],
    [{ validate: { valid: false } }, 'The shipment is not valid'],
    [
      { shipment: { ...GOOD.shipment, status: 'IN_PROGRESS' } },
      'The shipment is IN_PROGRESS with 1 pallets loaded.',
    ],
    [
      { shipment: { ...GOOD.shipment, loadedAssetsCount: 0 } },
      'The shipment is COMPLETED with 0 pallets loaded.',
    ],
    [{ proof: '<html>' }, 'The proof of shipment was answered 200, not as a PDF.'],
    [{ log: { content: [{ sequenceNumber: 1 }, { sequenceNumber: 3 }] } }, 'a gap among its 2 events'],
    [{ log: { content: [] } }, 'a gap among its 0 events'],
  ])('the dispatch day of a check fails for %j', async (change, message) => {
    await expect(service({ ...GOOD, ...change })).rejects.toThrow(message);
  });

  it('a check fails if the sandbox is only partially erased', async () => {
    answer = ({ method }) => ({
      body: method === 'GET' ? { status: 'PARTIALLY_SUCCEEDED' } : { operationId: 'op' },
    });
    await expect(erase(site.wms, site.organization)).rejects.toThrow(
      'The erasure of check-1 is PARTIALLY_SUCCEEDED',
    );
  });
});

describe('the check of migrations', () => {
  it.each([
    [[], { passed: 'databases without missing migrations: 2' }],
    [['0099_new.sql'], 'DB_1 lacks 0099_new.sql. Run npm run deploy:migrate.'],
    [null, 'DB_1 was never measured or has no table d1_migrations. Run npm run deploy:migrate.'],
  ])('the check of migrations judges %j', async (missingMigrations, expected) => {
    const content = [
      { databaseName: 'DB', missingMigrations: [] },
      { databaseName: 'DB_1', missingMigrations },
    ];
    answer = () => ({ body: { content } });
    const judged = migrations(site.wms, 50);
    if (typeof expected === 'string') await expect(judged).rejects.toThrow(expected);
    else expect(await judged).toEqual(expected);
  });

  it('the check of migrations reads all pages, and waits for the next measurement', async () => {
    const missingMigrations = ['0099_new.sql'];
    answer = ({ url }) => {
      const count = url!.includes('pageNumber=2') ? 50 : 100;
      const content = Array.from({ length: count }, () => ({
        databaseName: 'DB_1',
        missingMigrations: [...missingMigrations],
      }));
      if (count === 50) missingMigrations.length = 0;
      return { body: { content } };
    };
    expect(await migrations(site.wms)).toEqual({ passed: 'databases without missing migrations: 150' });
  });
});

describe('the check of versions', () => {
  /** Answers with two organizations, and with the versions of the edge and of their objects at each question. */
  const versions = (of: (count: number) => [edge: string, writer: string]) => {
    answer = ({ url }, count) => {
      if (!url!.endsWith('/version')) return { body: { content: [{ uuid: 'one' }, { uuid: 'two' }] } };
      const [edgeVersionId, writerVersionId] = of(count);
      return { body: { edgeVersionId, writerVersionId } };
    };
  };

  it('the check of versions names all, if an object keeps another one', async () => {
    versions((count) => ['new', count % 2 === 0 ? 'old' : 'new']);
    await expect(sameVersion(site.wms, 100, 1)).rejects.toThrow(/^Not one version answers, but new, old /);
  });

  it('the check of versions fails while two versions share the traffic', async () => {
    versions((count) => [Math.floor(count / 4) % 2 === 0 ? 'old' : 'new', 'old']);
    await expect(sameVersion(site.wms, 300, 1)).rejects.toThrow('Deploy one version to all traffic.');
  });

  it('the check of versions waits until the objects have restarted', async () => {
    versions((count) => ['new', count < 4 ? 'old' : 'new']);
    expect(await sameVersion(site.wms, 5_000, 1)).toEqual({
      passed: 'new, edge and objects of organizations: 2',
    });
  });
});

describe('the check of the location', () => {
  it('the check of the location fails if a write takes much longer than a read', async () => {
    answer = ({ method }) => ({ delayMs: method === 'POST' ? 160 : 5 });
    await expect(location(site, PALLET)).rejects.toThrow('the object is far from D1');
  });

  it('the check of the location allows two round trips of a write, and no more', async () => {
    let roundTrips = 2;
    answer = () => ({ headers: { 'Server-Timing': `d1;desc="${roundTrips} round trips, 3 rows read"` } });
    expect(await location(site, PALLET)).toEqual({ passed: expect.stringMatching(/with round trips: 2$/) });
    roundTrips = 3;
    await expect(location(site, PALLET)).rejects.toThrow('A write makes 3 round trips to D1, over 2.');
  });
});

describe('the check of the image cache', () => {
  const image = { 'Content-Type': 'image/png', 'Cache-Control': 'public, max-age=1' };
  const edge = (status: string) => ({ ...image, 'cf-ray': '1', 'cf-cache-status': status });

  it('the check of the image cache passes as soon as the edge answers from its cache', async () => {
    answer = (_, count) => ({ headers: edge(count === 1 ? 'MISS' : 'HIT') });
    expect(await imageCache(site.wms, PALLET)).toEqual({ passed: 'request 2 was a HIT' });
  });

  it('the check of the image cache fails if the edge never answers from its cache', async () => {
    answer = () => ({ headers: edge('DYNAMIC') });
    await expect(imageCache(site.wms, PALLET)).rejects.toThrow('DYNAMIC, never HIT');
  });

  it('the check of the image cache fails if a stored image has the id of an earlier request', async () => {
    let id: string | string[] | undefined;
    answer = ({ headers }, count) => {
      id ??= headers['x-request-id'];
      return { headers: { ...edge(count === 1 ? 'MISS' : 'HIT'), 'X-Request-Id': String(id) } };
    };
    await expect(imageCache(site.wms, PALLET)).rejects.toThrow('X-Request-Id "image-1" of another request');
  });

  it('the check of the image cache is skipped without an edge, and fails for a private image', async () => {
    answer = () => ({ headers: image });
    expect(await imageCache(site.wms, PALLET)).toEqual({ skipped: expect.any(String) });
    answer = () => ({ headers: { ...image, 'Cache-Control': 'private' } });
    await expect(imageCache(site.wms, PALLET)).rejects.toThrow('so nothing caches it');
  });
});

describe('the check of entity tags', () => {
  const tagged = (tag: string, statuses: number[]) => (request: IncomingMessage) =>
    request.method === 'PUT' ? { status: statuses.shift()! } : { headers: { ETag: tag } };

  it('the check of entity tags passes for weak and strong tags, and says which', async () => {
    for (const [tag, form] of [
      ['W/"a"', 'weak'],
      ['"a"', 'strong'],
    ]) {
      answer = tagged(tag!, [200, 412]);
      expect(await weakTags(site)).toEqual({ passed: expect.stringContaining(`the tag came ${form}`) });
    }
  });

  it('the check of entity tags fails without a tag, if W/ is refused, and if a former tag is accepted', async () => {
    answer = tagged('', [200, 412]);
    await expect(weakTags(site)).rejects.toThrow('no entity tag');
    answer = tagged('"a"', [412, 412]);
    await expect(weakTags(site)).rejects.toThrow('W/"a" was answered 412');
    answer = tagged('"a"', [200, 200]);
    await expect(weakTags(site)).rejects.toThrow('a former tag was answered 200, not 412');
  });
});

describe('the check of webhooks', () => {
  const log = (status: string, statusCode: number | null) => () => ({
    body: {
      content: [
        {
          status,
          createDate: '2026-01-01T00:00:00.000Z',
          attempts: [{ attemptDate: '2026-01-01T00:00:00.250Z', statusCode, error: 'why' }],
        },
      ],
    },
  });
  const watched = (accepts: boolean) => ({
    uuid: 'w',
    accepts,
    url: 'https://r.example/',
    stop: () => undefined,
  });

  it('the check of webhooks needs a success, or any answer if the service itself is the receiver', async () => {
    answer = log('PENDING', 405);
    expect(await webhook(site, watched(false), 50)).toEqual({
      passed: expect.stringContaining(
        '1 events reached https://r.example/, at most 250 ms after they happened',
      ),
    });
    await expect(webhook(site, watched(true), 50)).rejects.toThrow(
      '1 of 1 events did not reach https://r.example/: why',
    );
    answer = log('SUCCEEDED', 200);
    expect(await webhook(site, watched(true), 50)).toHaveProperty('passed');
  });

  it('the check of webhooks fails if nothing was answered, and if no event is in the log', async () => {
    answer = log('PENDING', null);
    await expect(webhook(site, watched(false), 50)).rejects.toThrow('did not reach');
    answer = () => ({ body: { content: [] } });
    await expect(webhook(site, watched(false), 50)).rejects.toThrow('0 of 0 events');
  });
});

it('the check of the schedule fails without an alert about the silent scanner', async () => {
  answer = () => ({ body: { content: [{ alertType: 'WRONG_LOADING', raisedDate: 'then' }] } });
  await expect(schedule(site, 50)).rejects.toThrow('No alert about the silent scanner within 0.05 s');
});

it('deploy:check recognizes the addresses of this machine', () => {
  for (const host of ['localhost', '127.0.0.1', '127.8.0.1', '[::1]'])
    expect([host, isLoopback(host)]).toEqual([host, true]);
  for (const host of ['127.0.0.1.example.com', 'localhost.example.com', '10.0.0.1'])
    expect([host, isLoopback(host)]).toEqual([host, false]);
});

it.each([
  [[], 'key', 'npm run deploy:check -- URL [--webhook URL]'],
  [['https://a.example', 'b'], 'key', 'npm run deploy:check -- URL [--webhook URL]'],
  [
    ['nonsense'],
    'key',
    'The base URL "nonsense" has no scheme. Write https:// or http:// at its beginning, for example https://nonsense.',
  ],
  [
    ['http://dispatch.example.com'],
    'key',
    'http://dispatch.example.com is not https. The operator key would be sent without encryption.',
  ],
  [['https://dispatch.example.com'], '', 'Set OPERATOR_KEY in the environment.'],
])('deploy:check %j with the key "%s" reports the fault', async (args, key, message) => {
  const file = resolve(import.meta.dirname, '../../../src/cli/deploy-check.ts');
  const result = await new Promise((done) => {
    const child = execFile(
      process.execPath,
      [file, ...args],
      { env: { ...process.env, OPERATOR_KEY: key } },
      (error, stdout, stderr) => done([error?.code, stdout, stderr]),
    );
    child.stdin?.end();
  });
  expect(result).toEqual([2, '', `${message}\n`]);
});
