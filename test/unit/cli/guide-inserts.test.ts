import { expect, it } from 'vitest';
import { withInserts } from '../../../src/cli/guide-inserts.ts';
import { renderGuide } from '../../../src/cli/guides.ts';

const rendered = (markdown: string): string => renderGuide(withInserts(markdown), 'guide');

it('a line with only a link to a sample becomes the program in four languages', () => {
  const html = rendered('Before\n\n[The sample](../samples/verify-webhook)\n\nAfter');
  expect([...html.matchAll(/<code data-language="(\w+)">/g)].map(([, language]) => language)).toEqual([
    'curl',
    'javascript',
    'python',
    'java',
  ]);
  expect(html.match(/<pre tabindex="0">/g)).toHaveLength(4);
  expect(html).toMatch(/^<p>Before<\/p>/);
  expect(html).toMatch(/<\/div>\s*<p>After<\/p>\s*$/);
  // The empty lines of a program stay within it.
  expect(html.split('<pre').at(-1)).not.toMatch(/<p>.*<\/pre>/s);
  expect(html).toContain('import com.sun.net.httpserver.HttpServer;');
  expect(html).toContain('Set&lt;String&gt;');
});

it('the build refuses a sample that does not exist, and a link to a file that no guide inserts', () => {
  expect(() => rendered('[The sample](../samples/nothing)')).toThrow('nothing');
  expect(() => rendered('[The text](../README.md)')).toThrow('links to ../README.md');
});

it('the changelog is inserted without its title, as Markdown', () => {
  const html = rendered('# Changelog\n\n[The changelog](../../../../.github/CHANGELOG.md)\n');
  expect(html.match(/<h1/g)).toHaveLength(1);
  expect(html).toContain('<h2 id="unreleased">[Unreleased]<a ');
});

it('commands with requests are marked as curl, and other commands are not', () => {
  const languages = (command: string): string[] =>
    [...rendered(`\`\`\`sh\n${command}\n\`\`\``).matchAll(/ data-language="(\w+)"/g)].map(
      ([, name]) => name!,
    );
  expect(languages('key=1\ncurl -s "$base/x?a=<b>"')).toEqual(['curl']);
  expect(languages('npm start')).toEqual([]);
});
