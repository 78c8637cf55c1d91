import type { FC, PropsWithChildren } from 'hono/jsx';
import { clockIn, formatIn } from '../../lib/zone.ts';
import { type FoundSession, OPEN_ALERTS_COUNTED } from '../../session/store.ts';
import { Form, Submit } from './form.tsx';
import { Icon, type IconName } from './icons.tsx';
import { may, type Right } from './rights.ts';
import { type Shown, ShownProvider, useShown, type View } from './view.ts';

/** What an organization may have or not. */
type Feature = 'SHIPMENT' | 'CLIENT' | 'SANDBOX';

interface Place {
  path: string;
  label: string;
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
const BOARD: Place = { path: '/app/board', label: 'Gate board', right: 'see', icon: 'gate' };
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
const PlaceLink: FC<{ place: Place; session: FoundSession }> = ({ place, session: { openAlerts } }) => {
  const { path } = useShown();
  const here = path === place.path || (place.path !== '/app' && path.startsWith(`${place.path}/`));
  return (
    <a href={`${place.path}${place.query ?? ''}`} aria-current={here ? 'page' : undefined}>
      {place.icon && <Icon name={place.icon} />}
      <span>{place.label}</span>
      {place === ALERTS && openAlerts.count > 0 && (
        <span class={openAlerts.wrong > 0 ? 'counted wrong' : 'counted'}>
          {openAlerts.count > OPEN_ALERTS_COUNTED ? `${OPEN_ALERTS_COUNTED}+` : openAlerts.count}
          <span class="hidden"> open{openAlerts.wrong > 0 && ', with wrong pallets'}</span>
        </span>
      )}
    </a>
  );
};

const Menu: FC<{ session: FoundSession }> = ({ session }) => (
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
const Tabbar: FC<{ session: FoundSession }> = ({ session }) => (
  <nav class="tabbar" aria-label="Within reach">
    {[
      hasFeature(session, 'SHIPMENT') ? TODAY : DASHBOARD,
      BOARD,
      hasFeature(session, 'SHIPMENT') ? SHIPMENTS : MANIFESTS,
      ALERTS,
    ].map((place) => (
      <PlaceLink place={place} session={session} />
    ))}
    <button type="button" popovertarget="menu">
      <Icon name="menu" />
      <span>Menu</span>
    </button>
  </nav>
);

const Brand: FC<{ name: string }> = ({ name }) => (
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

/** What is to be told before anything else: what was done, what failed, and secrets that are shown once. */
const Notices: FC = () => {
  const { flash, failed, secrets } = useShown();
  return (
    <>
      {flash && (
        <p class="notice good" role="status">
          {flash}
        </p>
      )}
      {failed && (
        <div class="notice bad" role="alert">
          <p>{failed.refusal.detail}</p>
          {(failed.refusal.errors ?? []).length > 1 && (
            <ul>
              {(failed.refusal.errors ?? []).slice(0, 20).map(({ field, message }) => (
                <li>
                  {field}: {message}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
      {secrets && (
        <section class="notice secret" aria-label="Shown once">
          <p>Copy this now: it is not shown again.</p>
          <dl>
            {secrets.map(({ label, value }) => (
              <>
                <dt>{label}</dt>
                <dd>
                  <code>{value}</code>
                </dd>
              </>
            ))}
          </dl>
        </section>
      )}
    </>
  );
};

const Head: FC<{ title: string; scripts: string[]; styles: string[] }> = ({ title, scripts, styles }) => (
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>{title}</title>
    <link rel="icon" href="/assets/console/icon.svg" type="image/svg+xml" />
    {styles.map((style) => (
      <link rel="stylesheet" href={`/assets/console/${style}`} />
    ))}
    {scripts.map((script) => (
      <script type="module" src={`/assets/console/${script}`} />
    ))}
  </head>
);

const Main: FC<PropsWithChildren<{ view: View }>> = ({ view: { title, aside, body, bare } }) => (
  <main id="main" tabindex={-1}>
    {!bare && (
      <header class="heading">
        <h1>{title}</h1>
        {aside}
      </header>
    )}
    {!bare && <Notices />}
    {body}
  </main>
);

/** The one box: what hand scanners type opens at once. */
const Search: FC = () => {
  const { path, search } = useShown();
  const typed = path === '/app/search' ? (new URLSearchParams(search).get('q') ?? '') : '';
  return (
    // biome-ignore lint/a11y/useSemanticElements: the field is found by the role of its form
    <form role="search" method="get" action="/app/search" class="search">
      <label class="hidden" for="search">
        Search
      </label>
      <Icon name="search" />
      <input
        id="search"
        name="q"
        type="search"
        value={typed}
        maxlength={255}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        placeholder="Scan or type a pallet, shipment, marker, gate"
        aria-keyshortcuts="/"
      />
    </form>
  );
};

/** The clock of the site, which the script of every page keeps true. */
const Clock: FC<{ zone: string }> = ({ zone }) => {
  const now = Date.now();
  return (
    <p class="clock">
      {formatIn(zone, 'en-GB', { weekday: 'short', day: 'numeric', month: 'short' }).format(now)}{' '}
      <b data-clock={zone}>{clockIn(zone, now)}</b>{' '}
      {
        formatIn(zone, 'en-GB', { timeZoneName: 'short' })
          .formatToParts(now)
          .find(({ type }) => type === 'timeZoneName')?.value
      }
    </p>
  );
};

/** What stands around a page: menu and box for who is signed in, else the name alone. */
const Around: FC<PropsWithChildren<{ session: FoundSession | null }>> = ({ session, children }) =>
  session ? (
    <>
      <Menu session={session} />
      <header class="top">
        <Search />
        <Clock zone={session.organization.timeZone} />
      </header>
      {children}
      <Tabbar session={session} />
    </>
  ) : (
    <>
      <header class="top">
        <Brand name="Dispatch" />
      </header>
      {children}
    </>
  );

/** The styles of what is not bare. */
const FRAME = ['console.css', 'table.css', 'parts.css'];

/** A whole document: with menu and account for who is signed in, else with the page alone. */
export const Document: FC<{ shown: Shown; view: View }> = ({ shown, view }) => {
  const { session } = shown;
  const name = session?.organization.name ?? 'Warehouse dispatch';
  return (
    <ShownProvider value={shown}>
      <html lang="en">
        <Head
          title={`${view.tab ?? view.title} · ${name}`}
          scripts={['console.js', ...(view.scripts ?? [])]}
          styles={['tokens.css', ...(view.bare ? [] : FRAME), 'dialog.css', ...(view.styles ?? [])]}
        />
        <body class={view.bare ? 'bare' : session ? 'signed-in' : 'guest'}>
          <a class="skip" href="#main">
            Skip to content
          </a>
          {view.bare ? (
            <Main view={view} />
          ) : (
            <Around session={session}>
              <Main view={view} />
            </Around>
          )}
        </body>
      </html>
    </ShownProvider>
  );
};
