import type { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import { type AppEnv, origin } from '../../../../core/http/types.ts';
import { AUDIT_ACTIONS } from '../../../../core/writer/audit-actions.ts';
import { ACTOR_TYPES, ENTITY_TYPES } from '../../../../core/writer/audit-table.ts';
import type { StoredAuditRecord } from '../../../../core/writer/audit-view.ts';
import { presentAuditRecord, recordQuery } from '../../../../log/audit/store.ts';
import { useWords } from '../../../../messages/context.ts';
import type { PageContext } from '../../kit/action.ts';
import { WithPallets } from '../../kit/badges.tsx';
import { wordsAmong } from '../../kit/codes.ts';
import { Card, Facts, OptionalText } from '../../kit/components.tsx';
import { type ListColumn, type Listing, listingOf } from '../../kit/listing.tsx';
import { page } from '../../kit/page.tsx';
import { byUuid, found, ResourceLink } from '../../kit/resource.tsx';
import { instant, Table } from '../../kit/rows.tsx';
import { Time } from '../../kit/time.tsx';
import { type FoldedRecord, foldedIn } from './folded.ts';
import { auditPageList } from './list.ts';
import { type NamedRecord, namedRecordView } from './named-store.ts';
import { mayBeSeen, seenBy } from './persons.ts';
import {
  actionIn,
  actorIn,
  actorNameIn,
  changeIn,
  fieldIn,
  sentenceIn,
  thingIn,
  unsaidChanges,
  valueIn,
} from './words.ts';

/** The maximum number of characters of a value in a list, and on a record's page. */
const SHORT_MAXIMUM = 80;
const LONG_MAXIMUM = 5_000;
/** The maximum number of characters of a record's JSON on its page. */
const RAW_MAXIMUM = 100_000;
/** The maximum number of changes of a record in a list, and on the record's page. */
const FEW_CHANGES = 4;
const CHANGES_MAXIMUM = 500;

/** The page of each kind of entity that has one. */
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
  const name = `${thingIn(useWords(), entityType)} ${entityExternalId ?? ''}`;
  return resource ? (
    <ResourceLink resource={resource} uuid={entityUuid}>
      {name}
    </ResourceLink>
  ) : (
    <span>{name}</span>
  );
};

const columns = (at: PageContext): readonly Column[] => {
  const { words } = at;
  const site = at.session.organization;
  const { t } = words;
  return [
    {
      label: t('audit.number'),
      sort: 'sequenceNumber',
      plain: ({ sequenceNumber }) => sequenceNumber,
      value: ({ uuid, sequenceNumber }) => (
        <ResourceLink resource="audit-log" uuid={uuid}>
          {sequenceNumber}
        </ResourceLink>
      ),
    },
    { label: t('audit.when'), sort: 'eventDate', plain: ({ eventDate }) => instant(eventDate) },
    {
      label: t('audit.what'),
      value: (record) => <Sentence at={at} of={record} />,
      plain: (record) => sentenceIn(words, site, record, SHORT_MAXIMUM),
      narrow: 'wide',
    },
    {
      label: t('audit.about'),
      value: (record) => <Entity {...record} />,
      plain: ({ entityExternalId, entityUuid }) => entityExternalId ?? entityUuid,
    },
    { label: t('audit.who'), plain: ({ actor }) => actorNameIn(words, actor) },
    {
      label: t('audit.changes'),
      value: (record) => (
        <OptionalText
          of={words.series(
            unsaidChanges(record)
              .slice(0, FEW_CHANGES)
              .map((change) => changeIn(words, site, change, SHORT_MAXIMUM)),
          )}
        />
      ),
    },
  ];
};

type Column = ListColumn<typeof auditPageList.query, NamedRecord>;

/** A column with records as the viewer may see them. */
const seenIn = (at: PageContext, { value, plain, ...column }: Column): Column => ({
  ...column,
  ...(value && { value: (record: NamedRecord) => value(seenBy(at, record)) }),
  ...(plain && { plain: (record: NamedRecord) => plain(seenBy(at, record)) }),
});

