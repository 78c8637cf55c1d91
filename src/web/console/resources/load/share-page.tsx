import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import type { FC } from 'hono/jsx';
import { remember } from '../../../../core/http/remember.ts';
import { type AppContext, type AppEnv, origin } from '../../../../core/http/types.ts';
import { refuse, refuseMissing } from '../../../../core/http/write.ts';
import type { Database } from '../../../../core/lib/database.ts';
import { parseViews, type ViewRow } from '../../../../core/lib/view.ts';
import { DRIVER_PATH } from '../../../../dispatch/load/shipment/store.ts';
import { languageOf } from '../../../../messages/chosen.ts';
import { useWords } from '../../../../messages/context.ts';
import { isLanguage, LANGUAGES, type Language, nameOf } from '../../../../messages/languages.ts';
import { pageWordsIn } from '../../../../messages/load.ts';
import type { Words } from '../../../../messages/words.ts';
import { archivedQuery, notArchived } from '../../../../storage/archive/store.ts';
import { redirect } from '../../../ui/page/answer.tsx';
import { page } from '../../../ui/page/page.tsx';
import { byUuid } from '../../../ui/page/resource.tsx';
import { Icon } from '../../../ui/parts/icons.tsx';
import { QrLink } from '../../tablet/qr.tsx';

/** The pages of loads, and of archived loads. */
type Kind = 'shipment' | 'manifest' | 'archive';

/** The cookie with the language of the last shared link. The next driver often has the same. */
const COOKIE = 'share-language';

interface Shareable {
  name: string;
  token: string | null;
  /** Of an open shipment. */
  driverToken: string | null;
  is: 'SHIPMENT' | 'MANIFEST';
}

const loadQuery = (
  { organization }: Database,
  kind: Kind,
  uuid: string,
): SQL<ViewRow<SQL<Shareable>>> => sql`SELECT json_object('name', external_identifier, 'token', public_token,
      'driverToken', ${kind === 'shipment' ? sql`iif(status IN ('TO_DO', 'IN_PROGRESS'), driver_token, NULL)` : sql`NULL`},
      'is', ${kind === 'archive' ? sql`entity_type` : kind.toUpperCase()}) AS view
    FROM ${sql.identifier(kind === 'archive' ? 'archive_entry' : kind)}
    WHERE uuid = ${uuid} AND organization_uuid = ${organization}`;

/**
 * The page that shares the public summary of a load with a driver or receiver. For an open shipment, it shares the page
 * of the driver. A script shows it as a dialog. The link opens the page in the chosen language.
 */
export function sharePage(app: Hono<AppEnv>, kind: Kind): void {
  page(app, {
    path: `/app/${kind}/:uuid/share`,
    right: 'see',
    ...(kind === 'shipment' ? { feature: 'SHIPMENT' as const } : {}),
    params: byUuid,
    query: z.object({ language: z.enum(LANGUAGES).optional() }),
    async view({ c, database, session, words: { t } }, { uuid }, { language: asked }) {
      const { loads } = await database.ask({ loads: loadQuery(database, kind, uuid) });
      const [load] = parseViews(loads);
      if (!load) return notHere(c, database, kind, uuid);
      const { name, token, driverToken, is } = load;
      if (asked) remember(c, COOKIE, asked, '/app');
      const language = asked ?? lastLanguage(c);
      const linked = await pageWordsIn(c, language);
      const back = `/app/${kind}/${uuid}`;
      const path =
        token !== null ? `/public/shipment-summary/${token}` : driverToken && DRIVER_PATH + driverToken;
      const { t: said } = linked;
      const link = `${origin(c)}${path}?language=${language}`;
      const subject =
        token === null ? said('driver.title') : `${said(`kind.${is}`)} ${name}, ${session.organization.name}`;
      return {
        title: t('share.title', { name }),
        styles: ['records.css'],
        scripts: ['copy.js'],
        body:
          path === null ? (
            <section class="asked" id="asked">
              <p>{t('share.notYet')}</p>
              <Back to={back} />
            </section>
          ) : (
            <Shared
              link={link}
              subject={subject}
              text={token === null ? said('driver.share', { link }) : said('share.text', { subject, link })}
              language={language}
              words={linked}
              back={back}
            />
          ),
      };
    },
  });
}

/** The answer for a load that is not here: a load in the archive is shared there. */
async function notHere(c: AppContext, database: Database, kind: Kind, uuid: string): Promise<Response> {
  if (kind === 'archive') return refuse('archiveNotFound', notArchived(uuid));
  const archived = await database.first(archivedQuery(database, uuid));
  if (archived) return redirect(c, `/app/archive/${uuid}/share`);
  return refuseMissing(kind === 'shipment' ? 'shipmentNotFound' : 'manifestNotFound', uuid);
}

/** The language of the last shared link, or else of the user. */
function lastLanguage(c: AppContext): Language {
  const last = getCookie(c, COOKIE);
  return isLanguage(last) ? last : languageOf(c);
}

const Back: FC<{ to: string }> = ({ to }) => (
  <p class="actions">
    <a class="button quiet" href={to} data-back>
      {useWords().t('share.close')}
    </a>
  </p>
);

const Shared: FC<{
  link: string;
  subject: string;
  text: string;
  language: Language;
  words: Words;
  back: string;
}> = ({ link, subject, text, language, words, back }) => {
  const { t } = useWords();
  const encoded = encodeURIComponent(text);
  return (
    <section class="asked share" id="asked">
      <QrLink link={link} label={t('share.qr', { link })} />
      <div>
        <nav aria-label={t('share.language')}>
          <ul class="languages">
            {LANGUAGES.map((each) => (
              <li>
                <a
                  href={`${back}/share?language=${each}`}
                  data-ask
                  hreflang={each}
                  lang={each}
                  aria-current={each === language ? 'true' : undefined}
                >
                  {nameOf(each)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <p>
          <code>{link}</code>
        </p>
        <p class="said" lang={words.language}>
          {text}
        </p>
        <p class="actions">
          <button type="button" class="button" data-copy={t('key.copied')}>
            {t('share.copy')}
          </button>
          <a class="button quiet" href={`sms:?&body=${encoded}`}>
            {t('share.sms')}
          </a>
          <a class="button quiet" href={`mailto:?subject=${encodeURIComponent(subject)}&body=${encoded}`}>
            {t('share.mail')}
          </a>
          <button type="button" class="button quiet" data-share={subject} data-text={text}>
            {t('share.more')}
          </button>
        </p>
      </div>
      <Back to={back} />
    </section>
  );
};

/** The link that opens the dialog. */
export const ShareLink: FC<{ of: string }> = ({ of }) => (
  <a class="button quiet" href={`${of}/share`} data-ask>
    <Icon name="share" /> {useWords().t('share.open')}
  </a>
);
