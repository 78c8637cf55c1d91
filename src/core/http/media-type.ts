import { named } from '../lib/missing.ts';
import { ProblemError, refusal } from '../lib/problem.ts';
import type { AppContext } from './types.ts';

/** The media type of the body without its parameters, in lower case. Parameters of images have no meaning. */
export const mediaTypeOf = (c: AppContext): string =>
  (c.req.header('Content-Type') ?? '').split(';', 1)[0]!.trim().toLowerCase();

/** Whether the request declares its body as this media type in UTF-8. Other parameters than `charset` have no meaning. */
export function isOfType(c: AppContext, type: string): boolean {
  const [, ...parameters] = (c.req.header('Content-Type') ?? '').split(';').map((part) => part.trim());
  return mediaTypeOf(c) === type && parameters.every(isParameter);
}

/** Whether the request declares its body as JSON in UTF-8. */
export const isJson = (c: AppContext): boolean => isOfType(c, 'application/json');

/** Whether a parameter is acceptable: any spelling of UTF-8 as `charset`, or any other parameter, or nothing. */
function isParameter(parameter: string): boolean {
  if (parameter === '') return true;
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+)\s*=(.*)$/.exec(parameter) ?? [];
  if (name === undefined) return false;
  return name.toLowerCase() !== 'charset' || isUtf8(value!.trim());
}

/**
 * Whether a name of a character set means UTF-8: `utf8`, `"UTF-8"`, `UTF_8`, the other names in the WHATWG Encoding Standard,
 * or the code page of Windows.
 */
const isUtf8 = (name: string): boolean =>
  /^(?:(?:cs|x|x?unicode20|unicode11)?utf8|(?:cp)?65001)$/i.test(
    name.replace(/^(["'])(.*)\1$/, '$2').replace(/[-_ ]/g, ''),
  );

/** The refusal (415) for another media type. `expected` is the right type, and its encoding if it is a text. */
export function unsupported(c: AppContext, expected = 'application/json in UTF-8'): ProblemError {
  const sent = c.req.header('Content-Type') ?? '';
  const seen =
    sent === '' ? 'The request has no Content-Type.' : `${named('Content-Type', sent)} is not supported.`;
  return new ProblemError(refusal('unsupportedMediaType', `${seen} Send ${expected}.`));
}

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
export function unsupportedCoding(c: AppContext): ProblemError {
  const seen = named('Content-Encoding', c.req.header('Content-Encoding') ?? '');
  const detail = `${seen} is not supported. Send the body as it is, or with Content-Encoding: gzip.`;
  return new ProblemError(refusal('unsupportedMediaType', detail), { 'Accept-Encoding': 'gzip' });
}
