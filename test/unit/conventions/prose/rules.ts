import type { TextlintRuleModule } from '@textlint/types';
import { split } from 'sentence-splitter';

/** A label or name has fewer words than a sentence. */
export const WORDS_MINIMUM = 4;
/** The most words of one sentence. */
const WORDS_MAXIMUM = 30;

/** Words after which a noun is expected. */
const BEFORE_NOUN = String.raw`(?:^|[,;:(–—]\s*|\b(?:of|to|for|by|with|from|and|or|but|than|as|in|on|at)\s)`;

/** Constructions that make a reader look for the noun, and a better way. */
const CONSTRUCTIONS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(String.raw`${BEFORE_NOUN}what\b(?! (?:if|kind|time|to)\b)`, 'i'), 'name the thing'],
  [new RegExp(String.raw`${BEFORE_NOUN}whose\b`, 'i'), 'name the owner'],
  [/\b(?:whoever|whatever|whom|whereof|thereof)\b/i, 'name the person or thing'],
  [/\b(?:that|those|ones|it|them|they) of\b/i, 'repeat the noun'],
  [/\b(?:those|one|ones|them|they) (?:that|which|who|whose)\b/i, 'repeat the noun'],
  [/\bof (?:which|whose)\b/i, 'start a new sentence'],
  [/\b(?:tells?|told)\b/i, 'use shows, returns, sends or says'],
  [/\b(?:is|are|was|were|be|been) (?:said|none|had|meant|given up)\b/i, 'use an active verb'],
  [/\b(?:stands?|stood)\b/i, 'use is, or appears in'],
  [/\b(?:anew|once more)\b/i, 'use again'],
  [/\bgoes on\b/i, 'use continues'],
  [/\b(?:for ever|by then|meanwhile|has none|in (?:its|their) place|but for)\b/i, 'use ordinary words'],
];

/** A paragraph as people read it: code is one word, which may begin a sentence, and a link is its text. */
const plain = (paragraph: string): string =>
  paragraph
    .replace(/^#+\s/, '')
    .replaceAll(/`[^`]*`/g, 'Code')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<[^>]+>|\*\*|\|/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

export const wordsIn = (sentence: string): number => sentence.split(/\s+/).length;

/** The sentences of paragraphs that were split before. The rule and the average read the same paragraphs. */
const known = new Map<string, string[]>();

/** The sentences of a paragraph. Labels of fewer words are left out. */
export function sentencesOf(paragraph: string): string[] {
  const sentences =
    known.get(paragraph) ??
    split(plain(paragraph)).flatMap(({ type, raw }) =>
      type === 'Sentence' && wordsIn(raw) >= WORDS_MINIMUM ? [raw] : [],
    );
  known.set(paragraph, sentences);
  return sentences;
}

/** The faults of a sentence, each with advice. */
export function faultsOf(sentence: string): string[] {
  const words = wordsIn(sentence);
  const riddles = CONSTRUCTIONS.flatMap(([construction, advice]) => {
    const found = construction.exec(sentence)?.[0];
    return found === undefined ? [] : [`"${found.trim()}" makes readers guess: ${advice}`];
  });
  return words > WORDS_MAXIMUM ? [`${words} words are too many for one sentence`, ...riddles] : riddles;
}

/** The rule for textlint. It looks at each sentence of paragraphs, table cells and headings. */
export const plainWords: TextlintRuleModule = ({ Syntax, RuleError, report, getSource, locator }) => {
  const check = (node: Parameters<typeof report>[0]) => {
    const source = getSource(node);
    for (const sentence of sentencesOf(source)) {
      const start = Math.max(0, source.indexOf(sentence.split(' ')[0]!));
      for (const fault of faultsOf(sentence))
        report(node, new RuleError(`${fault}: ${sentence}`, { padding: locator.at(start) }));
    }
  };
  return { [Syntax.Paragraph]: check, [Syntax.TableCell]: check, [Syntax.Header]: check };
};

/** Words that the project does not use, and its word for the same idea. */
export const GLOSSARY: [string, string][] = [
  ['back-off', 'backoff'],
  ['barcode readers?', 'scanner'],
  ['consignments?', 'shipment'],
  ['data centers?', 'data centre'],
  ['dead-letters?', 'dead letter'],
  ['emails?', 'e-mail'],
  ['logg(?:ed|ing) in', 'signed in'],
  ['log ?outs?', 'sign-out'],
  ['lorr(?:y|ies)', 'truck'],
  ['residences?', 'location'],
  ['time-outs?', 'timeout'],
  ['time stamps?', 'timestamp'],
  ['timezones?', 'time zone'],
  ['web[- ]hooks?', 'webhook'],
];
