import { type Words, wordsIn } from '../../../messages/words.ts';

/** The maximum number of rows of one form. */
export const ROWS_MAXIMUM = 1_000;

/** Texts of forms about a wrong input. Their schemas hold them in English. */
const TEXTS = {
  noRow: ({ t }: Words) => t('bulk.none'),
  tooManyRows: ({ t }: Words) => t('bulk.most', { most: ROWS_MAXIMUM }),
  noDay: ({ t }: Words) => t('field.noDay'),
  noTime: ({ t }: Words) => t('field.noDate'),
} as const;

/** The text for a schema. It is made at the first refusal, so that the start of the Worker makes no words. */
export const schemaText = (name: keyof typeof TEXTS) => ({ error: () => TEXTS[name](wordsIn('en')) });

/** The text of a schema in the language of the page; undefined for a text of the API. */
export const formTextIn = (words: Words, message: string): string | undefined =>
  Object.values(TEXTS).find((text) => text(wordsIn('en')) === message)?.(words);
