import type { AppContext } from '../../http/types.ts';
import { PROBLEMS, ProblemError, type Refusal, refusal } from '../../lib/problem.ts';
import { languageOf } from '../../messages/chosen.ts';
import { refusals } from '../../messages/en/refusals.ts';
import type { Key } from '../../messages/messages.ts';
import { type Words, wordsIn } from '../../messages/words.ts';

/** The words of the page that answers: of the viewer's language where the page is in it, else English. */
export function pageWords(c: AppContext): Words {
  const language = languageOf(c);
  return wordsIn(c.get('languages')?.includes(language) ? language : 'en');
}

/** A refusal that is told in the words of the page already. */
export class ToldError extends ProblemError {}

/** Refuse in the words of the page. @throws always */
export function refuseTold(...refused: Parameters<typeof refusal>): never {
  throw new ToldError(refusal(...refused));
}

/** Messages about refusals that say all by themselves. */
type Reason = Exclude<Extract<Key, `refused.${string}`>, 'refused.other'>;

const isReason = (key: string): key is Reason => Object.hasOwn(refusals, key) && key !== 'refused.other';

/** A refusal as a page tells it: in English as the API does, in other languages by its code. */
export function inWords({ language, t }: Words, error: ProblemError): Refusal {
  const { refusal: refused } = error;
  if (language === 'en' || error instanceof ToldError) return refused;
  const key = `refused.${refused.code}`;
  const detail = isReason(key) ? t(key) : t('refused.other', { code: refused.code });
  const errors = refused.errors?.map((item) => ({ ...item, message: t('kit.wrongField') }));
  return { ...refused, detail, ...(errors ? { errors } : {}) };
}

/** What the page of a refusal is called. */
export const titleOf = ({ language, t }: Words, { code }: Refusal): string =>
  language === 'en' ? PROBLEMS[code][1] : t('refused.title');

/** A text of what is declared once for all viewers: what the words of a page say, or the same in all languages. */
export type Text = string | ((words: Words) => string);

/** A text as a page says it. */
export const textOf = (words: Words, text: Text): string => (typeof text === 'string' ? text : text(words));
