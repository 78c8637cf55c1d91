import { z } from '@hono/zod-openapi';
import { JSON_BYTES_MAXIMUM, readBytes } from '../../../core/http/body.ts';
import { inZone } from '../../../core/http/dates.ts';
import { isOfType, unsupported } from '../../../core/http/media-type.ts';
import { inTurn } from '../../../core/http/permit.ts';
import { problemItems, validationRefusal } from '../../../core/http/problem-items.ts';
import type { AppContext } from '../../../core/http/types.ts';
import { ProblemError, refusal } from '../../../core/lib/problem.ts';
import { declareReader, OverBudget } from '../../../core/lib/reader.ts';
import { MINUTE_MS } from '../../../core/lib/time.ts';
import type { Typed } from '../parts/view.ts';

/** The fields in every form that the kit itself reads. */
const OWN_FIELDS = [
  'token',
  'key',
  'action',
  'owner',
  'madeBy',
  'turn',
  'keptDate',
  'confirmed',
  'again',
  'back',
  'why',
  'whyNote',
] as const;
type Own = Partial<Record<(typeof OWN_FIELDS)[number], string>>;

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';

/** The error of a field that was sent twice. */
export const SENT_TWICE = 'This field was sent more than once.';

/** The files of a form, by the name of the field. */
export type Files = { [name: string]: Uint8Array };

/**
 * Read a form as browsers send it: the fields that the kit reads (`own`), the others (`typed`), and files.
 * @throws 415 and 413 as for JSON bodies; 400 if it is incomplete, or if one of `OWN_FIELDS` was sent twice
 */
export async function readForm(
  c: AppContext,
  bytesMaximum = JSON_BYTES_MAXIMUM,
): Promise<{ own: Own; typed: Typed; files: Files }> {
  const typed: Typed = {};
  const files: Files = {};
  for (const [name, value] of await entriesOf(c, bytesMaximum)) {
    if (typeof value !== 'string') {
      // Browsers send an empty file without a name if none was chosen.
      if (value.size > 0 || value.name !== '') files[name] = new Uint8Array(await value.arrayBuffer());
      continue;
    }
    // Browsers send every line end as CRLF.
    const text = value.replaceAll('\r\n', '\n');
    const known = Object.hasOwn(typed, name) ? typed[name] : undefined;
    // Change the list in place: a form may have one field thousands of times.
    if (Array.isArray(known)) known.push(text);
    else typed[name] = known === undefined ? text : [known, text];
  }
  const names: readonly string[] = OWN_FIELDS;
  const { once, twice } = byCount(pick(typed, (name) => names.includes(name)));
  if (twice.length > 0) {
    const items = twice.map((field) => ({ field, code: 'validationFailed' as const, message: SENT_TWICE }));
    throw new ProblemError(validationRefusal(items));
  }
  return { own: once, typed: pick(typed, (name) => !names.includes(name)), files };
}

async function entriesOf(c: AppContext, bytesMaximum: number): Promise<Iterable<[string, string | File]>> {
  const isMultipart = isOfType(c, MULTIPART);
  if (!isMultipart && !isOfType(c, FORM)) throw unsupported(c, `${FORM} or ${MULTIPART} in UTF-8`);
  const bytes = await readBytes(c, bytesMaximum);
  try {
    const type = isMultipart ? c.req.header('Content-Type')! : undefined;
    return await inTurn(c, () => fieldsOf(bytes, type));
  } catch (error) {
    const detail =
      error instanceof OverBudget
        ? `A form has at most ${error.maximum} fields.`
        : 'The form is incomplete. Send it again.';
    throw new ProblemError(refusal('validationFailed', detail));
  }
}

/** The work for a form. A person can select hundreds of rows in one. */
export const FORM_READER = declareReader('form', { fields: 20_000 });

/**
 * The fields of a form in their order. `type`: the Content-Type of a multipart form.
 * @throws `OverBudget` before a form with too many fields is split, and other errors for an incomplete form
 */
export async function fieldsOf(
  bytes: Buffer,
  type: string | undefined,
): Promise<Iterable<[string, string | File]>> {
  const boundary = type && /boundary="?([^";,]+)/i.exec(type)?.[1];
  const budget = FORM_READER.budget();
  const separator = Buffer.from(boundary ? `--${boundary}` : '&');
  for (let at = bytes.indexOf(separator); at >= 0; at = bytes.indexOf(separator, at + separator.length))
    budget.charge('fields');
  if (type === undefined) return new URLSearchParams(bytes.toString('utf8'));
  return await new Response(bytes, { headers: { 'Content-Type': type } }).formData();
}

const pick = (typed: Typed, isWanted: (name: string) => boolean): Typed =>
  Object.fromEntries(Object.entries(typed).filter(([name]) => isWanted(name)));

/**
 * The fields of a form, split into single fields and lists. `twice` has the single fields that were
 * sent more than once.
 */
export function byCount<L extends string = never>(typed: Typed, lists: readonly L[] = []) {
  const isList = (name: string): boolean => (lists as readonly string[]).includes(name);
  const once = pick(typed, (name) => !isList(name));
  return {
    once: once as Record<string, string | undefined>,
    listed: Object.fromEntries(lists.map((name) => [name, [typed[name] ?? []].flat()])) as Record<
      L,
      string[]
    >,
    twice: Object.keys(once).filter((name) => Array.isArray(once[name])),
  };
}

/**
 * The input without passwords and credentials. It is shown again, and its hash recognizes a repeat.
 */
export const unsecret = (typed: Typed): Typed =>
  Object.fromEntries(Object.entries(typed).filter(([name]) => !/password|secret|headerValue/i.test(name)));

/** If a form is sent this long after it was made, it was queued on a device. */
const KEPT_MS = MINUTE_MS;

/**
 * When a form was made, by the clock of its device (epoch milliseconds, at most `now`). Undefined
 * without a valid date.
 */
export function madeDateOf(typed: string | undefined, now: number): number | undefined {
  const date = z.coerce.number().int().positive().safeParse(typed).data;
  return date && Math.min(date, now);
}

/** Whether a form with this date was queued on a device before it was sent. */
export const wasKept = (madeDate: number | undefined, now: number): boolean =>
  madeDate !== undefined && now - madeDate >= KEPT_MS;

/**
 * Parse the input with a schema. `zone` is the time zone of dates without an offset.
 * @throws 400 with the errors
 */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown, zone: string): z.output<S> {
  const result = inZone(zone, () => schema.safeParse(input));
  if (result.success) return result.data;
  throw new ProblemError(validationRefusal(problemItems(result.error.issues, input)));
}

export const typedQuery = (c: AppContext): Typed =>
  Object.fromEntries(
    Object.entries(c.req.queries())
      // Forms also send empty fields. An empty field is no filter.
      .map(([name, values]) => [name, values.filter((value) => value !== '')] as const)
      .filter(([, values]) => values.length > 0)
      .map(([name, values]) => [name, values.length === 1 ? values[0]! : values]),
  );
