import type { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import type { AppEnv } from '../../../../core/http/types.ts';
import { AUDIT_ACTIONS } from '../../../../core/writer/audit-actions.ts';
import { ACTOR_TYPES, ENTITY_TYPES } from '../../../../core/writer/audit-table.ts';
import type { PageContext } from '../../../ui/confirm/action.ts';
import type { ListColumn, Listing } from '../../../ui/list/list-declaration.ts';
import { listingOf } from '../../../ui/list/listing.tsx';
import { instant } from '../../../ui/list/rows.tsx';
import { ResourceLink } from '../../../ui/page/resource.tsx';
import { WithPallets } from '../../../ui/parts/badges.tsx';
import { wordsAmong } from '../../../ui/parts/codes.ts';
import { OptionalText } from '../../../ui/parts/components.tsx';
import { Entity } from './entity.tsx';
import { type FoldedRecord, foldedIn } from './folded.ts';
import { auditPageList } from './list.ts';
import type { NamedRecord } from './named-store.ts';
import { seenBy } from './persons.ts';
import { recordPage } from './record-page.tsx';
import { actionIn, actorIn, actorNameIn, changeIn, sentenceIn, thingIn, unsaidChanges } from './words.ts';

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
      foldedIn(
        at.words,
        at.session.organization,
        rows.map((record) => seenBy(at, record)),
      ),
    empty: ({ t }) => t('audit.empty'),
  };
  listingOf(app, auditLog, (at): [boolean, string] => [at.may('seeUsers'), at.session.organization.timeZone]);

  recordPage(app);
}
