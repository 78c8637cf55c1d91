import { z } from '@hono/zod-openapi';
import type { SQL } from 'drizzle-orm';
import type { FC } from 'hono/jsx';
import { askPage, type ListedPage } from '../../../http/list-page.ts';
import { text } from '../../../http/schema.ts';
import { write } from '../../../http/write.ts';
import type { Database } from '../../../lib/database.ts';
import { markLoading, removeInvalidLoading } from '../../../loading/commands.ts';
import type { Holder } from '../../../loading/find.ts';
import { RECORD_STATUSES, recordList } from '../../../loading/list.ts';
import { SETTABLE_STATUSES } from '../../../loading/schema.ts';
import { presentRecord, type StoredRecord } from '../../../manifest/asset-store.ts';
import { INVALID_STATUSES } from '../../../manifest/asset-table.ts';
import { Badge, Card, Value, words } from '../../kit/components.tsx';
import { type ByUuid, type GateChoice, GateField, GateLink, To } from '../../kit/detail.tsx';
import { FIND, useFind, withFind } from '../../kit/filters.tsx';
import { Do, Field, Form, Select, Submit } from '../../kit/form.tsx';
import { countOf, Pager } from '../../kit/listing.tsx';
import { type Action, type At, action } from '../../kit/page.tsx';
import { type Column, Table } from '../../kit/rows.tsx';
import { Time } from '../../kit/time.tsx';
import { useShown } from '../../kit/view.ts';
import { Detach } from './detach.tsx';

/** Records on one page of a manifest or shipment. */
const RECORDS_PAGE = 50;

/** What a page of a manifest or shipment is asked with, for its records. */
export const recordsQuery = withFind(
  recordList.query.pick({ q: true, loadingStatus: true, pageNumber: true }),
);

/** Ask for the records of manifests; `manifests` is what their uuids are compared with. */
export const askRecords = (database: Database, manifests: SQL, query: z.output<typeof recordsQuery>) =>
  askPage(recordList, database, { ...query, pageSize: RECORDS_PAGE }, manifests);

type ShownRecord = ReturnType<typeof presentRecord>;

/** What is shown of the pallets of a manifest or shipment. */
export interface RecordsProps {
  at: At;
  page: ListedPage<StoredRecord>;
  gates: readonly GateChoice[];
  links: string;
  /** Whether records can be marked: the holder is not cancelled. */
  open: boolean;
  /** Whether assets can be taken off here. */
  detachable: boolean;
  showManifest: boolean;
  /** Whether it is being loaded. */
  loading: boolean;
}

/** The pallets of a manifest or shipment, with what can be done about each. */
export const Records: FC<RecordsProps> = ({
  at,
  page,
  gates,
  links,
  open,
  detachable,
  showManifest,
  loading,
}) => {
  const { path, search } = useShown();
  const query = new URLSearchParams(search);
  const status = query.get('loadingStatus') ?? '';
  return (
    <Card title="Pallets" id="pallets">
      <search>
        <form method="get" action={`${path}#pallets`} class="filters">
          <div class="field">
            <label for={FIND}>Search in pallets</label>
            <input id={FIND} name={FIND} type="search" value={useFind()} maxlength={255} />
          </div>
          <div class="field">
            <label for="loadingStatus">Loading status</label>
            <select id="loadingStatus" name="loadingStatus">
              <option value="">Any</option>
              {RECORD_STATUSES.map((value) => (
                <option value={value} selected={value === status}>
                  {words(value)}
                </option>
              ))}
            </select>
          </div>
          <button type="submit" class="button quiet">
            Show
          </button>
        </form>
      </search>
      <Table
        caption={countOf(page)}
        rows={page.rows.map((stored) => presentRecord(links, stored))}
        empty="No pallets here."
        columns={[
          ...columns(showManifest),
          ...(at.may('mark') && open ? [markColumn(detachable && at.may('operate'), loading)] : []),
        ]}
      />
      <Pager page={page} hash="#pallets" />
      {at.may('mark') && open && page.total > 0 && <MarkForm gates={gates} />}
    </Card>
  );
};

