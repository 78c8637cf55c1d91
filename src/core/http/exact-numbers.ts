/** The parts of `JSON` that TypeScript does not know yet (ES2026, JSON.parse source text access). */
interface SourceJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): object;
  isRawJSON(value: unknown): value is { rawJSON: string };
}
const sourceJson = JSON as unknown as SourceJson;

/** The longest number that a refusal repeats. */
const LENGTH_MAXIMUM = 300;

/**
 * Parse a JSON text so that `JSON.stringify` writes each number as it was sent. A double has fewer digits: it reads
 * 9007199254740993 as 9007199254740992, and 1e400 as Infinity. It takes 1 ms for 1,000 values. The text must not be nested
 * deep, because a reviver is called recursively.
 */
export const withSentNumbers = (text: string): unknown =>
  sourceJson.parse(text, (_, value, { source }) =>
    typeof value === 'number' && source !== undefined && source !== String(value)
      ? sourceJson.rawJSON(source)
      : value,
  );

/** A number of `withSentNumbers` as a refusal repeats it; undefined for any other value. A long number becomes a text. */
export function sentNumber(value: unknown): unknown {
  if (typeof value === 'number') return value;
  if (!sourceJson.isRawJSON(value)) return undefined;
  const { rawJSON: digits } = value;
  return digits.length > LENGTH_MAXIMUM ? `${digits.slice(0, LENGTH_MAXIMUM)}…` : value;
}
