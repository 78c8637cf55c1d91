import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import type { Child, FC, PropsWithChildren } from 'hono/jsx';
import { uuid } from '../../../core/http/schema.ts';
import { refuse } from '../../../core/http/write.ts';
import type { Database } from '../../../core/lib/database.ts';
import { parseJson } from '../../../core/lib/json.ts';
import type { ProblemCode } from '../../../core/lib/problem.ts';
import type { ViewRow } from '../../../core/lib/view.ts';
import type { GateReference } from '../../../dispatch/gate/rules.ts';
import { gateNamesQuery } from '../../../dispatch/gate/store.ts';
import { useWords } from '../../../messages/context.ts';
import type { PageContext } from './action.ts';
import type { NoActions, PropWith } from './action-name.ts';
import { Plate } from './badges.tsx';
import { Badge, Card, OptionalText } from './components.tsx';
import { Ask, type Confirmation } from './confirmation.tsx';
import { ActionButton, Field, Form, Select, Submit } from './form.tsx';
import { type Text, textOf } from './language.ts';
import { Table } from './rows.tsx';

/** The parameters of the path of a thing's page: its uuid. */
export const byUuid = z.object({ uuid });
/** How a thing is named in a path. */
export type ByUuid = z.output<typeof byUuid>;

/** The JSON of one row of the organization, also of a deleted one, as links to it exist; for a batch. */
export const rowQuery = <T,>(
  { organization }: Database,
  table: string,
  view: SQL<T>,
  named: string,
): SQL<ViewRow<SQL<T>>> => sql`
  SELECT ${view} AS view FROM ${sql.identifier(table)} WHERE ${sql.identifier(table)}.uuid = ${named}
    AND ${sql.identifier(table)}.organization_uuid = ${organization}`;

/** What a row of `rowQuery` says. @throws 404 where there is none. */
export function found<T>([row]: readonly ViewRow<SQL<T>>[], code: ProblemCode, what: string): T {
  return row ? parseJson(row.view) : refuse(code, `There is no such ${what}.`, { status: 404 });
}

/** A link to the page of a thing. */
export const ResourceLink: FC<PropsWithChildren<{ resource: string; uuid: string }>> = ({
  resource,
  uuid: named,
  children,
}) => <a href={`/app/${resource}/${named}`}>{children}</a>;

/** A gate in a row: its plate, linked to its page; a dashed plate for no gate. */
export const GatePlate: FC<{ gate: GateReference | null }> = ({ gate }) =>
  gate === null ? (
    <span class="plate none">
      <span aria-hidden="true">?</span>
      <span class="hidden">{useWords().t('desk.noGate')}</span>
    </span>
  ) : (
    <a href={`/app/gate/${gate.uuid}`} title={gate.name} class="gate-link">
      <Plate gate={gate} />
      <span class="hidden">{gate.name}</span>
    </a>
  );

/** A gate in a CSV file. */
export const gatePlain = ({ gate }: { gate: GateReference | null }): string | null =>
  gate?.externalIdentifier ?? null;

/** A gate of another thing, linked to its page. */
export const GateLink: FC<{ gate: GateReference | null }> = ({ gate }) =>
  gate === null ? (
    <OptionalText of={null} />
  ) : (
    <ResourceLink resource="gate" uuid={gate.uuid}>
      <Plate gate={gate} /> {gate.name}
    </ResourceLink>
  );

/** A link to the audit log about a thing, for users who may see it. */
export const History: FC<{ at: PageContext; uuid: string }> = ({ at, uuid: named }) =>
  at.may('seeOffice') ? (
    <p>
      <a href={`/app/audit-log?entityUuid=${named}`}>{useWords().t('desk.history')}</a>
    </p>
  ) : null;

/** How many gates a form lists; where there are more, it takes the gate's id as text. */
export const GATES_MAXIMUM = 200;

/** The gates that can be chosen; for a batch. */
export const gatesQuery = (database: Database) => gateNamesQuery(database, GATES_MAXIMUM + 1);

