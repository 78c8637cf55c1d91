import { OpenAPIHono, z } from '@hono/zod-openapi';
import { readBytes } from '../../core/http/body.ts';
import { endpoint } from '../../core/http/endpoint.ts';
import { text } from '../../core/http/schema.ts';
import type { AppContext, AppEnv } from '../../core/http/types.ts';
import { writeAs } from '../../core/http/write.ts';
import { ProblemError } from '../../core/lib/problem.ts';
import { isoDate } from '../../core/lib/time.ts';
import { dayIn } from '../../core/lib/zone.ts';
import type { Actor } from '../../core/writer/chain.ts';
import { recordArrival } from '../../dispatch/load/shipment/lifecycle-commands.ts';
import { DRIVER_PATH } from '../../dispatch/load/shipment/store.ts';
import { useWords } from '../../messages/context.ts';
import { type Language, languageOfTag } from '../../messages/languages.ts';
import { limitsOf } from '../ui/form/limits.ts';
import { type DriverLoad, findDriverLoad } from './driver-store.ts';
import {
  answerClosed,
  answerPublicPage,
  GivenText,
  orLater,
  PUBLIC_HEADERS,
  PublicHeader,
  PublicPage,
} from './public-page.tsx';
import { findByToken, publishedAccess } from './published.ts';
import { linkedLanguage, tokenParameter } from './schema.ts';

const entry = text(0, 255).default('');

/** What a driver types on arrival. */
const arrivalForm = z.object({ vehicle: entry, driverName: entry });

/** The page as a driver opened it. */
interface Opened {
  load: DriverLoad;
  /** The language of the link. */
  language: Language | undefined;
  /** The path of the page, and the query that keeps its language. */
  path: string;
  query: string;
}

/** A time of the site, with its day if it is not today. */
const SiteTime = ({ zone, at }: { zone: string; at: number }) => {
  const { clock, time } = useWords();
  const isToday = dayIn(zone, at) === dayIn(zone, Date.now());
  return <time datetime={isoDate(at)}>{isToday ? clock(zone, at) : time(zone, at)}</time>;
};

/**
 * The page of a driver: gate, time and state of one load, and the button *I am here*. It shows nothing else. Without
 * scripts, the browser loads it again every 30 seconds.
 */
const DriverPage = ({ opened }: { opened: Opened }) => {
  const { t } = useWords();
  const { load, path, query } = opened;
  const { gateName, departureDate, arrivalDate, timeZone: zone } = load;
  return (
    <PublicPage
      title={t('driver.title')}
      isDriver
      head={
        <>
          <script type="module" src="/assets/pages/driver.js" />
          <noscript>
            <meta http-equiv="refresh" content="30" />
          </noscript>
        </>
      }
    >
      <PublicHeader path={path + query} />
      <main id="live" data-stale={t('driver.stale')}>
        <h1>{t('driver.title')}</h1>
        {gateName === null ? (
          <p class="left">{t('driver.noGate')}</p>
        ) : (
          <p class="at">
            <span>{t('driver.gate')}</span>
            <b class="sign">
              <GivenText>{gateName}</GivenText>
            </b>
          </p>
        )}
        <dl class="facts">
          <div>
            <dt>{t('page.status')}</dt>
            <dd>{t(load.status === 'IN_PROGRESS' ? 'driver.loading' : 'driver.planned')}</dd>
          </div>
          {departureDate !== null && (
            <div>
              <dt>{t('page.plannedDeparture')}</dt>
              <dd>
                <SiteTime zone={zone} at={departureDate} />
              </dd>
            </div>
          )}
          {arrivalDate !== null && (
            <div>
              <dt>{t('driver.arrived')}</dt>
              <dd>
                <SiteTime zone={zone} at={arrivalDate} />
              </dd>
            </div>
          )}
        </dl>
        {arrivalDate === null && <Here opened={opened} />}
      </main>
      <footer>
        <p id="stale" role="status" />
        <p>{t('driver.foot')}</p>
      </footer>
    </PublicPage>
  );
};

/** The button *I am here*, and the link to the page that also takes vehicle and name. */
const Here = ({ opened: { path, query } }: { opened: Opened }) => {
  const { t } = useWords();
  return (
    <>
      <form method="post" action={`${path}/arrival${query}`}>
        <button type="submit" class="button">
          {t('driver.here')}
        </button>
      </form>
      <p>
        <a class="further" href={`${path}/arrival${query}`}>
          {t('driver.more')}
        </a>
      </p>
    </>
  );
};

