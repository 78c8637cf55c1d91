import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Document } from '../contract/schema.ts';
import { OPERATOR_KEY } from '../e2e/client.ts';
import { Service } from '../e2e/service.ts';

let service: Service;
let home: string;
beforeAll(async () => {
  service = await Service.start();
  home = mkdtempSync(join(tmpdir(), 'dispatch-postman-'));
});
afterAll(async () => {
  await service.dispose();
  rmSync(home, { recursive: true });
});

/** Run the collection with newman. @returns the failures, and the number of requests. */
async function run(): Promise<{ failures: string[]; requests: number }> {
  const file = join(home, 'postman.json');
  writeFileSync(file, await (await fetch(`${service.origin}/postman.json`)).text());
  const reportFile = join(home, 'report.json');
  const variables = [`baseUrl=${service.origin}`, `operatorKey=${OPERATOR_KEY}`];
  await new Promise<void>((ended) => {
    execFile(
      join(import.meta.dirname, 'node_modules/.bin/newman'),
      [
        ...['run', file, '--reporters', 'json', '--reporter-json-export', reportFile],
        ...variables.flatMap((variable) => ['--env-var', variable]),
      ],
      () => ended(),
    );
  });
  const { default: report } = await import(reportFile, { with: { type: 'json' } });
  return {
    failures: report.run.failures.map(
      ({ source, error }: { source: { name: string }; error: { message: string } }) =>
        `${source.name}: ${error.message}`,
    ),
    requests: report.run.stats.requests.total,
  };
}

it('the Postman collection runs in its order twice, without an unexpected answer', async () => {
  const document: Document = await (await fetch(`${service.origin}/openapi.json`)).json();
  const operations = Object.values<object>(document.paths).flatMap((item) => Object.keys(item)).length;
  for (let time = 1; time <= 2; time += 1) {
    const { failures, requests } = await run();
    expect(failures).toEqual([]);
    expect(requests).toBeGreaterThanOrEqual(operations);
  }
});
