import type { FC } from 'hono/jsx';
import { useWords } from '../../../messages/context.ts';
import { Field, Select } from '../../kit/form.tsx';

/** Local managers that a form offers; where there are more, it takes a uuid as a text. */
export const MANAGERS_MAXIMUM = 200;

/** A local manager to choose. */
export interface Manager {
  uuid: string;
  name: string;
}

/** Chooses the local manager that a gate or a device belongs to, or none; one that is deleted goes on being named. */
export const ManagerField: FC<{
  managers: readonly Manager[];
  label: string;
  value?: string | null | undefined;
}> = ({ managers, label, value }) => {
  const { t } = useWords();
  const field = { name: 'localManagerUuid', label, value };
  if (managers.length > MANAGERS_MAXIMUM) return <Field {...field} maxlength={36} />;
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
