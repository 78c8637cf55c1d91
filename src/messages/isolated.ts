import type { CompiledMessage } from 'icu-minify/format';

/** First strong isolate and pop directional isolate (Unicode Standard Annex 9). Text between them has a direction of its own. */
const [START, END] = ['\u2068', '\u2069'];

/**
 * A parsed message whose texts from outside, such as names, have a direction of their own. Text from right to left would
 * otherwise move the characters of an identifier: `SHIP-2 (A)`. Arguments that select a form are not changed.
 */
export function isolated(message: CompiledMessage): CompiledMessage {
  if (!Array.isArray(message)) return message;
  const parts = message.flatMap((part): unknown[] => {
    if (!Array.isArray(part)) return [part];
    if (part.length === 1) return [START, part, END];
    const [name, kind, forms] = part as [string, number, unknown];
    if (forms === null || typeof forms !== 'object') return [part];
    const inner = Object.entries(forms).map(([form, text]) => [form, isolated(text as CompiledMessage)]);
    return [[name, kind, Object.fromEntries(inner)]];
  });
  return parts as CompiledMessage;
}
