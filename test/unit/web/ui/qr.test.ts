import { expect, it } from 'vitest';
import { isOnThisMachine } from '../../../../src/web/console/tablet/qr.tsx';

it.each([
  ['http://127.0.0.1:8787/public/x', true],
  ['http://127.0.1.1/x', true],
  ['http://localhost:8787/x', true],
  ['http://acme.localhost:8787/x', true],
  ['http://[::1]:8787/x', true],
  ['http://192.168.1.20:8787/x', false],
  ['http://warehouse.local/x', false],
  ['https://localhost.example.com/127.0.0.1', false],
])('a link to %s can be opened by this machine only: %s', (link, isOnly) => {
  expect(isOnThisMachine(link)).toBe(isOnly);
});
