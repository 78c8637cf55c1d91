import type { FC, PropsWithChildren } from 'hono/jsx';
import type { FoundSession } from '../../session/store.ts';
import { Form, Submit } from './form.tsx';
import { Icon } from './icons.tsx';
import { may, type Right } from './rights.ts';
import { type Shown, ShownProvider, useShown, type View } from './view.ts';

/** What an organization may have or not. */
type Feature = 'SHIPMENT' | 'CLIENT' | 'SANDBOX';

interface Place {
  path: string;
  label: string;
  right: Right;
  feature?: Feature;
}

/** Where the menu leads, in groups. */
const MENU: { label: string; places: Place[] }[] = [
  {
    label: 'Dispatch',
    places: [
      { path: '/app', label: 'Dashboard', right: 'see' },
      { path: '/app/today', label: 'Today', right: 'see', feature: 'SHIPMENT' },
      { path: '/app/board', label: 'Gate board', right: 'see' },
      { path: '/app/manifest', label: 'Manifests', right: 'see' },
      { path: '/app/shipment', label: 'Shipments', right: 'see', feature: 'SHIPMENT' },
      { path: '/app/alert', label: 'Alerts', right: 'see' },
      { path: '/app/archive', label: 'Archive', right: 'see' },
    ],
  },
  {
    label: 'Pallets',
    places: [
      { path: '/app/track', label: 'Tracks', right: 'see' },
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
      { path: '/app/company-account', label: 'Company account', right: 'changeSignIn' },
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

const Menu: FC<{ session: FoundSession }> = ({ session }) => {
  const { path } = useShown();
  const isHere = (place: Place): boolean =>
    path === place.path || (place.path !== '/app' && path.startsWith(`${place.path}/`));
  return (
    <nav id="menu" class="menu" aria-label="Main" popover="auto">
      <button type="button" class="menu-button" popovertarget="menu" popovertargetaction="hide">
        <Icon name="closed" /> Close
      </button>
      {MENU.map(({ label, places }) => {
        const shown = places.filter(
          ({ right, feature }) =>
            may(session.user.permissions, right) && (feature === undefined || hasFeature(session, feature)),
        );
        if (shown.length === 0) return null;
        return (
          <section>
            <h2>{label}</h2>
            <ul>
              {shown.map((place) => (
                <li>
                  <a href={place.path} aria-current={isHere(place) ? 'page' : undefined}>
                    {place.label}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </nav>
  );
};

const Account: FC<{ session: FoundSession }> = ({ session: { user } }) => (
  <div class="account">
    <a href="/app/account">
      {user.firstName} {user.lastName}
    </a>
    <Form action="sign-out" to="/app/logout">
      <Submit quiet>Sign out</Submit>
    </Form>
  </div>
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
        placeholder="Scan or search"
        aria-keyshortcuts="/"
      />
    </form>
  );
};

const Top: FC<{ session: FoundSession | null; name: string }> = ({ session, name }) => (
  <>
    <header class="top">
      {session && (
        <button type="button" class="menu-button" popovertarget="menu">
          <Icon name="menu" /> Menu
        </button>
      )}
      <a class="brand" href="/app">
        {name}
      </a>
      {session && <Search />}
      {session && <Account session={session} />}
    </header>
    {session && <Menu session={session} />}
  </>
);

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
          styles={['tokens.css', ...(view.bare ? [] : ['console.css']), 'dialog.css', ...(view.styles ?? [])]}
        />
        <body class={view.bare ? 'bare' : session ? 'signed-in' : 'guest'}>
          <a class="skip" href="#main">
            Skip to content
          </a>
          {!view.bare && <Top session={session} name={name} />}
          <Main view={view} />
        </body>
      </html>
    </ShownProvider>
  );
};
