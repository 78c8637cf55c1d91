import type { FC } from 'hono/jsx';
import type { Typed } from '../parts/view.ts';
import { Field, Select } from './form.tsx';

/** A choice in a question. */
export interface QuestionChoice {
  /** The name of the value in the action's form. */
  name: string;
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
}

/** An input in a question, for a text that a scanner may type. */
export interface QuestionField {
  /** The name of the value in the action's form. */
  name: string;
  label: string;
  /** The known value. */
  value: string;
}

/** The inputs of a question, with the typed values if the question is shown again. */
export const AskedFields: FC<{ fields: readonly QuestionField[]; values: Typed }> = ({ fields, values }) =>
  fields.map(({ name, label, value }) => (
    <div data-scanned={name}>
      <Field name={name} label={label} value={String(values[name] ?? value)} autocomplete="off" />
    </div>
  ));

/** Radio buttons. Without a chosen one, the user has to choose. */
export const Radios: FC<Omit<QuestionChoice, 'value'> & { chosen: string | undefined }> = ({
  name,
  label,
  options,
  chosen,
}) => (
  <fieldset class="reasons">
    <legend>{label}</legend>
    {options.map((option) => (
      <label>
        <input type="radio" name={name} value={option.value} checked={option.value === chosen} required />{' '}
        {option.label}
      </label>
    ))}
  </fieldset>
);

/** The choices, and the button that shows the question with other choices. */
export const Choices: FC<{ choices: readonly QuestionChoice[]; look: string | undefined }> = ({
  choices,
  look,
}) => (
  <div class="choice">
    {choices.map(({ name, label, value, options }) => (
      <Select name={name} label={label} value={value} options={options} />
    ))}
    {look !== undefined && (
      <button type="submit" class="button quiet" name="again" value="1" formnovalidate>
        {look}
      </button>
    )}
  </div>
);
