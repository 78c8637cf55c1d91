import type { Child, FC, PropsWithChildren } from 'hono/jsx';
import { useWords } from '../../../../messages/context.ts';
import { Icon } from '../../kit/icons.tsx';

/** A fact of a shipment, with the forms that change it. */
export const Fact: FC<PropsWithChildren<{ shown: Child }>> = ({ shown, children }) => (
  <div class="fact">
    <div>{shown}</div>
    {children}
  </div>
);

/** A pencil that opens a form. It needs no script. A refused form stays open. */
export const Pencil: FC<PropsWithChildren<{ label: string; open: boolean }>> = ({
  label,
  open,
  children,
}) => (
  <details class="pencil" open={open}>
    <summary>
      <Icon name="edit" />
      <span class="hidden">{useWords().t('field.change', { field: label })}</span>
    </summary>
    {children}
  </details>
);
