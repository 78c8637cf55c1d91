import type { FC } from 'hono/jsx';
import { useWords } from '../../../../messages/context.ts';
import { Field, Select } from '../../../ui/form/form.tsx';

/** The maximum number of local managers in a choice. Beyond that, the form has a text field for a uuid. */
export const MANAGERS_MAXIMUM = 200;

export interface Manager {
  uuid: string;
  name: string;
}

/**
 * A choice of the local manager of a gate or a device, or none. A deleted local manager keeps its
 * name.
 */
export const ManagerField: FC<{
  managers: readonly Manager[];
  label: string;
  value?: string | null | undefined;
}> = ({ managers, label, value }) => {
  const { t } = useWords();
  const field = { name: 'localManagerUuid', label, value };
  if (managers.length > MANAGERS_MAXIMUM) return <Field {...field} />;
  const gone = value && !managers.some(({ uuid }) => uuid === value) ? [{ uuid: value, name: value }] : [];
  return (
    <Select
      {...field}
      options={[
        { value: '', label: t('made.none') },
        ...[...gone, ...managers].map(({ uuid, name }) => ({ value: uuid, label: name })),
      ]}
    />
  );
};
