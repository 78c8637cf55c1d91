import { z } from '@hono/zod-openapi';
import { text } from '../../core/http/schema.ts';
import { isoDate } from '../../core/lib/time.ts';
import { dayIn } from '../../core/lib/zone.ts';
import { useWords } from '../../messages/context.ts';
import type { Language } from '../../messages/languages.ts';
import { limitsOf } from '../ui/form/limits.ts';
import type { DriverLoad } from './driver-store.ts';
import { GivenText, PublicHeader, PublicPage } from './public-page.tsx';

const entry = text(0, 255).default('');

/** What a driver types on arrival. */
export const arrivalForm = z.object({ vehicle: entry, driverName: entry });

/** The page as a driver opened it. */
export interface Opened {
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
export const DriverPage = ({ opened }: { opened: Opened }) => {
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
export const ArrivalPage = ({
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
