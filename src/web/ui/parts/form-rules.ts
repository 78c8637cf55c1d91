import type { Words } from '../../../messages/words.ts';

export type ActionName<A> = keyof A & string;

/**
 * The default of a form's type parameter: no actions. A form must name the actions of its page, as
 * in `<Form<ClientActions> action="update">`. Otherwise it does not compile.
 */
export type NoActions = Record<never, never>;

/**
 * The type of a prop for a component that sends the action `N`. If the page's actions `A` do not
 * have `N`, no value has this type.
 */
export type PropWith<N extends string, A, T> = [N] extends [keyof A] ? T : never;

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
