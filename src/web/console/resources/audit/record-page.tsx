import type { Hono } from 'hono';
import { type AppEnv, origin } from '../../../../core/http/types.ts';
import { presentAuditRecord, recordQuery } from '../../../../log/audit/store.ts';
import { Table } from '../../../ui/list/rows.tsx';
import { page } from '../../../ui/page/page.tsx';
import { byUuid, found } from '../../../ui/page/resource.tsx';
import { Card, Facts, OptionalText } from '../../../ui/parts/components.tsx';
import { Time } from '../../../ui/parts/time.tsx';
import { Entity } from './entity.tsx';
import { namedRecordView } from './named-store.ts';
import { mayBeSeen, seenBy } from './persons.ts';
import { actorIn, actorNameIn, changesOf, fieldIn, sentenceIn, valueIn } from './words.ts';

/** The maximum number of characters of the title's values, of a value, and of the record's JSON. */
const SHORT_MAXIMUM = 80;
const LONG_MAXIMUM = 5_000;
const RAW_MAXIMUM = 100_000;
/** The maximum number of changes that are shown. */
const CHANGES_MAXIMUM = 500;

/** The page of one record, with its changes and its JSON. */
export function recordPage(app: Hono<AppEnv>): void {
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
