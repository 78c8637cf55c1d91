import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { AppContext } from '../../../src/core/http/types.ts';
import { LANGUAGES, type Language } from '../../../src/messages/languages.ts';
import { MESSAGES, plainWordsIn, TRANSLATIONS } from '../../messages.ts';

/** The modules of a new isolate, which has read no messages yet. */
async function newIsolate() {
  vi.resetModules();
  return import('../../../src/messages/load.ts');
}

const found = (language: string): Response => Response.json(TRANSLATIONS[language as Language]);

/** A request over static assets that answer with `answer`, and the URLs that were read. */
function requestOver(answer: (language: string, signal: AbortSignal) => Response | Promise<Response>) {
  const urls: string[] = [];
  const fetch = async (url: string, { signal }: { signal: AbortSignal }) => {
    urls.push(url);
    return answer(/(\w+)\.json$/.exec(url)![1]!, signal);
  };
  return { c: { env: { ASSETS: { fetch } }, get: () => 'request-1' } as unknown as AppContext, urls };
}

/** Answers nothing until the caller gives up. */
const silence = (_: string, signal: AbortSignal): Promise<Response> =>
  new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });

let warnings: string[] = [];
beforeEach(() => {
  warnings = [];
  vi.spyOn(console, 'warn').mockImplementation((line: string) => void warnings.push(line));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.resetModules();
});

it('reads the messages of a language once for all later requests of an isolate', async () => {
  const { pageWordsIn, documentWordsIn } = await newIsolate();
  const { c, urls } = requestOver(found);
  const shown = async (language: Language) => (await pageWordsIn(c, language)).t('page.nothing');
  for (const language of [...LANGUAGES, ...LANGUAGES]) {
    expect(await shown(language)).toBe(MESSAGES[language]['page.nothing']);
  }
  const { exactTime } = await documentWordsIn(c, 'fr');
  expect(exactTime('UTC', 0)).toBe(plainWordsIn('fr').exactTime('UTC', 0));
  expect(urls).toEqual(
    LANGUAGES.filter((language) => language !== 'en').map(
      (language) => `https://assets/assets/messages/${language}.json`,
    ),
  );
});

it('takes a text from English if it is missing in the language', async () => {
  const { pageWordsIn } = await newIsolate();
  const { t } = await pageWordsIn(requestOver(() => Response.json({ 'page.nothing': 'Nic' })).c, 'pl');
  expect([t('page.nothing'), t('kit.wrongField')]).toEqual(['Nic', MESSAGES.en['kit.wrongField']]);
});

it.each([
  ['is missing', () => Response.json({ 'page.nothing': 'Nic' }, { status: 404 })],
  ['is not JSON', () => new Response('<html>')],
  ['cannot be reached', () => Promise.reject(new Error('Network connection lost.'))],
  ['does not answer in time', silence],
] as const)(
  'shows a page in English if the file of its language %s, and reads it again later',
  async (_, answer) => {
    const { pageWordsIn } = await newIsolate();
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort(new Error('timeout')));
    const words = await pageWordsIn(requestOver(answer).c, 'pl');
    expect([words.language, words.t('page.nothing')]).toEqual(['en', MESSAGES.en['page.nothing']]);
    expect(warnings.map((line) => JSON.parse(line))).toEqual([
      { requestId: 'request-1', language: 'pl', messages: expect.stringMatching(/./) },
    ]);
    expect((await pageWordsIn(requestOver(found).c, 'pl')).language).toBe('pl');
  },
);

it('refuses a document with 503 if its language cannot be read, and never writes it in English', async () => {
  const { documentWordsIn } = await newIsolate();
  const { c } = requestOver(() => Response.json({}, { status: 500 }));
  await expect(documentWordsIn(c, 'pl')).rejects.toMatchObject({
    refusal: { code: 'temporarilyUnavailable' },
  });
  expect((await documentWordsIn(requestOver(found).c, 'pl')).language).toBe('pl');
});
