import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { document, placed } from './document.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const textOf = (path: string): string => readFileSync(resolve(ROOT, path), 'utf8');
const { version } = JSON.parse(textOf('package.json'));

it('the package, its lock file, the document and the client library have one version', () => {
  const lock = JSON.parse(textOf('package-lock.json'));
  expect([lock.version, lock.packages[''].version]).toEqual([version, version]);
  expect(document.info.version).toBe(version);
  expect(JSON.parse(textOf('src/client/package.json')).version).toBe(version);
  const [, packed] = /`warehouse-dispatch-client-([\d.]+)\.tgz`/.exec(
    textOf('src/web/docs/guides/client.md'),
  )!;
  expect(packed).toBe(version);
});

it('the latest version of the changelog is the version of the package', () => {
  const [, latest] = /^## \[(\d+\.\d+\.\d+)\]/m.exec(textOf('.github/CHANGELOG.md'))!;
  expect(latest).toBe(version);
});

it('the guide about versions names every deprecated operation and its headers', () => {
  const guide = textOf('src/web/docs/guides/versioning.md');
  const deprecated = placed.filter(({ operation }) => operation.deprecated);
  expect(deprecated.map(({ method, path }) => `${method.toUpperCase()} ${path}`)).toEqual([
    ...[...guide.matchAll(/deprecated now: `([^`]+)`/g)].map(([, call]) => call),
  ]);
  for (const name of ['Deprecation', 'Sunset']) {
    const [row] = guide.split('\n').filter((line) => line.startsWith(`| \`${name}\``));
    const example = row!.split('`').at(-2);
    expect(JSON.stringify(document.components.headers[name])).toContain(JSON.stringify(example));
  }
});
