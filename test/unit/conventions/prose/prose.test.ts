import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { TextlintKernel } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
// @ts-expect-error The package has no types.
import terminology from 'textlint-rule-terminology';
import { expect, it } from 'vitest';
import { Passed } from '../passed.ts';
import { faultsOf, GLOSSARY, plainWords, sentencesOf, wordsIn } from './rules.ts';
import { formsOf, type Text, textsOf } from './texts.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
/** Other languages, and files that hold bad sentences as examples. */
const SKIPPED =
  /^src\/messages\/(?!en\/)\w\w\/|^src\/web\/docs\/guides\/de\/|^test\/unit\/conventions\/prose\/|^package-lock/;
/** A long sentence has more words. */
const LONG = 25;
const kernel = new TextlintKernel();

/** A text that is one paragraph, also between other paragraphs. */
const ONE_PARAGRAPH = /^["“A-Za-z].*$/;

/** Documents with all texts, each with the line of the file for a line of the document. Few documents are read faster. */
function documentsOf(texts: readonly Text[]): { text: string; lineOf: (line: number) => number }[] {
  const isOne = ({ text }: Text) => ONE_PARAGRAPH.test(text);
  const paragraphs = texts.filter(isOne);
  return [
    {
      text: paragraphs.map(({ text }) => text).join('\n\n'),
      lineOf: (line) => paragraphs[(line - 1) / 2]!.line,
    },
    ...texts
      .filter((text) => !isOne(text))
      .map(({ line: first, text }) => ({ text, lineOf: (line: number) => first + line - 1 })),
  ];
}

/** The faults of texts of a file: file, line, rule, and what is wrong. */
async function faultsIn(path: string, texts: readonly Text[]): Promise<string[]> {
  const faults = documentsOf(texts).map(async ({ text, lineOf }) => {
    const { messages } = await kernel.lintText(text, {
      ext: '.md',
      plugins: [{ pluginId: 'markdown', plugin: markdown }],
      rules: [
        { ruleId: 'plain-words', rule: plainWords },
        { ruleId: 'glossary', rule: terminology, options: { defaultTerms: false, terms: GLOSSARY } },
      ],
    });
    return messages.map(
      (found) => `${path}:${lineOf(found.loc.start.line)} ${found.ruleId}: ${found.message}`,
    );
  });
  return (await Promise.all(faults)).flat();
}

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path && !SKIPPED.test(path) && existsSync(resolve(ROOT, path)))
  .map((path) => ({ path, texts: textsOf(path, readFileSync(resolve(ROOT, path), 'utf8')) }));

it('every text is written in plain words', async () => {
  const checkers = ['prose.test.ts', 'rules.ts'].map((name) => resolve(import.meta.dirname, name));
  const passed = new Passed('prose.json', checkers);
  const faults: string[] = [];
  // One file after another, because the syntax trees of all files fill the memory.
  for (const { path, texts } of files)
    faults.push(...(await passed.faultsOf([path, texts], () => faultsIn(path, texts))));
  passed.save();
  expect(faults).toEqual([]);
});

it.each<Text['kind']>(['document', 'comment', 'string'])(
  'sentences are short on average in every kind of text: %s',
  (kind) => {
    const lengths = files
      .flatMap(({ texts }) => texts)
      .filter((text) => text.kind === kind)
      .flatMap(({ text }) => text.split(/\n\s*\n|\n(?=\s*(?:[-*|]|\d+\.)\s)/).flatMap(sentencesOf))
      .map(wordsIn);
    expect(lengths.length).toBeGreaterThan(100);
    expect(lengths.reduce((sum, words) => sum + words, 0) / lengths.length).toBeLessThan(14);
    expect(lengths.filter((words) => words > LONG).length / lengths.length).toBeLessThan(0.06);
  },
);

const BAD = 'What waits on a device is of who did it.';