/** The page with the boxes for vehicle and name. It does not load itself again, because that would clear them. */
const ArrivalPage = ({
  opened: { load, path, query },
  typed,
}: {
  opened: Opened;
  /** The entries that were refused. */
  typed?: Record<string, string>;
}) => {
  const { t } = useWords();
  return (
    <PublicPage title={t('driver.here')} isDriver>
      <PublicHeader path={`${path}/arrival${query}`} />
      <main>
        <h1 class="left">{t('driver.here')}</h1>
        {typed && (
          <p class="refused" role="alert">
            {t('driver.wrong')}
          </p>
        )}
        <form method="post" action={`${path}/arrival${query}`}>
          {load.takesVehicle === 1 && (
            <label>
              {t('page.vehicle')}
              <input
                name="vehicle"
                maxlength={limitsOf(arrivalForm, 'vehicle').maxlength}
                autocomplete="off"
                value={typed?.['vehicle']}
              />
            </label>
          )}
          <label>
            {t('driver.name')}
            <input
              name="driverName"
              maxlength={limitsOf(arrivalForm, 'driverName').maxlength}
              autocomplete="name"
              value={typed?.['driverName']}
            />
          </label>
          <button type="submit" class="button">
            {t('driver.here')}
          </button>
        </form>
        <p>
          <a class="further" href={path + query}>
            {t('driver.back')}
          </a>
        </p>
      </main>
    </PublicPage>
  );
};

const app = new OpenAPIHono<AppEnv>();

/** The form of tokens of drivers: 32 characters, or 40 if the migration made them. */
const TOKEN = /^(?:[\w-]{32}|[\w-]{40})$/;
/** The maximum size of the form in bytes: two entries of 255 characters, each of at most 12 bytes. */
const FORM_BYTES_MAXIMUM = 8_192;

/** Anybody who has the link can use the button, so the audit log names nobody. */
const DRIVER: Actor = { actorType: 'SYSTEM', uuid: null, displayName: 'Driver' };

endpoint(app, {
  method: 'get',
  path: `${DRIVER_PATH}{token}`,
  operationId: 'getDriverPage',
  tag: 'Public page',
  summary: 'Get the page of the driver of an open shipment',
  description:
    'Shows gate, planned departure, state and arrival, and nothing else. Its button *I am here* records the first ' +
    'arrival. Its address is `driverUrl`. Works without JavaScript, and keeps itself up to date.',
  access: publishedAccess,
  contractParams: z.object({ token: tokenParameter }),
  query: z.object({ language: linkedLanguage }),
  responses: {
    200: { description: 'The page', type: 'text/html' },
    304: { description: 'Not modified' },
    404: {
      description: 'The shipment is closed, or the token is wrong; the response is the same',
      type: 'text/html',
    },
    429: { description: 'Too many requests in a minute', type: 'text/html' },
    503: { description: 'The store does not respond', type: 'text/html' },
  },
  handler: (c) =>
    answerDriver(c, (opened) =>
      answerPublicPage(c, <DriverPage opened={opened} />, opened.language, { policy: 'live' }),
    ),
});

const ARRIVAL = `${DRIVER_PATH}:token/arrival`;

app.get(ARRIVAL, (c) =>
  answerDriver(c, (opened) =>
    answerPublicPage(c, <ArrivalPage opened={opened} />, opened.language, { policy: 'form' }),
  ),
);

app.post(ARRIVAL, (c) =>
  answerDriver(c, async (opened) => {
    const typed = Object.fromEntries(
      new URLSearchParams((await readBytes(c, FORM_BYTES_MAXIMUM)).toString('utf8')),
    );
    const { success, data } = arrivalForm.safeParse(typed);
    const refused = () =>
      answerPublicPage(c, <ArrivalPage opened={opened} typed={typed} />, opened.language, {
        policy: 'form',
        status: 400,
      });
    if (!success) return refused();
    try {
      await arrive(c, opened.load, data);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      if (error.refusal.code === 'customFieldNotNumeric') return refused();
      if (error.refusal.code === 'shipmentClosed') return answerClosed(c);
      throw error;
    }
    return c.body(null, 303, { ...PUBLIC_HEADERS, Location: opened.path + opened.query });
  }),
);

/** Record the first arrival. A later tap changes nothing. */
const arrive = (c: AppContext, { organizationUuid, uuid }: DriverLoad, typed: z.output<typeof arrivalForm>) =>
  writeAs(c, { key: null, payload: null }, organizationUuid, DRIVER, recordArrival, {
    identifier: uuid,
    arrivalDate: null,
    vehicle: typed.vehicle.trim() || null,
    driverName: typed.driverName.trim() || null,
    onlyFirst: true,
  });

/** Answer with the page of the token in the path, or with the page of closed loads. */
function answerDriver(
  c: AppContext,
  answer: (opened: Opened) => Promise<Response> | Response,
): Promise<Response> {
  return orLater(c, async () => {
    const token = c.req.param()['token']!;
    const found = await findByToken(c, token, findDriverLoad, TOKEN);
    if (!found) return answerClosed(c);
    const asked = c.req.query('language');
    const language = languageOfTag(asked);
    return answer({
      load: found.shown,
      path: DRIVER_PATH + token,
      query: language ? `?language=${language}` : '',
      language,
    });
  });
}

export const driverRoutes = app;
