import { raw } from 'hono/html';
import { type Child, type FC, type PropsWithChildren, useContext } from 'hono/jsx';
import { newUuid } from '../../../core/lib/id.ts';
import { useWords } from '../../../messages/context.ts';
import type { ActionName, NoActions } from '../parts/form-rules.ts';
import { usePageState } from '../parts/view.ts';
import {
  type FieldState,
  type FormName,
  formContext,
  isSent,
  useField,
  useLimits,
  useShownAgain,
} from './form-state.ts';
import { type Limits, schemaOf } from './limits.ts';

/** The field for hand scanners at a gate. A scanner types the text and then Enter or Tab. */
export const ScannedInput: FC<{
  id?: string;
  name: string;
  placeholder: string;
  type?: 'text' | 'password';
  inputmode?: 'numeric' | undefined;
}> = ({ id = 'scan', name, placeholder, type = 'text', inputmode }) => {
  const { maxlength, required } = useLimits(name);
  return (
    <input
      id={id}
      name={name}
      type={type}
      inputmode={inputmode}
      placeholder={placeholder}
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
      maxlength={maxlength}
      enterkeyhint="send"
      required={required}
      autofocus
    />
  );
};

/** Label, hint and error around a control. */
const Labelled: FC<
  PropsWithChildren<{ id: string; label: string; hint?: Child; error?: string | undefined }>
