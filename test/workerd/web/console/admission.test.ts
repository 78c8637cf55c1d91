import { describe, expect, it } from 'vitest';
import { PAGES } from '../../../../src/web/ui/page/page.tsx';
import { isOperatorRight, may, type Right } from '../../../../src/web/ui/parts/rights.ts';
import '../../../../src/app.ts';
import type { Permission } from '../../../../src/access/user/rules.ts';
import { newPerson, type Person, page } from '../../access/session/person.ts';
import { newGate, newTenant, ORIGIN, operator } from '../../client.ts';
import { deviceOf, newTablet } from '../../dispatch/tablet/tablets.ts';

/** Each authority lacks a permission that another one has. */
const AUTHORITIES: Record<string, Permission[]> = {
  OFFICE: ['BACKOFFICE_LOGIN'],
  DRIVER: ['FORKLIFT_APP_LOGIN'],
  APP: ['APP_LOGIN'],
  DISPATCH: ['APP_LOGIN', 'OPERATIONAL_APP_LOGIN'],
  LOOKING: ['BACKOFFICE_LOGIN', 'OPERATIONAL_APP_LOGIN', 'USER_MANAGEMENT_WRITE', 'USER_MANAGEMENT_READ'],
  PEOPLE: ['BACKOFFICE_LOGIN', 'APP_LOGIN', 'USER_MANAGEMENT_READ', 'USER_MANAGEMENT_WRITE'],
  ROLES: ['OPERATIONAL_APP_LOGIN', 'ROLE_MANAGEMENT', 'AGENT_MANAGEMENT_READ'],
};

const UUID = '01a1fdae-f4f9-731a-b4eb-69b32c4df137';
/** The parameter of a page's query, by the path of the page. */
const QUERIES: Record<string, string> = { '/app/gate/:uuid/label.pdf': 'record' };
/** Fills the pattern of a page's path and its query with these names, by default with names that do not exist. */
const pathOf = (pattern: string, { uuid = UUID, load = UUID, record = UUID } = {}): string => {
  const path = pattern.replace(':uuid', uuid).replace(':load', load);
  const query = QUERIES[pattern] ? `?${QUERIES[pattern]}=${record}` : '';
  return path.replace(':code', '1').replace(':token', 'nonsense') + query;
};

