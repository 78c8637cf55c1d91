import { describe, expect, it } from 'vitest';
import { addressOf, cookieNames, isSameOrigin, safeNextPath } from '../../../../src/access/session/rules.ts';

describe('an address', () => {
  it('the limiter sees an IPv4 address as it is and an IPv6 address as its /64 network', () => {
    expect(addressOf('203.0.113.7')).toBe('203.0.113.7');
    expect(addressOf('::ffff:203.0.113.7')).toBe('203.0.113.7');
    expect(addressOf('2001:db8:1:2:3:4:5:6')).toBe(addressOf('2001:db8:1:2:ffff::1'));
    expect(addressOf('2001:db8:1:2::1')).not.toBe(addressOf('2001:db8:1:3::1'));
    expect(addressOf(null)).not.toBe(addressOf('203.0.113.7'));
  });
});

describe('the cookies', () => {
  it('cookies use the __Host- prefix over https and plain names on a developer machine and in its network only', () => {
    expect(cookieNames(new URL('https://acme.example/app'))).toMatchObject({
      session: '__Host-session',
      secure: true,
    });
    expect(cookieNames(new URL('http://acme.example/app'))).toMatchObject({
      session: '__Host-session',
      secure: true,
    });
    for (const host of [
      '127.0.0.1:8787',
      'localhost',
      'acme.localhost:1',
      '[::1]:8787',
      '192.168.1.20:8787',
      '[fd00::1]',
    ]) {
      expect(cookieNames(new URL(`http://${host}/app`))).toMatchObject({ session: 'session', secure: false });
    }
    for (const origin of [
      'http://localhost.evil.example',
      'http://192.168.1.20.example',
      'https://192.168.1.20',
    ])
      expect(cookieNames(new URL(origin))).toMatchObject({ secure: true });
  });
});

describe('where a sign-in leads', () => {
  it('a sign-in leads to a page of the service', () => {
    for (const path of ['/app', '/app/manifest/x?q=a&pageNumber=2', '/app?x=%2F', '/app/a.b']) {
      expect(safeNextPath(path)).toBe(path);
    }
  });
  it('a sign-in leads below the operations pages after its dot segments are resolved', () => {
    expect(safeNextPath('/app/a/../b/./c?x=1')).toBe('/app/b/c?x=1');
    expect(safeNextPath('/app/../app/manifest')).toBe('/app/manifest');
    expect(safeNextPath('/app/a/..')).toBe('/app/');
  });
  it('a sign-in never leads to another host or another part of the service', () => {
    for (const path of [
      undefined,
      '',
      '//evil.example',
      'https://evil.example/app',
      '/app//evil.example',
      '/apple',
      '/public',
      '/app\\evil.example',
      '/app/\n/evil.example',
      'javascript:alert(1)',
      '/app@evil.example',
      '/app/..',
      '/app/../x',
      '/app/../../x',
      '/app/x/%2e%2E/../../operator',
      '/app/../apple',
      '/app/..?x=/app/',
    ]) {
      expect([path, safeNextPath(path)]).toEqual([path, '/app']);
    }
  });
});

describe('the origin of a form', () => {
  const judged = (headers: Record<string, string>) => isSameOrigin('https://a.example', new Headers(headers));
  it('a form with the origin of the service is accepted', () => {
    expect(judged({ Origin: 'https://a.example', 'Sec-Fetch-Site': 'same-origin' })).toBe(true);
    expect(judged({ Origin: 'https://a.example' })).toBe(true);
    expect(judged({})).toBe(true);
  });
  it('a form with any other origin is refused, whichever header names it', () => {
    for (const headers of [
      { Origin: 'https://b.example' },
      { Origin: 'null' },
      { Origin: 'http://a.example' },
      { Origin: 'https://a.example', 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { 'Sec-Fetch-Site': 'none' },
    ]) {
      expect([headers, judged(headers as Record<string, string>)]).toEqual([headers, false]);
    }
  });
});
