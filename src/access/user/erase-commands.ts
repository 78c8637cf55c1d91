import { type SQL, sql } from 'drizzle-orm';
import { type Json, parseJson } from '../../core/lib/json.ts';
import { named } from '../../core/lib/missing.ts';
import { refusal } from '../../core/lib/problem.ts';
import type { Scope, Write } from '../../core/lib/scope.ts';
import { fold } from '../../core/lib/text.ts';
import type { ViewRow } from '../../core/lib/view.ts';
import { entityKey, rowsAbout } from '../../core/writer/audit-table.ts';
import { ERASED_NAME } from '../../core/writer/chain.ts';
import { command, staleMatch } from '../../core/writer/command.ts';
import { ANSWER_TABLES, showsUser } from '../../core/writer/idempotency.ts';
import { numberOf } from '../../core/writer/numbers.ts';
import { savedView } from '../saved-view/table.ts';
import { type Asked, beyond, NO_LINK, PERSONAL, userAudit } from './changes.ts';
import type { Permission } from './rules.ts';
import { userView } from './store.ts';
import { identity, passkey, user } from './table.ts';

const [FIRST_NAME, LAST_NAME] = ERASED_NAME.split(' ') as [string, string];
/** The row of a user after erasure. */
const ERASED_PERSON = {
  firstName: FIRST_NAME,
  lastName: LAST_NAME,
  email: '',
  phoneNumber: null,
  foldedFirstName: fold(FIRST_NAME),
  foldedLastName: fold(LAST_NAME),
  foldedEmail: '',
};

/** Find a user that was not erased. It may be deleted. */
const personQuery = ({ organization }: Scope, uuid: string) => sql<
  ViewRow<typeof userView> & { permissions: Json<Permission[]>; deleted: 0 | 1 }
>`SELECT ${userView} AS view, user.deleted_date IS NOT NULL AS deleted,
    (SELECT permissions FROM authority WHERE authority.uuid = user.authority_uuid) AS permissions
  FROM user WHERE user.uuid = ${uuid} AND +user.organization_uuid = ${organization} AND user.email <> ''`;

/**
 * Finds a row if the organization is being moved or exported. Copied audit records must not change during that time.
 */
const movingQuery = ({ organization }: Scope) => sql<{ name: string }>`SELECT name FROM sqlite_schema
  WHERE type = 'trigger' AND name = 'move_user_update_' || ${organization}
  UNION ALL SELECT uuid FROM export WHERE organization_uuid = ${organization}`;

/**
 * Delete a user, and remove all data that identifies the person from all rows: name, e-mail address, phone number, IP
 * address. The user's actions stay in the log under the name of an erased user.
 */
export const eraseUser = command('eraseUser', {
  ask: ({ scope }, { uuid }: Asked & { uuid: string; ifMatch: string | null }) => ({
    people: personQuery(scope, uuid),
    moving: movingQuery(scope),
  }),
  decide({ scope, now }, { uuid, ifMatch, ...asked }, { people: [found], moving }) {
    if (!found)
      return refusal('userNotFound', `${named('User', uuid)} does not exist, or was erased before.`);
    const refused =
      staleMatch(ifMatch, found.view, named('User', uuid)) ?? beyond(asked, parseJson(found.permissions));
    if (refused) return refused;
    if (moving.length > 0)
      return refusal(
        'moveUnderWay',
        `${named('User', uuid)} cannot be erased while the organization is moved or exported. Try again later.`,
      );
    return {
      writes: [
        scope.update(
          user,
          {
            ...ERASED_PERSON,
            ...NO_LINK,
            passwordHash: null,
            passwordChangeRequired: 0,
            sessionEpoch: sql`session_epoch + 1`,
            deletedDate: sql`coalesce(deleted_date, ${now})`,
            updateDate: now,
            erasing: 1,
          },
          sql`uuid = ${uuid}`,
        ),
        sql`DELETE FROM session WHERE organization_uuid = ${scope.organization} AND user_uuid = ${uuid}`,
        scope.remove(savedView, sql`user_uuid = ${uuid}`),
        scope.remove(identity, sql`user_uuid = ${uuid}`),
        scope.remove(passkey, sql`user_uuid = ${uuid}`),
        ...forgetPerson(scope, uuid),
      ],
      audit: [
        userAudit('USER_ERASED', { uuid, email: null }, [
          { field: 'deleted', oldValue: found.deleted === 1, newValue: true },
          { field: 'erased', oldValue: false, newValue: true },
        ]),
      ],
      jobs: true,
      answer: { value: {} },
    };
  },
});

/** Remove a person from audit records whose hash does not cover the data, and from stored answers and operations. */
function forgetPerson(scope: Scope, uuid: string): Write[] {
  const number = numberOf(scope);
  const { organization } = scope;
  return [
    ...ANSWER_TABLES.map(
      (table) => sql`UPDATE ${sql.raw(table)} SET body = json_set(body, '$.firstName', ${FIRST_NAME},
        '$.lastName', ${LAST_NAME}, '$.email', '', '$.phoneNumber', NULL)
      WHERE organization_uuid = ${organization} AND ${showsUser(uuid)}`,
    ),
    sql`UPDATE audit_actor SET actor_display_name = ${ERASED_NAME}, ip_address = NULL, salt = NULL
      WHERE organization_number = ${number} AND actor_uuid = ${uuid}`,
    sql`UPDATE log SET records = ${recordsLeft(uuid)} WHERE id IN (${rowsAbout(scope, uuid)})
      AND EXISTS (SELECT 1 FROM json_each(records) r WHERE ${isSalted(uuid)})`,
    sql`DELETE FROM log_name WHERE organization_number = ${number} AND entity_key = ${entityKey(uuid)}`,
    sql`UPDATE operation SET actor = json_set(actor, '$.displayName', ${ERASED_NAME})
      WHERE organization_uuid = ${organization} AND actor ->> '$.uuid' = ${uuid}`,
  ];
}

/** An SQL condition: a record `r` is about the person, and still identifies the person. */
const isSalted = (uuid: string): SQL => sql`r.value ->> 2 = ${uuid} AND r.value ->> '$[5].salt' IS NOT NULL`;

/** SQL: the records of a row of the log, without data that identifies the person. */
const recordsLeft = (uuid: string): SQL => sql`(SELECT json_group_array(json(iif(${isSalted(uuid)},
    json_set(r.value, '$[3]', NULL, '$[4]', json(${changesLeft}), '$[5].salt', NULL), r.value))) FROM json_each(records) r)`;

/** SQL: the changes of a record `r` that do not identify a person. */
const changesLeft: SQL = sql`(SELECT json_group_array(json(c.value)) FROM json_each(r.value, '$[4]') c
  WHERE coalesce(c.value ->> 0, c.value ->> 'field') NOT IN
    (${sql.join(
      PERSONAL.map((field) => sql.raw(`'${field}'`)),
      sql`, `,
    )}))`;

/** Remove data that was written in the meantime by sessions that had not yet ended. */
export const finishErasing = command('finishErasing', {
  decide: ({ scope }, { userUuid }: { userUuid: string }) => ({
    writes: [],
    audit: [],
    unauditedWrites: [
      ...forgetPerson(scope, userUuid),
      scope.update(user, { erasing: null }, sql`uuid = ${userUuid}`),
    ],
    answer: { value: {} },
  }),
});
