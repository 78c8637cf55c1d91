import type { z } from '@hono/zod-openapi';
import { createContext, useContext } from 'hono/jsx';
import { type Typed, usePageState } from '../parts/view.ts';
import { type Limits, limitsOf } from './limits.ts';

/** A form of a page. */
export interface FormName {
  action: string;
  /** The value that distinguishes it from other forms of the page with the same action. */
  of?: { name: string; value: string };
}

/** The form that contains a field, and the schema of its action. */
export const formContext = createContext<FormName & { schema?: z.ZodType | undefined }>({ action: '' });

/** The limits of an input of the form around it. */
export const useLimits = (member: string): Limits => limitsOf(useContext(formContext).schema, member);

/** The id of an input. An id has no blanks. */
const idOf = ({ action, of }: FormName, name: string): string =>
  of ? `${action}-${encodeURIComponent(of.value)}-${name}` : `${action}-${name}`;

/** Whether a form is the one with this input. */
export const isSent = (
  { action, of }: FormName,
  sent: { action: string; typed: Typed } | undefined,
): boolean => sent?.action === action && (!of || sent.typed[of.name] === of.value);

/** Whether a form is shown again with its input: it was refused, or the user returned from its question. */
export function useShownAgain(form: FormName): boolean {
  const { failed, typed } = usePageState();
  return isSent(form, failed) || isSent(form, typed);
}

/** The input of a field of this form, if its page is shown again. */
export function useTyped(name: string): string | string[] | undefined {
  const { failed, typed } = usePageState();
  const form = useContext(formContext);
  return [failed, typed].find((shown) => isSent(form, shown))?.typed[name];
}

/** A field, and the value that it has before anyone types. */
export interface FieldState {
  name: string;
  /** The member of the form's schema that limits it. The default is its name. */
  member?: string | undefined;
  label: string;
  value?: string | null | undefined;
}

/**
 * The value and the error of a field. The value is the refused input, or else the field's own value. The notice about
 * the refusal learns the field's label.
 */
export function useField({ name, member = name, label, value }: FieldState): {
  id: string;
  held: string;
  error: string | undefined;
  limits: Limits;
} {
  const { failed, labels } = usePageState();
  const form = useContext(formContext);
  const own = isSent(form, failed) ? failed : undefined;
  const typed = useTyped(name);
  const last = name.split('.').at(-1)!;
  const errors = own?.refusal.errors ?? [];
  const error = errors.find(({ field }) => field === name || field.split('.').at(-1) === last);
  if (error) labels.set(error.field, label);
  return {
    id: idOf(form, name),
    held: typed === undefined ? (value ?? '') : String(typed),
    error: error?.message,
    limits: limitsOf(form.schema, member),
  };
}
