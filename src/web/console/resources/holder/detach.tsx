import type { FC, PropsWithChildren } from 'hono/jsx';
import { Do } from '../../kit/form.tsx';
import { Ask } from '../../kit/question.tsx';
import type { HolderActions } from './actions.ts';

/** A button that takes something off; it asks first during loading. */
export const Detach: FC<
  PropsWithChildren<{ asks: boolean; values: Record<string, string>; label: string }>
> = ({ asks, values, label, children }) =>
  asks ? (
    <Ask<HolderActions> action="detach" values={values} quiet label={label}>
      {children}
    </Ask>
  ) : (
    <Do<HolderActions> action="detach" values={values} quiet label={label}>
      {children}
    </Do>
  );