> = ({ id, label, hint, error, children }) => (
  <div class={error ? 'field wrong' : 'field'}>
    <label for={id}>{label}</label>
    {hint && (
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
    {children}
    {error && (
      <p class="error" id={`${id}-error`}>
        {error}
      </p>
    )}
  </div>
);

/** The ids of the texts that describe a control. */
const describedBy = (id: string, hint: Child, error: string | undefined): string | undefined =>
  [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ') || undefined;

/** The attributes of a form whose input a script keeps as a draft of its user. A form that is shown again has newer values. */
function useDraft(form: FormName): object {
  const { session } = usePageState();
  return { 'data-draft': session?.user.uuid, 'data-typed': useShownAgain(form) ? '' : undefined };
}

/** Says that the form has the input of an earlier visit, and empties it. A script shows it. */
const Draft: FC = () => {
  const { t } = useWords();
  return (
    <p class="hint draft" hidden>
      {t('kit.draft')}{' '}
      <button type="button" class="button quiet">
        {t('kit.emptyDraft')}
      </button>
    </p>
  );
};

/**
 * A form that posts an action, by default to its own page. In a form with `several` actions, the
 * buttons name the action. If a form is sent twice, its idempotency key makes sure that it has one
 * effect. A `multipart` form sends files, and long texts without a longer encoding. If a page has several
 * forms of an action, each sends a value (`of`) that the others do not have. A page has at most one `draft`.
 */
export function Form<A = NoActions>({
  action,
  of,
  several,
  to,
  id,
  class: className,
  label,
  multipart,
  draft,
  children,
}: PropsWithChildren<{
  action: ActionName<NoInfer<A>>;
  of?: { name: string; value: string };
  several?: boolean;
  to?: string;
  id?: string;
  class?: string;
  label?: string;
  multipart?: boolean;
  draft?: boolean;
}>) {
  const { formToken, path, failed } = usePageState();
  const form: FormName = { action, ...(of && { of }) };
  const kept = useDraft(form);
  return (
    <form
      method="post"
      action={to ?? path}
      id={id}
      class={className}
      aria-label={label}
      enctype={multipart ? 'multipart/form-data' : undefined}
      {...(draft && kept)}
    >
      <input type="hidden" name="token" value={formToken} />
      <input type="hidden" name="key" value={(isSent(form, failed) && failed?.key) || newUuid()} />
      {!several && <input type="hidden" name="action" value={action} />}
      {of && <Hidden name={of.name} value={of.value} />}
      {draft && <Draft />}
      <formContext.Provider value={{ ...form, schema: schemaOf(to ?? path, action) }}>
        {children}
      </formContext.Provider>
    </form>
  );
}

/** A button that sends its form. In a form with several actions, it names one. */
export const Submit = <A = NoActions>({
  quiet,
  danger,
  label,
  action,
  anyhow,
  children,
}: PropsWithChildren<{
  quiet?: boolean;
  danger?: boolean;
  label?: string;
  action?: ActionName<NoInfer<A>>;
  /** Whether the form may be sent incomplete. */
  anyhow?: boolean;
}>) => (
  <button
    type="submit"
    name={action && 'action'}
    value={action}
    formnovalidate={anyhow}
    class={danger ? 'button danger' : quiet ? 'button quiet' : 'button'}
    aria-label={label}
  >
    {children}
  </button>
);

/** What a field shows. Its limits come from the schema of its form. */
interface FieldProps extends FieldState {
  hint?: Child;
  /** For an input that a person must fill in although the schema allows a blank one, such as a password. */
  required?: boolean;
}

interface InputProps {
  type?: 'text' | 'password' | 'url' | 'number' | 'search' | 'tel' | 'datetime-local' | 'time';
  step?: 'any';
  inputmode?: 'email' | undefined;
  autocomplete?: string;
  placeholder?: string;
  list?: string;
  autofocus?: boolean;
  readonly?: boolean;
  required?: boolean;
}

/** The attributes for the limits of an input. A browser would cut a pasted password, so passwords have no maximum here. */
const limiting = (
  type: InputProps['type'],
  { maxlength, min, max, required }: Limits,
  isNeeded = required,
) => ({
  ...(type === 'number' && { min, max }),
  ...(/^(text|url|search|tel)$/.test(type ?? 'text') && { maxlength }),
  required: isNeeded,
});

/** A line of text. A password is never shown again. */
export const Field: FC<FieldProps & InputProps> = ({
  name,
  member,
  label,
  value,
  hint,
  type = 'text',
  autofocus,
  required,
  ...rest
}) => {
  const { id, held, error, limits } = useField({ name, member, label, value });
  const { failed } = usePageState();
  return (
    <Labelled id={id} label={label} hint={hint} error={error}>
      <input
        id={id}
        name={name}
        type={type}
        // After a refusal, the first refused field has the focus.
        autofocus={error !== undefined || (autofocus && !failed)}
        value={type === 'password' ? undefined : held}
        aria-invalid={error ? 'true' : undefined}
        aria-describedby={describedBy(id, hint, error)}
        {...rest}
        {...limiting(type, limits, required)}
      />
    </Labelled>
  );
};

/** A line of text without a visible label. */
export const Input: FC<InputProps & { name: string; label: string; value?: string | undefined }> = ({
  name,
  label,
  type,
  required,
  ...rest
}) => (
  <input
    name={name}
    type={type}
    aria-label={label}
    {...rest}
    {...limiting(type, useLimits(name), required)}
  />
);

/** A file. Its form is `multipart`, and its page declares how the file is read. */
export const FileField: FC<Omit<FieldProps, 'value'> & { accept: string }> = ({
  name,
  member,
  label,
  hint,
  accept,
}) => {
  const { id, error, limits } = useField({ name, member, label });
  return (
    <Labelled id={id} label={label} hint={hint} error={error}>
      <input
        id={id}
        name={name}
        type="file"
        aria-invalid={error ? 'true' : undefined}
        aria-describedby={describedBy(id, hint, error)}
        accept={accept}
        required={limits.required}
      />
    </Labelled>
  );
};

/**
 * HTML of a text in a `textarea`. There only `<`, and `&` before a letter or `#`, have a meaning (HTML standard, section
 * 13.1.2). Quotes are not escaped, because that would make a pasted list of quotes six times as long.
 */
export const areaText = (text: string): string =>
  text.replace(/&(?=[a-z#])|</gi, (character) => (character === '<' ? '&lt;' : '&amp;'));

/** Several lines of text. */
export const TextArea: FC<FieldProps & { rows?: number; autofocus?: boolean }> = ({
  name,
  member,
  label,
  value,
  hint,
  rows = 3,
  required,
  ...rest
}) => {
  const { id, held, error, limits } = useField({ name, member, label, value });
  return (
    <Labelled id={id} label={label} hint={hint} error={error}>
      <textarea
        id={id}
        name={name}
        rows={rows}
        aria-invalid={error ? 'true' : undefined}
        aria-describedby={describedBy(id, hint, error)}
        {...rest}
        {...limiting('text', limits, required)}
      >
        {raw(`\n${areaText(held)}`)}
      </textarea>
    </Labelled>
  );
};

/** An option of a choice. Its label is also its value, unless it has another one. */
interface Option {
  value?: string;
  label: string;
}

/** The options of a choice: given, or the values that the schema allows. `word` is called with each of these. */
type Options<O> =
  | { options: readonly O[]; word?: never }
  | { options?: never; word: (value: never) => string };

const optionsOf = <O extends Option>(
  { options, word }: Options<O>,
  { choices }: Limits,
): readonly (O | Required<Option>)[] =>
  options ?? choices.map((value) => ({ value, label: word!(value as never) }));

/** A choice. Only an option with a blank value makes it possible to choose nothing. */
export const Select: FC<Omit<FieldProps, 'required'> & Options<Option>> = ({
  name,
  member,
  label,
  value,
  hint,
  ...rest
}) => {
  const { id, held, error, limits } = useField({ name, member, label, value });
  const options = optionsOf(rest, limits);
  return (
    <Labelled id={id} label={label} hint={hint} error={error}>
      <select
        id={id}
        name={name}
        required={limits.required && options.some((option) => option.value === '')}
        aria-invalid={error ? 'true' : undefined}
        aria-describedby={describedBy(id, hint, error)}
      >
        {options.map((option) => (
          <option value={option.value} selected={(option.value ?? option.label) === held}>
            {option.label}
          </option>
        ))}
      </select>
    </Labelled>
  );
};

/** Boxes to tick, by default one for each value that the schema allows. */
export const Checkboxes: FC<
  { name: string; label: string; values: readonly string[] } & Options<Required<Option>>
> = ({ name, label, values, ...rest }) => {
  const { failed } = usePageState();
  const typed = isSent(useContext(formContext), failed) ? (failed!.typed[name] ?? []) : values;
  return (
    <fieldset class="checkboxes">
      <legend>{label}</legend>
      {optionsOf(rest, useLimits(name)).map((option) => (
        <label>
          <input type="checkbox" name={name} value={option.value} checked={typed.includes(option.value)} />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
};

export const Hidden: FC<{ name: string; value: string }> = ({ name, value }) => (
  <input type="hidden" name={name} value={value} />
);

/** A form with one button and hidden values. */
export const ActionButton = <A = NoActions>({
  action,
  values = {},
  danger,
  quiet,
  label,
  children,
}: PropsWithChildren<{
  action: ActionName<NoInfer<A>>;
  values?: Record<string, string>;
  danger?: boolean;
  quiet?: boolean;
  label?: string;
}>) => (
  <Form<A> action={action} class="inline">
    {Object.entries(values).map(([name, value]) => (
      <Hidden name={name} value={value} />
    ))}
    <Submit danger={danger ?? false} quiet={quiet ?? false} {...(label === undefined ? {} : { label })}>
      {children}
    </Submit>
  </Form>
);
