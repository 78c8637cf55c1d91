import type { FC, PropsWithChildren } from 'hono/jsx';
import { LanguageChooser } from '../../messages/chooser.tsx';
import { useWords, WordsProvider } from '../../messages/context.ts';
import type { Key } from '../../messages/messages.ts';
import { type ScriptWords, scriptWords, wordsIn } from '../../messages/words.ts';
import type { FoundSession } from '../../session/store.ts';
import { Form, Submit } from './form.tsx';
import { Icon } from './icons.tsx';
import { may, type Right } from './rights.ts';
import { type Shown, ShownProvider, useShown, type View } from './view.ts';

/** What an organization may have or not. */
type Feature = 'SHIPMENT' | 'CLIENT' | 'SANDBOX';

type MenuKey = Extract<Key, `menu.${string}`>;

interface Place {
  path: string;
  label: MenuKey;
  right: Right;
  feature?: Feature;
}

/** Where the menu leads, in groups. */
const MENU: { label: MenuKey; places: Place[] }[] = [
  {
    label: 'menu.dispatch',
    places: [
      { path: '/app', label: 'menu.dashboard', right: 'see' },
      { path: '/app/today', label: 'menu.today', right: 'see', feature: 'SHIPMENT' },
      { path: '/app/board', label: 'menu.board', right: 'see' },
      { path: '/app/manifest', label: 'menu.manifests', right: 'see' },
      { path: '/app/shipment', label: 'menu.shipments', right: 'see', feature: 'SHIPMENT' },
      { path: '/app/alert', label: 'menu.alerts', right: 'see' },
      { path: '/app/archive', label: 'menu.archive', right: 'see' },
    ],
  },
  {
    label: 'menu.pallets',
    places: [
      { path: '/app/track', label: 'menu.tracks', right: 'see' },
      { path: '/app/marker-code', label: 'menu.markers', right: 'see' },
      { path: '/app/client', label: 'menu.clients', right: 'see', feature: 'CLIENT' },
      { path: '/app/printing-batch', label: 'menu.labels', right: 'seeOffice' },
    ],
  },
  {
    label: 'menu.site',
    places: [
      { path: '/app/gate', label: 'menu.gates', right: 'see' },
      { path: '/app/scanner', label: 'menu.scanners', right: 'seeDevices' },
      { path: '/app/local-manager', label: 'menu.localManagers', right: 'seeDevices' },
      { path: '/app/agent', label: 'menu.agents', right: 'seeDevices' },
      { path: '/app/calibration', label: 'menu.calibration', right: 'seeOffice' },
    ],
  },
  {
    label: 'menu.integration',
    places: [
      { path: '/app/webhook', label: 'menu.webhooks', right: 'seeOffice' },
      { path: '/app/operation', label: 'menu.operations', right: 'seeOffice' },
      { path: '/app/simulation', label: 'menu.simulation', right: 'operate', feature: 'SANDBOX' },
      { path: '/app/audit-log', label: 'menu.audit', right: 'seeOffice' },
    ],
  },
  {
    label: 'menu.people',
    places: [
      { path: '/app/user', label: 'menu.users', right: 'seeUsers' },
      { path: '/app/authority', label: 'menu.authorities', right: 'seeAuthorities' },
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
  const shown = useShown();
  const { path } = shown;
  const { t } = useWords();
  const isHere = (place: Place): boolean =>
    path === place.path || (place.path !== '/app' && path.startsWith(`${place.path}/`));
  return (
    <nav id="menu" class="menu" aria-label={t('kit.main')} popover="auto">
      <button type="button" class="menu-button" popovertarget="menu" popovertargetaction="hide">
        <Icon name="closed" /> {t('kit.close')}
      </button>
      {MENU.map(({ label, places }) => {
        const allowed = places.filter(
          ({ right, feature }) =>
            may(session.user.permissions, right) && (feature === undefined || hasFeature(session, feature)),
        );
        if (allowed.length === 0) return null;
        return (
          <section>
            <h2>{t(label)}</h2>
            <ul>
              {allowed.map((place) => (
                <li>
                  <a href={place.path} aria-current={isHere(place) ? 'page' : undefined}>
                    {t(place.label)}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
      <section>
        <h2>{t('kit.language')}</h2>
        <LanguageChooser path={here(shown)} label={t('kit.language')} />
      </section>
    </nav>
  );
};

const Account: FC<{ session: FoundSession }> = ({ session: { user } }) => (
  <div class="account">
    <a href="/app/account">
      {user.firstName} {user.lastName}
    </a>
    <Form action="sign-out" to="/app/logout">
      <Submit quiet>{useWords().t('kit.signOut')}</Submit>
    </Form>
  </div>
);

/** What is to be told before anything else: what was done, what failed, and secrets that are shown once. */
const Notices: FC = () => {
  const { flash, failed, secrets } = useShown();
  const { t } = useWords();
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
        <section class="notice secret" aria-label={t('kit.shownOnce')}>
          <p>{t('kit.copyNow')}</p>
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

const Main: FC<PropsWithChildren<{ view: View }>> = ({ view: { title, aside, body, bare } }) => {
  const { language, chosen } = useShown();
  return (
    <main id="main" tabindex={-1} lang={language === chosen ? undefined : language}>
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
};

/** The one box: what hand scanners type opens at once. */
const Search: FC = () => {
  const { path, search } = useShown();
  const { t } = useWords();
  const typed = path === '/app/search' ? (new URLSearchParams(search).get('q') ?? '') : '';
  return (
    // biome-ignore lint/a11y/useSemanticElements: the field is found by the role of its form
    <form role="search" method="get" action="/app/search" class="search">
      <label class="hidden" for="search">
        {t('kit.search')}
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
        placeholder={t('kit.scanOrSearch')}
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
          <Icon name="menu" /> {useWords().t('kit.menu')}
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

/** The words that scripts of every page say: distances in time, and the dialog. */
const EVERYWHERE: readonly ScriptWords[] = ['when', 'dialog'];

/** Path and query of a page. */
const here = ({ path, search }: Shown): string => path + search;

/** A whole document: with menu and account for who is signed in, else with the page alone. */
export const Document: FC<{ shown: Shown; view: View }> = ({ shown, view }) => {
  const { session, language, chosen } = shown;
  const words = wordsIn(chosen);
  const name = session?.organization.name ?? words.t('kit.product');
  return (
    <ShownProvider value={shown}>
      <WordsProvider value={words}>
        <html lang={chosen}>
          <Head
            title={`${view.tab ?? view.title} · ${name}`}
            scripts={['console.js', ...(view.scripts ?? [])]}
            styles={[
              'tokens.css',
              ...(view.bare ? [] : ['console.css']),
              'dialog.css',
              'languages.css',
              ...(view.styles ?? []),
            ]}
          />
          <body
            class={view.bare ? 'bare' : session ? 'signed-in' : 'guest'}
            data-zone={session?.organization.timeZone}
            data-words={scriptWords(language, [...EVERYWHERE, ...(view.words ?? [])])}
          >
            <a class="skip" href="#main">
              {words.t('kit.skip')}
            </a>
            {!view.bare && <Top session={session} name={name} />}
            <WordsProvider value={wordsIn(language)}>
              <Main view={view} />
            </WordsProvider>
            {session === null && !view.lost && (
              <footer class="choose">
                <LanguageChooser path={here(shown)} label={words.t('kit.language')} />
              </footer>
            )}
          </body>
        </html>
      </WordsProvider>
    </ShownProvider>
  );
};
