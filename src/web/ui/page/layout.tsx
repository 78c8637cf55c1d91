import { raw } from 'hono/html';
import type { FC, PropsWithChildren } from 'hono/jsx';
import type { FoundSession } from '../../../access/session/store.ts';
import type { Refusal } from '../../../core/lib/problem.ts';
import { clockIn, formatIn } from '../../../core/lib/zone.ts';
import { LanguageChooser } from '../../../messages/chooser.tsx';
import { useWords, WordsProvider } from '../../../messages/context.ts';
import { directionOf, hasDeskPages, localeOf } from '../../../messages/languages.ts';
import { type ScriptWords, scriptWords, wordsIn } from '../../../messages/words.ts';
import { ssccGroups } from '../../../pallet/gs1.ts';
import { READING_MAXIMUM } from '../../../pallet/identifier.ts';
import type { SignOutActions } from '../confirm/action.ts';
import { UndoButton } from '../confirm/undo.tsx';
import { Form, Submit } from '../form/form.tsx';
import { PalletId } from '../parts/badges.tsx';
import { Badge } from '../parts/components.tsx';
import { Icon } from '../parts/icons.tsx';
import { hereOf, type PageState, PageStateProvider, usePageState, type View } from '../parts/view.ts';
import { Brand, Menu, Tabbar } from './menu.tsx';
import { OPERATOR_HOME, OperatorMenu, OperatorTabbar } from './operator-menu.tsx';

/** The maximum number of refused fields that a notice names. */
const REFUSED_SHOWN = 20;

/** Notices at the top of a page: successes, failures, and secrets that are shown once. */
const Notices: FC = () => {
  const { flash, failed, secrets, became = [] } = usePageState();
  const { t } = useWords();
  const refused = became.filter((one) => one.refused !== null);
  return (
    <>
      {flash && (
        <div class={refused.length > 0 ? 'notice warn' : 'notice good'} role="status">
          <p>{flash}</p>
          <UndoButton />
        </div>
      )}
      {became.length > 0 && (
        <details class="card" open={refused.length > 0}>
          <summary>{t('list.became')}</summary>
          <ul class="outcome">
            {[...refused, ...became.filter((one) => one.refused === null)].map(({ name, refused: why }) => (
              <li>
                <Badge status={why === null ? 'SUCCEEDED' : 'FAILED'} /> <b>{name}</b> {why}
              </li>
            ))}
          </ul>
        </details>
      )}
      {failed && (
        <div class="notice bad" role="alert">
          <Refused refusal={failed.refusal} />
        </div>
      )}
      {secrets && (
        <section class="notice secret" aria-label={t('kit.shownOnce')}>
          <p>{t('kit.copyNow')}</p>
          <dl>
            {secrets.map(({ label, value, mail }, index) => (
              <>
                <dt id={`secret-${index}`}>{label}</dt>
                <dd class="copied">
                  <code>{value}</code>
                  <button
                    type="button"
                    class="button quiet"
                    data-copy={t('key.copied')}
                    aria-describedby={`secret-${index}`}
                  >
                    {t('key.copy')}
                  </button>
                  {mail && (
                    <a class="button quiet" href={mail} aria-describedby={`secret-${index}`}>
                      {t('user.mail')}
                    </a>
                  )}
                </dd>
              </>
            ))}
          </dl>
        </section>
      )}
    </>
  );
};

