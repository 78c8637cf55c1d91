import { describe, expect, it, vi } from 'vitest';
import { PAGES } from '../../../../src/web/ui/page/page.tsx';
import { isOperatorRight, scopeOf } from '../../../../src/web/ui/parts/rights.ts';
import '../../../../src/app.ts';
import { OPERATOR_SCOPES } from '../../../../src/access/credential/schema.ts';
import { visitor } from '../../access/passkey/authenticator.ts';
import { cookieOf, newPerson, page } from '../../access/session/person.ts';
import { newTenant, ORIGIN, operator } from '../../client.ts';
import { bootstrap, newOperator, type OperatorPages, pagesWith, trySecret } from './operator-person.ts';

const UUID = '01a1fdae-f4f9-731a-b4eb-69b32c4df137';
const pathOf = (pattern: string): string => pattern.replace(':uuid', UUID);

const pages = PAGES.flatMap(({ path, right, actions = {} }) =>
  isOperatorRight(right) ? [{ path, scope: scopeOf(right), actions }] : [],
);
const forms = pages.flatMap(({ path, scope, actions }) =>
  Object.entries(actions).flatMap(([name, { right }]) =>
    isOperatorRight(right) ? [{ path, name, see: scope, scope: scopeOf(right) }] : [],
  ),
);

/** The scopes of a test operator. Its name is the main scope. */
const scopesOf = (name: string): string[] => [...new Set(['READ', name])];
const operators: Record<string, OperatorPages> = {};

const tenant = await newTenant();
for (const scope of OPERATOR_SCOPES) operators[scope] = await newOperator(...scopesOf(scope));

describe('every page of operators', () => {
  it('every operator page exists below /operator and needs a scope', () => {
    expect(pages.length).toBeGreaterThan(9);
    expect(forms.length).toBeGreaterThan(12);
    for (const { path } of pages) expect(path).toMatch(/^\/operator(\/|$)/);
    for (const { path, right } of PAGES) {
      if (/^\/operator/.test(path) && !isOperatorRight(right)) expect(path).toBe('/operator/login');
    }
  });

  it("every operator page leads a guest and an organization's user to the sign-in", async () => {
    const person = await newPerson(tenant);
    const strangers: Record<string, string>[] = [
      {},
      { Cookie: `session=${person.session}` },
      { Cookie: `operator=${person.session}` },
      { Cookie: 'operator=%00' },
      { Cookie: `operator=${'a'.repeat(5_000)}` },
    ];
    for (const { path } of pages) {
      for (const headers of strangers) {
        const { status, headers: answered } = await page('GET', pathOf(path), { headers });
        expect([path, status, answered.get('Location')]).toEqual([path, 303, '/operator/login']);
      }
    }
    for (const { path, name: action } of forms) {
      const { status, headers } = await person.post(pathOf(path), action);
      expect([path, action, status, headers.get('Location')]).toEqual([path, action, 303, '/operator/login']);
    }
  }, 60_000);

  it('every operator page opens for its scope only, with the headers of all pages', async () => {
    for (const [name, who] of Object.entries(operators)) {
      for (const { path, scope } of pages) {
        const { status, headers, text } = await who.get(pathOf(path));
        expect([name, path, status === 403]).toEqual([name, path, !scopesOf(name).includes(scope)]);
        expect([path, [200, 303, 403, 404].includes(status) || text.slice(0, 500)]).toEqual([path, true]);
        if (status === 303) continue;
        expect([path, headers.get('Content-Type')]).toEqual([path, 'text/html; charset=utf-8']);
        expect(headers.get('Cache-Control')).toBe('no-store');
        expect(headers.get('Content-Security-Policy')).toContain("default-src 'none'; script-src 'self'");
        expect(text).not.toMatch(/<script(?![^>]*src=)|<style|\sstyle=|\son\w+=/);
        expect(text).not.toContain('href="/app');
      }
    }
  }, 60_000);

  it("operator pages do not exist at an organization's host", async () => {
    const { cookie } = operators['READ']!;
    for (const { path } of pages) {
      const at = `http://${tenant.slug}.localhost:8787${pathOf(path)}`;
      const { status } = await page('GET', at, { headers: { Cookie: `operator=${cookie}` } });
      expect([path, status]).toEqual([path, 404]);
    }
    expect((await page('GET', `http://${tenant.slug}.localhost:8787/operator/login`)).status).toBe(404);
  });

  it('an operator session opens no page of an organization', async () => {
    const { cookie } = await bootstrap();
    for (const { path, right } of PAGES) {
      if (right === 'guest' || isOperatorRight(right)) continue;
      const at = pathOf(path).replace(':code', '1');
      const { status } = await page('GET', at, {
        headers: { Cookie: `operator=${cookie}; session=${cookie}` },
      });
      expect([path, status]).toEqual([path, 303]);
    }
  }, 60_000);
});