it.each([
  ['a guide', 'guide.md', `# Title\n\nGood text.\n\n${BAD}\n`, 5],
  ['a table of a guide', 'guide.md', `| Name | Meaning |\n|---|---|\n| one | ${BAD} |\n`, 3],
  ['a doc comment', 'a.ts', `const a = 1;\n/** ${BAD} */\nconst b = 2;\n`, 2],
  [
    'a doc comment of several lines',
    'a.tsx',
    `/**\n * Good text.\n *\n * ${BAD}\n */\nconst b = <p />;\n`,
    4,
  ],
  ['a line comment', 'a.js', `const a = 1;\n// ${BAD}\n`, 2],
  ['a message of a page', 'en.ts', `export const m = {\n  'a.b': '${BAD}',\n};\n`, 2],
  ['a description of the API', 'a.ts', `z.string().describe(\n  'Good text. ' +\n    '${BAD}',\n);\n`, 2],
  ['a refusal', 'a.ts', `refusal('gateNotFound', \`What is "\${name}" is of who did it.\`);\n`, 1],
  ['a heading of a guide', 'guide.md', `# Title\n\n## ${BAD}\n`, 3],
  ['an item of a list', 'guide.md', `# Title\n\n- Good text.\n- ${BAD}\n`, 4],
  ['an example of a guide', 'guide.md', `# Title\n\n\`\`\`sh\n# ${BAD}\n\`\`\`\n`, 4],
  [
    'a branch of a message',
    'src/messages/en/a.ts',
    `export const m = {\n  'a.b': '{n, plural, one {One.} other {${BAD}}}',\n};\n`,
    2,
  ],
  ['a description without a capital letter', 'a.ts', `z.string().describe('w${BAD.slice(1)}');\n`, 1],
  ['a text of a page', 'a.tsx', `const a = (\n  <p>${BAD}</p>\n);\n`, 2],
  ['a comment in a page', 'a.tsx', `const a = <p>{/* ${BAD} */}</p>;\n`, 1],
  ['a text with tags', 'a.ts', `const a = '<p>${BAD}</p>';\n`, 1],
  ['the output of a program', 'a.ts', `console.log('  ${BAD}');\n`, 1],
  ['a help text', 'a.ts', `const HELP = \`Usage: a\n\n  --b   ${BAD}\n\`;\n`, 3],
  ['the name of a test', 'a.test.ts', `it('w${BAD.slice(1)}', () => {});\n`, 1],
  ['a comment at the end of a line', 'a.ts', `const a = 1; // ${BAD}\n`, 1],
  ['a comment of a style sheet', 'a.css', `a {\n}\n/* ${BAD} */\n`, 3],
  ['a comment at the end of a line of SQL', 'a.sql', `CREATE TABLE a (\n  b TEXT, -- ${BAD}\n`, 2],
  ['a comment at the end of a line of the configuration', 'a.toml', `a = 1\nb = 1 # ${BAD}\n`, 2],
  ['a comment of a workflow', 'a.yml', `a: 1\n# ${BAD}\n`, 2],
  ['a comment of SQL', 'a.sql', `SELECT 1;\n-- ${BAD}\n`, 2],
  ['a comment of the configuration', 'a.toml', `a = 1\n# ${BAD}\n`, 2],
])('a bad sentence is found in %s', async (_, path, content, line) => {
  const [fault] = await faultsIn(path, textsOf(path, content));
  expect(fault).toMatch(new RegExp(`^${path}:${line} plain-words: "What" makes readers guess`, 'i'));
});

it.each([
  ['Good text.', ['Good text.']],
  ['{name} at {gate}', ['`code` at `code`']],
  [
    '{n, plural, =0 {No row} one {# row} other {# rows}} of {kind, select, a {x {b}} other {y}}',
    ['No row of x `code`', '# row of y', '# rows of x `code`'],
  ],
])('the check reads the message "%s" in each of its forms', (message, forms) => {
  expect(formsOf(message)).toEqual(forms);
});

it.each([
  [BAD, '"What" makes readers guess: name the thing'],
  ['It is told by those that have one of them.', '"those that" makes readers guess: repeat the noun'],
  [`A sentence ${'of many words '.repeat(10)}ends.`, '33 words are too many for one sentence'],
  ['Repeating the call with the same pair returns the existing track.', undefined],
])('the rule judges the sentence "%s"', (sentence, fault) => {
  expect(faultsOf(sentence)[0]).toBe(fault);
});

it('a word that the glossary replaces is found', async () => {
  expect(await faultsIn('a.md', textsOf('a.md', 'Send an email to the lorry driver.'))).toEqual([
    'a.md:1 glossary: Incorrect term: “email”, use “e-mail” instead',
    'a.md:1 glossary: Incorrect term: “lorry”, use “truck” instead',
  ]);
});
