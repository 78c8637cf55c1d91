import type { FC } from 'hono/jsx';
import { write } from '../../../http/write.ts';
import { useWords } from '../../../messages/context.ts';
import type { Words } from '../../../messages/words.ts';
import { change } from '../../../organization/changing.ts';
import { updateOrganization } from '../../../organization/commands.ts';
import { organizationUpdateSchema } from '../../../organization/schema.ts';
import {
  FIELD_ROLES,
  FIELD_TYPES,
  type OrganizationSettings,
  type ShipmentCustomField,
} from '../../../writer/settings.ts';
import { WORKER_IDENTIFICATIONS } from '../../../writer/settings-table.ts';
import { Card } from '../../kit/components.tsx';
import { Field, Form, Select, Submit } from '../../kit/form.tsx';
import { type At, action, asTyped } from '../../kit/page.tsx';

/** The page that takes the form, wherever it is shown. */
export const SETTINGS = '/app/settings';

/** Custom fields that an organization can have, and empty lines for more. */
const FIELDS_MAXIMUM = 50;
const LINES_MORE = 3;

/** What an organization changes of itself, of all that can be changed; the rest is its operator's. */
const form = asTyped(organizationUpdateSchema, (typed) => ({
  timeZone: typed['timeZone'],
  dispatchStrategy: typed['dispatchStrategy'],
  gateWorkerIdentification: typed['gateWorkerIdentification'],
  deviceOfflineAfterSeconds: Number(typed['deviceOfflineAfterSeconds']),
  shipmentCustomFields: Array.from({ length: FIELDS_MAXIMUM }, (_, line) => ({
    fieldKey: typed[`fieldKey${line}`]?.trim() ?? '',
    fieldType: typed[`fieldType${line}`],
    role: typed[`role${line}`] || null,
  })).filter(({ fieldKey }) => fieldKey !== ''),
}));

/** Changes the settings. */
export const changeSettings = action('changeSettings', form, async ({ c, session, words }, _, body) => {
  await change(c, session.organization.uuid, undefined, async () => {
    const written = await write(c, updateOrganization, body);
    return written.body;
  });
  return { done: words.t('settings.changed') };
});

const roleIn = ({ t }: Words, role: (typeof FIELD_ROLES)[number]): string => t(`role.${role}`);

/** The form of all that, for who may. */
export const SettingsForm: FC<{ at: At; organization: OrganizationSettings }> = ({ at, organization }) => {
  const { t } = useWords();
  if (!at.may('changeSettings')) return null;
  return (
    <Card title={t('settings.change')}>
      <Form action="change" to={SETTINGS} class="settings" label={t('settings.change')}>
        <div class="filters">
          <Field
            name="timeZone"
            label={t('settings.zone')}
            value={organization.timeZone}
            hint={t('settings.zoneHint')}
            list="zones"
            maxlength={100}
            required
          />
          <datalist id="zones">
            {Intl.supportedValuesOf('timeZone').map((zone) => (
              <option value={zone} />
            ))}
          </datalist>
          <Select
            name="dispatchStrategy"
            label={t('settings.dispatches')}
            value={organization.dispatchStrategy}
            hint={t('settings.strategyHint')}
            options={(['MANIFEST', 'SHIPMENT'] as const).map((by) => ({
              value: by,
              label: t('settings.by', { by }),
            }))}
          />
          <Select
            name="gateWorkerIdentification"
            label={t('settings.ask')}
            value={organization.gateWorkerIdentification}
            options={WORKER_IDENTIFICATIONS.map((what) => ({
              value: what,
              label: t('settings.asked', { what }),
            }))}
          />
          <Field
            name="deviceOfflineAfterSeconds"
            label={t('settings.offlineSeconds')}
            type="number"
            min={10}
            max={86_400}
            value={String(organization.deviceOfflineAfterSeconds)}
            required
          />
        </div>
        <h3>{t('settings.fields')}</h3>
        <p class="hint">{t('settings.fieldsHint')}</p>
        <Lines fields={organization.shipmentCustomFields} />
        <Submit>{t('made.save')}</Submit>
      </Form>
    </Card>
  );
};

const Lines: FC<{ fields: readonly ShipmentCustomField[] }> = ({ fields }) => {
  const words = useWords();
  const { t } = words;
  const lines = Math.min(fields.length + LINES_MORE, FIELDS_MAXIMUM);
  return (
    <>
      {Array.from({ length: lines }, (_, line) => (
        <fieldset class="filters line">
          <legend>{t('settings.field', { number: line + 1 })}</legend>
          <Field
            name={`fieldKey${line}`}
            label={t('settings.key')}
            value={fields[line]?.fieldKey}
            maxlength={100}
          />
          <Select
            name={`fieldType${line}`}
            label={t('settings.type')}
            value={fields[line]?.fieldType}
            options={FIELD_TYPES.map((type) => ({ value: type, label: t('settings.typed', { type }) }))}
          />
          <Select
            name={`role${line}`}
            label={t('settings.role')}
            value={fields[line]?.role}
            options={[
              { value: '', label: t('settings.noRole') },
              ...FIELD_ROLES.map((role) => ({ value: role, label: roleIn(words, role) })),
            ]}
          />
        </fieldset>
      ))}
    </>
  );
};
