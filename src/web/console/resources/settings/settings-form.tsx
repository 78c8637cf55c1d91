import { z } from '@hono/zod-openapi';
import type { FC } from 'hono/jsx';
import { change } from '../../../../access/organization/change-organization.ts';
import { updateOrganization } from '../../../../access/organization/commands.ts';
import { organizationUpdateSchema } from '../../../../access/organization/schema.ts';
import { setFieldRoles } from '../../../../access/organization/shipment-commands.ts';
import { list } from '../../../../core/http/schema.ts';
import { write } from '../../../../core/http/write.ts';
import { FIELD_ROLES, type OrganizationSettings } from '../../../../core/writer/settings.ts';
import { LABEL_SIZES, WORKER_IDENTIFICATIONS } from '../../../../core/writer/settings-table.ts';
import { useWords } from '../../../../messages/context.ts';
import { action, asTyped, type PageContext } from '../../../ui/confirm/action.ts';
import { CustomFieldLines, customFieldsOf } from '../../../ui/form/custom-field-lines.tsx';
import { Checkboxes, Field, Form, Select, Submit } from '../../../ui/form/form.tsx';
import { ZoneField } from '../../../ui/form/zone-field.tsx';
import { Card } from '../../../ui/parts/components.tsx';
import { ROLES } from '../../../ui/parts/roles.tsx';

/** The page that processes the form. The form may be on another page. */
export const SETTINGS = '/app/settings';

/** The settings that an organization changes itself. The operator changes the others. */
const form = asTyped(organizationUpdateSchema, (typed) => ({
  timeZone: typed['timeZone'],
  dispatchStrategy: typed['dispatchStrategy'],
  gateWorkerIdentification: typed['gateWorkerIdentification'],
  labelSize: typed['labelSize'],
  quietFrom: typed['quietFrom'] || null,
  quietTo: typed['quietTo'] || null,
  deviceOfflineAfterSeconds: Number(typed['deviceOfflineAfterSeconds']),
  shipmentCustomFields: customFieldsOf(typed),
}));

const rolesForm = asTyped(
  z.object({ roles: list(z.enum(FIELD_ROLES), 0, FIELD_ROLES.length) }),
  (_, { roles }) => ({ roles }),
  ['roles'],
);

export const settingsActions = {
  change: action('changeSettings', form, async ({ c, session, words, submission }, _, body) => {
    await change(c, session.organization.uuid, undefined, async () => {
      const written = await write(c, submission, updateOrganization, body);
      return written.body;
    });
    return { done: words.t('settings.changed') };
  }),
  facts: action('changeSettings', rolesForm, async ({ c, session, words, submission }, _, { roles }) => {
    await change(c, session.organization.uuid, undefined, async () => {
      const written = await write(c, submission, setFieldRoles, { roles });
      return written.body;
    });
    return { done: words.t('settings.changed') };
  }),
};

/** The switches for the facts of each truck, for users who may change them. */
export const FactSwitches: FC<{ at: PageContext; organization: OrganizationSettings }> = ({
  at,
  organization: { dispatchStrategy, shipmentCustomFields: fields },
}) => {
  const { t } = useWords();
  if (dispatchStrategy !== 'SHIPMENT' || !at.may('changeSettings')) return null;
  return (
    <Card title={t('settings.facts')}>
      <Form<typeof settingsActions> action="facts" to={SETTINGS} label={t('settings.facts')}>
        <Checkboxes
          name="roles"
          label={t('start.roles')}
          options={ROLES.map((role) => ({ value: role, label: t(`role.${role}`) }))}
          values={ROLES.filter((role) => fields.some((field) => field.role === role))}
        />
        <p class="hint">{t('settings.factsHint')}</p>
        <Submit>{t('made.save')}</Submit>
      </Form>
    </Card>
  );
};

/** The form of these settings, for users who may change them. */
export const SettingsForm: FC<{ at: PageContext; organization: OrganizationSettings }> = ({
  at,
  organization,
}) => {
  const { t } = useWords();
  if (!at.may('changeSettings')) return null;
  return (
    <Card title={t('settings.change')}>
      <Form<typeof settingsActions>
        action="change"
        to={SETTINGS}
        class="settings"
        label={t('settings.change')}
      >
        <div class="filters">
          <ZoneField label={t('settings.zone')} hint={t('settings.zoneHint')} value={organization.timeZone} />
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
          <Select
            name="labelSize"
            label={t('settings.labels')}
            value={organization.labelSize}
            options={LABEL_SIZES.map((size) => ({ value: size, label: t('settings.labelSize', { size }) }))}
          />
          <Field
            name="quietFrom"
            label={t('settings.quietFrom')}
            type="time"
            value={organization.quietFrom ?? undefined}
            hint={t('settings.quietHint')}
          />
          <Field
            name="quietTo"
            label={t('settings.quietTo')}
            type="time"
            value={organization.quietTo ?? undefined}
          />
          <Field
            name="deviceOfflineAfterSeconds"
            label={t('settings.offlineSeconds')}
            type="number"
            value={String(organization.deviceOfflineAfterSeconds)}
          />
        </div>
        <CustomFieldLines fields={organization.shipmentCustomFields} />
        <Submit>{t('made.save')}</Submit>
      </Form>
    </Card>
  );
};
