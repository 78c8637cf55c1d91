import type { FC } from 'hono/jsx';
import { type FoundSession, OPEN_ALERTS_COUNTED } from '../../session/store.ts';
import { Form, Submit } from './form.tsx';
import { Icon, type IconName } from './icons.tsx';
import { may, type Right } from './rights.ts';
import { useShown } from './view.ts';

/** What an organization may have or not. */
type Feature = 'SHIPMENT' | 'CLIENT' | 'SANDBOX';

interface Place {
  path: string;
  label: string;
  /** What it is called where there is little room. */
  short?: string;
  right: Right;
  feature?: Feature;
  icon?: IconName;
  /** What it shows first, where that is not all. */
  query?: string;
}

const SHIPMENTS: Place = {
  path: '/app/shipment',
  label: 'Shipments',
  right: 'see',
  feature: 'SHIPMENT',
  icon: 'truck',
};
const MANIFESTS: Place = { path: '/app/manifest', label: 'Manifests', right: 'see', icon: 'list' };
const DASHBOARD: Place = { path: '/app', label: 'Dashboard', right: 'see', icon: 'chart' };
const TODAY: Place = { path: '/app/today', label: 'Today', right: 'see', feature: 'SHIPMENT', icon: 'day' };
const BOARD: Place = { path: '/app/board', label: 'Gate board', short: 'Gates', right: 'see', icon: 'gate' };
const ALERTS: Place = {
  path: '/app/alert',
  label: 'Alerts',
  right: 'see',
  icon: 'bell',
  query: '?status=OPEN',
};

/** Where the menu leads, in groups: what is looked at all day first. */
const MENU: { label?: string; places: Place[] }[] = [
  {
    places: [
      DASHBOARD,
      TODAY,
      BOARD,
      SHIPMENTS,
      MANIFESTS,
      { path: '/app/track', label: 'Pallets', right: 'see', icon: 'pallet' },
      ALERTS,
      { path: '/app/archive', label: 'Archive', right: 'see', icon: 'box' },
    ],
  },
  {
    label: 'Markers',
    places: [
      { path: '/app/marker-code', label: 'Marker codes', right: 'see' },
      { path: '/app/client', label: 'Clients', right: 'see', feature: 'CLIENT' },
      { path: '/app/printing-batch', label: 'Printing batches', right: 'seeOffice' },
    ],
  },
  {
    label: 'Site',
    places: [
      { path: '/app/gate', label: 'Gates', right: 'see' },
      { path: '/app/scanner', label: 'Scanners', right: 'seeDevices' },
      { path: '/app/local-manager', label: 'Local managers', right: 'seeDevices' },
      { path: '/app/agent', label: 'Agents', right: 'seeDevices' },
      { path: '/app/calibration', label: 'Calibration files', right: 'seeOffice' },
    ],
  },
  {
    label: 'Integration',
    places: [
      { path: '/app/webhook', label: 'Webhooks', right: 'seeOffice' },
      { path: '/app/operation', label: 'Operations', right: 'seeOffice' },
      { path: '/app/simulation', label: 'Play cameras', right: 'operate', feature: 'SANDBOX' },
      { path: '/app/audit-log', label: 'Audit log', right: 'seeOffice' },
    ],
  },
  {
    label: 'People',
    places: [
      { path: '/app/user', label: 'Users', right: 'seeUsers' },
      { path: '/app/authority', label: 'Authorities', right: 'seeAuthorities' },
    ],
  },
];

/** Whether an organization has what a page is about. */
export function hasFeature({ organization }: FoundSession, feature: Feature): boolean {
  const has: Record<Feature, boolean> = {
    SHIPMENT: organization.dispatchStrategy === 'SHIPMENT',
    CLIENT: organization.clientFeatureEnabled,
    SANDBOX: organization.sandbox,
  };
  return has[feature];
}

/** Whether somebody is shown a place. */
const isOpen =
  (session: FoundSession) =>
  ({ right, feature }: Place): boolean =>
    may(session.user.permissions, right) && (feature === undefined || hasFeature(session, feature));

/** Leads to a place of the menu; of alerts with the number of those that are open. */
const PlaceLink: FC<{ place: Place; session: FoundSession; short?: boolean }> = ({
  place,
  session: { openAlerts },
  short,
}) => {
  const { path } = useShown();
  const here = path === place.path || (place.path !== '/app' && path.startsWith(`${place.path}/`));
  return (
    <a href={`${place.path}${place.query ?? ''}`} aria-current={here ? 'page' : undefined}>
      {place.icon && <Icon name={place.icon} />}
      <span>{(short && place.short) || place.label}</span>
      {place === ALERTS && openAlerts.count > 0 && (
        <span class={openAlerts.wrong > 0 ? 'counted wrong' : 'counted'}>
          {openAlerts.count > OPEN_ALERTS_COUNTED ? `${OPEN_ALERTS_COUNTED}+` : openAlerts.count}
          <span class="hidden"> open{openAlerts.wrong > 0 && ', with wrong pallets'}</span>
        </span>
      )}
    </a>
  );
};

/** Beside every page, or above it where there is no room. */
export const Menu: FC<{ session: FoundSession }> = ({ session }) => (
  <nav id="menu" class="menu" aria-label="Main" popover="auto">
    <button type="button" class="menu-button" popovertarget="menu" popovertargetaction="hide">
      <Icon name="closed" /> Close
    </button>
    <Brand name={session.organization.name} />
    {MENU.map(({ label, places }) => {
      const shown = places.filter(isOpen(session));
      if (shown.length === 0) return null;
      return (
        <section>
          {label && <h2>{label}</h2>}
          <ul>
            {shown.map((place) => (
              <li>
                <PlaceLink place={place} session={session} />
              </li>
            ))}
          </ul>
        </section>
      );
    })}
    <div class="account">
      <a href="/app/account">
        {session.user.firstName} {session.user.lastName}
      </a>
      <Form action="sign-out" to="/app/logout">
        <Submit quiet>Sign out</Submit>
      </Form>
    </div>
  </nav>
);

/** On a phone: four places within reach of a thumb, and the menu. */
export const Tabbar: FC<{ session: FoundSession }> = ({ session }) => (
  <nav class="tabbar" aria-label="Within reach">
    {[
      hasFeature(session, 'SHIPMENT') ? TODAY : DASHBOARD,
      BOARD,
      hasFeature(session, 'SHIPMENT') ? SHIPMENTS : MANIFESTS,
      ALERTS,
    ].map((place) => (
      <PlaceLink place={place} session={session} short />
    ))}
    <button type="button" popovertarget="menu">
      <Icon name="menu" />
      <span>Menu</span>
    </button>
  </nav>
);

/** Whose pages these are. */
export const Brand: FC<{ name: string }> = ({ name }) => (
  <a class="brand" href="/app">
    <svg viewBox="0 0 26 26" aria-hidden="true">
      <rect width="26" height="26" rx="3" fill="currentColor" />
      <path d="M6 21V8h14v13M6 12.3h14M6 16.6h14" />
    </svg>
    <span>
      {name}
      <small>Warehouse dispatch</small>
    </span>
  </a>
);
