import type { Child, FC } from 'hono/jsx';
import { topicOf } from '../../../../delivery/live/rules.ts';
import { kindOf } from '../../../../dispatch/alert/rules.ts';
import type { StoredAlert } from '../../../../dispatch/alert/store.ts';
import type { StoredPhoto } from '../../../../dispatch/photo/store.ts';
import { useWords } from '../../../../messages/context.ts';
import { archivedQuery } from '../../../../storage/archive/store.ts';
import type { PageContext } from '../../../ui/confirm/action.ts';
import { Ask } from '../../../ui/confirm/confirmation.tsx';
import { Deleted } from '../../../ui/confirm/deletion.tsx';
import { ActionButton } from '../../../ui/form/form.tsx';
import { BulkBar } from '../../../ui/list/bulk.tsx';
import { type GateChoice, GatePlate } from '../../../ui/list/gates.tsx';
import { redirect } from '../../../ui/page/answer.tsx';
import { History } from '../../../ui/page/resource.tsx';
import { WithPallets } from '../../../ui/parts/badges.tsx';
import { Badge, Card } from '../../../ui/parts/components.tsx';
import { Icon } from '../../../ui/parts/icons.tsx';
import { Time } from '../../../ui/parts/time.tsx';
import { useZone, type View } from '../../../ui/parts/view.ts';
import { Live, LiveStatus } from '../../board/board-parts.tsx';
import { messageIn } from '../alert/alerts.tsx';
import type { NamedRecord } from '../audit/named-store.ts';
import { sentenceIn } from '../audit/words.ts';
import { LabelLinks } from '../marker/labels.tsx';
import { Photos } from '../photo/photos.tsx';
import type { LoadActions } from './actions.ts';
import { LeftBehind } from './backorder.tsx';
import { News, standingOf } from './news.tsx';
import type { NewsPart, NewsRead } from './news-store.ts';
import type { ShownPallet } from './pallet-store.ts';
import { type PalletRights, palletBulk } from './pallets.tsx';
import { Paper } from './paper.tsx';
import { PAPER_LIMITS, type PaperPallet } from './paper-store.ts';
import type { LoadView } from './parts.tsx';
import { MarkForm } from './records.tsx';
import { shownStatus } from './short.ts';

/** A status that the next step leads to. */
type Step = 'TO_DO' | 'IN_PROGRESS' | 'COMPLETED';

/** The next step from each status. A shipment becomes ready when it gets a gate. */
const NEXT: Readonly<Record<string, Step>> = {
  PLANNED: 'TO_DO',
  TO_DO: 'IN_PROGRESS',
  IN_PROGRESS: 'COMPLETED',
};

/**
 * The next action as one button. It is prominent if it is the right action now. Completing a load
 * with missing or wrong pallets asks for confirmation.
 */
const NextAction: FC<{
  status: string;
  /** The statuses that can follow. */
  transitions: readonly string[];
  standing: { loaded: number; total: number; wrong: number };
}> = ({ status, transitions, standing: { loaded, total, wrong } }) => {
  const { t } = useWords();
  const next = NEXT[status];
  if (next === undefined || !transitions.includes(next)) return null;
  const values = { status: next };
  const ready = next !== 'COMPLETED' || (total > 0 && loaded === total && wrong === 0);
  return ready ? (
    <ActionButton<LoadActions> action="status" values={values}>
      {t(`step.${next}`)}
    </ActionButton>
  ) : (
    <Ask<LoadActions> action="status" values={values} quiet>
      {t(`step.${next}`)}
    </Ask>
  );
};

/** The question before a manifest or shipment is cancelled. */
export const Cancellation: FC<{ kind: 'shipment' | 'manifest' }> = ({ kind }) => (
  <p class="actions">
    <Ask<LoadActions> action="status" values={{ status: 'CANCELLED' }}>
      {useWords().t('load.cancel', { kind })}
    </Ask>
  </p>
);

/** The open alerts about a load in the header of its page. Each one leads to its page. */
const LoadAlerts: FC<{ alerts: readonly StoredAlert[] }> = ({ alerts }) => {
  const words = useWords();
  const zone = useZone();
  if (alerts.length === 0) return null;
  return (
    <ul class="load-alerts" aria-label={words.t('alert.title')}>
      {alerts.map((alert) => {
        const message = messageIn(words, zone, alert);
        return (
          <li id={`a-${alert.uuid}`} data-announce={message}>
            <Icon name={kindOf(alert).icon} />
            <a href={`/app/alert/${alert.uuid}`}>
              <WithPallets text={message} />
            </a>
          </li>
        );
      })}
    </ul>
  );
};

/** The maximum number of characters of a value. */
const SHORT_MAXIMUM = 40;

/** The latest audit records, latest first, if the user may see the log. */
const Happened: FC<{ at: PageContext; uuid: string; records: readonly NamedRecord[] }> = ({
  at,
  uuid,
  records,
}) => {
  const words = useWords();
  if (!at.may('seeOffice')) return null;
  return (
    <Card title={words.t('load.happened')}>
      <ol class="happened">
        {records.map((record) => (
          <li>
            <Time at={record.eventDate} />
            <span>
              <WithPallets text={sentenceIn(words, at.session.organization, record, SHORT_MAXIMUM)} />
            </span>
          </li>
        ))}
      </ol>
      <History at={at} uuid={uuid} />
    </Card>
  );
};

/**
 * The maximum number of manifests for which a page listens to topics. The page learns of changes to other manifests
 * from the topic of the gate, or by its refresh every minute.
 */
const HEARD_MAXIMUM = 100;

