import type { FC } from 'hono/jsx';
import { FIELDS_MAXIMUM } from '../../../access/organization/rules.ts';
import { FIELD_ROLES, type FIELD_TYPES, type ShipmentCustomField } from '../../../core/writer/settings.ts';
import { useWords } from '../../../messages/context.ts';
import { Field, Select } from './form.tsx';

/** The number of empty lines that a form adds. */
const LINES_MORE = 3;

/** Whether a field of a form belongs to the line of a custom field. */
export const isOfLine = (name: string): boolean => /^(fieldKey|fieldType|role)\d+$/.test(name);

/**
 * The custom fields from the lines of a form, as in the API; undefined for a form without lines.
 */
export const customFieldsOf = (typed: Record<string, string | undefined>): object[] | undefined =>
  typed['fieldKey0'] === undefined
    ? undefined
    : Array.from({ length: FIELDS_MAXIMUM }, (_, line) => ({
        fieldKey: typed[`fieldKey${line}`]?.trim() ?? '',
        fieldType: typed[`fieldType${line}`],
        role: typed[`role${line}`] || null,
      })).filter(({ fieldKey }) => fieldKey !== '');

/**
 * The custom fields of an organization's shipments, each on a line of a form. They are collapsed, because most
 * organizations only need the fields with a role.
 */
export const CustomFieldLines: FC<{ fields: readonly ShipmentCustomField[] }> = ({ fields }) => {
  const { t } = useWords();
  const lines = Math.min(fields.length + LINES_MORE, FIELDS_MAXIMUM);
  return (
    <details class="lines">
      <summary>{t('settings.fields')}</summary>
      <p class="hint">{t('settings.fieldsHint')}</p>
      <div>
        {Array.from({ length: lines }, (_, line) => (
          <fieldset class="filters line">
            <legend>{t('settings.field', { number: line + 1 })}</legend>
            <Field
              name={`fieldKey${line}`}
              member="fieldKey"
              label={t('settings.key')}
              value={fields[line]?.fieldKey}
            />
            <Select
              name={`fieldType${line}`}
              member="fieldType"
              label={t('settings.type')}
              value={fields[line]?.fieldType}
              word={(type: (typeof FIELD_TYPES)[number]) => t('settings.typed', { type })}
            />
            <Select
              name={`role${line}`}
              member="role"
              label={t('settings.role')}
              value={fields[line]?.role}
              options={[
                { value: '', label: t('settings.noRole') },
                ...FIELD_ROLES.map((role) => ({ value: role, label: t(`role.${role}`) })),
              ]}
            />
          </fieldset>
        ))}
      </div>
    </details>
  );
};