/** A gate as a choice. */
export type GateChoice = Omit<GateReference, 'uuid'>;

/** A choice of a gate, or of none where `none` gives that a name. */
export const GateField: FC<{
  gates: readonly GateChoice[];
  name?: string;
  label?: string;
  value?: string | undefined;
  none?: string;
}> = ({ gates, name = 'gate', label, value, none }) => {
  const { t } = useWords();
  const field = { name, label: label ?? t('desk.gate'), value, required: none === undefined };
  return gates.length > GATES_MAXIMUM ? (
    <Field {...field} maxlength={255} hint={none && t('desk.noneIfEmpty')} />
  ) : (
    <Select
      {...field}
      options={[...(none === undefined ? [] : [{ value: '', label: none }]), ...gates.map(gateOption)]}
    />
  );
};

/** A gate as an option of a choice: its id and its name. */
export const gateOption = ({ externalIdentifier, name }: GateChoice) => ({
  value: externalIdentifier,
  label: `${externalIdentifier} · ${name}`,
});

/** The question whether to delete the thing of the page, whose actions `A` have to have a `delete`. */
export const Deletion = <A = NoActions>({ what }: { what: PropWith<'delete', A, string> }) => (
  <p class="actions">
    <Ask<Record<'delete', unknown>> action="delete">{useWords().t('delete.button', { what })}</Ask>
  </p>
);

/** The question before something is deleted; `text` says what follows from it. */
export const confirmDeletion =
  (what: string, text: Text, more: Partial<Confirmation> = {}) =>
  ({ words }: Pick<PageContext, 'words'>): Confirmation => ({
    title: words.t('delete.title', { what }),
    text: (
      <p>
        {textOf(words, text)} {words.t('delete.final')}
      </p>
    ),
    yes: words.t('delete.yes'),
    no: words.t('ask.keep'),
    ...more,
  });

/** A note that a thing is deleted. */
export const Deleted: FC<{ deleted: boolean }> = ({ deleted }) =>
  deleted ? <Badge status="DELETED" /> : null;

/** The actions that change custom fields. */
type FieldAction = 'putField' | 'removeField';

/** The custom fields of a thing, with forms for users who may change them if the actions `A` of the page can do it. */
export function CustomFields<A = NoActions>({
  fields,
  mayChange,
  keys,
}: {
  fields: readonly { fieldKey: string; fieldValue: string }[];
  mayChange: false | PropWith<FieldAction, A, boolean>;
  /** The keys that are allowed; any if left out. */
  keys?: readonly string[];
}) {
  const { t } = useWords();
  return (
    <Card title={t('field.title')}>
      <Table
        caption={t('list.total', { total: fields.length })}
        rows={fields}
        empty={t('field.none')}
        columns={[
          { label: t('field.field'), value: ({ fieldKey }) => fieldKey },
          { label: t('field.value'), value: ({ fieldValue }) => fieldValue },
          ...(mayChange
            ? [
                {
                  label: t('field.remove'),
                  value: ({ fieldKey }: { fieldKey: string }): Child => (
                    <ActionButton<Record<FieldAction, unknown>>
                      action="removeField"
                      values={{ fieldKey }}
                      quiet
                      label={t('field.removeOf', { field: fieldKey })}
                    >
                      {t('field.remove')}
                    </ActionButton>
                  ),
                },
              ]
            : []),
        ]}
      />
      {mayChange && keys?.length !== 0 && (
        <Form<Record<FieldAction, unknown>> action="putField" class="filters" label={t('field.setIt')}>
          {keys === undefined ? (
            <Field name="fieldKey" label={t('field.field')} maxlength={100} required />
          ) : (
            <Select
              name="fieldKey"
              label={t('field.field')}
              options={keys.map((key) => ({ value: key, label: key }))}
            />
          )}
          <Field name="fieldValue" label={t('field.value')} maxlength={1_000} />
          <Submit quiet>{t('field.set')}</Submit>
        </Form>
      )}
    </Card>
  );
}
