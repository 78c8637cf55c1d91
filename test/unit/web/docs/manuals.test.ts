import { globSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { guideWords, withMessages } from '../../../../src/cli/guide-messages.ts';
import { renderGuide } from '../../../../src/cli/guides.ts';
import { webpSize } from '../../../../src/cli/pictures.ts';

const WEB = resolve(import.meta.dirname, '../../../../src/web');
const MANUALS = ['loader', 'dispatcher', 'office'];
const LANGUAGES = ['en', 'de'] as const;
/** The most bytes of a picture, and of all pictures. */
const [PICTURE_BYTES, TOTAL_BYTES] = [60 * 1024, 2 * 1024 * 1024];
/** Frequent words by which a reader recognizes a language. */
const FREQUENT = {
  en: /\b(?:the|a|an|of|with|and|that|before)\b/i,
  de: /\b(?:der|die|das|den|des|dem|ein|eine|einer|eines|einem|mit|und|auf|vor)\b/i,
};

const nameOf = (manual: string, language: 'en' | 'de') => `${language === 'en' ? '' : 'de/'}manual/${manual}`;
const textOf = (manual: string, language: 'en' | 'de') =>
  readFileSync(join(WEB, 'docs/guides', `${nameOf(manual, language)}.md`), 'utf8');
const picturesOf = (text: string) =>
  [...text.matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)].map(([, alt, path]) => ({ alt: alt!, path: path! }));
const cases = MANUALS.flatMap((manual) => LANGUAGES.map((language) => [manual, language] as const));

it.each(cases)('the manual %s (%s) has 6 to 12 pictures of its language', (manual, language) => {
  const pictures = picturesOf(textOf(manual, language));
  expect(pictures.length).toBeGreaterThanOrEqual(6);
  expect(pictures.length).toBeLessThanOrEqual(12);
  for (const { path } of pictures) expect(path).toMatch(new RegExp(`/assets/manual/${language}/${manual}-`));
  const tags = renderGuide(textOf(manual, language), nameOf(manual, language)).match(/<img .*?>/g)!;
  expect(tags).toHaveLength(pictures.length);
  for (const tag of tags)
    expect(tag).toMatch(
      /^<img src="\/assets\/docs\/manual\/[a-z/-]+\.webp" alt="[^"]{10,}" width="\d{3,4}" height="\d{3,4}" loading="lazy">$/,
    );
});

it.each(cases)('the alternative texts of the manual %s (%s) are in its language', (manual, language) => {
  const other = language === 'en' ? 'de' : 'en';
  for (const { alt } of picturesOf(textOf(manual, language))) {
    expect(alt).toMatch(FREQUENT[language]);
    expect(alt.replace(/\bin\b/gi, '')).not.toMatch(FREQUENT[other]);
  }
});

it.each(MANUALS)('the manual %s shows the same steps in both languages', (manual) => {
  const [en, de] = LANGUAGES.map((language) => {
    const text = textOf(manual, language);
    return {
      pictures: picturesOf(text).map(({ path }) => basename(path)),
      headings: text.match(/^#+ /gm),
      steps: text.match(/^\d+\. /gm),
    };
  });
  expect(de).toEqual(en);
});

it('the pictures of the manuals are small, and each is used', () => {
  const files = globSync('docs/assets/manual/*/*.webp', { cwd: WEB });
  const used = cases.flatMap(([manual, language]) =>
    picturesOf(textOf(manual, language)).map(({ path }) => `${language}/${basename(path)}`),
  );
  expect(files.map((file) => file.split('/').slice(-2).join('/')).toSorted()).toEqual(used.toSorted());
  const sizes = files.map((file) => statSync(join(WEB, file)).size);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(PICTURE_BYTES);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(TOTAL_BYTES);
});

it('a manual shows buttons by the words of the pages in its language', () => {
  expect(withMessages('**{msg:gate.complete}**', guideWords('en'))).toBe('**Complete**');
  expect(withMessages('**{msg:gate.complete}**', guideWords('de'))).toBe('**Abschließen**');
  expect(withMessages('{msg:tablet.worksHere name="Ana B."}', guideWords('en'))).toBe(
    'Ana B. works here now.',
  );
  expect(withMessages('{msg:close.missingCount count="2"}', guideWords('en'))).toBe('2 missing');
});

it.each([
  ['{msg:gate.renamed}', 'the message "gate.renamed", which does not exist'],
  ['{msg:gate.complete', 'cannot be read'],
  ['![a](../assets/a.png)', 'which is no WebP picture of the assets'],
])('a guide with the text "%s" is refused', (text, why) => {
  expect(() => renderGuide(text, 'manual/loader')).toThrow(why);
});

it('names no button of the pages in the text of a manual itself', () => {
  for (const [manual, language] of cases) {
    const bold = [
      ...textOf(manual, language).matchAll(
        /(?:[Pp]ress|[Cc]hoose|[Dd]rücken Sie|[Ww]ählen Sie) \*\*([^*]+)\*\*/g,
      ),
    ];
    expect(bold.length).toBeGreaterThan(3);
    for (const [, text] of bold) expect(text).toMatch(/^\{msg:[^}]+\}$/);
  }
});

it('a picture without a readable size is refused', () => {
  expect(() => webpSize(Buffer.alloc(40))).toThrow('no size that can be read');
});
