import { type ProblemCode, ProblemError, type ProblemItem } from '../../../core/lib/problem.ts';
import { MINUTE_MS } from '../../../core/lib/time.ts';
import { clockIn, isoOffsetIn, pickerText, zonedIn } from '../../../core/lib/zone.ts';
import type { OrganizationSettings } from '../../../core/writer/settings.ts';
import type { CustomFieldInput } from '../../../dispatch/custom-field/rules.ts';
import type { Words } from '../../../messages/words.ts';
import { type DateFault, readTypedDate, type TypedDate } from '../../../pallet/typed-date.ts';
import { fieldLabel } from '../parts/field-labels.ts';
import { refuseInWords } from '../parts/language.ts';

/** The name of the input for a custom field, in a form with several of them. */
export const FIELD = 'field.';

/** The button that moves a departure moves it by this many minutes. */
export const LATER_MINUTES = 30;

type Settings = Pick<OrganizationSettings, 'shipmentCustomFields' | 'timeZone'>;

/** A custom field as a person has typed it. `was` is the stored value that the form showed. */
interface TypedField {
  fieldKey: string;
  fieldValue: string;
  was?: string | undefined;
}

/** A field as the API takes it, or its fault. A notice if the clocks of the site change at its time. */
interface ReadField {
  field: CustomFieldInput;
  fault?: { code: ProblemCode; message: string };
  notice?: string;
}

/**
 * Custom fields of a shipment as the API takes them. Dates get the offset of the site. `inputOf` names the input of a
 * field in the form.
 * @throws 400 with the inputs whose text is not a value of their field
 */
export function readTypedFields(
  settings: Settings,
  words: Words,
  typed: readonly TypedField[],
  inputOf: (fieldKey: string) => string,
): { fields: CustomFieldInput[]; notices: string[] } {
  const read = typed.map((one) => readTypedField(settings, words, one));
  const errors = read.flatMap(({ field, fault }) =>
    fault === undefined
      ? []
      : [{ ...fault, field: inputOf(field.fieldKey), rejectedValue: field.fieldValue }],
  );
  const [first] = errors;
  if (first) refuseInWords(first.code, first.message, { status: 400, errors });
  return {
    fields: read.map(({ field }) => field),
    notices: read.flatMap(({ notice }) => notice || []),
  };
}

function readTypedField(
  { shipmentCustomFields, timeZone }: Settings,
  words: Words,
  { fieldKey, fieldValue: text, was = '' }: TypedField,
): ReadField {
  const configured = shipmentCustomFields.find((field) => field.fieldKey === fieldKey);
  const fieldValue = text.trim();
  const field: CustomFieldInput = { fieldKey, fieldValue };
  if (!configured || configured.fieldType === 'TEXT' || fieldValue === '') return { field };
  if (configured.fieldType === 'NUMBER') {
    if (Number.isFinite(Number(fieldValue))) return { field };
    return { field, fault: { code: 'customFieldNotNumeric', message: words.t('field.noNumber') } };
  }
  const site = { zone: timeZone, now: Date.now() };
  const typed = readTypedDate(fieldValue, site);
  if ('fault' in typed) {
    return { field, fault: { code: 'customFieldNotDateTime', message: faultText(words, typed.fault) } };
  }
  const before = readTypedDate(was, site);
  // An hour that occurs twice looks the same in a picker. A field that nobody changed keeps its value.
  if (!('fault' in before) && fieldValue === pickerText(timeZone, before.at))
    return { field: { fieldKey, fieldValue: was } };
  return {
    field: { fieldKey, fieldValue: typed.stored },
    notice: changeNotice(words, fieldLabel(words, configured), timeZone, typed),
  };
}

/** Why the text of a date input cannot be read. */
export const faultText = ({ t }: Words, fault: DateFault): string =>
  t(fault === 'ambiguous' ? 'field.unclearDate' : 'field.noDate');

/** Says how a local time was read that does not occur or occurs twice; '' for other times. `field` is the label. */
export function changeNotice(
  words: Words,
  field: string,
  zone: string,
  { at, local, change }: TypedDate,
): string {
  if (change === null) return '';
  return words.t(change === 'SKIPPED' ? 'field.skipped' : 'field.twice', {
    field,
    typed: local.slice(11),
    time: clockIn(zone, at),
    offset: isoOffsetIn(zone, at),
  });
}

/** The date of a picker some minutes later; from now, to the next five minutes, if the picker is empty. */
export function laterText({ timeZone }: Settings, typed: string, was = ''): string {
  const now = Date.now();
  const stored = readTypedDate(was, { zone: timeZone, now });
  const isUntouched = !('fault' in stored) && typed === pickerText(timeZone, stored.at);
  const read = isUntouched ? stored : readTypedDate(typed, { zone: timeZone, now });
  const at = 'fault' in read ? nextMinutes(now, 5) : read.at;
  return zonedIn(timeZone, at + LATER_MINUTES * MINUTE_MS);
}

/** The next time that is a multiple of these minutes. */
const nextMinutes = (at: number, minutes: number): number =>
  Math.ceil(at / (minutes * MINUTE_MS)) * minutes * MINUTE_MS;

/** Run a command with custom fields. Its refusals name the inputs of the form, not the places in the body. */
export async function inForm<T>(fields: readonly CustomFieldInput[], run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ProblemError) || !error.refusal.errors) throw error;
    const errors = error.refusal.errors.map((item) => ({ ...item, field: inputOf(fields, item) }));
    throw new ProblemError({ ...error.refusal, errors }, error.headers);
  }
}

function inputOf(fields: readonly CustomFieldInput[], { field }: ProblemItem): string {
  const index = /^customFields\[(\d+)\]\.field(Key|Value)$/.exec(field)?.[1];
  const meant = index === undefined ? undefined : fields[Number(index)];
  return meant ? `${FIELD}${meant.fieldKey}` : field;
}
