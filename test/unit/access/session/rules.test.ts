import { describe, expect, it } from 'vitest';
import { addressOf, cookieNames, isSameOrigin, nextPath } from '../../../../src/access/session/rules.ts';

describe('an address', () => {
  it('is an IPv4 address, or the network of an IPv6 one', () => {
    expect(addressOf('203.0.113.7')).toBe('203.0.113.7');
    expect(addressOf('::ffff:203.0.113.7')).toBe('203.0.113.7');
    expect(addressOf('2001:db8:1:2:3:4:5:6')).toBe(addressOf('2001:db8:1:2:ffff::1'));
    expect(addressOf('2001:db8:1:2::1')).not.toBe(addressOf('2001:db8:1:3::1'));
    expect(addressOf(null)).not.toBe(addressOf('203.0.113.7'));
  });
});

describe('the cookies', () => {
  it('are bound to the host by https, and plain on a developer machine only', () => {
    expect(cookieNames(new URL('https://acme.example/app'))).toMatchObject({
      session: '__Host-session',
      secure: true,
    });
    expect(cookieNames(new URL('http://acme.example/app'))).toMatchObject({
      session: '__Host-session',
      secure: true,
    });
    for (const host of ['127.0.0.1:8787', 'localhost', 'acme.localhost:1', '[::1]:8787']) {
      expect(cookieNames(new URL(`http://${host}/app`))).toMatchObject({ session: 'session', secure: false });
    }
    expect(cookieNames(new URL('http://localhost.evil.example/'))).toMatchObject({ secure: true });
  });
});

describe('where a sign-in leads', () => {
  it('is a page of the service', () => {
    for (const path of ['/app', '/app/manifest/x?q=a&pageNumber=2', '/app?x=%2F', '/app/a.b']) {
      expect(nextPath(path)).toBe(path);
    }
  });
  it('is below the operations pages after its dot segments are resolved', () => {
    expect(nextPath('/app/a/../b/./c?x=1')).toBe('/app/b/c?x=1');
    expect(nextPath('/app/../app/manifest')).toBe('/app/manifest');
    expect(nextPath('/app/a/..')).toBe('/app/');
  });
  it('is never another host or another part of the service', () => {
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
      expect([path, nextPath(path)]).toEqual([path, '/app']);
    }
  });
});

describe('the origin of a form', () => {
  const judged = (headers: Record<string, string>) => isSameOrigin('https://a.example', new Headers(headers));
  it('is the service itself', () => {
    expect(judged({ Origin: 'https://a.example', 'Sec-Fetch-Site': 'same-origin' })).toBe(true);
    expect(judged({ Origin: 'https://a.example' })).toBe(true);
    expect(judged({})).toBe(true);
  });
  it('is nothing else, whichever header says so', () => {
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
