import type { FC } from 'hono/jsx';
import { COUNTED_MAXIMUM, type FoundSession } from '../../../access/session/store.ts';
import { LOGO_PATH } from '../../../core/lib/signs.ts';
import { LanguageChooser } from '../../../messages/chooser.tsx';
import { useWords } from '../../../messages/context.ts';
import { DESK_LANGUAGES, nameOf } from '../../../messages/languages.ts';
import type { SignOutActions } from '../confirm/action.ts';
import { Form, Submit } from '../form/form.tsx';
import { Icon, type IconName } from '../parts/icons.tsx';
import { ManualLink, manualRole } from '../parts/manual-link.tsx';
import {
  ALERTS,
  BOARD,
  DAILY,
  type Feature,
  MANIFESTS,
  type MenuGroup,
  type MenuItem,
  REPORTS,
  SET_UP,
  SHIPMENTS,
  TODAY,
} from '../parts/places.ts';
import { may } from '../parts/rights.ts';
import { hereOf, usePageState } from '../parts/view.ts';

/** Whether an organization has the feature of a page. */
export function hasFeature({ organization }: FoundSession, feature: Feature): boolean {
  const has: Record<Feature, boolean> = {
    SHIPMENT: organization.dispatchStrategy === 'SHIPMENT',
    CLIENT: organization.clientFeatureEnabled,
    SANDBOX: organization.sandbox,
  };
  return has[feature];
}

/** Whether an organization plans the departures of its shipments, so that it has a day. */
export const plansDay = (session: FoundSession): boolean =>
  hasFeature(session, 'SHIPMENT') &&
  session.organization.shipmentCustomFields.some(({ role }) => role === 'PLANNED_DEPARTURE');

/** Whether a user sees a place. */
const isOpen =
  (session: FoundSession) =>
  ({ right, feature }: MenuItem): boolean =>
    may(session.user.permissions, right) && (feature === undefined || hasFeature(session, feature));

/** Whether a place is shown at a path: its page, or a page below it. */
const isAt = (path: string, item: MenuItem): boolean =>
  path === item.path || path.startsWith(`${item.path}/`);

/** A link to a place of the menu. Today has the number of late shipments, alerts have the number of open ones. */
const MenuLink: FC<{ item: MenuItem; session: FoundSession; short?: boolean; icon?: IconName }> = ({
  item,
  session: { openAlerts, late },
  short,
  icon = item.icon,
}) => {
  const { path } = usePageState();
  const { t } = useWords();
  return (
    <a href={`${item.path}${item.query ?? ''}`} aria-current={isAt(path, item) ? 'page' : undefined}>
      {icon && <Icon name={icon} />}
      <span>{t((short && item.short) || item.label)}</span>
      {item === TODAY && <Counted {...late} class="late" says={t('kit.late')} />}
      {item === ALERTS && (
        <Counted
          count={openAlerts.count}
          class={openAlerts.wrong > 0 ? 'wrong' : ''}
          says={t(openAlerts.wrong > 0 ? 'kit.openWithWrong' : 'kit.openAlerts')}
        />
      )}
    </a>
  );
};

/**
 * A number in the menu, up to `COUNTED_MAXIMUM`; nothing for 0. `more`: whether more things exist than were counted. Screen
 * readers hear the meaning of the number.
 */
const Counted: FC<{ count: number; more?: boolean; class: string; says: string }> = ({
  count,
  more = false,
  class: tone,
  says,
}) =>
  count === 0 ? null : (
    <span class={`counted ${tone}`}>
      {Math.min(count, COUNTED_MAXIMUM)}
      {(more || count > COUNTED_MAXIMUM) && '+'}
      <span class="hidden"> {says}</span>
    </span>
  );

/** A group of the menu, open on its own pages. A group with one place is a link to it. */
const Group: FC<{ group: MenuGroup; session: FoundSession }> = ({
  group: { label, icon, items },
  session,
}) => {
  const { path } = usePageState();
  const { t } = useWords();
  const shown = items.filter(isOpen(session));
  const [only] = shown;
  if (!only) return null;
  if (shown.length === 1)
    return (
      <li>
        <MenuLink item={only} session={session} icon={icon} />
      </li>
    );
  return (
    <li>
      <details name="set-up" open={shown.some((item) => isAt(path, item))}>
        <summary>
          <Icon name={icon} />
          <span>{t(label)}</span>
        </summary>
        <ul>
          {shown.map((item) => (
            <li>
              <MenuLink item={item} session={session} />
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
};

/** The menu: beside every page, or above it on narrow screens. */
export const Menu: FC<{ session: FoundSession }> = ({ session }) => {
  const { t, language, labelled } = useWords();
  const here = hereOf(usePageState());
  return (
    <nav id="menu" class="menu" aria-label={t('kit.main')} popover="auto">
      <button type="button" class="menu-button" popovertarget="menu" popovertargetaction="hide">
        <Icon name="closed" /> {t('kit.close')}
      </button>
      <Brand name={session.organization.name} />
      <section>
        <ul>
          {DAILY.filter(isOpen(session)).map((item) => (
            <li>
              <MenuLink item={item} session={session} />
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h2>{t('menu.setUp')}</h2>
        <ul>
          {SET_UP.map((group) => (
            <Group group={group} session={session} />
          ))}
        </ul>
      </section>
      <section>
        <details class="language">
          <summary>
            <Icon name="language" />
            <span>
              <span class="hidden">{labelled(t('kit.language'))}</span>
              {nameOf(language)}
            </span>
          </summary>
          <LanguageChooser path={here} label={t('kit.language')} languages={DESK_LANGUAGES} />
        </details>
      </section>
      <div class="account">
        <a href="/app/account">
          {session.user.firstName} {session.user.lastName}
        </a>
        <a class="keys-link" href="/app/keys" aria-keyshortcuts="?">
          {t('kit.keys')}
        </a>
        <ManualLink of={manualRole(session.user.permissions)} />
        <Form<SignOutActions> action="sign-out" to="/app/logout">
          <Submit quiet>{t('kit.signOut')}</Submit>
        </Form>
      </div>
    </nav>
  );
};

/** The bar at the bottom of a phone's screen: four places, and the menu. */
export const Tabbar: FC<{ session: FoundSession }> = ({ session }) => (
  <nav class="tabbar" aria-label={useWords().t('kit.within')}>
    {[
      hasFeature(session, 'SHIPMENT') ? TODAY : REPORTS,
      BOARD,
      hasFeature(session, 'SHIPMENT') ? SHIPMENTS : MANIFESTS,
      ALERTS,
    ].map((item) => (
      <MenuLink item={item} session={session} short />
    ))}
    <button type="button" popovertarget="menu">
      <Icon name="menu" />
      <span>{useWords().t('kit.menu')}</span>
    </button>
  </nav>
);

/** The logo and a name, usually of the organization. They link to the first page. */
export const Brand: FC<{ name: string; to?: string }> = ({ name, to = '/app' }) => {
  const product = useWords().t('kit.product');
  return (
    <a class="brand" href={to}>
      <svg viewBox="0 0 26 26" aria-hidden="true">
        <rect width="26" height="26" rx="3" fill="currentColor" />
        <path d={LOGO_PATH} />
      </svg>
      <span>
        {name}
        {name !== product && <small>{product}</small>}
      </span>
    </a>
  );
};
