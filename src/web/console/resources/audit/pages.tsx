import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import { PERSONAL } from '../../../../access/user/changes.ts';
import { list } from '../../../../core/http/list.ts';
import { text } from '../../../../core/http/schema.ts';
import { type AppEnv, origin } from '../../../../core/http/types.ts';
import type { Scope } from '../../../../core/lib/scope.ts';
import { inList } from '../../../../core/lib/sql.ts';
import { fold } from '../../../../core/lib/text.ts';
import type { Viewed } from '../../../../core/lib/view.ts';
import { beginOf, dayAfter, isDay } from '../../../../core/lib/zone.ts';
import { AUDIT_ACTIONS } from '../../../../core/writer/audit-actions.ts';
import { ACTOR_TYPES, ENTITY_TYPES, isNamed } from '../../../../core/writer/audit-table.ts';
import type { StoredAuditRecord } from '../../../../core/writer/audit-view.ts';
import { longChanges } from '../../../../core/writer/chain.ts';
import { numberOf } from '../../../../core/writer/numbers.ts';
import { AUDIT_FILTERS, AUDIT_SORTING, auditList } from '../../../../log/audit/list.ts';
import { presentAuditRecord, recordQuery } from '../../../../log/audit/store.ts';
import { useWords } from '../../../../messages/context.ts';
import type { Words } from '../../../../messages/words.ts';
import { ssccSpellings } from '../../../../pallet/gs1.ts';
import { readIdentifier } from '../../../../pallet/identifier.ts';
import type { PageContext } from '../../../ui/confirm/action.ts';
import type { ListColumn, Listing } from '../../../ui/list/list-declaration.ts';
import { listingOf } from '../../../ui/list/listing.tsx';
import { instant, Table } from '../../../ui/list/rows.tsx';
import { page } from '../../../ui/page/page.tsx';
import { byUuid, ResourceLink, requireRow } from '../../../ui/page/resource.tsx';
import { WithPallets } from '../../../ui/parts/badges.tsx';
import { wordsAmong } from '../../../ui/parts/codes.ts';
import { Card, Facts, OptionalText } from '../../../ui/parts/components.tsx';
import { schemaText } from '../../../ui/parts/form-rules.ts';
import { Time } from '../../../ui/parts/time.tsx';
import { type NamedRecord, namedRecordView } from './named-store.ts';
import {
  actionIn,
  actorIn,
  actorNameIn,
  changeIn,
  changesOf,
  fieldIn,
  type Site,
  sentenceIn,
  thingIn,
  unsaidChanges,
  valueIn,
} from './words.ts';

const LONG_MAXIMUM = 5_000;
const RAW_MAXIMUM = 100_000;
/** The maximum number of changes that are shown. */
const CHANGES_MAXIMUM = 500;

