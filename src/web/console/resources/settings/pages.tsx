import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import { change } from '../../../../access/organization/change-organization.ts';
import { updateOrganization } from '../../../../access/organization/commands.ts';
import { organizationUpdateSchema } from '../../../../access/organization/schema.ts';
import { setFieldRoles } from '../../../../access/organization/shipment-commands.ts';
import { list } from '../../../../core/http/schema.ts';
import type { AppEnv } from '../../../../core/http/types.ts';
import { refuseMissing, write } from '../../../../core/http/write.ts';
import { FIELD_ROLES, type OrganizationSettings } from '../../../../core/writer/settings.ts';
import type { LABEL_SIZES, WORKER_IDENTIFICATIONS } from '../../../../core/writer/settings-table.ts';
import { useWords } from '../../../../messages/context.ts';
import { deadLetterView } from '../../../../storage/dead-letter/store.ts';
import { action, asTyped, type PageContext } from '../../../ui/confirm/action.ts';
import { CustomFieldLines, customFieldsOf } from '../../../ui/form/custom-field-lines.tsx';
import { Checkboxes, Field, Form, Select, Submit } from '../../../ui/form/form.tsx';
import { ZoneField } from '../../../ui/form/zone-field.tsx';
import { page } from '../../../ui/page/page.tsx';
import { byUuid, History, requireRow, rowQuery } from '../../../ui/page/resource.tsx';
import { Card, Facts, OptionalText } from '../../../ui/parts/components.tsx';
import { fieldLabel } from '../../../ui/parts/field-labels.ts';
import { ROLES } from '../../../ui/parts/roles.tsx';
import { Time } from '../../../ui/parts/time.tsx';
import type { View } from '../../../ui/parts/view.ts';

/** The page that processes the form. The form may be on another page. */
const SETTINGS = '/app/settings';

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

const settingsActions = {
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
const FactSwitches: FC<{ at: PageContext; organization: OrganizationSettings }> = ({
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
const SettingsForm: FC<{ at: PageContext; organization: OrganizationSettings }> = ({ at, organization }) => {
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
            word={(by: 'MANIFEST' | 'SHIPMENT') => t('settings.by', { by })}
          />
          <Select
            name="gateWorkerIdentification"
            label={t('settings.ask')}
            value={organization.gateWorkerIdentification}
            word={(what: (typeof WORKER_IDENTIFICATIONS)[number]) => t('settings.asked', { what })}
          />
          <Select
            name="labelSize"
            label={t('settings.labels')}
            value={organization.labelSize}
            word={(size: (typeof LABEL_SIZES)[number]) => t('settings.labelSize', { size })}
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

/**
 * The page of an organization's settings, including settings that only its operator changes. Links to the
 * organization lead here.
 */
export function settingsPages(app: Hono<AppEnv>): void {
  page(app, {
    path: SETTINGS,
    right: 'see',
    view: settingsView,
    actions: settingsActions,
  });
  page(app, {
    path: '/app/organization/:uuid',
    right: 'see',
    params: byUuid,
    view(at, { uuid }) {
      if (at.session.organization.uuid !== uuid) {
        refuseMissing('organizationNotFound', uuid);
      }
      return settingsView(at);
    },
  });
  deadLetterPage(app);
}

function settingsView(at: PageContext): View {
  const { organization } = at.session;
  const { t, number } = at.words;
  const yes = (is: boolean): string => t(is ? 'made.yes' : 'made.no');
  return {
    title: t('menu.settings'),
    styles: ['settings.css'],
    body: (
      <>
        <div class="cards">
          <Card title={t('settings.title')}>
            <Facts
              facts={[
                [t('made.name'), organization.name],
                [t('settings.zone'), organization.timeZone],
                [t('settings.dispatches'), t('settings.by', { by: organization.dispatchStrategy })],
                [t('settings.ask'), t('settings.asked', { what: organization.gateWorkerIdentification })],
                [t('settings.labels'), t('settings.labelSize', { size: organization.labelSize })],
                [
                  t('settings.quiet'),
                  organization.quietFrom && organization.quietTo
                    ? t('settings.quietHours', { from: organization.quietFrom, to: organization.quietTo })
                    : t('settings.noQuiet'),
                ],
                [t('settings.offline'), `${number(organization.deviceOfflineAfterSeconds)} s`],
                [
                  t('settings.fields'),
                  <OptionalText
                    of={organization.shipmentCustomFields
                      .map((field) => fieldLabel(at.words, field))
                      .join(', ')}
                  />,
                ],
              ]}
            />
          </Card>
          <Card title={t('settings.operator')}>
            <p class="hint">{t('settings.operatorHint')}</p>
            <Facts
              facts={[
                [t('settings.slug'), organization.slug],
                [t('settings.clients'), yes(organization.clientFeatureEnabled)],
                [t('settings.sandbox'), yes(organization.sandbox)],
                [t('settings.first'), organization.markerCodeStart],
                [t('settings.maximum'), number(organization.markerAllocationMaximum)],
                [t('settings.requests'), number(organization.requestsPerMinute)],
                [
                  t('settings.archive'),
                  organization.retentionDays === null
                    ? t('settings.never')
                    : t('settings.afterDays', { days: organization.retentionDays }),
                ],
              ]}
            />
          </Card>
        </div>
        <FactSwitches at={at} organization={organization} />
        <SettingsForm at={at} organization={organization} />
        {at.may('changeSettings') && (
          <p>
            <a href="/app?start=show">{t('start.show')}</a>
          </p>
        )}
        <History at={at} uuid={organization.uuid} />
      </>
    ),
  };
}

function deadLetterPage(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/dead-letter/:uuid',
    right: 'seeOffice',
    params: byUuid,
    async view(at, { uuid }) {
      const { t } = at.words;
      const rows = await at.database.all(rowQuery(at.database, 'dead_letter', deadLetterView, uuid));
      const letter = requireRow(rows, 'deadLetterNotFound', uuid);
      return {
        title: t('letter.title'),
        body: (
          <Card title={t('letter.queue', { queue: letter.queue })}>
            <p>{letter.reason}</p>
            <Facts
              facts={[
                [t('letter.given'), <Time at={letter.createDate} />],
                [t('letter.again'), t('letter.times', { count: letter.resendCount })],
                [t('letter.last'), <Time at={letter.resendDate} />],
              ]}
            />
            <p class="hint">{t('letter.operator')}</p>
          </Card>
        ),
      };
    },
  });
}
