import type { Child, FC, PropsWithChildren } from 'hono/jsx';

/** Label, hint and error around a control. */
export const Labelled: FC<
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
export const describedBy = (id: string, hint: Child, error: string | undefined): string | undefined =>
  [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ') || undefined;