/** A refusal. Its fields have the labels that they have on the page. A field without a label has only its text. */
const Refused: FC<{ refusal: Refusal }> = ({ refusal: { detail, errors = [] } }) => {
  const { labels } = usePageState();
  const { labelled } = useWords();
  const shown = errors.slice(0, REFUSED_SHOWN).map(({ field, message }) => ({
    label: labels.get(field),
    text: labels.has(field) ? labelled(labels.get(field)!, message) : message,
  }));
  const areNamed = shown.length > 0 && shown.every(({ label }) => label !== undefined);
  if (areNamed && shown.length === 1) return <p>{shown[0]!.text}</p>;
  return (
    <>
      {!areNamed && <p>{detail}</p>}
      {errors.length > 1 && (
        <ul>
          {[...new Set(shown.map(({ text }) => text))].map((text) => (
            <li>{text}</li>
          ))}
        </ul>
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

const Rendered: FC<PropsWithChildren> = ({ children }) => <>{children}</>;

const Main: FC<PropsWithChildren<{ view: View }>> = ({ view: { title, aside, body, bare } }) => {
  // A notice is above the fields, but it needs their labels. So the fields of a refused form are rendered first.
  const inside = usePageState().failed ? raw((<Rendered>{body}</Rendered>).toString()) : body;
  return (
    <main id="main" tabindex={-1}>
      {!bare && (
        <header class="heading">
          <h1>{ssccGroups(title) ? <PalletId id={title} /> : title}</h1>
          {aside}
        </header>
      )}
      {!bare && <Notices />}
      {inside}
    </main>
  );
};

/** The search box. A code from a hand scanner opens its page at once. */
const Search: FC = () => {
  const { path, search } = usePageState();
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
        maxlength={READING_MAXIMUM}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        placeholder={t('kit.scanOrSearch')}
        aria-keyshortcuts="/"
      />
    </form>
  );
};

/** A clock in the organization's time zone. Operators see UTC. A script on every page keeps the clock running. */
const Clock: FC<{ zone: string }> = ({ zone }) => {
  const now = Date.now();
  const locale = localeOf(useWords().language);
  return (
    <p class="clock">
      {formatIn(zone, locale, { weekday: 'short', day: 'numeric', month: 'short' }).format(now)}{' '}
      <b data-clock={zone}>{clockIn(zone, now)}</b>{' '}
      {
        formatIn(zone, locale, { timeZoneName: 'short' })
          .formatToParts(now)
          .find(({ type }) => type === 'timeZoneName')?.value
      }
    </p>
  );
};

/**
 * The frame of a page: menu and search box for signed-in users, or only the name of the organization or product. In a language that the desk
 * does not have, a page has no menu.
 */
const Around: FC<PropsWithChildren<{ session: FoundSession | null; site: string | undefined }>> = ({
  session,
  site,
  children,
}) => {
  const { operator } = usePageState();
  const product = useWords().t('kit.product');
  if (operator?.name !== undefined) {
    return (
      <>
        <OperatorMenu name={operator.name} />
        <header class="top">
          <Clock zone="UTC" />
        </header>
        {children}
        <OperatorTabbar />
      </>
    );
  }
  return session && hasDeskPages(useWords().language) ? (
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
        <Brand name={site ?? product} to={operator ? OPERATOR_HOME : '/app'} />
        {session && (
          <Form<SignOutActions> action="sign-out" to="/app/logout">
            <Submit quiet>{useWords().t('kit.signOut')}</Submit>
          </Form>
        )}
      </header>
      {children}
    </>
  );
};

/** The messages for the scripts of every page: relative times, and the dialog. */
const EVERYWHERE: readonly ScriptWords[] = ['when', 'dialog'];

/** The messages for the scripts of pages with the menu: the command palette. */
const WITH_MENU: readonly ScriptWords[] = ['palette'];

/** A whole document: with menu and account for signed-in users, or only the page. */
export const HtmlDocument: FC<{ shown: PageState; view: View }> = ({ shown, view }) => {
  const { session, language } = shown;
  const words = wordsIn(language);
  const name = session?.organization.name ?? view.site ?? words.t('kit.product');
  const main = <Main view={view} />;
  const hasMenu = session !== null && !view.bare && hasDeskPages(language);
  return (
    <PageStateProvider value={shown}>
      <WordsProvider value={words}>
        <html lang={language} dir={directionOf(language)}>
          <Head
            title={`${view.tab ?? view.title} · ${name}`}
            scripts={['console.js', ...(shown.secrets ? ['copy.js'] : []), ...(view.scripts ?? [])]}
            styles={['base.css', ...(view.bare ? [] : ['desk.css']), ...(view.styles ?? [])]}
          />
          <body
            class={view.bare ? 'bare' : session || shown.operator?.name !== undefined ? 'signed-in' : 'guest'}
            data-zone={session?.organization.timeZone}
            data-words={scriptWords(words, [
              ...EVERYWHERE,
              ...(hasMenu ? WITH_MENU : []),
              ...(view.words ?? []),
            ])}
          >
            <a class="skip" href="#main">
              {words.t('kit.skip')}
            </a>
            {view.bare ? (
              main
            ) : (
              <Around session={session} site={view.site}>
                {main}
              </Around>
            )}
            {(session === null || !(hasMenu || view.bare)) && !shown.operator && !view.isErrorPage && (
              <footer class="choose">
                <LanguageChooser path={hereOf(shown)} label={words.t('kit.language')} />
              </footer>
            )}
          </body>
        </html>
      </WordsProvider>
    </PageStateProvider>
  );
};