describe('every form of operators', () => {
  it('every operator form works only for operators with its scope', async () => {
    for (const [name, who] of Object.entries(operators)) {
      for (const { path, name: action, see, scope } of forms) {
        const { status, text } = await who.post(pathOf(path), action);
        const allowed = [see, scope].every((needed) => scopesOf(name).includes(needed));
        expect([name, path, action, status === 403]).toEqual([name, path, action, !allowed]);
        if (!allowed) expect(text).toContain('The operator lacks the scope');
      }
    }
  }, 60_000);

  it('every operator form refuses another site and a missing session token', async () => {
    const who = await bootstrap();
    const other = await bootstrap();
    const cookie = { Cookie: `operator=${who.cookie}` };
    const same = { ...cookie, Origin: ORIGIN, 'Sec-Fetch-Site': 'same-origin' };
    const token = await who.token();
    const attempts: [string, Record<string, string>, Record<string, string>][] = [
      ['another origin', { ...same, Origin: 'https://evil.example' }, { token }],
      ['another site', { ...cookie, 'Sec-Fetch-Site': 'cross-site' }, { token }],
      ['a sister', { ...cookie, 'Sec-Fetch-Site': 'same-site' }, { token }],
      ['no token', same, {}],
      ['the token of another session', same, { token: await other.token() }],
      ['no headers and no token', cookie, {}],
    ];
    for (const { path, name: action } of forms) {
      for (const [what, headers, fields] of attempts) {
        const { status } = await page('POST', pathOf(path), { headers, fields: { action, ...fields } });
        expect([path, action, what, status]).toEqual([path, action, what, 403]);
      }
    }
  }, 60_000);
});

describe('the session of an operator', () => {
  it('an operator session is a strict cookie for an hour without the secret in it', async () => {
    const { secret } = operators['READ']!;
    const plain = await trySecret(secret);
    const [cookie] = plain.headers.getSetCookie().filter((set) => set.startsWith('operator='));
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; SameSite=Strict/);
    expect(cookie).toMatch(/; Max-Age=3600/);
    expect(cookie).not.toContain(secret);
    const safe = await trySecret(secret, '198.51.100.8', 'https://operator.example.com');
    expect(safe.headers.getSetCookie().some((set) => /^__Host-operator=.*; Secure/.test(set))).toBe(true);
    const failed = await trySecret(`${secret}x`);
    expect([failed.status, failed.text.includes(secret)]).toEqual([401, false]);
  });

  it('an operator session works at one host, and cannot be forged or changed', async () => {
    const { cookie } = operators['READ']!;
    const elsewhere = await page('GET', 'http://operator.localhost:8787/operator', {
      headers: { Cookie: `operator=${cookie}` },
    });
    expect(elsewhere.status).toBe(303);
    const [head, rest] = [cookie.slice(0, -4), cookie.slice(-4)];
    const changed = pagesWith(`${head}${rest === 'AAAA' ? 'BBBB' : 'AAAA'}`, { uuid: '', secret: '' });
    expect((await changed.get('/operator')).status).toBe(303);
  });

  it('an operator session cookie cannot be used as another cookie, or the reverse', async () => {
    const { kept } = await visitor();
    const other = await page('GET', 'http://localhost:8787/operator', {
      headers: { Cookie: `operator=${kept}` },
    });
    expect([kept.length > 0, other.status]).toEqual([true, 303]);
  });

  it('an operator session ends after an hour', async () => {
    const who = await newOperator('READ');
    const later = Date.now() + 3_600_001;
    vi.spyOn(Date, 'now').mockReturnValue(later);
    try {
      expect((await who.get('/operator')).status).toBe(303);
    } finally {
      vi.restoreAllMocks();
    }
  });

  it("an operator session ends with its credential, with a rotated secret's overlap, and by signing out", async () => {
    const who = await newOperator('READ');
    expect((await who.get('/operator')).status).toBe(200);
    await operator('POST', `/operator/${who.uuid}/rotate`, { overlapSeconds: 0 });
    expect((await who.get('/operator')).status).toBe(303);
    const gone = await newOperator('READ');
    expect((await gone.get('/operator')).status).toBe(200);
    await operator('DELETE', `/operator/${gone.uuid}`);
    expect((await gone.get('/operator')).status).toBe(303);
    const leaves = await newOperator('READ');
    const out = await leaves.post('/operator/logout', 'sign-out');
    expect([out.headers.get('Location'), cookieOf(out, 'operator')]).toEqual(['/operator/login', '']);
  });

  it('signing out ends an operator session for every copy of its cookie and ends no other session', async () => {
    const leaves = await newOperator('READ');
    const again = await trySecret(leaves.secret);
    const stays = pagesWith(cookieOf(again, 'operator')!, leaves);
    expect((await leaves.post('/operator/logout', 'sign-out')).status).toBe(303);
    const copied = await leaves.get('/operator');
    expect([copied.status, copied.headers.get('Location')]).toEqual([303, '/operator/login']);
    expect((await leaves.get('/operator/login')).status).toBe(200);
    expect((await stays.get('/operator')).status).toBe(200);
  });

  it('too many operator sign-ins stop the address, even with the right secret', async () => {
    const { secret } = operators['READ']!;
    const address = '203.0.113.77';
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect((await trySecret(`wdo_test_${attempt}`, address)).status).toBe(401);
    }
    const limited = await trySecret(secret, address);
    expect([limited.status, limited.headers.get('Retry-After')]).toEqual([429, '900']);
    expect((await trySecret(secret, '203.0.113.78')).status).toBe(303);
  });
});
