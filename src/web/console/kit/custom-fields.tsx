import type { Child } from 'hono/jsx';
import { useWords } from '../../../messages/context.ts';
import type { NoActions, PropWith } from './action-name.ts';
import { Card } from './components.tsx';
import { ActionButton, Field, Form, Submit } from './form.tsx';
import { Table } from './rows.tsx';

/** The actions that change custom fields. */
type FieldAction = 'putField' | 'removeField';

/**
 * The custom fields of a thing. Users who may change them get forms. `mayChange` compiles only if the actions `A` of
 * the page can change fields.
 */
export function CustomFields<A = NoActions>({
  fields,
  mayChange,
}: {
  fields: readonly { fieldKey: string; fieldValue: string }[];
  mayChange: false | PropWith<FieldAction, A, boolean>;
}) {
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
          ...(mayChange
            ? [
                {
                  label: t('field.remove'),
                  value: ({ fieldKey }: { fieldKey: string }): Child => (
                    <ActionButton<Record<FieldAction, unknown>>
                      action="removeField"
                      values={{ fieldKey }}
                      quiet
                      label={t('field.removeOf', { field: fieldKey })}
                    >
                      {t('field.remove')}
                    </ActionButton>
                  ),
                },
              ]
            : []),
        ]}
      />
      {mayChange && (
        <Form<Record<FieldAction, unknown>> action="putField" class="filters" label={t('field.setIt')}>
          <Field name="fieldKey" label={t('field.field')} maxlength={100} required />
          <Field name="fieldValue" label={t('field.value')} maxlength={1_000} />
          <Submit quiet>{t('field.set')}</Submit>
        </Form>
      )}
    </Card>
  );
}
