import type { FC, PropsWithChildren } from 'hono/jsx';
import { Ask } from '../../../ui/confirm/confirmation.tsx';
import { ActionButton } from '../../../ui/form/form.tsx';
import type { LoadActions } from './actions.ts';

/** A button that removes the record of a wrong pallet. If the truck has left, it asks for confirmation. */
export const RemoveRecord: FC<
  PropsWithChildren<{ asks: boolean; record: string; label: string; quiet?: boolean }>
> = ({ asks, record, label, quiet = false, children }) =>
  asks ? (
    <Ask<LoadActions> action="removeRecord" values={{ record }} quiet={quiet} label={label}>
      {children}
    </Ask>
  ) : (
    <ActionButton<LoadActions> action="removeRecord" values={{ record }} quiet={quiet} label={label}>
      {children}
    </ActionButton>
  );
