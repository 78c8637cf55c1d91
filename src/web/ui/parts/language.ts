import type { AppContext } from '../../../core/http/types.ts';
import { isUuid } from '../../../core/lib/id.ts';
import {
  type ProblemCode,
  ProblemError,
  type ProblemItem,
  type Refusal,
  refusal,
  refusalStatus,
} from '../../../core/lib/problem.ts';
import { listed } from '../../../core/lib/text.ts';
import { languageOf } from '../../../messages/chosen.ts';
import { en } from '../../../messages/en/index.ts';
import { type ExplainedCode, refusals } from '../../../messages/en/refusals.ts';
import { DESK_LANGUAGES, isLanguage, type Language } from '../../../messages/languages.ts';
import { pageWordsIn } from '../../../messages/load.ts';
import { type Words, wordsIn } from '../../../messages/words.ts';
import { formTextIn } from './form-rules.ts';

/**
 * Choose the language of the current page and load its messages. It is the viewer's language if the page is translated
 * into it, or else English.
 */
export async function choosePageLanguage(c: AppContext, languages: readonly Language[]): Promise<void> {
  const language = languageOf(c);
  if (languages.includes(language)) c.set('language', (await pageWordsIn(c, language)).language);
}

/** The messages of the current page in its language. */
export function pageWords(c: AppContext): Words {
  const language = c.get('language');
  return wordsIn(isLanguage(language) ? language : 'en');
}

/** A refusal whose text is already in the language of the page. */
export class TranslatedError extends ProblemError {}

/**
 * Refuse with a text in the language of the page.
 * @throws always
 */
export function refuseInWords(...refused: Parameters<typeof refusal>): never {
  throw new TranslatedError(refusal(...refused));
}

const isExplained = (code: ProblemCode): code is ExplainedCode => Object.hasOwn(refusals, `refused.${code}`);

/** The sentence about a problem code. A code without a sentence is shown as a defect. */
const sentence = ({ t }: Words, code: ProblemCode): string =>
  t(`refused.${isExplained(code) ? code : 'internalError'}`);

/** A word of the desk for a value of the API; undefined without one. Languages of the floor have no such words. */
function deskWord({ language, t }: Words, kind: 'status' | 'permission', value?: string): string | undefined {
  const key = `${kind}.${value}`;
  const isKnown = Object.hasOwn(en, key) && (DESK_LANGUAGES as readonly Language[]).includes(language);
  return isKnown ? t(key as 'status.LOADED') : undefined;
}

/** The name of a thing. A uuid says nothing to people, because they know things by their names. */
const nameFor = (name: string | undefined): string | undefined =>
  name === undefined || isUuid(name) ? undefined : name;

/** The sentence about a refusal, with its subject: `M-4 (Completed): The manifest …`. */
function wholeSentence(words: Words, { code, facts = {} }: Refusal): string {
  const { status, to, maximum, permissions = [] } = facts;
  const statuses = [...new Set([status, to])].map((value) => deskWord(words, 'status', value));
  const more = listed(nameFor(facts.other), statuses.filter(Boolean).join(' → '));
  const subject = [nameFor(facts.name), more && `(${more})`].filter(Boolean).join(' ');
  const lacking = permissions
    .map((value) => deskWord(words, 'permission', value))
    .filter(Boolean) as string[];
  const text = [
    sentence(words, code),
    maximum !== undefined && words.t('refused.maximum', { maximum: words.number(maximum) }),
    lacking.length > 0 && words.t('refused.lacking', { permissions: words.list(lacking) }),
  ];
  const said = text.filter(Boolean).join(' ');
  return subject === '' ? said : words.labelled(subject, said);
}

/** The text about a wrong field. Texts of the API about values exist in English only. */
function fieldSentence(words: Words, { code, message }: ProblemItem): string {
  const text = formTextIn(words, message);
  if (text !== undefined) return text;
  if (code !== 'validationFailed') return sentence(words, code);
  return words.language === 'en' ? message : words.t('kit.wrongField');
}

/** The text of the API about a refusal, if an English page shows it: a wrong value, or a code without a sentence. */
function apiText({ code, detail, errors = [] }: Refusal): string | undefined {
  if (!isExplained(code)) return detail;
  if (code !== 'validationFailed') return undefined;
  // Some commands explain a wrong value themselves.
  if (errors.every(({ message }) => message === detail)) return detail;
  return errors.length === 1 ? `An entry is not valid: ${errors[0]!.message}` : undefined;
}

/** The text of a refusal on a page: the sentence of its problem code, with its subject. */
export function inWords(words: Words, error: ProblemError): Refusal {
  const { refusal: refused } = error;
  if (error instanceof TranslatedError) return refused;
  const { errors } = refused;
  const only = errors?.length === 1 ? formTextIn(words, errors[0]!.message) : undefined;
  const ofApi = words.language === 'en' ? apiText(refused) : undefined;
  return {
    ...refused,
    detail: only ?? ofApi ?? wholeSentence(words, refused),
    ...(errors ? { errors: errors.map((item) => ({ ...item, message: fieldSentence(words, item) })) } : {}),
  };
}

/** The title of the page about a refusal. */
export const titleOf = ({ t }: Words, refused: Refusal): string =>
  t(refusalStatus(refused) === 404 ? 'refused.missing' : 'refused.title');

/** A text in a declaration: from the messages of the page, or the same in all languages. */
export type Text = string | ((words: Words) => string);

/** Such a text in the language of the page. */
export const textOf = (words: Words, text: Text): string => (typeof text === 'string' ? text : text(words));
