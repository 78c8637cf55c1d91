import type { GetICUArgs } from '@schummar/icu-type-parser';
import type { en } from './en/index.ts';

/** Every message by its key, in English: the language in which they are written first. */
export type Messages = typeof en;
export type Key = keyof Messages;

/** What a message has to be given: the arguments of its English text. */
export type Values<K extends Key> = GetICUArgs<
  Messages[K],
  { ICUArgument: string | number; ICUNumberArgument: number }
>;
