import { describe, expect, it } from 'vitest';
import { call } from '../../client.ts';

describe('the address of a page with a slash at its end', () => {
  it.each([
    ['/docs/', '/docs'],
    ['/docs//', '/docs'],
    ['/docs/client/?a=1&b=%2F/', '/docs/client?a=1&b=%2F/'],
    ['/operator/', '/operator'],
    ['/app/', '/app'],
    ['/app/manifest/?q=a+b', '/app/manifest?q=a+b'],
    ['/public/shipment-summary/abc/', '/public/shipment-summary/abc'],
  ])('%s redirects to %s', async (path, location) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await call(method, path);
      expect([method, status, headers.get('Location')]).toEqual([method, 308, location]);
    }
  });

  it('a form that is sent to such an address keeps its method', async () => {
    const { status, headers } = await call('POST', '/app/sign-in/', { raw: 'a=b' });
    expect([status, headers.get('Location')]).toEqual([308, '/app/sign-in']);
  });

  it.each([
    ...['//evil.example/', '//evil.example/docs/', '/\\evil.example/', '/%5Cevil.example/', '///'],
    ...['/docs/..//evil.example/', '/docs/%2e%2e//evil.example/', '/nothing/', '/%2F%2Fevil.example/'],
    ...[
      '/integration/rest/api/v1/manifest/',
      '/operator/rest/api/v1/organization/',
      '/device/rest/api/v1/heartbeat/',
    ],
  ])('%s is not redirected', async (path) => {
    const { status, headers } = await call('GET', `http://127.0.0.1:8787${path}`);
    expect([status, headers.get('Location')]).toEqual([404, null]);
  });

  it.each([
    ['//integration/rest/api/v1/manifest', '/integration/rest/api/v1/manifest'],
    ['/integration/rest/api/v1//manifest', '/integration/rest/api/v1/manifest'],
    ['/device//rest/api/v1/heartbeat//', '/device/rest/api/v1/heartbeat'],
    ['/operator/rest/api/v1/organization/', '/operator/rest/api/v1/organization'],
    ['/integration/rest/api/v1/manifest//asset', '/integration/rest/api/v1/manifest/asset'],
  ])('%s is not found, and the refusal names the path without the slashes', async (path, plain) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status, body } = await call(method, `http://127.0.0.1:8787${path}`);
      expect([status, body.code, body.detail]).toEqual([
        404,
        'notFound',
        `Path "${path}" does not exist. It has too many slashes. Use "${plain}", unless an identifier is empty.`,
      ]);
    }
  });

  it('a path that does not exist without its slashes either has no hint', async () => {
    const { body } = await call('GET', 'http://127.0.0.1:8787//nothing/');
    expect(body.detail).toBe('Path "//nothing/" does not exist.');
  });
});
