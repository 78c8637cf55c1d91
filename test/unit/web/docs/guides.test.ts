import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { withInserts } from '../../../../src/cli/guide-inserts.ts';
import { searchEntries } from '../../../../src/cli/guide-search.ts';
import { renderGuide } from '../../../../src/cli/guides.ts';
import { GUIDES } from '../../../../src/web/docs/guides.ts';
import { placed } from './document.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const FOLDER = join(ROOT, 'src/web/docs/guides');
const textOf = (name: string): string => readFileSync(join(FOLDER, `${name}.md`), 'utf8');

it('the guide list has every guide under its own title', () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.replace(/\.md$/, ''));
  expect(GUIDES.map(({ name }) => name).toSorted()).toEqual(files.toSorted());
  for (const { name, title } of GUIDES) expect(textOf(name)).toMatch(new RegExp(`^# ${title}\n`));
});

it('the beginning of each guide says what the reader needs', () => {
  const without = GUIDES.filter(({ name }) => {
    const [introduction] = textOf(name).split(/^## /m);
    return !/\byou (?:also )?need\b|\bbrauchen\b/i.test(introduction!.replace(/\s+/g, ' '));
  });
  expect(without.map(({ name }) => name)).toEqual([]);
});

it('guides name the paths of the API in full', () => {
  const short = GUIDES.flatMap(
    ({ name }) => textOf(name).match(/(?:GET|POST|PUT|PATCH|DELETE) …\/[^`\s]*/g) ?? [],
  );
  expect(short).toEqual([]);
});

/** Every text of the repository, by its path. */
const texts = ['README.md', ...globSync(['src/**/*.md', '.github/**/*.md'], { cwd: ROOT })].map((path) => ({
  path,
  text: readFileSync(join(ROOT, path), 'utf8'),
}));

it('the documents name only existing tests', () => {
  const named = texts.flatMap(({ text }) => [...text.matchAll(/\btest\/[\w/-]+/g)].map(([path]) => path));
  expect(named.length).toBeGreaterThan(50);
  const missing = named.filter((path) => globSync(`${path}*`, { cwd: ROOT }).length === 0);
  expect(missing).toEqual([]);
});

it('the documents name only existing files, by the end of their paths', () => {
  const files = ['*', 'src/**/*', 'test/*/*.json', 'test/*/**/*.ts', 'migrations/*'].flatMap((pattern) =>
    globSync(pattern, { cwd: ROOT }).map((file) => `/${file}`),
  );
  const named = texts.flatMap(({ path, text }) =>
    [...text.matchAll(/`((?:[\w.-]+\/)*[\w-]+\.(?:tsx?|js|css|sql|toml|json))`/g)].map(([, name]) => [
      path,
      name!,
    ]),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(([, name]) => !files.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
});

it('links between files of the repository lead to existing files', () => {
  const missing = texts.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\(([^):#]+)(?:#[^)]*)?\)/g)]
      .filter(([, target]) => !existsSync(resolve(ROOT, path, '..', target!)))
      .map(([link]) => `${path}: ${link}`),
  );
  expect(missing).toEqual([]);
});

it('guide links lead to pages of the service, and the build refuses a dead link', () => {
  expect(renderGuide('[a](limits.md), [b](limits.md#c), [d](https://example.com/x.md), [e](#f)', 'kit')).toBe(
    '<p><a href="/docs/limits">a</a>, <a href="/docs/limits#c">b</a>, ' +
      '<a href="https://example.com/x.md">d</a>, <a href="#f">e</a></p>\n',
  );
  expect(renderGuide('[a](../limits.md#b), [c](office.md)', 'manual/loader')).toBe(
    '<p><a href="/docs/limits#b">a</a>, <a href="/docs/manual/office">c</a></p>\n',
  );
  expect(renderGuide('| S | N |\n|---|---|\n| `A_B` | A_B, C_D |', 'kit')).toContain(
    '<td>A_<wbr>B, C_<wbr>D</td>',
  );
  expect(renderGuide('| F | M |\n|---|---|\n| `eventType` | a |', 'kit')).toContain(
    '<td><code>event<wbr>Type</code></td>',
  );
  expect(renderGuide('[a](../../reports.md), [b](office.md)', 'de/manual/loader')).toBe(
    '<p><a href="/docs/reports" hreflang="en">a</a> (auf Englisch), <a href="/docs/de/manual/office">b</a></p>\n',
  );
  expect(renderGuide('`/app/user`, `/app/user/{uuid}`, `/operator/rest/api/v1`', 'kit')).toBe(
    '<p><a href="/app/user"><code>/app/user</code></a>, <code>/app/user/{uuid}</code>, <code>/operator/rest/api/v1</code></p>\n',
  );
  expect(renderGuide('## A b', 'kit')).toContain(
    '<a class="anchor" href="#a-b" aria-label="Link to this section">',
  );
  expect(() => renderGuide('[map](../../README.md)', 'kit')).toThrow('links to ../../README.md');
});

it('the list of operations for the build of the guides has every operation of the document', async () => {
  const references = placed.map(({ method, path, operation: { tags, operationId } }) => [
    `${method.toUpperCase()} ${path}`,
    `/docs#/${encodeURIComponent(tags[0])}/${operationId}`,
  ]);
  const text = `${JSON.stringify(Object.fromEntries(references), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot(join(ROOT, 'src/web/docs/operations.json'));
});

it('a call in a guide leads to its operation, unless it is in another link', () => {
  expect(renderGuide('`GET /integration/rest/api/v1/track/{id}?x=1`', 'kit')).toBe(
    '<p><a href="/docs#/Track/getTrack"><code>GET /integration/rest/api/v1/track/{id}?x=1</code></a></p>\n',
  );
  expect(renderGuide('[`GET /no`](limits.md)', 'kit')).toBe(
    '<p><a href="/docs/limits"><code>GET /no</code></a></p>\n',
  );
});

it('the index of the search is small and has every guide', () => {
  const guides = GUIDES.map(({ name }) => ({ name, html: renderGuide(withInserts(textOf(name)), name) }));
  const entries = searchEntries(guides);
  expect(JSON.stringify(entries).length).toBeLessThan(300_000);
  const linked = new Set(entries.map(([, , href]) => href));
  expect(GUIDES.filter(({ name }) => !linked.has(`/docs/${name}`))).toEqual([]);
});

it('the search finds a section by a word of its text, but not by its programs and answers', () => {
  const html = renderGuide(
    '# Guide\n\nStart here.\n\n## Lists\n\nThey are *paginated*, paginated.\n\n```json\n{"code": 1}\n```',
    'client',
  );
  expect(searchEntries([{ name: 'client', html }])).toEqual([
    ['Guide', '', '/docs/client', 'start here'],
    ['Lists', 'Guide', '/docs/client#lists', 'they are paginated'],
  ]);
});

it('guides name only calls that exist, and all of them lead to the reference', () => {
  const html = GUIDES.map(({ name }) => renderGuide(withInserts(textOf(name)), name)).join('');
  const calls = [...html.matchAll(/(<a [^>]*>)?<code>((?:GET|POST|PUT|PATCH|DELETE) \/[^<]*)<\/code>/g)];
  expect(calls.length).toBeGreaterThan(40);
  expect(calls.filter(([, link]) => link === undefined).map(([, , call]) => call)).toEqual([]);
});
