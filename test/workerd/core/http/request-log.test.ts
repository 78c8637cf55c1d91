import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { operations } from '../../../contract/document.ts';
import { bindings } from '../../access/database/places.ts';
import { newTenant, OPERATOR_API, OPERATOR_KEY, ORIGIN, type Tenant } from '../../client.ts';
import { fetchOver } from '../../failing.ts';

/** The maximum length of a line, for any request. */
const LINE_MAXIMUM = 600;
const KEYS = [
  ...['log', 'requestId', 'method', 'route', 'status', 'durationMs', 'organization'],
  ...['roundTrips', 'rowsRead', 'rowsWritten', 'traceId'],
];
const MARK = 'Do-Not-Tell';

const env = { ...bindings, REQUEST_LOG: 'true' };
const lines: string[] = [];
let tenant: Tenant;
beforeEach(async () => {
  tenant = await newTenant();
  lines.length = 0;
  vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line));
});
afterEach(() => vi.restoreAllMocks());

async function logged(path: string, init: RequestInit = {}) {
  lines.length = 0;
  const { status, headers } = await fetchOver(env, new Request(`${ORIGIN}${path}`, init));
  expect(lines).toHaveLength(1);
  const line = JSON.parse(lines[0]!);
  expect(line).toMatchObject({ log: 'request', status, requestId: headers.get('X-Request-Id') });
  return line;
}

const API = '/integration/rest/api/v1';
const authorized = (more: RequestInit = {}): RequestInit => ({
  ...more,
  headers: { 'X-AUTH-KEY': tenant.key, 'Content-Type': 'application/json', ...more.headers },
});

describe('a line of the log for each request', () => {
  it('a request log line names route, caller, result and cost', async () => {
    const body = JSON.stringify({ externalIdentifier: MARK });
    const written = await logged(`${API}/manifest`, authorized({ method: 'POST', body }));
    expect(written).toMatchObject({
      method: 'POST',
      route: `${API}/manifest`,
      status: 201,
      organization: tenant.uuid,
      traceId: null,
    });
    expect([written.roundTrips > 0, written.rowsWritten > 2]).toEqual([true, true]);
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
    const read = await logged(`${API}/manifest/${MARK}?`, authorized({ headers: { traceparent } }));
    expect(read).toMatchObject({
      method: 'GET',
      route: `${API}/manifest/:manifestExternalId`,
      status: 200,
      rowsWritten: 0,
      traceId,
    });
    expect([read.roundTrips > 0, read.rowsRead > 0]).toEqual([true, true]);
    const headers = { 'X-OPERATOR-KEY': OPERATOR_KEY };
    const ofOperator = await logged(`${OPERATOR_API}/organization`, { headers });
    expect([ofOperator.organization, ofOperator.roundTrips]).toEqual([null, 1]);
    expect(await logged('/app/login')).toMatchObject({ route: '/app/login', organization: null });
    expect(await logged('/nothing')).toMatchObject({ route: null, status: 404 });
    expect(await logged(`${API}/manifest/${MARK}`, { method: 'HEAD' })).toMatchObject({ method: 'HEAD' });
  });

  it('a request log line has a bounded length and contains nothing that was sent', async () => {
    const sent = MARK.repeat(40);
    let loggedCount = 0;
    for (const { method, path, parameters } of operations) {
      const named = path.replace(/\{\w+\}/g, sent);
      const query = parameters.filter((parameter) => parameter.in === 'query');
      const search = new URLSearchParams(query.map(({ name }) => [name, sent]));
      const body = method === 'GET' ? {} : { body: JSON.stringify({ name: sent, secret: sent }) };
      const line = await logged(
        `${named}?${search}`,
        authorized({
          method,
          ...body,
          headers: { 'Idempotency-Key': sent, 'User-Agent': sent, traceparent: sent, 'X-OPERATOR-KEY': sent },
        }),
      );
      expect(Object.keys(line)).toEqual(KEYS);
      expect([path, lines[0]!.length < LINE_MAXIMUM]).toEqual([path, true]);
      for (const secret of [MARK, tenant.key, OPERATOR_KEY])
        expect(lines[0]!.toLowerCase()).not.toContain(secret.toLowerCase());
      loggedCount += 1;
    }
    expect(loggedCount).toBe(operations.length);
    const longest = await logged(`${API}/manifest`, { headers: { 'X-Request-Id': 'r'.repeat(128) } });
    expect([longest.requestId.length, lines[0]!.length < LINE_MAXIMUM]).toEqual([128, true]);
  });

  it.each([undefined, 'false'])(
    'a developer machine logs no requests when REQUEST_LOG is %s',
    async (value) => {
      await fetchOver({ ...bindings, REQUEST_LOG: value } as typeof env, new Request(`${ORIGIN}/health`));
      expect(lines).toEqual([]);
    },
  );

  it('a deployed environment logs each request', async () => {
    const secret = 's'.repeat(40);
    const deployed = {
      ...bindings,
      ENVIRONMENT: 'production',
      BASE_DOMAIN: 'dispatch.example.com',
      OPERATOR_KEY: secret,
      SEALING_KEY: secret,
      WEBHOOK_ALLOW_LOOPBACK: 'false',
      WEBHOOK_RETRY_DIVISOR: '1',
    };
    await fetchOver(deployed, new Request(`${ORIGIN}/health`));
    expect(lines.map((line) => JSON.parse(line).route)).toEqual(['/health']);
    lines.length = 0;
    await fetchOver({ ...deployed, REQUEST_LOG: 'false' } as typeof env, new Request(`${ORIGIN}/health`));
    expect(lines).toEqual([]);
  });
});
