import { expect, it } from 'vitest';
import { API, call, newTenant } from '../../client.ts';

const image = (file: string, headers = {}) => call('GET', `${API}/marker-code/image/${file}`, { headers });
const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));

it('inline delivery contains exactly the bytes of the public image', async () => {
  const tenant = await newTenant({ markerCodeStart: 2 ** 53 - 5 });
  const { body } = await tenant.call('POST', '/marker-code/allocate?quantity=5');
  expect(body.entries).toHaveLength(5);
  for (const { markerCode, markerImage, ...rest } of body.entries) {
    expect(rest).toEqual({});
    const shown = await image(`${markerCode}.png`);
    expect(base64(shown.body)).toBe(markerImage);
  }
  const coupled = await newTenant();
  const { body: one } = await coupled.call('POST', '/track/get-and-couple', { wmsId: 'P' });
  expect(base64((await image(`${one.markerCode}.png`)).body)).toBe(one.markerImage);
});

it('the marker image is public and cacheable without end, with 304 for a known tag', async () => {
  const first = await image('1000000000.png');
  expect([first.status, first.headers.get('Content-Type')]).toEqual([200, 'image/png']);
  expect(first.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
  const tag = first.headers.get('ETag')!;
  expect(tag).toMatch(/^"[^"]+"$/);
  const seen = await image('1000000000.png', { 'If-None-Match': tag });
  expect([seen.status, seen.body.length, seen.headers.get('ETag')]).toEqual([304, 0, tag]);
  const head = await call('HEAD', `${API}/marker-code/image/1000000000.png`);
  expect([head.status, head.body.length]).toEqual([200, 0]);
});

it.each([
  '0.png',
  '01.png',
  '-1.png',
  '1.5.png',
  '9007199254740992.png',
  'a.png',
  '1e3.png',
  '.png',
  '1%00.png',
])('the marker image of %s does not exist', async (file) => {
  const answer = await image(file);
  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([404, 'application/problem+json']);
});

it('one answer delivers 1,000 marker images', async () => {
  const tenant = await newTenant();
  const { body } = await tenant.call('POST', '/marker-code/allocate?quantity=1000');
  expect(body.entries).toHaveLength(1_000);
  expect(new Set(body.entries.map((entry: { markerImage: string }) => entry.markerImage)).size).toBe(1_000);
  const over = await tenant.call('POST', '/marker-code/allocate?quantity=1001');
  expect([over.status, over.body.code]).toEqual([400, 'validationFailed']);
});
