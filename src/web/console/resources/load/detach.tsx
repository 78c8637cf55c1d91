import type { FC, PropsWithChildren } from 'hono/jsx';
import { Ask } from '../../../ui/confirm/confirmation.tsx';
import { ActionButton } from '../../../ui/form/form.tsx';
import type { LoadActions } from './actions.ts';

/** A button that detaches a pallet or manifest. During loading it asks for confirmation. */
export const Detach: FC<
  PropsWithChildren<{ asks: boolean; values: Record<string, string>; label: string }>
> = ({ asks, values, label, children }) =>
  asks ? (
    <Ask<LoadActions> action="detach" values={values} quiet label={label}>
      {children}
    </Ask>
  ) : (
    <ActionButton<LoadActions> action="detach" values={values} quiet label={label}>
      {children}
    </ActionButton>
  );