const columns = (showManifest: boolean): Column<ShownRecord>[] => [
  {
    label: 'Pallet',
    value: ({ trackIdentifier, track, markerCode }) =>
      track ? (
        <To resource="track" uuid={track.uuid}>
          {trackIdentifier ?? track.wmsId}
        </To>
      ) : (
        (trackIdentifier ?? `Unknown marker ${markerCode}`)
      ),
  },
  { label: 'Loading status', value: ({ loadingStatus }) => <Badge status={loadingStatus} /> },
  { label: 'Marker', value: ({ markerCode }) => <Value of={markerCode} />, number: true },
  ...(showManifest
    ? [
        {
          label: 'Manifest',
          value: ({ manifest }: ShownRecord) => (
            <To resource="manifest" uuid={manifest.manifestUuid}>
              {manifest.manifestExternalId}
            </To>
          ),
        },
      ]
    : []),
  { label: 'Gate', value: ({ gate }) => <GateLink gate={gate} /> },
  { label: 'Loaded or seen', value: ({ loadingDate }) => <Time at={loadingDate} /> },
];

const isInvalid = ({ loadingStatus }: ShownRecord): boolean =>
  (INVALID_STATUSES as readonly string[]).includes(loadingStatus);

const markColumn = (detachable: boolean, loading: boolean): Column<ShownRecord> => ({
  label: 'Correct',
  value: (record) => {
    const { recordUuid, loadingStatus, trackIdentifier } = record;
    const name = trackIdentifier ?? String(record.markerCode);
    if (isInvalid(record)) {
      return (
        <Do action="removeRecord" values={{ record: recordUuid }} quiet label={`Remove: ${name}`}>
          Remove
        </Do>
      );
    }
    return (
      <div class="actions">
        {loadingStatus !== 'LOADED' && (
          <Do action="load" values={{ record: recordUuid }} quiet label={`Loaded: ${name}`}>
            Loaded
          </Do>
        )}
        {detachable && trackIdentifier !== null && (
          <Detach asks={loading} values={{ trackIdentifier }} label={`Take off: ${name}`}>
            Take off
          </Detach>
        )}
      </div>
    );
  },
});

const MarkForm: FC<{ gates: readonly GateChoice[] }> = ({ gates }) => (
  <details class="more">
    <summary>Mark a pallet at a gate</summary>
    <Form action="mark" class="filters" label="Mark a pallet">
      <Field name="pallet" label="Pallet (WMS id)" maxlength={255} required />
      <Select
        name="status"
        label="Loading status"
        options={SETTABLE_STATUSES.map((value) => ({ value, label: words(value) }))}
      />
      <GateField gates={gates} />
      <Field name="comment" label="Comment" maxlength={1_000} />
      <Submit quiet>Mark</Submit>
    </Form>
  </details>
);

const recordForm = z.object({ record: z.uuid() });
const markForm = z.object({
  pallet: text(1, 255),
  status: z.enum(SETTABLE_STATUSES),
  gate: text(1, 255),
  comment: text(0, 1_000),
});

/** What can be done about the records of what a path names by its uuid: a shipment, or a manifest by itself. */
export function recordActions(holderOf: (at: At, uuid: string) => Promise<Holder>): Record<string, Action> {
  return {
    load: action('mark', recordForm, async (at, { uuid }: ByUuid, { record }) => {
      await write(at.c, markLoading, {
        ...(await holderOf(at, uuid)),
        target: { by: 'record', recordUuid: record },
        status: 'LOADED',
        gateIdentifier: null,
        comment: null,
      });
      return { done: 'The pallet is marked as loaded.' };
    }),
    mark: action('mark', markForm, async (at, { uuid }: ByUuid, { pallet, status, gate, comment }) => {
      await write(at.c, markLoading, {
        ...(await holderOf(at, uuid)),
        target: { by: 'track', trackIdentifier: pallet },
        status,
        gateIdentifier: gate,
        comment: comment || null,
      });
      return { done: `${pallet} is marked as ${words(status).toLowerCase()}.` };
    }),
    removeRecord: action('mark', recordForm, async (at, { uuid }: ByUuid, { record }) => {
      await write(at.c, removeInvalidLoading, {
        ...(await holderOf(at, uuid)),
        target: { by: 'record', recordUuid: record },
      });
      return { done: 'The record is removed, and its alert is resolved.' };
    }),
  };
}
