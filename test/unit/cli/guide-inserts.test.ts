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

it('a sample names the command that runs it, with the name of its file', () => {
  const html = rendered('[The sample](../samples/verify-webhook)');
  expect(
    [...html.matchAll(/<p class="language"><span>(.*?)<\/span> <code>(.*?)<\/code>/g)].map(
      ([, ...said]) => said,
    ),
  ).toEqual([
    ['curl', 'bash verify-webhook.sh'],
    ['JavaScript', 'node verify-webhook.mjs'],
    ['Python', 'python3 verify-webhook.py'],
    ['Java', 'java VerifyWebhook.java'],
  ]);
});

it('blocks of commands for one language each become tabs, and the block around them stays', () => {
  const block = (language: string, command: string) => `\`\`\`sh${language}\n${command}\n\`\`\`\n\n`;
  const html = rendered(`${block('', 'a')}${block(' Python', 'b > c')}${block(' Java', 'd\n\ne')}After`);
  expect(html.match(/<div class="samples">/g)).toHaveLength(1);
  expect([...html.matchAll(/<code [^>]+>(.*?)<\/code>/gs)].map(([code]) => code)).toEqual([
    '<code class="language-sh">a\n</code>',
    '<code data-language="python">b &gt; c</code>',
    '<code data-language="java">d\n&#10;e</code>',
  ]);
  expect(html).toMatch(/<\/div>\s*<p>After<\/p>\s*$/);
  expect(() => rendered(block(' Cobol', 'a'))).toThrow('Cobol');
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
