import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { urlFault } from '../../../../src/core/lib/outgoing-url.ts';

const deployed = (url: string) => urlFault(url, { allowLoopback: false });
const local = (url: string) => urlFault(url, { allowLoopback: true });

const ADMITTED = [
  'https://hooks.example.com/in',
  'https://hooks.example.com:443/in?x=1#y',
  'https://8.8.8.8/',
  'https://[2606:4700:4700::1111]/',
  'https://bücher.example.org/ein',
  'https://xn--bcher-kva.example.org/',
  'https://EXAMPLE.com.',
  'https://test.example.com/',
  'https://localdomain.example.org/',
  'https://test.io/',
  'https://1.example.com/@a/b@c',
];

/** Private addresses, in every spelling that `fetch` understands. */
const FORBIDDEN = [
  'https://127.0.0.1/',
  'https://127.1/',
  'https://127.0.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.0.0.1/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://127.0.0.1./',
  'https://１２７.０.０.１/',
  'https://127。0。0。1/',
  'https://%31%32%37.0.0.1/',
  'https://127.255.255.254/',
  'https://0.0.0.0/',
  'https://0/',
  'https://10.0.0.1/',
  'https://10.1/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.0.1/',
  'https://192.168.257/',
  'https://3232235521/',
  'https://169.254.169.254/latest/meta-data/',
  'https://0xa9fea9fe/',
  'https://2852039166/',
  'https://100.64.0.1/',
  'https://192.0.0.1/',
  'https://192.0.2.1/',
  'https://198.18.0.1/',
  'https://198.51.100.1/',
  'https://203.0.113.1/',
  'https://224.0.0.1/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  'https://[::1]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[64:ff9b:1::a00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:0:7f00:1::]/',
  'https://[2001:db8::1]/',
  'https://[fe80::1]/',
  'https://[fec0::1]/',
  'https://[fc00::1]/',
  'https://[fd12:3456::1]/',
  'https://[ff02::1]/',
  'https://[4000::1]/',
  'https://localhost/',
  'https://LOCALHOST./',
  'https://a.localhost/',
  'https://intranet/',
  'https://printer.local/',
  'https://metadata.google.internal/',
  'https://router.home.arpa/',
  'https://kubernetes.default.svc/',
  'https://kubernetes.default.svc.cluster.local/',
  'https://foo.localdomain/',
  'https://FOO.LocalDomain./',
  'https://x.test/',
  'https://x.invalid/',
  'https://receiver.example/',
  'https://wms.example/in',
  'https://vault.service.consul/',
  'https://host.docker.internal/',
  'https://hidden.onion/',
  'https://x.alt/',
  'https://mail.corp/',
  'https://test/',
  'https://example/',
  'https://127.0.0.1.nip.io/',
  'https://localtest.me/',
];

/** URLs whose fault is not the address. */
const MISSHAPEN = [
  'http://hooks.example.com/',
  'https://hooks.example.com:8443/',
  'https://hooks.example.com:80/',
  'https://user@hooks.example.com/',
  'https://user:password@hooks.example.com/',
  'https://@hooks.example.com/',
  'https:\\\\user@hooks.example.com/',
  'ftp://hooks.example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/plain,x',
  'ws://hooks.example.com/',
  'hooks.example.com/',
  '//hooks.example.com/',
  '/in',
  'https://',
  'https:///',
  ' https://hooks.example.com/',
  'https://hooks.example.com/ ',
  'https://hooks.exa\tmple.com/',
  'https://hooks.example.com/\r\nX: y',
  'https://hooks.example.com:99999/',
  'https://[::1',
  'https://a..example.com/',
];

describe('a URL of a webhook', () => {
  it.each(ADMITTED)('an outgoing URL may be %s', (url) => {
    expect(deployed(url)).toBeUndefined();
    expect(local(url)).toBeUndefined();
  });

  it.each([...FORBIDDEN, ...MISSHAPEN])(
    'an outgoing URL may not be %s, also where loopback is allowed',
    (url) => {
      expect(deployed(url)).toEqual(expect.any(String));
      if (!url.startsWith('http://127.0.0.1')) expect(local(url)).toEqual(expect.any(String));
    },
  );

  it('an outgoing URL may be http://127.0.0.1 with any port where loopback is allowed, in that spelling only', () => {
    for (const url of ['http://127.0.0.1:9999/in', 'http://127.0.0.1', 'http://127.0.0.1/?a#b']) {
      expect(local(url)).toBeUndefined();
      expect(deployed(url)).toEqual(expect.any(String));
    }
    for (const url of [
      'https://127.0.0.1:9999/',
      'http://127.0.0.2/',
      'http://127.1/',
      'http://2130706433/',
      'http://localhost:9999/',
      'http://[::1]:9999/',
      'http://user@127.0.0.1/',
      'http://127.0.0.1@example.com/',
      'http://127.0.0.1.example.com/',
      'http://127.0.0.1:80a/',
      'HTTP://0x7f.1/',
    ]) {
      expect([url, local(url)]).toEqual([url, expect.any(String)]);
    }
  });

  it('an outgoing URL is never a private IPv4 address in any base', () => {
    const privateAddress = fc.oneof(
      fc.tuple(fc.constant(10), fc.nat(255), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(127), fc.nat(255), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(192), fc.constant(168), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(169), fc.constant(254), fc.nat(255), fc.nat(255)),
    );
    const bases = fc.array(fc.constantFrom(8, 10, 16), { minLength: 4, maxLength: 4 });
    const spell = (part: number, base: number) =>
      (base === 16 ? '0x' : base === 8 && part > 0 ? '0' : '') + part.toString(base);
    fc.assert(
      fc.property(privateAddress, bases, fc.integer({ min: 1, max: 4 }), (address, how, parts) => {
        const kept = address.slice(0, parts - 1);
        const rest = address.slice(parts - 1).reduce((sum, part) => sum * 256 + part, 0);
        const host = [...kept, rest].map((part, index) => spell(part, how[index]!)).join('.');
        expect([host, deployed(`https://${host}/`)]).toEqual([host, expect.any(String)]);
      }),
    );
  });

  it('any text as an outgoing URL is judged without an exception', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.string().map((text) => `https://${text}`),
        ),
        (url) => {
          const fault = deployed(url);
          if (fault === undefined)
            expect(new URL(url)).toMatchObject({ protocol: 'https:', port: '', username: '' });
        },
      ),
    );
  });
});
