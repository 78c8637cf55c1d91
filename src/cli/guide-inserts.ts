import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { errorCatalogue, escaped, eventCatalogue } from '../web/docs/catalogue.ts';

const DOCS = resolve(import.meta.dirname, '../web/docs');
const CHANGELOG = resolve(import.meta.dirname, '../../.github/CHANGELOG.md');

/** A line that is only a link. On the repository's host, it leads to the inserted file or folder. */
const LINK_LINE = /^\[[^\]]+\]\(([^)]+)\)$/gm;
/** A folder with the same program in each language. */
const SAMPLE = /^\.\.\/samples\/([a-z-]+)$/;

/** The languages of samples in their order: name of the tab, `data-language`, and extension of the file. */
const LANGUAGES = [
  { title: 'curl', language: 'curl', extension: '.sh' },
  { title: 'JavaScript', language: 'javascript', extension: '.js' },
  { title: 'Python', language: 'python', extension: '.py' },
  { title: 'Java', language: 'java', extension: '.java' },
] as const;

/** Text that a guide inserts, by the target of the link. */
const INSERTS: Readonly<Record<string, () => string>> = {
  '../errors': errorCatalogue,
  '../events.ts': eventCatalogue,
  '../../../../.github/CHANGELOG.md': () => readFileSync(CHANGELOG, 'utf8').replace(/^# .*\n/, ''),
};

/** The same program in all languages. Without the script of the page, they are below each other. */
function samples(name: string): string {
  const folder = join(DOCS, 'samples', name);
  const files = readdirSync(folder);
  const parts = LANGUAGES.map(({ title, language, extension }) => {
    const file = files.find((each) => extname(each) === extension);
    if (file === undefined) throw new Error(`The sample ${name} has no file *${extension}`);
    // An empty line would end the HTML within Markdown.
    const code = escaped(readFileSync(join(folder, file), 'utf8').trimEnd()).replaceAll('\n\n', '\n&#10;');
    return `<section class="sample" aria-label="${title}" data-name="${language}">
<p class="language">${title} <span>${basename(file)}</span></p>
<pre><code data-language="${language}">${code}</code></pre>
</section>`;
  });
  return `<div class="samples" data-sample="${name}">\n${parts.join('\n')}\n</div>`;
}

/** A guide's Markdown with its lists and samples inserted. */
export const withInserts = (markdown: string): string =>
  markdown.replaceAll(LINK_LINE, (line, target: string) => {
    const [, sample] = SAMPLE.exec(target) ?? [];
    return sample === undefined ? (INSERTS[target]?.() ?? line) : samples(sample);
  });
