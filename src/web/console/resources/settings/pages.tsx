import type { Hono } from 'hono';
import type { AppEnv } from '../../../../core/http/types.ts';
import { refuseMissing } from '../../../../core/http/write.ts';
import { deadLetterView } from '../../../../storage/dead-letter/store.ts';
import type { PageContext } from '../../../ui/confirm/action.ts';
import { page } from '../../../ui/page/page.tsx';
import { byUuid, found, History, rowQuery } from '../../../ui/page/resource.tsx';
import { Card, Facts, OptionalText } from '../../../ui/parts/components.tsx';
import { fieldLabel } from '../../../ui/parts/field-labels.ts';
import { Time } from '../../../ui/parts/time.tsx';
import type { View } from '../../../ui/parts/view.ts';
import { FactSwitches, SETTINGS, SettingsForm, settingsActions } from './settings-form.tsx';

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
      const letter = found(rows, 'deadLetterNotFound', uuid);
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
