import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PAGES } from '../../../../src/web/ui/page/page.tsx';
import { isOperatorRight } from '../../../../src/web/ui/parts/rights.ts';
import '../../../../src/app.ts';
import { storedState } from '../../../contract/state.ts';
import { newPerson, PASSWORD } from '../../access/session/person.ts';
import { newTenant, ORIGIN } from '../../client.ts';
import { envOver, FAILURES, failingD1, fetchOver } from '../../failing.ts';
import { bootstrap } from './operator-person.ts';

const UUID = '01a1fdae-f4f9-731a-b4eb-69b32c4df137';
const pathOf = (pattern: string): string =>
  pattern.replace(':uuid', UUID).replace(':code', '1').replace(':token', 'nonsense');
const tenant = await newTenant();
const person = await newPerson(tenant);
await person.token();
const staff = await bootstrap();
beforeEach(() => {
  for (const level of ['warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation(() => undefined);
});
afterEach(() => vi.restoreAllMocks());

/** Opens a page or sends a form while D1 fails from its call number `from` on. */
async function during(
  from: number,
  path: string,
  fields?: Record<string, string>,
  more: Record<string, string> = {},
) {
  const { db, calls } = failingD1({ message: FAILURES.full, from });
  const request = new Request(`${ORIGIN}${path}`, {
    method: fields ? 'POST' : 'GET',
    headers: {
      Cookie: `session=${person.session}; operator=${staff.cookie}`,
      Origin: ORIGIN,
      'Sec-Fetch-Site': 'same-origin',
      ...more,
    },
    ...(fields ? { body: new URLSearchParams(fields) } : {}),
    redirect: 'manual',
  });
  return { ...(await fetchOver(envOver(db), request)), failed: calls.count >= from };
}

const isPage503 = ({ status, headers, text }: Awaited<ReturnType<typeof during>>) =>
  [status, headers.get('Retry-After'), headers.get('Content-Type'), text.includes('<h1')].join() ===
  '503,2,text/html; charset=utf-8,true';

/** This page shows which database does not answer, so it works during an outage. */
const HEALTH = '/operator';

describe('while D1 fails', () => {
  it('every page reports an outage while D1 fails', async () => {
    const before = await storedState(tenant);
    for (const path of [...PAGES.map((page) => pathOf(page.path)), '/app/nowhere']) {
      if (path === '/app/logout') continue;
      if (path === HEALTH) {
        const answer = await during(1, path);
        expect([path, answer.failed, answer.status]).toEqual([path, true, 200]);
        continue;
      }
      for (const from of [1, 2]) {
        const answer = await during(from, path);
        if (answer.failed)
          expect([path, from, answer.status, isPage503(answer)]).toEqual([path, from, 503, true]);
        else expect([path, from, answer.status < 500]).toEqual([path, from, true]);
      }
    }
    expect(await storedState(tenant)).toEqual(before);
  });

  it('every form reports an outage while D1 fails and changes nothing', async () => {
    const tokens = { person: await person.token(), operator: await staff.token() };
    const before = await storedState(tenant);
    for (const { path: pattern, right, actions = {} } of PAGES) {
      if (right === 'guest') continue;
      for (const action of Object.keys(actions)) {
        const token = tokens[isOperatorRight(right) ? 'operator' : 'person'];
        const answer = await during(1, pathOf(pattern), { token, action, key: crypto.randomUUID() });
        expect([pattern, action, answer.failed, isPage503(answer)]).toEqual([pattern, action, true, true]);
      }
    }
    expect(await storedState(tenant)).toEqual(before);
  });

  it('a script that sends a form gets problem details instead of a page', async () => {
    const script = { Accept: 'application/json', Cookie: 'tablet=a-tablet-that-cannot-be-read' };
    for (const fields of [undefined, { action: 'scan', scan: 'A', key: crypto.randomUUID() }]) {
      const { status, headers, text } = await during(1, `/app/gate/${UUID}`, fields, script);
      expect([status, headers.get('Content-Type'), headers.get('Retry-After')]).toEqual([
        503,
        'application/problem+json',
        '2',
      ]);
      expect(JSON.parse(text)).toMatchObject({ status: 503, code: 'temporarilyUnavailable' });
    }
  });

  it('a sign-in during an outage is no failed attempt', async () => {
    const typed = { organization: tenant.slug, email: person.email, password: PASSWORD };
    const sent = async (from: number) => {
      const { db } = failingD1({ message: FAILURES.full, from });
      const request = new Request(`${ORIGIN}/app/login`, {
        method: 'POST',
        headers: { 'CF-Connecting-IP': '192.0.2.7' },
        body: new URLSearchParams(typed),
        redirect: 'manual',
      });
      return (await fetchOver(envOver(db), request)).status;
    };
    const statuses: number[] = [];
    while (statuses.at(-1) !== 303) statuses.push(await sent(statuses.length + 1));
    expect(statuses.slice(0, -1).every((status) => status === 503)).toBe(true);
    expect(statuses.length).toBeGreaterThan(3);
  });

  it('the feed refuses to connect during an outage and asks to retry', async () => {
    const { db } = failingD1({ message: FAILURES.full, from: 1 });
    const headers = { Cookie: `session=${person.session}`, Origin: ORIGIN, Upgrade: 'websocket' };
    const answer = await fetchOver(envOver(db), new Request(`${ORIGIN}/app/feed?after=1`, { headers }));
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '2']);
  });
});

it('a form whose answer was lost in an outage has one effect when sent again as shown', async () => {
  const token = await person.token();
  const name = `Client ${crypto.randomUUID()}`;
  const fields = { token, action: 'default', key: crypto.randomUUID(), displayName: name, externalId: name };
  const path = '/app/client';
  const { actions = {} } = PAGES.find((page) => page.path === path) ?? {};
  const [action] = Object.keys(actions);
  const typed = { ...fields, action: action! };
  // The commit succeeds, but its answer and the following ones are lost.
  let shown = '';
  for (let from = 2; from < 12 && shown === ''; from += 1) {
    const { db } = failingD1({ message: FAILURES.full, from, to: from + 1, late: true });
    const request = new Request(`${ORIGIN}${path}`, {
      method: 'POST',
      headers: { Cookie: `session=${person.session}`, Origin: ORIGIN, 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams(typed),
      redirect: 'manual',
    });
    const { status, text } = await fetchOver(envOver(db), request);
    const { body } = await tenant.call('GET', `/client?q=${encodeURIComponent(name)}`);
    if (body.totalElements === 1) {
      expect(status).toBe(503);
      shown = text;
    }
  }
  const form = shown.slice(shown.indexOf(`name="action" value="${action}"`) - 400);
  const key = /name="key" value="([^"]+)"/.exec(form)![1]!;
  const again = await person.post(path, action!, { ...typed, key });
  expect(again.status).toBe(303);
  const { body } = await tenant.call('GET', `/client?q=${encodeURIComponent(name)}`);
  expect(body.totalElements).toBe(1);
});
