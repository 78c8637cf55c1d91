import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { errorCatalogue, escapeHtml, eventCatalogue } from '../web/docs/catalogue.ts';

const DOCS = resolve(import.meta.dirname, '../web/docs');
const CHANGELOG = resolve(import.meta.dirname, '../../.github/CHANGELOG.md');

/** A line that is only a link. On the repository's host, it leads to the inserted file or folder. */
const LINK_LINE = /^\[[^\]]+\]\(([^)]+)\)$/gm;
/** A folder with the same program in each language. */
const SAMPLE = /^\.\.\/samples\/([a-z-]+)$/;

/** The languages of samples in their order: name of the tab, `data-language`, extension of the file, and its program. */
const LANGUAGES = [
  { title: 'curl', language: 'curl', extension: '.sh', program: 'bash' },
  { title: 'JavaScript', language: 'javascript', extension: '.mjs', program: 'node' },
  { title: 'Python', language: 'python', extension: '.py', program: 'python3' },
  { title: 'Java', language: 'java', extension: '.java', program: 'java' },
] as const;

/** Blocks of commands below each other, each for the readers of one language. */
const COMMANDS = /(?:^```sh [A-Z]\w+\n(?:(?!^```).*\n)+^```\n+)+/gm;
const COMMAND = /^```sh (\w+)\n((?:(?!^```).*\n)+)^```$/gm;

/** Text that a guide inserts, by the target of the link. */
const INSERTS: Readonly<Record<string, () => string>> = {
  '../errors': errorCatalogue,
  '../events.ts': eventCatalogue,
  '../../../../.github/CHANGELOG.md': () => readFileSync(CHANGELOG, 'utf8').replace(/^# .*\n/, ''),
};

/** Code in one language. `caption` is HTML. An empty line would end the HTML within Markdown. */
const panel = (title: string, caption: string, language: string, code: string): string =>
  `<section class="sample" aria-label="${title}" data-name="${language}">
<p class="language"><span>${title}</span> ${caption}</p>
<pre><code data-language="${language}">${escapeHtml(code.trimEnd()).replaceAll('\n\n', '\n&#10;')}</code></pre>
</section>`;

/** Code in several languages. Without the script of the page, they are below each other. */
const panels = (parts: readonly string[], attributes = ''): string =>
  `<div class="samples"${attributes}>\n${parts.join('\n')}\n</div>`;

/** The same program in all languages, each with the command that runs it. */
function samples(name: string): string {
  const folder = join(DOCS, 'samples', name);
  const files = readdirSync(folder);
  const parts = LANGUAGES.map(({ title, language, extension, program }) => {
    const file = files.find((each) => extname(each) === extension);
    if (file === undefined) throw new Error(`The sample ${name} has no file *${extension}`);
    const command = `<code>${program} ${file}</code>`;
    return panel(title, command, language, readFileSync(join(folder, file), 'utf8'));
  });
  return panels(parts, ` data-sample="${name}"`);
}

/** The same command for each language. */
function commands(blocks: string): string {
  const parts = [...blocks.matchAll(COMMAND)].map(([, title, code]) => {
    const language = LANGUAGES.find((each) => each.title === title);
    if (language === undefined) throw new Error(`A guide has commands for ${title}, which no sample has`);
    return panel(title!, '', language.language, code!);
  });
  return `${panels(parts)}\n\n`;
}

/** A guide's Markdown with its lists and samples inserted. */
export const withInserts = (markdown: string): string =>
  markdown
    .replaceAll(LINK_LINE, (line, target: string) => {
      const [, sample] = SAMPLE.exec(target) ?? [];
      return sample === undefined ? (INSERTS[target]?.() ?? line) : samples(sample);
    })
    .replaceAll(COMMANDS, commands);
