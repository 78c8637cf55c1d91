import type { FC } from 'hono/jsx';
import { useLimits } from './form-state.ts';

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