/** The sentence of a record, and the sentences of the records that are folded into it. */
const Sentence: FC<{ at: PageContext; of: NamedRecord & Partial<FoldedRecord> }> = ({ at, of: record }) => {
  const { words } = at;
  const told = (one: NamedRecord) => (
    <WithPallets text={sentenceIn(words, at.session.organization, one, SHORT_MAXIMUM)} />
  );
  const { also = [] } = record;
  return (
    <>
      {told(record)}
      {also.length > 0 && (
        <details class="more">
          <summary>{words.t('audit.also', { count: also.length })}</summary>
          <ul>
            {also.map((one) => (
              <li>
                <ResourceLink resource="audit-log" uuid={one.uuid}>
                  {one.sequenceNumber}
                </ResourceLink>{' '}
                {told(one)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
};

/** The pages of the audit log: of all entities, or of one. */
export function auditPages(app: Hono<AppEnv>): void {
  const auditLog: Listing<typeof auditPageList.query, NamedRecord, [persons: boolean, zone: string]> = {
    path: '/app/audit-log',
    title: ({ t }) => t('audit.title'),
    right: 'seeOffice',
    list: auditPageList,
    inSight: 3,
    filters: [
      { name: 'who', label: ({ t }) => t('audit.who') },
      { name: 'when', label: ({ t }) => t('audit.when'), oneDay: true },
      { name: 'pallet', label: ({ t }) => t('audit.palletFilter') },
      {
        name: 'entityType',
        label: ({ t }) => t('audit.kindOfThing'),
        options: ENTITY_TYPES,
        say: (words, option) => wordsAmong(ENTITY_TYPES, option, (type) => thingIn(words, type)),
      },
      { name: 'entityExternalId', label: ({ t }) => t('audit.externalId') },
      { name: 'entityUuid', label: ({ t }) => t('audit.uuid') },
      {
        name: 'action',
        label: ({ t }) => t('audit.action'),
        options: AUDIT_ACTIONS,
        say: (words, option) => wordsAmong(AUDIT_ACTIONS, option, (action) => actionIn(words, action)),
      },
      {
        name: 'actorType',
        label: ({ t }) => t('audit.kindOfActor'),
        options: ACTOR_TYPES,
        say: (words, option) => wordsAmong(ACTOR_TYPES, option, (type) => actorIn(words, type)),
      },
      { name: 'eventDateAfter', label: ({ t }) => t('audit.from'), day: true },
      { name: 'eventDateBefore', label: ({ t }) => t('audit.before'), day: true },
    ],
    columns: (at) => columns(at).map((column) => seenIn(at, column)),
    shown: (at, rows) =>
      foldedIn(
        at.words,
        at.session.organization,
        rows.map((record) => seenBy(at, record)),
      ),
    empty: ({ t }) => t('audit.empty'),
  };
  listingOf(app, auditLog, (at): [boolean, string] => [at.may('seeUsers'), at.session.organization.timeZone]);

  page(app, {
    path: '/app/audit-log/:uuid',
    right: 'seeOffice',
    params: byUuid,
    async view(at, { uuid }) {
      const { c, database, words, session } = at;
      const { t } = words;
      const site = session.organization;
      const rows = await database.all(recordQuery(database, uuid, namedRecordView));
      const whole = found(rows, 'auditLogNotFound', uuid);
      const stored = seenBy(at, whole);
      const { gateName: _, tabletName: __, pallets: ___, ...logged } = stored;
      const record = presentAuditRecord(origin(c), logged);
      const raw = JSON.stringify(record, null, 2);
      const said = (field: string, value: unknown) =>
        value === null || value === undefined ? null : valueIn(words, site, field, value, LONG_MAXIMUM);
      return {
        title: t('audit.numbered', {
          action: sentenceIn(words, site, stored, SHORT_MAXIMUM),
          number: String(record.sequenceNumber),
        }),
        body: (
          <>
            <Card title={t('audit.record')}>
              <Facts
                facts={[
                  [t('audit.when'), <Time at={stored.eventDate} />],
                  [t('audit.about'), <Entity {...stored} />],
                  [
                    t('audit.who'),
                    actorNameIn(words, record.actor) === actorIn(words, record.actor.actorType)
                      ? actorIn(words, record.actor.actorType)
                      : t('audit.actor', {
                          name: record.actor.displayName,
                          kind: actorIn(words, record.actor.actorType),
                        }),
                  ],
                  [t('audit.request'), record.requestId],
                  [t('audit.address'), <OptionalText of={record.ipAddress} />],
                  [t('audit.hash'), <code>{record.hash}</code>],
                  [t('audit.hashBefore'), <code>{record.previousHash}</code>],
                ]}
              />
            </Card>
            <Card title={t('audit.changes')}>
              <Table
                caption={t('audit.fields', { count: record.changes.length })}
                rows={record.changes.slice(0, CHANGES_MAXIMUM)}
                empty={t('audit.noChanges')}
                columns={[
                  { label: t('audit.field'), value: ({ field }) => fieldIn(words, site, field) },
                  {
                    label: t('audit.was'),
                    value: ({ field, oldValue }) => <OptionalText of={said(field, oldValue)} />,
                  },
                  {
                    label: t('audit.is'),
                    value: ({ field, newValue }) => <OptionalText of={said(field, newValue)} />,
                  },
                ]}
              />
            </Card>
            {mayBeSeen(at, whole) && (
              <details class="card">
                <summary>{t('audit.raw')}</summary>
                <pre>{raw.length > RAW_MAXIMUM ? `${raw.slice(0, RAW_MAXIMUM).toWellFormed()}…` : raw}</pre>
              </details>
            )}
          </>
        ),
      };
    },
  });
}
