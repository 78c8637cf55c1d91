import type { FC } from 'hono/jsx';
import { useWords } from '../../../messages/context.ts';
import { Card } from '../parts/components.tsx';
import { Table } from './rows.tsx';

/** The custom fields of a thing whose page cannot change them. */
export const CustomFields: FC<{ fields: readonly { fieldKey: string; fieldValue: string }[] }> = ({
  fields,
}) => {
  const { t } = useWords();
  return (
    <Card title={t('field.title')}>
      <Table
        caption={t('list.total', { total: fields.length })}
        rows={fields}
        empty={t('field.none')}
        columns={[
          { label: t('field.field'), value: ({ fieldKey }) => fieldKey },
          { label: t('field.value'), value: ({ fieldValue }) => fieldValue },
        ]}
      />
    </Card>
  );
};
