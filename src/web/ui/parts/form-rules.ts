import type { Words } from '../../../messages/words.ts';

/** The maximum number of rows of one form. */
export const ROWS_MAXIMUM = 1_000;

/** The texts of forms about a wrong input, by the code that a schema has as its message. */
const TEXTS = {
  noRow: ({ t }: Words) => t('bulk.none'),
  tooManyRows: ({ t }: Words) => t('bulk.most', { most: ROWS_MAXIMUM }),
  noDay: ({ t }: Words) => t('field.noDay'),
  noTime: ({ t }: Words) => t('field.noDate'),
} as const;

/** The code of a text, for a schema. */
export const schemaText = (code: keyof typeof TEXTS) => ({ error: () => code });

/** The text for the message of a schema; undefined if the message is a text of the API. */
export const formTextIn = (words: Words, message: string): string | undefined =>
  Object.hasOwn(TEXTS, message) ? TEXTS[message as keyof typeof TEXTS](words) : undefined;
