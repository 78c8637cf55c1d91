import type { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { archiveList } from '../../../archive/list.ts';
import { readObject, readRecords } from '../../../archive/objects.ts';
import { type AnyDocument, presentDocument } from '../../../archive/present.ts';
import { placeQuery } from '../../../archive/store.ts';
import { ARCHIVED_TYPES } from '../../../archive/table.ts';
import type { ListedPage } from '../../../http/list-page.ts';
import { type AppEnv, origin } from '../../../http/types.ts';
import { refuse } from '../../../http/write.ts';
import { parseJson } from '../../../lib/json.ts';
import type { ShownRecord } from '../../../pages/store.ts';
import { Badge, Card, Facts, Value, words } from '../../kit/components.tsx';
import { type ByUuid, byUuid, CustomFields, Deleted, History, To } from '../../kit/detail.tsx';
import { countOf, listing, Pager } from '../../kit/listing.tsx';
import { type At, page } from '../../kit/page.tsx';
import { instant, Table } from '../../kit/rows.tsx';
import { Time } from '../../kit/time.tsx';
import { holderFacts, PublicLinks } from '../holder/parts.tsx';

/** Pallets on one page of something archived. */
const RECORDS_PAGE = 50;

const pageQuery = archiveList.query.pick({ pageNumber: true });

/** What was closed long ago. */
export function archivePages(app: Hono<AppEnv>): void {
  listing(app, {
    path: '/app/archive',
    title: 'Archive',
    right: 'see',
    list: archiveList,
    search: 'identifiers',
    filters: [
      { name: 'entityType', label: 'Kind', options: ARCHIVED_TYPES },
      { name: 'closeDateAfter', label: 'Closed from', day: true },
      { name: 'closeDateBefore', label: 'Closed before', day: true },
    ],
    columns: () => [
      {
        label: 'Identifier',
        sort: 'externalIdentifier',
        plain: ({ externalIdentifier }) => externalIdentifier,
        value: ({ uuid, externalIdentifier }) => (
          <To resource="archive" uuid={uuid}>
            {externalIdentifier}
          </To>
        ),
      },
      { label: 'Kind', plain: ({ entityType }) => words(entityType) },
      { label: 'Created', sort: 'createDate', plain: ({ createDate }) => instant(createDate) },
      { label: 'Closed', sort: 'closeDate', plain: ({ closeDate }) => instant(closeDate) },
    ],
    empty: 'Nothing in the archive is like this.',
  });

  page(app, {
    path: '/app/archive/:uuid',
    right: 'see',
    params: byUuid,
    query: pageQuery,
    view: archivedPage,
  });
}

async function archivedPage(at: At, { uuid }: ByUuid, { pageNumber }: z.output<typeof pageQuery>) {
  const { c, database } = at;
  const place = await database.first(placeQuery(database, uuid, { deleted: true }));
  if (!place) return refuse('archiveNotFound', 'There is nothing of this uuid in the archive.');
  const document = await readObject<AnyDocument>(c.env.CALIBRATION, place);
  const shown = presentDocument(origin(c), place, parseJson(document.view));
  const skip = (pageNumber - 1) * RECORDS_PAGE;
  const left = Math.min(RECORDS_PAGE, document.recordsCount - skip);
  const pallets: ListedPage<ShownRecord> = {
    rows: await readRecords<ShownRecord>(c.env.CALIBRATION, database, place, skip, left),
    total: document.recordsCount,
    pageNumber,
    pageSize: RECORDS_PAGE,
    sort: archiveList.sorting.default,
    next: undefined,
  };
  return {
    title: shown.externalIdentifier,
    aside: (
      <>
        <Badge status={'status' in shown ? shown.status : shown.manifestStatus} />
        <Deleted deleted={shown.deleted} />
      </>
    ),
    body: (
      <>
        <Card title={`${words(place.entityType)} in the archive`}>
          <Facts
            facts={[
              ...holderFacts(shown),
              ...('notes' in shown ? ([['Notes', <Value of={shown.notes} />]] as const) : []),
              ['In the archive since', <Time at={place.archiveDate} />],
            ]}
          />
          <PublicLinks of={shown} />
        </Card>
        {'manifests' in shown && <Members of={shown.manifests} />}
        <Card title="Pallets" id="pallets">
          <Table
            caption={countOf(pallets)}
            rows={pallets.rows}
            empty="No pallets here."
            columns={[
              {
                label: 'Pallet',
                value: ({ trackIdentifier, markerCode }) => trackIdentifier ?? `Unknown marker ${markerCode}`,
              },
              { label: 'Loading status', value: ({ loadingStatus }) => <Badge status={loadingStatus} /> },
              { label: 'Marker', value: ({ markerCode }) => <Value of={markerCode} />, number: true },
              { label: 'Loaded at', value: ({ loadingDate }) => <Time at={loadingDate} /> },
            ]}
          />
          <Pager page={pallets} hash="#pallets" />
        </Card>
        <CustomFields fields={shown.customFields} mayChange={false} />
        <History at={at} uuid={uuid} />
      </>
    ),
  };
}

const Members = ({ of }: { of: readonly { manifestUuid: string; manifestExternalId: string }[] }) => (
  <Card title="Manifests">
    <Table
      caption={`${of.length} in all`}
      rows={of}
      empty="No manifests are attached."
      columns={[
        {
          label: 'Manifest',
          value: ({ manifestUuid, manifestExternalId }) => (
            <To resource="archive" uuid={manifestUuid}>
              {manifestExternalId}
            </To>
          ),
        },
      ]}
    />
  </Card>
);
