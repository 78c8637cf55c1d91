import type { FC } from 'hono/jsx';
import { origin } from '../../../../core/http/types.ts';
import type { presentTrack } from '../../../../dispatch/track/store.ts';
import { presentComment, type StoredComment } from '../../../../dispatch/track/timeline-store.ts';
import { useWords } from '../../../../messages/context.ts';
import type { PageContext } from '../../../ui/confirm/action.ts';
import { Ask } from '../../../ui/confirm/confirmation.tsx';
import { ActionButton, Field, Form, Select, Submit, TextArea } from '../../../ui/form/form.tsx';
import { GateLink } from '../../../ui/list/gates.tsx';
import { Table } from '../../../ui/list/rows.tsx';
import { ResourceLink } from '../../../ui/page/resource.tsx';
import { Badge, Card, Empty, Facts, OptionalText } from '../../../ui/parts/components.tsx';
import { Time } from '../../../ui/parts/time.tsx';
import { stateIn } from '../load/pallets.tsx';
import { LabelLink } from '../marker/labels.tsx';
import { MarkerImage, MarkerLink } from '../marker/marker.tsx';
import type { TrackActions } from './actions.ts';

type ShownTrack = ReturnType<typeof presentTrack>;

/** The facts of a pallet, with its marker. */
export const TrackFacts: FC<{ track: ShownTrack }> = ({ track }) => {
  const { t } = useWords();
  return (
    <Card title={t('page.pallet')} class="with-marker">
      <Facts
        facts={[
          [t('page.marker'), <MarkerLink code={track.markerCode} />],
          [
            t('track.client'),
            track.client ? (
              <ResourceLink resource="client" uuid={track.client.uuid}>
                {track.client.displayName}
              </ResourceLink>
            ) : (
              <OptionalText of={null} />
            ),
          ],
          [t('track.coupled'), <Time at={track.coupleDate} />],
          [t('track.lastSeen'), <Time at={track.lastSeenDate} />],
          [t('track.lastGate'), <GateLink gate={track.lastGate} />],
          [t('track.retired'), <Time at={track.retireDate} />],
        ]}
      />
      <MarkerImage code={track.markerCode} size={150} />
      <p class="actions">
        <LabelLink at={`/app/marker-code/${track.markerCode}`} of={track.wmsId} />
      </p>
    </Card>
  );
};

/** The manifests of a pallet. `left` has the uuids of the manifests whose truck has left. */
export const OnManifests: FC<{
  of: {
    manifests: readonly { manifestUuid: string; manifestExternalId: string; loadingStatus: string }[];
    truncated?: boolean | undefined;
  };
  left?: ReadonlySet<string>;
}> = ({ of: { manifests, truncated }, left }) => {
  const words = useWords();
  const { t } = words;
  return (
    <Card title={t('track.onManifests')}>
      <Table
        caption={truncated ? t('track.latestOnes') : t('track.inAll', { count: manifests.length })}
        rows={manifests}
        empty={t('track.onNone')}
        columns={[
          {
            label: t('kind.MANIFEST'),
            value: ({ manifestUuid, manifestExternalId }) => (
              <ResourceLink resource="manifest" uuid={manifestUuid}>
                {manifestExternalId}
              </ResourceLink>
            ),
          },
          {
            label: t('load.status'),
            value: ({ loadingStatus, manifestUuid }) => (
              <Badge
                status={loadingStatus}
                label={stateIn(words, loadingStatus, left?.has(manifestUuid) ?? false)}
              />
            ),
          },
        ]}
      />
    </Card>
  );
};

export const TrackForms: FC<{ at: PageContext; track: ShownTrack }> = ({ at, track }) => {
  const { t } = useWords();
  const retired = track.trackStatus === 'NOT_ACTIVE' || track.trackStatus === 'SCHEDULED_FOR_RETIREMENT';
  if (!at.may('mark')) return null;
  return (
    <Card title={t('load.operate')}>
      {track.trackStatus === 'FLAGGED' || track.damaged ? (
        <ActionButton<TrackActions> action="unflag" quiet>
          {t('track.unflag')}
        </ActionButton>
      ) : (
        <Form<TrackActions> action="flag" class="filters" label={t('track.flagThis')}>
          <Field name="reason" label={t('track.flagWhy')} />
          <Select
            name="damaged"
            label={t('track.condition')}
            options={[
              { value: '', label: t('track.notDamaged') },
              { value: 'true', label: t('problem.DAMAGED') },
            ]}
          />
          <Submit quiet>{t('track.flag')}</Submit>
        </Form>
      )}
      {at.may('operate') &&
        (retired ? (
          <ActionButton<TrackActions> action="revert" quiet>
            {t('track.revert')}
          </ActionButton>
        ) : (
          <div class="actions">
            <Ask<TrackActions> action="retire" values={{ force: 'false' }}>
              {t('track.retire')}
            </Ask>
            <Ask<TrackActions> action="retire" values={{ force: 'true' }}>
              {t('track.retireNow')}
            </Ask>
          </div>
        ))}
    </Card>
  );
};

export const Comments: FC<{ at: PageContext; track: ShownTrack; comments: StoredComment[] }> = ({
  at,
  track,
  comments,
}) => {
  const { t } = useWords();
  return (
    <Card title={t('track.comments')}>
      {comments.length === 0 && <Empty>{t('track.noComments')}</Empty>}
      {track.commentsCount > comments.length && (
        <p class="hint">{t('track.lastOf', { count: comments.length, all: track.commentsCount })}</p>
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
        <Form<TrackActions> action="comment" label={t('track.commentOn')}>
          <TextArea name="additionalInfo" label={t('load.comment')} />
          <Submit quiet>{t('track.comment')}</Submit>
        </Form>
      )}
    </Card>
  );
};
