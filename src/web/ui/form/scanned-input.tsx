import type { FC } from 'hono/jsx';
import { READING_MAXIMUM } from '../../../pallet/identifier.ts';

/** The field for hand scanners at a gate. A scanner types the text and then Enter or Tab. */
export const ScannedInput: FC<{
  id?: string;
  name: string;
  placeholder: string;
  type?: 'text' | 'password';
  inputmode?: 'numeric' | undefined;
}> = ({ id = 'scan', name, placeholder, type = 'text', inputmode }) => (
  <input
    id={id}
    name={name}
    type={type}
    inputmode={inputmode}
    placeholder={placeholder}
    autocomplete="off"
    autocapitalize="off"
    spellcheck={false}
    maxlength={READING_MAXIMUM}
    enterkeyhint="send"
    required
    autofocus
  />
);
