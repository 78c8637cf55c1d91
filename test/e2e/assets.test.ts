import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT, type Service } from './service.ts';
import { ownService } from './shared.ts';

const FOLDER = join(ROOT, 'dist/assets');
const REVALIDATED = 'public, max-age=0, must-revalidate';
const FOR_EVER = 'public, max-age=31536000, immutable';

describe('the files of pages', () => {
  let service: Service;
  beforeAll(async () => {
    service = await ownService({ environment: { REQUEST_LOG: 'true' } });
  });
  afterAll(() => service?.dispose());

  /** The lines that the Worker has logged, one for each request. */
  const logged = () => service.output.match(/"log":"request"/g)?.length ?? 0;

  /** Sends a request, waits until its line is logged, and returns the number of lines. */
  async function settled(): Promise<number> {
    const answer = await fetch(`${service.origin}/nothing`);
    await answer.arrayBuffer();
    const id = answer.headers.get('X-Request-Id')!;
    while (!service.output.includes(id)) await new Promise((resolve) => setTimeout(resolve, 20));
    return logged();
  }

  it('the platform serves every file without the Worker, with the security headers of pages', async () => {
    const files = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile() && file.name !== '_headers')
      .map((file) => join(file.parentPath, file.name).slice(FOLDER.length));
    expect(files.length).toBeGreaterThan(40);
    const before = await settled();
    for (const path of files) {
      const answer = await fetch(`${service.origin}${path}`);
      const { byteLength } = await answer.arrayBuffer();
      expect([path, answer.status, byteLength > 0]).toEqual([path, 200, true]);
      expect([path, Object.fromEntries(answer.headers)]).toEqual([
        path,
        expect.objectContaining({
          'cache-control': path.includes('/console/shared/') ? FOR_EVER : REVALIDATED,
          etag: expect.stringMatching(/^"[^"]+"$/),
          'referrer-policy': 'no-referrer',
          'x-content-type-options': 'nosniff',
        }),
      ]);
      for (const name of ['X-Request-Id', 'Server-Timing', 'Set-Cookie', 'Strict-Transport-Security'])
        expect([path, name, answer.headers.get(name)]).toEqual([path, name, null]);
      const known = await fetch(`${service.origin}${path}`, {
        headers: { 'If-None-Match': answer.headers.get('ETag')! },
      });
      expect([path, known.status, await known.text()]).toEqual([path, 304, '']);
    }
    // Only the request that waits for the log has reached the Worker.
    expect(await settled()).toBe(before + 1);
  });

  it.each([
    ['console/base.css', 'text/css; charset=utf-8'],
    ['console/live.js', 'text/javascript; charset=utf-8'],
    ['console/icon.svg', 'image/svg+xml'],
    ['console/zxing/zxing_reader.wasm', 'application/wasm'],
    ['fonts/NotoSans-Regular.ttf', 'font/ttf'],
    ['docs/guides/limits.txt', 'text/plain; charset=utf-8'],
  ])('the file %s has the type %s, also for HEAD', async (path, type) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetch(`${service.origin}/assets/${path}`, { method });
      expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, type]);
    }
  });

  it('the service worker of gates may control the pages of gates, and no other file has such a right', async () => {
    const scopeOf = async (name: string) =>
      (await fetch(`${service.origin}/assets/console/${name}`)).headers.get('Service-Worker-Allowed');
    expect([await scopeOf('gate-worker.js'), await scopeOf('live.js')]).toEqual(['/app/gate/', null]);
  });

  it('a missing file is a 404 that no cache keeps, and other methods are refused', async () => {
    for (const path of ['console/nothing.css', 'console/shared/chunk-00000000.js', '', '../_headers']) {
      const answer = await fetch(`${service.origin}/assets/${path}`);
      expect([path, answer.status]).toEqual([path, 404]);
      expect([path, answer.headers.get('Cache-Control') ?? 'no-store']).toEqual([path, 'no-store']);
    }
    const posted = await fetch(`${service.origin}/assets/console/base.css`, { method: 'POST' });
    expect(posted.status).toBe(405);
  });
});
