import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import type { Total } from '../../../../core/http/list.ts';
import { text } from '../../../../core/http/schema.ts';
import type { AppEnv } from '../../../../core/http/types.ts';
import { refuse } from '../../../../core/http/write.ts';
import type { Database } from '../../../../core/lib/database.ts';
import { type Json, parseJson } from '../../../../core/lib/json.ts';
import type { ViewRow } from '../../../../core/lib/view.ts';
import { answerLabels } from '../../../../dispatch/label/answer.ts';
import { labelsOfMarkers } from '../../../../dispatch/label/store.ts';
import { MARKER_CODE_MAXIMUM, unallocatedText } from '../../../../dispatch/marker/rules.ts';
import { allocationQuery, markerRangeQuery } from '../../../../dispatch/marker/store.ts';
import { answerMarkerLabel } from '../../../../dispatch/printing-batch/sheet.ts';
import { trackStatus } from '../../../../dispatch/track/rules.ts';
import { trackView, WHOLE_TRACK } from '../../../../dispatch/track/store.ts';
import { READING_MAXIMUM, readIdentifier } from '../../../../pallet/identifier.ts';
import type { PageContext } from '../../../ui/confirm/action.ts';
import { queryLimits } from '../../../ui/form/limits.ts';
import { FIND, withFind } from '../../../ui/list/filters.tsx';
import { countOf, Pager } from '../../../ui/list/pager.tsx';
import { Table } from '../../../ui/list/rows.tsx';
import { page } from '../../../ui/page/page.tsx';
import { ResourceLink } from '../../../ui/page/resource.tsx';
import { Badge, Card, Empty, Facts } from '../../../ui/parts/components.tsx';
import { refuseInWords } from '../../../ui/parts/language.ts';
import { Time } from '../../../ui/parts/time.tsx';
import { LabelLink } from './labels.tsx';
import { MarkerImage, MarkerLink } from './marker.tsx';

/** Codes on a page. */
const PAGE = 20;

const code = z
  .string()
  .regex(/^[1-9]\d{0,15}$/)
  .transform(Number)
  .refine((value) => value <= MARKER_CODE_MAXIMUM);

/**
 * The pages about marker codes: the list of allocated codes, latest first, and the page of one
 * code.
 */
export function markerPages(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/marker-code',
    right: 'see',
    query: withFind(
      z.object({
        q: text(0, READING_MAXIMUM).optional(),
        pageNumber: z.coerce.number().int().min(1).max(1_000_000).default(1),
      }),
    ),
    view: markersPage,
  });
  page(app, {
    path: '/app/marker-code/:code',
    right: 'see',
    params: z.object({ code }),
    view: markerPage,
  });
  page(app, {
    path: '/app/marker-code/:code/label.pdf',
    right: 'see',
    params: z.object({ code }),
    async view({ c, database }, { code: markerCode }) {
      const { allocations, labels } = await database.ask({
        allocations: allocationQuery(database, markerCode),
        labels: labelsOfMarkers(database, [markerCode]),
      });
      if (allocations.length === 0) return refuse('markerCodeNotFound', unallocatedText(markerCode));
      return labels.length > 0
        ? answerLabels(c, labels, { format: 'PDF' })
        : answerMarkerLabel(c, markerCode);
    },
  });
}

interface ListedCode {
  markerCode: number;
  track: Json<{ uuid: string; wmsId: string }> | null;
}

/**
 * The codes of a page, counted down from the last code. An organization's codes have no gaps, so
 * they are computed and not searched.
 */
const codesQuery = ({ organization }: Database, offset: number): SQL<ListedCode> => sql`
  WITH RECURSIVE ends AS (${markerRangeQuery({ organization })}),
    codes(code) AS (SELECT last - ${offset} FROM ends WHERE last - ${offset} >= first
      UNION ALL SELECT code - 1 FROM codes, ends WHERE code > first AND code > last - ${offset + PAGE - 1})
  SELECT code AS "markerCode", (SELECT json_object('uuid', uuid, 'wmsId', wms_id) FROM track
    WHERE organization_uuid = ${organization} AND marker_code = code AND deleted_date IS NULL) AS track FROM codes`;

