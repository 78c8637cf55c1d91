import type { GetICUArgs } from '@schummar/icu-type-parser';
import type { en } from './en/index.ts';

/** All English messages by key. English is written first. */
type Messages = typeof en;
export type Key = keyof Messages;

/** The arguments of a message, from its English text. */
export type Values<K extends Key> = GetICUArgs<
  Messages[K],
  { ICUArgument: string | number; ICUNumberArgument: number }
>;
