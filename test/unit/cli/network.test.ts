import type { NetworkInterfaceInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { localAddresses, localOrigin, networkText } from '../../../src/cli/network.ts';

const found = (
  address: string,
  internal: boolean,
  family: 'IPv4' | 'IPv6' = 'IPv4',
): NetworkInterfaceInfo[] => [
  {
    address,
    internal,
    family,
    netmask: '',
    mac: '',
    cidr: null,
    ...(family === 'IPv6' ? { scopeid: 0 } : {}),
  } as NetworkInterfaceInfo,
];

describe('the addresses of npm start', () => {
  it('the addresses of the local network are the IPv4 addresses of its interfaces', () => {
    const interfaces = {
      lo: found('127.0.0.1', true),
      eth0: found('192.168.1.20', false),
      v6: found('fe80::1', false, 'IPv6'),
    };
    expect(localAddresses(interfaces)).toEqual(['192.168.1.20']);
  });

  it.each([
    ['127.0.0.1', 'http://127.0.0.1:8787'],
    ['0.0.0.0', 'http://127.0.0.1:8787'],
    ['::', 'http://127.0.0.1:8787'],
    ['192.168.1.20', 'http://192.168.1.20:8787'],
    ['::1', 'http://[::1]:8787'],
  ])('programs on the machine reach a service that listens on %s at %s', (host, origin) => {
    expect(localOrigin(host, '8787')).toBe(origin);
  });

  it('a service on the loopback address says how tablets and phones can open it, and at which address', () => {
    expect(networkText('127.0.0.1', '8787', ['192.168.1.20'])).toBe(
      '  Tablets and phones cannot open it. HOST=0.0.0.0 npm start serves your network, at http://192.168.1.20:8787\n',
    );
  });

  it('a service in the local network prints an address for each network, and a warning', () => {
    const text = networkText('0.0.0.0', '9000', ['192.168.1.20', '10.0.0.5']);
    expect(text).toContain('http://192.168.1.20:9000/app');
    expect(text).toContain('http://10.0.0.5:9000/app');
    expect(text).toContain('Everybody in your network can open it');
  });

  it('a machine without a network gets no line about it', () => {
    expect([networkText('127.0.0.1', '8787', []), networkText('0.0.0.0', '8787', [])]).toEqual(['', '']);
  });
});