async function markersPage(
  { database, words: { t } }: PageContext,
  _: unknown,
  { q, pageNumber }: { q?: string | undefined; pageNumber: number },
) {
  const wanted = code.safeParse(String(readIdentifier(q ?? '').marker));
  const {
    codes,
    counts: [count],
  } = await database.ask({
    codes: q
      ? sql<ListedCode>`SELECT ${wanted.data ?? 0} AS "markerCode", (SELECT json_object('uuid', uuid, 'wmsId', wms_id) FROM track
          WHERE organization_uuid = ${database.organization} AND marker_code = ${wanted.data ?? 0}
            AND deleted_date IS NULL) AS track
          WHERE EXISTS (${allocationQuery(database, wanted.data ?? 0)})`
      : codesQuery(database, (pageNumber - 1) * PAGE),
    counts: sql<Total>`SELECT coalesce(last - first + 1, 0) AS total FROM (${markerRangeQuery(database)})`,
  });
  const listed = {
    rows: codes.map(({ markerCode, track }) => ({ markerCode, track: track && parseJson(track) })),
    total: q ? codes.length : count!.total,
    pageNumber: q ? 1 : pageNumber,
    pageSize: PAGE,
    sort: { sortBy: 'markerCode', direction: 'DESC' as const },
    next: undefined,
  };
  return {
    title: t('marker.codes'),
    body: (
      <>
        <search>
          <form method="get" action="/app/marker-code" class="filters">
            <div class="field">
              <label for={FIND}>{t('marker.search')}</label>
              <input
                id={FIND}
                name={FIND}
                type="search"
                inputmode="numeric"
                value={q ?? ''}
                maxlength={queryLimits('/app/marker-code', FIND).maxlength}
              />
            </div>
            <button type="submit" class="button">
              {t('load.show')}
            </button>
          </form>
        </search>
        <Table
          caption={countOf(listed)}
          rows={listed.rows}
          empty={t(q ? 'marker.none' : 'marker.noneYet')}
          columns={[
            { label: t('marker.code'), value: ({ markerCode }) => <MarkerLink code={markerCode} /> },
            {
              label: t('page.pallet'),
              value: ({ track }) =>
                track ? (
                  <ResourceLink resource="track" uuid={track.uuid}>
                    {track.wmsId}
                  </ResourceLink>
                ) : (
                  <span class="none">{t('marker.free')}</span>
                ),
            },
            {
              label: t('marker.image'),
              value: ({ markerCode }) => <MarkerImage code={markerCode} size={72} />,
            },
          ]}
        />
        <Pager page={listed} />
      </>
    ),
  };
}

async function markerPage({ database, words: { t } }: PageContext, { code: markerCode }: { code: number }) {
  const {
    allocations: [allocation],
    tracks: [row],
  } = await database.ask({
    allocations: allocationQuery(database, markerCode),
    tracks: sql<
      ViewRow<ReturnType<typeof trackView>>
    >`SELECT ${trackView(WHOLE_TRACK)} AS view FROM track WHERE organization_uuid = ${database.organization}
      AND marker_code = ${markerCode} AND deleted_date IS NULL`,
  });
  if (!allocation) return refuseInWords('markerCodeNotFound', t('marker.notAllocated'), { status: 404 });
  const track = row && parseJson(row.view);
  return {
    title: t('marker.one', { code: String(markerCode) }),
    body: (
      <Card title={t('page.marker')} class="with-marker">
        {track ? (
          <Facts
            facts={[
              [t('marker.allocated'), <Time at={allocation.allocatedDate} />],
              [
                t('page.pallet'),
                <ResourceLink resource="track" uuid={track.uuid}>
                  {track.wmsId}
                </ResourceLink>,
              ],
              [t('page.status'), <Badge status={trackStatus(track)} />],
            ]}
          />
        ) : (
          <>
            <Facts facts={[[t('marker.allocated'), <Time at={allocation.allocatedDate} />]]} />
            <Empty>{t('marker.coupledToNone')}</Empty>
          </>
        )}
        <MarkerImage code={markerCode} size={300} />
        <p class="actions">
          <LabelLink at={`/app/marker-code/${markerCode}`} of={String(markerCode)} />
        </p>
      </Card>
    ),
  };
}
