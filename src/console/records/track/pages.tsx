import type { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { askPage } from '../../../http/list-page.ts';
import { type AppEnv, origin } from '../../../http/types.ts';
import { itemsOf } from '../../../lib/bounded.ts';
import { markersOfTracks } from '../../../manifest/label-store.ts';
import { activityList, trackList } from '../../../track/list.ts';
import { TRACK_STATUSES, trackStatus } from '../../../track/rules.ts';
import { presentTrack, trackView, WHOLE } from '../../../track/store.ts';
import {
  lastCommentsQuery,
  presentActivity,
  presentComment,
  type StoredComment,
} from '../../../track/timeline-store.ts';
import { Badge, Card, Empty, Facts, Value, words } from '../../kit/components.tsx';
import {
  type ByUuid,
  byUuid,
  CustomFields,
  Deleted,
  found,
  GateLink,
  GatePlate,
  gatePlain,
  History,
  rowQuery,
  To,
} from '../../kit/detail.tsx';
import { Do, Field, Form, Select, Submit, TextArea } from '../../kit/form.tsx';
import { CREATED, countOf, listing, Pager } from '../../kit/listing.tsx';
import { PalletId } from '../../kit/marks.tsx';
import { type At, page } from '../../kit/page.tsx';
import { Ask } from '../../kit/question.tsx';
import { instant, Table } from '../../kit/rows.tsx';
import { Time } from '../../kit/time.tsx';
import { LABELS, labelsAction } from '../marker/labels.ts';
import { MarkerImage, MarkerLink } from '../marker/marker.tsx';
import { trackActions } from './actions.ts';

type ShownTrack = ReturnType<typeof presentTrack>;

/** Comments that a page shows, the latest first; the API has them all. */
const COMMENTS_SHOWN = 20;
/** Entries of the timeline on a page. */
const ACTIVITY_PAGE = 20;
const timelineQuery = activityList.query.pick({ pageNumber: true });

/** Tracks: pallets with their markers. */
export function trackPages(app: Hono<AppEnv>): void {
  listing(app, {
    path: '/app/track',
    title: 'Pallets',
    right: 'see',
    list: trackList,
    search: 'WMS ids and marker codes',
    filters: [
      { name: 'trackStatus', label: 'State', options: TRACK_STATUSES },
      { name: 'manifestExternalIds', label: 'On manifest' },
      ...CREATED,
    ],
    tabs: [
      { label: 'All', query: '' },
      { label: 'Active', query: 'trackStatus=ACTIVE' },
      { label: 'Flagged', query: 'trackStatus=FLAGGED' },
      { label: 'Not active', query: 'trackStatus=NOT_ACTIVE' },
    ],
    columns: () => [
      {
        label: 'Pallet',
        sort: 'wmsId',
        value: ({ uuid, wmsId }) => (
          <To resource="track" uuid={uuid}>
            <PalletId id={wmsId} />
          </To>
        ),
        plain: ({ wmsId }) => wmsId,
      },
      { label: 'State', status: (track) => trackStatus(track), narrow: 'evident' },
      {
        label: 'Marker',
        sort: 'markerCode',
        value: ({ markerCode }) => <MarkerLink code={markerCode} />,
        plain: ({ markerCode }) => markerCode,
        number: true,
      },
      {
        label: 'On manifests',
        value: ({ manifests }) =>
          itemsOf(manifests).length === 0 ? (
            <Value of={null} />
          ) : (
            itemsOf(manifests)
              .slice(0, 3)
              .map(({ manifestExternalId, manifestUuid }, index) => (
                <>
                  {index > 0 && ', '}
                  <To resource="manifest" uuid={manifestUuid}>
                    {manifestExternalId}
                  </To>
                </>
              ))
          ),
        narrow: 'wide',
        plain: ({ manifests }) =>
          itemsOf(manifests)
            .map(({ manifestExternalId }) => manifestExternalId)
            .join(', '),
      },
      {
        label: 'Last gate',
        value: ({ lastGate }) => lastGate && <GatePlate gate={lastGate} />,
        plain: ({ lastGate }) => gatePlain({ gate: lastGate }),
        narrow: 'gone',
      },
      { label: 'Last seen', sort: 'lastSeenDate', plain: ({ dates }) => instant(dates.lastSeenDate) },
    ],
    empty: 'No pallet is like this.',
    bulk: {
      value: ({ uuid }) => uuid,
      label: ({ wmsId }) => wmsId,
      offers: () => [LABELS],
    },
    actions: { labels: labelsAction((uuids, scope) => markersOfTracks(scope, uuids)) },
  });

  page(app, {
    path: '/app/track/:uuid',
    right: 'see',
    params: byUuid,
    query: timelineQuery,
    view: trackPage,
    actions: trackActions(),
  });
}

async function trackPage(at: At, { uuid }: ByUuid, query: z.output<typeof timelineQuery>) {
  const { c, database } = at;
  const page = { pageNumber: query.pageNumber, pageSize: ACTIVITY_PAGE };
  const asked = askPage(activityList, database, page, uuid);
  const { tracks, comments, ...entries } = await database.ask({
    tracks: rowQuery(database, 'track', trackView(WHOLE), uuid),
    comments: lastCommentsQuery(database, uuid, COMMENTS_SHOWN),
    ...asked.asks,
  });
  const track = presentTrack(origin(c), found(tracks, 'trackNotFound', 'track'));
  const timeline = asked.page(entries);
  return {
    title: track.wmsId,
    aside: (
      <>
        <Badge status={track.trackStatus} />
        {track.damaged && <Badge status="DAMAGED" />}
        <Deleted deleted={track.deleted} />
      </>
    ),
    body: (
      <>
        <TrackFacts track={track} />
        {!track.deleted && <TrackForms at={at} track={track} />}
        <OnManifests track={track} />
        <Card title="Timeline" id="timeline">
          <Table
            caption={countOf(timeline)}
            rows={timeline.rows.map((entry) => presentActivity(origin(c), entry))}
            empty="Nothing has happened yet."
            columns={[
              { label: 'When', value: ({ activityDate }) => <Time at={activityDate} /> },
              { label: 'What', value: ({ activityType }) => words(activityType) },
              { label: 'Gate', value: ({ gate }) => <GateLink gate={gate} /> },
              { label: 'Manifest', value: ({ manifestExternalId }) => <Value of={manifestExternalId} /> },
              { label: 'Who', value: ({ author }) => author.firstName },
              { label: 'Details', value: ({ details }) => <Value of={details} /> },
            ]}
          />
          <Pager page={timeline} hash="#timeline" />
        </Card>
        <Comments at={at} track={track} comments={comments} />
        <CustomFields fields={track.customFields} mayChange={false} />
        <History at={at} uuid={uuid} />
      </>
    ),
  };
}

const TrackFacts = ({ track }: { track: ShownTrack }) => (
  <Card title="Track" class="with-marker">
    <Facts
      facts={[
        ['Marker', <MarkerLink code={track.markerCode} />],
        [
          'Client',
          track.client ? (
            <To resource="client" uuid={track.client.uuid}>
              {track.client.displayName}
            </To>
          ) : (
            <Value of={null} />
          ),
        ],
        ['Coupled', <Time at={track.coupleDate} />],
        ['Last seen', <Time at={track.lastSeenDate} />],
        ['Last gate', <GateLink gate={track.lastGate} />],
        ['Retired', <Time at={track.retireDate} />],
      ]}
    />
    <MarkerImage code={track.markerCode} size={150} />
  </Card>
);

const OnManifests = ({ track }: { track: ShownTrack }) => (
  <Card title="On manifests">
    <Table
      caption={track.truncated ? 'The open and the latest ones' : `${track.manifests.length} in all`}
      rows={track.manifests}
      empty="The pallet is on no manifest."
      columns={[
        {
          label: 'Manifest',
          value: ({ manifestUuid, manifestExternalId }) => (
            <To resource="manifest" uuid={manifestUuid}>
              {manifestExternalId}
            </To>
          ),
        },
        { label: 'Loading status', value: ({ loadingStatus }) => <Badge status={loadingStatus} /> },
      ]}
    />
  </Card>
);

const TrackForms = ({ at, track }: { at: At; track: ShownTrack }) => {
  const retired = track.trackStatus === 'NOT_ACTIVE' || track.trackStatus === 'SCHEDULED_FOR_RETIREMENT';
  if (!at.may('mark')) return null;
  return (
    <Card title="Operate">
      {track.trackStatus === 'FLAGGED' || track.damaged ? (
        <Do action="unflag" quiet>
          Take the flag off
        </Do>
      ) : (
        <Form action="flag" class="filters" label="Flag this pallet">
          <Field name="reason" label="Flag it: why?" maxlength={1_000} />
          <Select
            name="damaged"
            label="Condition"
            options={[
              { value: '', label: 'Not damaged' },
              { value: 'true', label: 'Damaged' },
            ]}
          />
          <Submit quiet>Flag</Submit>
        </Form>
      )}
      {at.may('operate') &&
        (retired ? (
          <Do action="revert" quiet>
            Make it active again
          </Do>
        ) : (
          <div class="actions">
            <Ask action="retire" values={{ force: 'false' }}>
              Retire
            </Ask>
            <Ask action="retire" values={{ force: 'true' }}>
              Retire now in any case
            </Ask>
          </div>
        ))}
    </Card>
  );
};

const Comments = ({ at, track, comments }: { at: At; track: ShownTrack; comments: StoredComment[] }) => (
  <Card title="Comments">
    {comments.length === 0 && <Empty>No comments.</Empty>}
    {track.commentsCount > comments.length && (
      <p class="hint">
        The last {comments.length} of {track.commentsCount}.
      </p>
    )}
    {comments
      .map((stored) => presentComment(origin(at.c), stored))
      .map((comment) => (
        <article class="comment">
          <p class="hint">
            {comment.author.firstName}, <Time at={comment.createDate} />
          </p>
          <p class="said">{comment.additionalInfo}</p>
          {comment.attachments.length > 0 && (
            <ul>
              {comment.attachments.map(({ link, fileName, description }) => (
                <li>
                  <a href={link} rel="noopener noreferrer nofollow">
                    {fileName ?? link}
                  </a>{' '}
                  {description}
                </li>
              ))}
            </ul>
          )}
        </article>
      ))}
    {at.may('mark') && !track.deleted && (
      <Form action="comment" label="Comment on this pallet">
        <TextArea name="additionalInfo" label="Comment" maxlength={5_000} required />
        <Submit quiet>Comment</Submit>
      </Form>
    )}
  </Card>
);
