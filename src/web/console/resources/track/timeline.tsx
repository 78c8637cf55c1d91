import type { z } from '@hono/zod-openapi';
import type { SQL } from 'drizzle-orm';
import type { FC } from 'hono/jsx';
import { askPage, type ListedPage } from '../../../../core/http/list-page.ts';
import type { Database } from '../../../../core/lib/database.ts';
import { isoDate } from '../../../../core/lib/time.ts';
import { presentGateReference } from '../../../../dispatch/gate/store.ts';
import { activityList } from '../../../../dispatch/track/list.ts';
import type { StoredActivity } from '../../../../dispatch/track/timeline-store.ts';
import { useWords } from '../../../../messages/context.ts';
import type { Words } from '../../../../messages/words.ts';
import { GateLink } from '../../../ui/list/gates.tsx';
import { countOf, Pager } from '../../../ui/list/pager.tsx';
import { Table } from '../../../ui/list/rows.tsx';
import { Card, OptionalText } from '../../../ui/parts/components.tsx';
import { Time } from '../../../ui/parts/time.tsx';
import { detailsIn } from '../../board/outcome-words.ts';

/** The author of an entry. Null is the service, which has a name in the language of the page. */
export const authorIn = ({ t }: Words, author: string | null): string => author ?? t('actorType.SYSTEM');

/** Entries on a page. */
const PAGE_SIZE = 20;
/** The query of a page with a timeline. */
export const timelineQuery = activityList.query.pick({ pageNumber: true });
export type TimelineQuery = z.output<typeof timelineQuery>;

/** The reads for a page of the timeline of pallets, selected as `activityList` takes them. */
export const askTimeline = (database: Database, { pageNumber }: TimelineQuery, pallets: SQL) =>
  askPage(activityList, database, { pageNumber, pageSize: PAGE_SIZE }, pallets);

/** The timeline of a pallet. */
export const Timeline: FC<{ page: ListedPage<StoredActivity>; links: string }> = ({ page, links }) => {
  const words = useWords();
  const { t } = words;
  return (
    <Card title={t('track.timeline')} id="timeline">
      <Table
        caption={countOf(page)}
        rows={page.rows}
        empty={t('track.nothingYet')}
        columns={[
          { label: t('page.when'), value: ({ activityDate }) => <Time at={isoDate(activityDate)} /> },
          {
            label: t('track.what'),
            value: ({ activityType }) => t(`activity.${activityType}`),
          },
          {
            label: t('page.gate'),
            value: ({ gate }) => <GateLink gate={presentGateReference(links, gate)} />,
          },
          {
            label: t('kind.MANIFEST'),
            value: ({ manifestExternalId }) => <OptionalText of={manifestExternalId} />,
          },
          { label: t('track.who'), value: ({ author }) => authorIn(words, author) },
          {
            label: t('track.details'),
            value: ({ details }) => <OptionalText of={details && detailsIn(words, details)} />,
          },
        ]}
      />
      <Pager page={page} hash="#timeline" />
    </Card>
  );
};