/** Redirect a browser to the archived load; undefined if it is not in the archive. */
export async function toArchive({ c, database }: PageContext, uuid: string): Promise<Response | undefined> {
  const archived = await database.first(archivedQuery(database, uuid, { deleted: true }));
  return archived && redirect(c, `/app/archive/${uuid}`);
}

interface LoadPage {
  kind: 'shipment' | 'manifest';
  status: string;
  transitions: readonly string[];
  /** Whether the user can take the next step here. */
  operate: boolean;
  news: NewsRead;
  /** Its open alerts. */
  alerts: readonly StoredAlert[];
  /** The shipment of a manifest. */
  partOf?: string | undefined;
  /** Its photos, and the photos of its manifests and pallets. */
  photos: readonly StoredPhoto[];
  /** Planned departure (epoch milliseconds), if there is one. */
  departureDate?: number | null;
  /** Shown between its news and its pallets. */
  before?: Child;
  /** Shown beside them. */
  beside: Child;
  gates: readonly GateChoice[];
  /** Whether its pallets can be detached here. */
  detachable: boolean;
  /** All pallets, for printing; undefined if the URL selects some of them. */
  paper?: { pallets: readonly PaperPallet[]; parts: readonly NewsPart[] } | undefined;
  /** The list of its pallets, with their actions. */
  list(rights: PalletRights): Child;
  /** The pallets that the list shows. */
  pallets: readonly ShownPallet[];
  /** Whether the URL selects some of the load's pallets. */
  filtered: boolean;
  /** Why pallets are missing. */
  shortReason: string | null;
}

/** The live page of a load: its news, then its pallets, with its facts beside them. */
export function loadPage(at: PageContext, load: LoadView, shown: LoadPage): View {
  const { kind, status, news } = shown;
  const { uuid, externalIdentifier: name, gate, deleted } = load;
  const standing = standingOf(news.parts);
  const open = status !== 'CANCELLED' && !deleted;
  const rights: PalletRights = {
    mark: at.may('mark') && open,
    detach: shown.detachable && at.may('operate'),
    loading: status === 'IN_PROGRESS',
    left: status === 'COMPLETED',
  };
  const title = tabOf(at, name, standing);
  return {
    title: name,
    tab: title,
    aside: <LiveStatus again={`/app/${kind}/${uuid}`} plain />,
    styles: ['records.css'],
    scripts: ['live.js', 'fields.js', 'copy.js', 'listing.js', 'photos.js'],
    words: ['live', 'list'],
    body: (
      <Live
        sequenceNumber={news.sequenceNumber}
        title={title}
        topics={topicsOf(kind, load, shown)}
        class={status === 'COMPLETED' ? 'holder left' : 'holder'}
        filtered={shown.filtered}
      >
        <div class="stands">
          {gate && <GatePlate gate={gate} />}
          <Badge status={shownStatus(status, standing.stayed > 0)} />
          <Deleted deleted={deleted} />
          {shown.operate && (
            <NextAction status={status} transitions={shown.transitions} standing={standing} />
          )}
        </div>
        <LoadAlerts alerts={shown.alerts} />
        <div class="two">
          <div class="first">
            <News
              news={news}
              status={status}
              name={name}
              departureDate={shown.departureDate ?? null}
              mark={rights.mark}
            />
            <LeftBehind
              parts={news.parts}
              reason={shown.shortReason}
              operate={at.may('operate') && !deleted}
            />
            {shown.before}
            {shown.list(rights)}
            {shown.paper && (
              <Paper {...shown.paper} limit={PAPER_LIMITS.page} list={`/app/${kind}/${uuid}/loading-list`} />
            )}
            {rights.mark && standing.total > 0 && <MarkForm gates={shown.gates} />}
            <Photos at={at} photos={shown.photos} mayAdd={!deleted} />
          </div>
          <div class="side">
            {shown.beside}
            <p class="actions">
              <a class="button quiet" href={`/app/${kind}/${uuid}/loading-list`}>
                <Icon name="print" /> {at.words.t('paper.title')}
              </a>{' '}
              {standing.total > 0 && <LabelLinks load={`/app/${kind}/${uuid}`} />}
            </p>
            <Happened at={at} uuid={uuid} records={news.happened} />
          </div>
        </div>
        <BulkBar at={at} bulk={palletBulk(at.words)} more={[]} />
      </Live>
    ),
  };
}

/** The document's title: the progress, or that a wrong pallet or an unknown marker is on the truck. */
const tabOf = (
  { words: { t, number } }: PageContext,
  name: string,
  { loaded, total, wrong, unknown }: ReturnType<typeof standingOf>,
) =>
  wrong > 0
    ? t(wrong === unknown ? 'gate.tabUnknown' : 'gate.tabWrong', { gate: name })
    : total > 0
      ? `${number(loaded)} / ${number(total)}, ${name}`
      : name;

/**
 * The topics that the page listens to: the load, its shipment, gate and manifests, and the alerts and pallets on the
 * page.
 */
function topicsOf(
  kind: 'shipment' | 'manifest',
  { externalIdentifier, gate }: LoadView,
  { news, alerts, partOf, pallets }: LoadPage,
): string[] {
  const named = [...pallets, ...news.stayed, ...news.flagged].flatMap(({ wmsId }) =>
    wmsId === null ? [] : [topicOf('track', wmsId)],
  );
  return [
    ...new Set([
      topicOf(kind, externalIdentifier),
      ...(partOf === undefined ? [] : [topicOf('shipment', partOf)]),
      ...alerts.map((alert) => topicOf('alert', alert.uuid)),
      ...(gate ? [topicOf('gate', gate.externalIdentifier)] : []),
      ...news.parts.slice(0, HEARD_MAXIMUM).map((part) => topicOf('manifest', part.externalIdentifier)),
      ...named,
    ]),
  ];
}
