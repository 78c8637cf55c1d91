import { callsWithTooManyArguments } from '../sql-arguments.ts';
import { LIMITS } from './limits.ts';

const encoder = new TextEncoder();
/** Bytes of a text in UTF-8. Measures the text only if it may be too long. */
const bytesOf = (text: string, limit: number): number =>
  text.length * 3 <= limit ? text.length : encoder.encode(text).byteLength;

const TOO_BIG = 'D1_ERROR: string or blob too big: SQLITE_TOOBIG';

/** @throws if a parameter, or the number of parameters, exceeds the limits of D1 */
export function checkParameters(values: readonly unknown[]): void {
  if (values.length > LIMITS.parameters) throw new Error('D1_ERROR: too many SQL variables: SQLITE_ERROR');
  for (const value of values) checkValue(value);
}

/** @throws if a value exceeds the limit of D1. @returns about how many bytes it has */
function checkValue(value: unknown): number {
  if (typeof value === 'string') {
    const bytes = bytesOf(value, LIMITS.valueBytes);
    if (bytes > LIMITS.valueBytes) throw new Error(TOO_BIG);
    return bytes;
  }
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value) || Array.isArray(value)) {
    const bytes = Array.isArray(value) ? value.length : value.byteLength;
    if (bytes > LIMITS.valueBytes) throw new Error(TOO_BIG);
    return bytes;
  }
  return 8;
}

/** @throws if the rows, or a value in them, exceed the limits of D1 */
export function checkRows(results: readonly { results?: unknown[] }[]): void {
  let bytes = 0;
  for (const { results: rows = [] } of results) {
    for (const row of rows as object[]) for (const value of Object.values(row)) bytes += checkValue(value);
  }
  if (bytes > LIMITS.resultBytes) throw new Error('D1_ERROR: the result is larger than 50 MB');
}

/** Statements that were checked before. The service has a few hundred different ones. */
const checked = new Set<string>();
const CHECKED_MAXIMUM = 20_000;

/** @throws if the text of a statement exceeds the limits of D1 */
export function checkStatement(text: string): void {
  if (checked.has(text)) return;
  if (bytesOf(text, LIMITS.statementBytes) > LIMITS.statementBytes)
    throw new Error('D1_ERROR: statement too long: SQLITE_TOOBIG');
  const [call] = callsWithTooManyArguments(text);
  if (call) throw new Error(`D1_ERROR: too many arguments on function: SQLITE_ERROR: ${call.call}`);
  if (checked.size < CHECKED_MAXIMUM) checked.add(text);
}