/** The page of one record, with its changes and its JSON. */
function recordPage(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/audit-log/:uuid',
    right: 'seeOffice',
    params: byUuid,
    async view(at, { uuid }) {
      const { c, database, words, session } = at;
      const { t } = words;
      const site = session.organization;
      const rows = await database.all(recordQuery(database, uuid, namedRecordView));
      const whole = requireRow(rows, 'auditLogNotFound', uuid);
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
                rows={changesOf(words, site, stored).slice(0, CHANGES_MAXIMUM)}
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

/** Whether the viewer may see the person that a record is about. */
const mayBeSeen = (at: PageContext, { entityType }: StoredAuditRecord): boolean =>
  entityType !== 'USER' || at.may('seeUsers');

/**
 * A record as the viewer may see it. If the viewer may not see users, a record about a user has no
 * e-mail address, name or phone number.
 */
function seenBy<R extends StoredAuditRecord>(at: PageContext, record: R): R {
  if (mayBeSeen(at, record)) return record;
  return {
    ...record,
    entityExternalId: at.words.t('audit.notShown'),
    changes: longChanges(record.changes).filter(({ field }) => !PERSONAL.includes(field)),
    identity: null,
  };
}

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

/** The entity of a record, linked to its page. */
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

/** The audit log on its page: the API's list with names, and with filters for a person, a day and a pallet. */
const auditPageList = list({
  ...auditList,
  view: namedRecordView as SQL<Viewed<typeof namedRecordView>>,
  sorting: AUDIT_SORTING,
  filters: {
    ...AUDIT_FILTERS,
    who: text(1, 255).optional(),
    when: z.string().refine(isDay, schemaText('noDay')).optional(),
    pallet: text(1, 255).optional(),
  },
  rows(scope, query, persons: boolean, zone: string) {
    const { who, when, pallet } = query;
    const [after, before] = when ? [beginOf(zone, when), beginOf(zone, dayAfter(when, 1))] : [];
    const { eventDateAfter = after, eventDateBefore = before } = query;
    const base = auditList.rows(scope, { ...query, eventDateAfter, eventDateBefore }, persons);
    return {
      ...base,
      filtering: [
        ...(base.filtering ?? []),
        who === undefined ? undefined : byActor(scope, who),
        pallet === undefined ? undefined : aboutPallet(scope, pallet),
      ],
      narrow: (base.narrow ?? false) || pallet !== undefined,
    };
  },
});

/** Actors whose name contains a text. A worker at a tablet is named after the tablet. */
const byActor = (
  scope: Scope,
  who: string,
): SQL => sql`audit_log.actor_number IN (SELECT number FROM audit_actor
  WHERE organization_number = ${numberOf(scope)}
    AND (instr(lower(actor_display_name), ${fold(who)}) > 0 OR instr(actor_display_name, ${who}) > 0))`;

/** Records about a pallet and its loading. An SSCC is found in each of its spellings. */
function aboutPallet(scope: Scope, typed: string): SQL {
  const { sscc } = readIdentifier(typed);
  const spellings = sscc === undefined ? [typed] : [typed, ...ssccSpellings(sscc)];
  const wmsId = sql`coalesce((SELECT wms_id FROM track WHERE organization_uuid = ${scope.organization}
    AND wms_id ${inList(spellings)} AND deleted_date IS NULL LIMIT 1), ${typed})`;
  return sql`${isNamed(scope, wmsId)} AND audit_log.entity_type IN ('TRACK', 'ASSET_LOADING')`;
}

/** The maximum number of characters of a value when sentences are compared. */
const NAMED_LENGTH = 200;

/** A record with the records that are folded into it. */
type FoldedRecord = NamedRecord & { also: NamedRecord[] };

/**
 * Fold records that repeat each other. The scan of a pallet makes a record of the scan and one of the loading. Records
 * with the same sentence in a row are one, too.
 */
export function foldRecords(words: Words, site: Site, records: readonly NamedRecord[]): FoldedRecord[] {
  const folded: FoldedRecord[] = [];
  for (const record of records) {
    const last = folded.at(-1);
    if (last && isScanOf(last, record)) folded[folded.length - 1] = { ...record, also: [...last.also, last] };
    else if (last && (isScanOf(record, last) || isRepeat(words, site, last, record))) last.also.push(record);
    else folded.push({ ...record, also: [] });
  }
  return folded;
}

const isScanOf = (scan: NamedRecord, loading: NamedRecord): boolean =>
  scan.action === 'SCANS_RECORDED' &&
  loading.entityType === 'ASSET_LOADING' &&
  scan.requestId === loading.requestId;

const isRepeat = (words: Words, site: Site, one: NamedRecord, other: NamedRecord): boolean =>
  one.action === other.action &&
  sentenceIn(words, site, one, NAMED_LENGTH) === sentenceIn(words, site, other, NAMED_LENGTH);

/** The maximum number of characters of a value, and of changes of a record. */
const SHORT_MAXIMUM = 80;
const FEW_CHANGES = 4;

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
      // The sentence names it, too.
      narrow: 'gone',
    },
    { label: t('audit.who'), plain: ({ actor }) => actorNameIn(words, actor) },
    {
      label: t('audit.changes'),
      value: (record) => (
        <OptionalText
          of={words.series(
            unsaidChanges(words, site, record)
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
          <ul class="bulleted">
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
      foldRecords(
        at.words,
        at.session.organization,
        rows.map((record) => seenBy(at, record)),
      ),
    empty: ({ t }) => t('audit.empty'),
  };
  listingOf(app, auditLog, (at): [boolean, string] => [at.may('seeUsers'), at.session.organization.timeZone]);

  recordPage(app);
}
