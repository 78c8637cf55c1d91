import type { AppContext } from '../core/http/types.ts';
import { ProblemError, refusal } from '../core/lib/problem.ts';
import type { Language } from './languages.ts';
import { addMessages, hasMessages, plainWordsIn, type Words, wordsIn } from './words.ts';

/** How long a request waits for the messages of its language. */
const READ_TIMEOUT_MS = 3_000;

/**
 * Read the messages of a language from the static assets, if this isolate does not have them. Every request reads for
 * itself: the runtime cancels a request that waits for the promise of another one.
 */
async function load({ env: { ASSETS } }: AppContext, language: Language): Promise<void> {
  if (hasMessages(language)) return;
  const signal = AbortSignal.timeout(READ_TIMEOUT_MS);
  const answer = await ASSETS.fetch(`https://assets/assets/messages/${language}.json`, { signal });
  if (!answer.ok) throw new Error(`the messages of ${language} were answered ${answer.status}`);
  addMessages(language, await answer.json());
}

function logFailure(c: AppContext, language: Language, error: unknown): void {
  console.warn(JSON.stringify({ requestId: c.get('requestId'), language, messages: String(error) }));
}

/**
 * The words of a page in a language. If its messages cannot be read, the words are English: a page in English is more
 * useful than no page. The next request reads them again.
 */
export async function pageWordsIn(c: AppContext, language: Language): Promise<Words> {
  try {
    await load(c, language);
    return wordsIn(language);
  } catch (error) {
    logFailure(c, language, error);
    return wordsIn('en');
  }
}

/**
 * The words of a document, with plain spaces. A document is stored under its language, so it is never in another one.
 * @throws 503 if the messages cannot be read
 */
export async function documentWordsIn(c: AppContext, language: Language): Promise<Words> {
  try {
    await load(c, language);
  } catch (error) {
    logFailure(c, language, error);
    throw new ProblemError(
      refusal('temporarilyUnavailable', 'The texts of this language could not be read.'),
    );
  }
  return plainWordsIn(language);
}
