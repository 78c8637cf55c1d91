import type { FC } from 'hono/jsx';

/** The field for hand scanners at a gate. A scanner types the text and then Enter. */
export const ScannedInput: FC<{
  name: string;
  placeholder: string;
  type?: 'text' | 'password';
  inputmode?: 'numeric' | undefined;
}> = ({ name, placeholder, type = 'text', inputmode }) => (
  <input
    id="scan"
    name={name}
    type={type}
    inputmode={inputmode}
    placeholder={placeholder}
    autocomplete="off"
    autocapitalize="off"
    spellcheck={false}
    maxlength={255}
    enterkeyhint="send"
    required
    autofocus
  />
);
