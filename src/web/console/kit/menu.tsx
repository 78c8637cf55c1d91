import type { FC } from 'hono/jsx';
import { type FoundSession, OPEN_ALERTS_COUNTED } from '../../../access/session/store.ts';
import { LOGO_PATH } from '../../../core/lib/signs.ts';
import { LanguageChooser } from '../../../messages/chooser.tsx';
import { useWords } from '../../../messages/context.ts';
import type { Key } from '../../../messages/messages.ts';
import type { SignOutActions } from './action.ts';
import { Form, Submit } from './form.tsx';
import { Icon, type IconName } from './icons.tsx';
import { may, type Right } from './rights.ts';
import { hereOf, usePageState } from './view.ts';

/** A feature that an organization may use. */
type Feature = 'SHIPMENT' | 'CLIENT' | 'SANDBOX';

type MenuKey = Extract<Key, `menu.${string}`>;

interface MenuItem {
  path: string;
  label: MenuKey;
  /** Its short name. */
  short?: MenuKey;
  right: Right;
  feature?: Feature;
  icon?: IconName;
  /** The query of its first view, if that does not show everything. */
  query?: string;
}

const SHIPMENTS: MenuItem = {
  path: '/app/shipment',
  label: 'menu.shipments',
  right: 'see',
  feature: 'SHIPMENT',
  icon: 'truck',
};
const MANIFESTS: MenuItem = { path: '/app/manifest', label: 'menu.manifests', right: 'see', icon: 'list' };
const DASHBOARD: MenuItem = { path: '/app', label: 'menu.dashboard', right: 'see', icon: 'chart' };
const TODAY: MenuItem = {
  path: '/app/today',
  label: 'menu.today',
  right: 'see',
  feature: 'SHIPMENT',
  icon: 'day',
};
const BOARD: MenuItem = {
  path: '/app/board',
  label: 'menu.board',
  short: 'menu.gates',
  right: 'see',
  icon: 'gate',
};
const ALERTS: MenuItem = {
  path: '/app/alert',
  label: 'menu.alerts',
  right: 'see',
  icon: 'bell',
  query: '?status=OPEN',
};

/** The places of the menu, in groups. Pages that are used all day come first. */
const MENU: { label?: MenuKey; items: MenuItem[] }[] = [
  {
    items: [
      DASHBOARD,
      TODAY,
      BOARD,
      SHIPMENTS,
      MANIFESTS,
      { path: '/app/track', label: 'menu.pallets', right: 'see', icon: 'pallet' },
      ALERTS,
      { path: '/app/archive', label: 'menu.archive', right: 'see', icon: 'box' },
    ],
  },
  {
    label: 'menu.markerGroup',
    items: [
      { path: '/app/marker-code', label: 'menu.markers', right: 'see' },
      { path: '/app/client', label: 'menu.clients', right: 'see', feature: 'CLIENT' },
      { path: '/app/printing-batch', label: 'menu.labels', right: 'seeOffice' },
    ],
  },
  {
    label: 'menu.site',
    items: [
      { path: '/app/gate', label: 'menu.gates', right: 'see' },
      { path: '/app/scanner', label: 'menu.scanners', right: 'seeDevices' },
      { path: '/app/local-manager', label: 'menu.localManagers', right: 'seeDevices' },
      { path: '/app/agent', label: 'menu.agents', right: 'seeDevices' },
      { path: '/app/calibration', label: 'menu.calibration', right: 'seeOffice' },
      { path: '/app/settings', label: 'menu.settings', right: 'see' },
    ],
  },
  {
    label: 'menu.integration',
    items: [
      { path: '/app/webhook', label: 'menu.webhooks', right: 'seeOffice' },
      { path: '/app/api-key', label: 'menu.keys', right: 'seeOffice' },
      { path: '/app/access-token', label: 'menu.tokens', right: 'seeOffice' },
      { path: '/app/operation', label: 'menu.operations', right: 'seeOffice' },
      { path: '/app/simulation', label: 'menu.simulation', right: 'operate', feature: 'SANDBOX' },
      { path: '/app/audit-log', label: 'menu.audit', right: 'seeOffice' },
    ],
  },
  {
    label: 'menu.people',
    items: [
      { path: '/app/user', label: 'menu.users', right: 'seeUsers' },
      { path: '/app/gate-worker', label: 'menu.workers', right: 'seeUsers' },
      { path: '/app/authority', label: 'menu.authorities', right: 'seeAuthorities' },
      { path: '/app/company-account', label: 'menu.company', right: 'changeSignIn' },
    ],
  },
];

/** Whether an organization has the feature of a page. */
export function hasFeature({ organization }: FoundSession, feature: Feature): boolean {
  const has: Record<Feature, boolean> = {
    SHIPMENT: organization.dispatchStrategy === 'SHIPMENT',
    CLIENT: organization.clientFeatureEnabled,
    SANDBOX: organization.sandbox,
  };
  return has[feature];
}

/** Whether a user sees a place. */
const isOpen =
  (session: FoundSession) =>
  ({ right, feature }: MenuItem): boolean =>
    may(session.user.permissions, right) && (feature === undefined || hasFeature(session, feature));

/** A link to a place of the menu. The link to alerts has the number of open alerts. */
const MenuLink: FC<{ item: MenuItem; session: FoundSession; short?: boolean }> = ({
  item,
  session: { openAlerts },
  short,
}) => {
  const { path } = usePageState();
  const { t } = useWords();
  const here = path === item.path || (item.path !== '/app' && path.startsWith(`${item.path}/`));
  return (
    <a href={`${item.path}${item.query ?? ''}`} aria-current={here ? 'page' : undefined}>
      {item.icon && <Icon name={item.icon} />}
      <span>{t((short && item.short) || item.label)}</span>
      {item === ALERTS && openAlerts.count > 0 && (
        <span class={openAlerts.wrong > 0 ? 'counted wrong' : 'counted'}>
          {openAlerts.count > OPEN_ALERTS_COUNTED ? `${OPEN_ALERTS_COUNTED}+` : openAlerts.count}
          <span class="hidden"> {t(openAlerts.wrong > 0 ? 'kit.openWithWrong' : 'kit.openAlerts')}</span>
        </span>
      )}
    </a>
  );
};

/** The menu: beside every page, or above it on narrow screens. */
export const Menu: FC<{ session: FoundSession }> = ({ session }) => {
  const { t } = useWords();
  const here = hereOf(usePageState());
  return (
    <nav id="menu" class="menu" aria-label={t('kit.main')} popover="auto">
      <button type="button" class="menu-button" popovertarget="menu" popovertargetaction="hide">
        <Icon name="closed" /> {t('kit.close')}
      </button>
      <Brand name={session.organization.name} />
      {MENU.map(({ label, items }) => {
        const shown = items.filter(isOpen(session));
        if (shown.length === 0) return null;
        return (
          <section>
            {label && <h2>{t(label)}</h2>}
            <ul>
              {shown.map((item) => (
                <li>
                  <MenuLink item={item} session={session} />
                </li>
              ))}
            </ul>
          </section>
        );
      })}
      <section>
        <h2>{t('kit.language')}</h2>
        <LanguageChooser path={here} label={t('kit.language')} />
      </section>
      <div class="account">
        <a href="/app/account">
          {session.user.firstName} {session.user.lastName}
        </a>
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
      hasFeature(session, 'SHIPMENT') ? TODAY : DASHBOARD,
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