const pages = PAGES.filter(({ right }) => right !== 'guest' && !isOperatorRight(right)) as (Omit<
  (typeof PAGES)[number],
  'right'
> & {
  right: Right;
})[];
const actions = pages.flatMap(({ path, right, actions: declared = {} }) =>
  Object.entries(declared).map(([name, action]) => ({
    path,
    name,
    see: right,
    right: action.right as Right,
  })),
);
const people: Record<string, Person> = {};
/** The media types of files of lists. */
const FILE_TYPES: Readonly<Record<string, string>> = {
  '.csv': 'text/csv; charset=utf-8; header=present',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

const tenant = await newTenant({ sandbox: true });
for (const [name, permissions] of Object.entries(AUTHORITIES)) {
  await operator('PUT', `/organization/${tenant.uuid}/authority/${name}`, { permissions });
  people[name] = await newPerson(tenant, name);
}

describe('every page', () => {
  it('the test knows every page', () => {
    expect(pages.length).toBeGreaterThan(35);
    expect(actions.length).toBeGreaterThan(45);
  });

  it('every page opens only for users with its right', async () => {
    for (const [name, permissions] of Object.entries(AUTHORITIES)) {
      for (const { path, right } of pages) {
        const { status, headers, text } = await people[name]!.get(pathOf(path));
        expect([name, path, status === 403]).toEqual([name, path, !may(permissions, right)]);
        expect([path, [200, 303, 403, 404].includes(status) || text.slice(0, 1500)]).toEqual([path, true]);
        if (status === 303) continue;
        const file = FILE_TYPES[/\.\w+$/.exec(path)?.[0] ?? ''];
        const type = (status === 200 && file) || 'text/html; charset=utf-8';
        expect([path, headers.get('Content-Type')]).toEqual([path, type]);
        expect(headers.get('Cache-Control')).toBe('no-store');
        expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
        if (type === file) continue;
        expect(headers.get('X-Robots-Tag')).toBe('noindex');
        expect(headers.get('Referrer-Policy')).toBe('same-origin');
        expect(headers.get('Content-Security-Policy')).toContain("default-src 'none'; script-src 'self'");
        expect(text).not.toMatch(/<script(?![^>]*src=)|<style|\sstyle=|\son\w+=/);
      }
    }
  }, 60_000);

  it('every page leads a guest to the sign-in', async () => {
    for (const { path } of pages) {
      const { status, headers } = await page('GET', pathOf(path));
      const to = `/app/login?next=${encodeURIComponent(pathOf(path))}`;
      expect([path, status, headers.get('Location')]).toEqual([path, 303, to]);
    }
    for (const session of ['x', '../../etc', '%00', 'a'.repeat(5_000)]) {
      expect((await page('GET', '/app', { headers: { Cookie: `session=${session}` } })).status).toBe(303);
    }
  });
});

describe('every form', () => {
  it('every form works only for users with its right', async () => {
    for (const [name, permissions] of Object.entries(AUTHORITIES)) {
      for (const { path, name: action, see, right } of actions) {
        if (path === '/app/logout') continue;
        const { status, text } = await people[name]!.post(pathOf(path), action);
        const allowed = may(permissions, see) && may(permissions, right);
        expect([name, path, action, status === 403]).toEqual([name, path, action, !allowed]);
        if (!allowed) expect(text).toContain('You do not have permission for this.');
      }
    }
  }, 60_000);

  it('every form refuses another site and a missing session token', async () => {
    const person = await newPerson(tenant);
    const other = await newPerson(tenant);
    const cookie = { Cookie: `session=${person.session}` };
    const same = { ...cookie, Origin: ORIGIN, 'Sec-Fetch-Site': 'same-origin' };
    const token = await person.token();
    for (const { path, name: action } of actions) {
      const attempts: [string, Record<string, string>, Record<string, string>][] = [
        ['another origin', { ...same, Origin: 'https://evil.example' }, { token }],
        ['no origin to tell', { ...same, Origin: 'null' }, { token }],
        ['another site', { ...cookie, 'Sec-Fetch-Site': 'cross-site' }, { token }],
        ['a sister', { ...cookie, 'Sec-Fetch-Site': 'same-site' }, { token }],
        ['no token', same, {}],
        ['the token of another session', same, { token: await other.token() }],
        ['no headers and no token', cookie, {}],
      ];
      for (const [what, headers, fields] of attempts) {
        const { status } = await page('POST', pathOf(path), { headers, fields: { action, ...fields } });
        expect([path, action, what, status]).toEqual([path, action, what, 403]);
      }
    }
    expect((await person.get('/app')).status).toBe(200);
  }, 60_000);

  it('every form of guests needs the token of their browser', async () => {
    const fields = { organization: tenant.slug, email: 'x@example.com', password: 'x' };
    const form = await page('GET', '/app/login');
    const guest = /guest=([^;]+)/.exec(form.headers.get('Set-Cookie')!)![1]!;
    const token = /name="token" value="([0-9a-f]{64})"/.exec(form.text)![1]!;
    const browser = { Cookie: `guest=${guest}`, Origin: ORIGIN, 'Sec-Fetch-Site': 'same-origin' };
    const sent = async (headers: Record<string, string>, more: Record<string, string>) =>
      (await page('POST', '/app/login', { headers, fields: { ...fields, ...more } })).status;
    expect(await sent(browser, { token })).toBe(401);
    expect(await sent(browser, {})).toBe(403);
    expect(await sent({ ...browser, Cookie: 'guest=another' }, { token })).toBe(403);
    expect(await sent({ Origin: ORIGIN }, { token })).toBe(403);
    expect(await sent({ ...browser, Origin: 'https://evil.example' }, { token })).toBe(403);
    expect(await sent({ 'Sec-Fetch-Site': 'cross-site' }, {})).toBe(403);
  });

  it('every form refuses another body type, a large body and another form', async () => {
    const person = await newPerson(tenant);
    const headers = { Cookie: `session=${person.session}`, Origin: ORIGIN };
    const refused = async (
      path: string,
      init: { headers?: Record<string, string>; fields?: Record<string, string> },
    ) =>
      (
        await page('POST', path, {
          headers: { ...headers, ...init.headers },
          ...(init.fields ? { fields: init.fields } : {}),
        })
      ).status;
    expect(await refused('/app/password', { headers: { 'Content-Type': 'application/json' } })).toBe(415);
    expect(await refused('/app/password', { fields: { x: 'a'.repeat(1_100_000) } })).toBe(413);
    expect((await person.post('/app/password', 'constructor')).status).toBe(400);
    expect((await person.post('/app/marker-code', 'anything')).status).toBe(405);
    expect((await person.get('/app/nowhere')).status).toBe(404);
    expect((await person.get('/app/manifest?pageNumber=0')).status).toBe(400);
    expect((await person.get('/app/manifest?manifestStatus=NO')).status).toBe(400);
    expect((await person.get('/app/manifest/not-a-uuid')).status).toBe(404);
  });
});

describe('a tablet', () => {
  it('a tablet sees the pages of its own gate and is led back from all others', async () => {
    await newGate(tenant, 'G');
    const [gate] = (await tenant.call('GET', '/gate')).body.content;
    const person = await newPerson(tenant);
    const own = `/app/gate/${gate.uuid}`;
    // A manifest at the gate, with a pallet that has a label.
    await tenant.call('POST', '/track/get-and-couple?imageDelivery=URL', { wmsId: 'P' });
    await tenant.call('POST', '/manifest', { externalIdentifier: 'M', assets: ['P'], gateExternalId: 'G' });
    const { uuid: load } = (await tenant.call('GET', '/manifest/M')).body;
    const [{ recordUuid: record }] = (await tenant.call('GET', '/manifest/M/asset-loading')).body;
    const pathsOf = (path: string) =>
      new Set([pathOf(path), pathOf(path, { uuid: gate.uuid, load, record })]);
    const tablet = await newTablet(deviceOf(`session=${person.session}`), own);
    const seen: string[] = [];
    for (const { path, tablet: rule } of pages) {
      for (const at of pathsOf(path)) {
        const { status, location } = await tablet.get(at);
        if (rule && at.includes(gate.uuid)) {
          expect([at, status]).toEqual([at, 200]);
          seen.push(path);
        } else expect([at, status, location]).toEqual([at, 303, own]);
      }
    }
    expect(seen.toSorted()).toEqual([
      '/app/gate/:uuid',
      '/app/gate/:uuid/label.pdf',
      '/app/gate/:uuid/photo',
      '/app/gate/:uuid/scan',
      '/app/gate/:uuid/sign/:load',
    ]);
    for (const { path, name: action } of actions) {
      for (const at of pathsOf(path)) {
        const { status } = await tablet.send(at, { action }, own);
        const isOwn = seen.includes(path) && at.includes(gate.uuid);
        expect([at, action, status === 403]).toEqual([at, action, !isOwn]);
      }
    }
  }, 60_000);
});

describe('an organization without', () => {
  it('an organization without shipments or clients has no pages of them', async () => {
    const plain = await newTenant({ dispatchStrategy: 'MANIFEST', clientFeatureEnabled: false });
    const person = await newPerson(plain);
    for (const { path, feature } of PAGES) {
      if (!feature) continue;
      expect([path, (await person.get(pathOf(path))).status]).toEqual([path, 403]);
    }
    const { text } = await person.get('/app');
    expect(text).not.toContain('/app/shipment');
    expect(text).not.toContain('/app/client');
  });
});
