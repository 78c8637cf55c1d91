import { ProblemError, refusal } from '../lib/problem.ts';
import type { AppContext } from './types.ts';

/** Whether the request declares its body as this media type in UTF-8. Other parameters than `charset` have no meaning. */
export function isOfType(c: AppContext, type: string): boolean {
  const [sent, ...parameters] = (c.req.header('Content-Type') ?? '').split(';').map((part) => part.trim());
  return sent!.toLowerCase() === type && parameters.every(isParameter);
}

/** Whether the request declares its body as JSON in UTF-8. */
export const isJson = (c: AppContext): boolean => isOfType(c, 'application/json');

/** Whether a parameter is acceptable: any spelling of UTF-8 as `charset`, or any other parameter, or nothing. */
function isParameter(parameter: string): boolean {
  if (parameter === '') return true;
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+)\s*=\s*(.*)$/.exec(parameter) ?? [];
  if (name === undefined) return false;
  return name.toLowerCase() !== 'charset' || isUtf8(value!);
}

/** Whether a name of a character set means UTF-8: `utf8`, `"UTF-8"`, `UTF_8` and so on. */
const isUtf8 = (name: string): boolean =>
  /^(cs)?utf8$/i.test(name.replace(/^(["'])(.*)\1$/, '$2').replace(/[-_ ]/g, ''));

/** The refusal (415) for another media type. */
export const unsupported = (type = 'application/json'): ProblemError =>
  new ProblemError(refusal('unsupportedMediaType', `Send Content-Type: ${type} in UTF-8.`));

/** The coding of the body (Content-Encoding): gzip or none. Several codings, and all others, are unknown. */
export function codingOf(c: AppContext): 'gzip' | 'unknown' | null {
  const codings = (c.req.header('Content-Encoding') ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length === 0) return null;
  return codings.length === 1 && /^(x-)?gzip$/.test(codings[0]!) ? 'gzip' : 'unknown';
}

/** The refusal (415) for an unknown coding. */
export const unsupportedCoding = (): ProblemError =>
  new ProblemError(
    refusal(
      'unsupportedMediaType',
      'Send the body as it is, or with Content-Encoding: gzip. No other encoding is read.',
    ),
    { 'Accept-Encoding': 'gzip' },
  );
