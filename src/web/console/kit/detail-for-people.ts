import type { ProblemCode, Refusal } from '../../../core/lib/problem.ts';
import { en } from '../../../messages/en/index.ts';

/** Codes of refusals whose API text explains the request, not the warehouse. */
const ABOUT_REQUESTS: ReadonlySet<ProblemCode> = new Set([
  'validationFailed',
  'unknownField',
  'unknownStatus',
  'unauthorized',
  'preconditionFailed',
  'payloadTooLarge',
  'unsupportedMediaType',
  'idempotencyKeyReused',
  'rateLimited',
  'internalError',
  'temporarilyUnavailable',
]);

/** Whether the API's text about a code is for programmers only. */
export const isAboutRequest = (code: ProblemCode): boolean => ABOUT_REQUESTS.has(code);

/** A UUID in quotes. People know things by their names, so it says nothing to them. */
const QUOTED_UUID = /"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"/i;
/** A name in quotes, as `quoted` writes it. */
const QUOTED = /("(?:[^"\\]|\\.)*")/;
/** A value of the API, such as `IN_PROGRESS`. */
const VALUE = /\b[A-Z]{2,}(?:_[A-Z]+)*\b/g;
/** Words of the API, and the words of people for the same thing. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bTrack\b/g, 'Pallet'],
  [/\btrack\b/g, 'pallet'],
  [/\btracks\b/g, 'pallets'],
  [/\basset(s?)\b/g, 'pallet$1'],
  // Pages have a button for this parameter.
  [/, with force=true\b/g, ''],
];

/** A value of the API in words. Names of events are in quotes. Unknown values stay. */
function valueForPeople(value: string): string {
  const texts: Readonly<Record<string, string>> = en;
  const happened = texts[`happened.${value}`];
  if (happened !== undefined) return `“${happened}”`;
  return texts[`status.${value}`]?.toLowerCase() ?? texts[`permission.${value}`] ?? value;
}

/** An English text of the API in the words of the pages. Names in quotes stay. */
export const wordsForPeople = (text: string): string =>
  text
    .split(QUOTED)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : WORDS.reduce((words, [word, other]) => words.replaceAll(word, other), part).replaceAll(
            VALUE,
            valueForPeople,
          ),
    )
    .join('');

/** Whether a detail of the API begins with the name of a field. People know the label of the field instead. */
const namesField = ({ detail, errors = [] }: Refusal): boolean =>
  errors.some(({ field, message }) => field !== '' && detail.endsWith(message) && detail.includes(field));

/** The API's detail in the words of the pages; undefined if it does not help people, so that they need a sentence. */
export function detailForPeople(refused: Refusal): string | undefined {
  const { code, detail, errors = [] } = refused;
  const isByHand = code === 'validationFailed' && errors.every(({ message }) => message === detail);
  if (code === 'validationFailed' && errors.length === 1 && !isByHand)
    return `An entry is not valid: ${wordsForPeople(errors[0]!.message)}`;
  if ((isAboutRequest(code) && !isByHand) || QUOTED_UUID.test(detail) || namesField(refused))
    return undefined;
  return wordsForPeople(detail);
}

/** The start of a second sentence. Sentences end with a full stop, a question mark or an exclamation mark. */
const SECOND_SENTENCE = /[.!?]\s+(?=\S)/;

/**
 * A detail of one sentence, followed by the next step: the text of its problem code after the first sentence. A detail
 * of more sentences has its own step.
 */
export function withStep(detail: string, text: string): string {
  const [, step] = text.split(/(?<=[.!?])\s+(.*)/s);
  const isOneSentence = !SECOND_SENTENCE.test(detail.replaceAll(new RegExp(QUOTED, 'g'), '""'));
  return step !== undefined && isOneSentence && !detail.includes(step) ? `${detail} ${step}` : detail;
}
