import type { Hono } from 'hono';
import { auditList } from '../../../audit/list.ts';
import { presentAuditRecord, recordQuery, type StoredAuditRecord } from '../../../audit/store.ts';
import { type AppEnv, origin } from '../../../http/types.ts';
import { ACTOR_TYPES, ENTITY_TYPES } from '../../../writer/audit-table.ts';
import { longChanges } from '../../../writer/chain.ts';
import { Card, Facts, Value, words } from '../../kit/components.tsx';
import { byUuid, found, To } from '../../kit/detail.tsx';
import { listing } from '../../kit/listing.tsx';
import { page } from '../../kit/page.tsx';
import { type Column, instant, Table } from '../../kit/rows.tsx';
import { Time } from '../../kit/time.tsx';

/** Characters of a value that a list shows. */
const SHORT_MAXIMUM = 80;
const LONG_MAXIMUM = 5_000;

/** A value of a change in words, cut where it is long. */
function shown(value: unknown, maximum: number): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > maximum ? `${text.slice(0, maximum)}…` : text;
}

/** Which kinds of things have a page, and where. */
const PAGES: Partial<Record<string, string>> = {
  USER: 'user',
  AUTHORITY: 'authority',
  GATE: 'gate',
  SCANNER: 'scanner',
  LOCAL_MANAGER: 'local-manager',
  AGENT: 'agent',
  CLIENT: 'client',
  TRACK: 'track',
  MANIFEST: 'manifest',
  SHIPMENT: 'shipment',
  ALERT: 'alert',
  PRINTING_BATCH: 'printing-batch',
  CALIBRATION: 'calibration',
  OPERATION: 'operation',
  WEBHOOK: 'webhook',
  API_KEY: 'api-key',
  ACCESS_TOKEN: 'access-token',
  ORGANIZATION: 'organization',
};

const Entity = ({ entityType, entityUuid, entityExternalId }: StoredAuditRecord) => {
  const resource = PAGES[entityType];
  const name = `${words(entityType)} ${entityExternalId ?? ''}`;
  return resource ? (
    <To resource={resource} uuid={entityUuid}>
      {name}
    </To>
  ) : (
    <span>{name}</span>
  );
};

const columns: readonly Column<StoredAuditRecord, 'sequenceNumber' | 'eventDate'>[] = [
  {
    label: 'Number',
    sort: 'sequenceNumber',
    plain: ({ sequenceNumber }) => sequenceNumber,
    value: ({ uuid, sequenceNumber }) => (
      <To resource="audit-log" uuid={uuid}>
        {sequenceNumber}
      </To>
    ),
  },
  { label: 'When', sort: 'eventDate', plain: ({ eventDate }) => instant(eventDate) },
  { label: 'What', plain: ({ action }) => words(action) },
  {
    label: 'About',
    value: (record) => <Entity {...record} />,
    plain: ({ entityExternalId, entityUuid }) => entityExternalId ?? entityUuid,
  },
  { label: 'Who', plain: ({ actor }) => actor.displayName },
  {
    label: 'Changes',
    value: ({ changes }) => (
      <Value
        of={longChanges(changes)
          .slice(0, 4)
          .map(({ field, newValue }) => `${field}: ${shown(newValue, SHORT_MAXIMUM)}`)
          .join('; ')}
      />
    ),
  },
];

/** The audit log, of everything or of one thing. */
export function auditPages(app: Hono<AppEnv>): void {
  listing(app, {
    path: '/app/audit-log',
    title: 'Audit log',
    right: 'seeOffice',
    list: auditList,
    filters: [
      { name: 'entityType', label: 'Kind of thing', options: ENTITY_TYPES },
      { name: 'entityExternalId', label: 'External id' },
      { name: 'entityUuid', label: 'Uuid' },
      { name: 'action', label: 'Action' },
      { name: 'actorType', label: 'Kind of actor', options: ACTOR_TYPES },
      { name: 'eventDateAfter', label: 'From', day: true },
      { name: 'eventDateBefore', label: 'Before', day: true },
    ],
    columns: () => columns,
    empty: 'No record is like this.',
  });

  page(app, {
    path: '/app/audit-log/:uuid',
    right: 'seeOffice',
    params: byUuid,
    async view({ c, database }, { uuid }) {
      const rows = await database.all(recordQuery(database, uuid));
      const stored = found(rows, 'notFound', 'record');
      const record = presentAuditRecord(origin(c), stored);
      return {
        title: `${words(record.action)} (${record.sequenceNumber})`,
        body: (
          <>
            <Card title="Record">
              <Facts
                facts={[
                  ['When', <Time at={stored.eventDate} />],
                  ['About', <Entity {...stored} />],
                  ['Who', `${record.actor.displayName} (${words(record.actor.actorType)})`],
                  ['Request', record.requestId],
                  ['Address', <Value of={record.ipAddress} />],
                  ['Hash', <code>{record.hash}</code>],
                  ['Hash before', <code>{record.previousHash}</code>],
                ]}
              />
            </Card>
            <Card title="Changes">
              <Table
                caption={`${record.changes.length} fields`}
                rows={record.changes}
                empty="Nothing else changed."
                columns={[
                  { label: 'Field', value: ({ field }) => field },
                  {
                    label: 'Before',
                    value: ({ oldValue }) => (
                      <Value of={oldValue === null ? null : shown(oldValue, LONG_MAXIMUM)} />
                    ),
                  },
                  {
                    label: 'After',
                    value: ({ newValue }) => (
                      <Value of={newValue === null ? null : shown(newValue, LONG_MAXIMUM)} />
                    ),
                  },
                ]}
              />
            </Card>
          </>
        ),
      };
    },
  });
}
