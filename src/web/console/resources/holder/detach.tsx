import type { FC, PropsWithChildren } from 'hono/jsx';
import { Do } from '../../kit/form.tsx';
import { Ask } from '../../kit/question.tsx';

/** A button that takes something off; it asks first during loading. */
export const Detach: FC<
  PropsWithChildren<{ asks: boolean; values: Record<string, string>; label: string }>
> = ({ asks, values, label, children }) =>
  asks ? (
    <Ask action="detach" values={values} quiet label={label}>
      {children}
    </Ask>
  ) : (
    <Do action="detach" values={values} quiet label={label}>
      {children}
    </Do>
  );
