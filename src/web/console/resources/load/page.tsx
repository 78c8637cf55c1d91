import type { Child } from 'hono/jsx';
import { topicOf } from '../../../../delivery/live/rules.ts';
import type { StoredAlert } from '../../../../dispatch/alert/store.ts';
import type { StoredPhoto } from '../../../../dispatch/photo/store.ts';
import { archivedQuery } from '../../../../storage/archive/store.ts';
import type { PageContext } from '../../../ui/confirm/action.ts';
import { Deleted } from '../../../ui/confirm/deletion.tsx';
import { BulkBar } from '../../../ui/list/bulk.tsx';
import { type GateChoice, GatePlate } from '../../../ui/list/gates.tsx';
import { redirect } from '../../../ui/page/answer.tsx';
import { Badge } from '../../../ui/parts/components.tsx';
import { Icon } from '../../../ui/parts/icons.tsx';
import type { View } from '../../../ui/parts/view.ts';
import { Live, LiveStatus } from '../../board/parts.tsx';
import { LabelLinks } from '../marker/labels.tsx';
import { Photos } from '../photo/photos.tsx';
import { LoadAlerts } from './alerts.tsx';
import { LeftBehind } from './backorder.tsx';
import { Happened } from './happened.tsx';
import { News } from './news.tsx';
import type { NewsPart, NewsRead } from './news-store.ts';
import { NextAction } from './next.tsx';
import type { ShownPallet } from './pallet-store.ts';
import { type PalletRights, palletBulk } from './pallets.tsx';
import { Paper } from './paper.tsx';
import { PAPER_LIMITS, type PaperPallet } from './paper-store.ts';
import type { LoadView } from './parts.tsx';
import { MarkForm } from './records.tsx';
import { shownStatus } from './short.ts';
import { standingOf } from './standing.ts';

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
