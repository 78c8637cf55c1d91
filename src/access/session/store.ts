import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../core/lib/database.ts';
import type { Databases } from '../../core/lib/databases.ts';
import { sha256Hex } from '../../core/lib/hash.ts';
import { tagOf } from '../../core/lib/id.ts';
import { type Json, parseJson } from '../../core/lib/json.ts';
import { bySlug, byTag, livesHere, lookUp } from '../../core/lib/look-up.ts';
import { pruneRows } from '../../core/lib/prune.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { inList } from '../../core/lib/sql.ts';
import type { ViewRow } from '../../core/lib/view.ts';
import { type OrganizationSettings, organizationView, toSettings } from '../../core/writer/settings.ts';
import { emailKey } from '../user/email-rules.ts';
import type { Permission } from '../user/rules.ts';
import { IDLE_MS, SEEN_STEP_MS } from './rules.ts';
import { session } from './table.ts';

/** The user of a session. */
export interface SessionUser {
  uuid: string;
  firstName: string;
  lastName: string;
  email: string;
  authorityName: string;
  permissions: Permission[];
  passwordChangeRequired: boolean;
}

/** The additional data of a tablet's session. */
export interface SessionTablet {
  name: string;
  gateUuid: string;
  /** How the tablet identifies workers, if at all. */
  asks: OrganizationSettings['gateWorkerIdentification'];
  /** The worker at the tablet; null without one, or after some time without use. */
  turn: { uuid: string; workerName: string; lastUsedDate: number } | null;
}

/** An active session, found by the hash of its token. Dates are in epoch milliseconds. */
export interface FoundSession {
  uuid: string;
  lastSeenDate: number;
  expiresDate: number;
  /** For a tablet: a substitute for the user. */
  user: SessionUser;
  organization: OrganizationSettings;
  /** The number of open alerts, and of open alerts about wrong pallets. Counted up to one beyond the limit. */
  openAlerts: { count: number; wrong: number };
  /**
   * The number of open shipments with a planned departure in the past. `more` is true if there are more open shipments
   * than were read.
   */
  late: { count: number; more: boolean };
  tablet?: SessionTablet;
}

/** The maximum count that the menu shows. */
export const COUNTED_MAXIMUM = 99;

/** The maximum number of open shipments that are read to count the late ones: first those in progress, then the oldest. */
export const OPEN_SHIPMENTS_COUNTED = 200;

/** SQL: counts of the late shipments of the session's organization, from the covering index of open shipments. */
const lateShipments = (now: number): SQL => sql`(SELECT json_object('count', count(*),
      'open', (SELECT count(*) FROM ${openShipments}))
    FROM ${openShipments} AS open
    CROSS JOIN custom_field ON custom_field.organization_uuid = session.organization_uuid
      AND custom_field.owner_uuid = open.uuid AND custom_field.field_date < ${now}
      AND custom_field.field_key = (SELECT json_extract(value, '$.fieldKey')
        FROM json_each(organization.shipment_custom_fields)
        WHERE json_extract(value, '$.role') = 'PLANNED_DEPARTURE'))`;

const openShipments = sql`(SELECT uuid FROM shipment
  WHERE shipment.organization_uuid = session.organization_uuid AND organization.dispatch_strategy = 'SHIPMENT'
    AND shipment.status IN ('IN_PROGRESS', 'TO_DO') AND shipment.deleted_date IS NULL
  LIMIT ${OPEN_SHIPMENTS_COUNTED + 1})`;

/**
 * The condition for active sessions: not expired, of an existing user, and in the user's current epoch. Joins `user`.
 */
const alive = (
  now: number,
): SQL => sql`session.expires_date > ${now} AND session.last_seen_date > ${now - IDLE_MS}
  AND user.deleted_date IS NULL AND user.session_epoch = session.session_epoch`;

interface SessionRow extends ViewRow<typeof organizationView> {
  session: Json<Pick<FoundSession, 'uuid' | 'lastSeenDate' | 'expiresDate'>>;
  user: Json<SessionUser>;
  openAlerts: Json<FoundSession['openAlerts']>;
  late: Json<{ count: number; open: number }>;
}

/** Find the session of a token, and remember the database of its organization. */
export async function findSession(
  databases: Databases,
  token: string,
  now: number,
): Promise<FoundSession | undefined> {
  const tokenHash = sha256Hex(token);
  const found = await lookUp(
    databases,
    sql<SessionRow>`SELECT ${organizationView} AS view, json_object('uuid', session.uuid, 'lastSeenDate', session.last_seen_date,
        'expiresDate', session.expires_date) AS session,
        json_object('uuid', user.uuid, 'firstName', user.first_name, 'lastName', user.last_name, 'email', user.email,
          'authorityName', authority.authority_name, 'permissions', json(authority.permissions),
          'passwordChangeRequired', json(iif(user.password_change_required, 'true', 'false'))) AS user,
        (SELECT json_object('count', count(*), 'wrong', coalesce(sum(alert_type IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')), 0))
          FROM (SELECT alert_type FROM alert WHERE alert.organization_uuid = session.organization_uuid
            AND alert.status = 'OPEN' LIMIT ${COUNTED_MAXIMUM + 1})) AS "openAlerts",
        ${lateShipments(now)} AS late
      FROM session
      JOIN user ON user.uuid = session.user_uuid AND user.organization_uuid = session.organization_uuid
      JOIN authority ON authority.uuid = user.authority_uuid
        AND authority.organization_uuid = session.organization_uuid
      JOIN organization ON organization.uuid = session.organization_uuid
      WHERE session.token_hash = ${tokenHash} AND ${alive(now)} AND ${livesHere}`,
    byTag(tagOf(token)),
  );
  if (!found) return undefined;
  const { row, databaseName } = found;
  const organization = toSettings(row);
  const late = parseJson(row.late);
  databases.remember(organization.uuid, databaseName);
  return {
    ...parseJson(row.session),
    user: parseJson(row.user),
    openAlerts: parseJson(row.openAlerts),
    late: { count: late.count, more: late.open > OPEN_SHIPMENTS_COUNTED },
    organization,
  };
}

/**
 * Record the use of a session. This is not a command, because no decision depends on the date and it only moves
 * forward.
 */
export async function noteSeen(database: Database, uuid: string, now: number): Promise<void> {
  const step = sql`uuid = ${uuid} AND last_seen_date <= ${now - SEEN_STEP_MS}`;
  await database.send([database.update(session, { lastSeenDate: now }, step)]);
}

/** A session as its user sees it. Dates are in epoch milliseconds. */
export interface ListedSession {
  uuid: string;
  userAgent: string;
  ipAddress: string | null;
  lastSeenDate: number;
  createDate: number;
}

/** The active sessions of a user, the last used first; for a batch. */
export const sessionsQuery = ({ organization }: Scope, userUuid: string, now: number) => sql<ListedSession>`
  SELECT session.uuid, session.user_agent AS "userAgent", session.ip_address AS "ipAddress",
    session.last_seen_date AS "lastSeenDate", session.create_date AS "createDate"
  FROM session JOIN user ON user.uuid = session.user_uuid
  WHERE session.organization_uuid = ${organization} AND session.user_uuid = ${userUuid} AND ${alive(now)}
  ORDER BY session.last_seen_date DESC, session.uuid`;

/** The given sessions that are active; for a batch. */
export const lastingSessionsQuery = ({ organization }: Scope, uuids: readonly string[]) => sql<{
  uuid: string;
}>`SELECT session.uuid FROM session
    JOIN user ON user.uuid = session.user_uuid
    WHERE session.uuid ${inList(uuids)} AND +session.organization_uuid = ${organization}
      AND ${alive(Date.now())} AND NOT EXISTS (SELECT 1 FROM organization
        WHERE organization.uuid = session.organization_uuid AND suspended_date IS NOT NULL)`;

/** The data of an account that a sign-in needs. */
export interface Account {
  organization: string;
  uuid: string;
  displayName: string;
  passwordHash: string | null;
  sessionEpoch: number;
  permissions: Permission[];
}

/** The row of an account. */
export type Stored<T> = Omit<T, 'permissions'> & { permissions: Json<Permission[]> };

/** An SQL expression: only the organization's identity provider can sign users in. */
export const onlyCompany = (organization: string | SQL): SQL => sql`EXISTS (SELECT 1 FROM identity_provider p
  WHERE p.organization_uuid = ${organization} AND p.password_sign_in = 0)`;

/** Find the account for a sign-in. */
export async function findAccount(
  databases: Databases,
  slug: string,
  email: string,
): Promise<Account | undefined> {
  const found = await lookUp(
    databases,
    sql<
      Stored<Account>
    >`SELECT organization.uuid AS organization, user.uuid, user.first_name || ' ' || user.last_name AS "displayName",
        iif(${onlyCompany(sql`organization.uuid`)}, NULL, user.password_hash) AS "passwordHash", user.session_epoch AS "sessionEpoch", authority.permissions
      FROM organization
      JOIN user ON user.organization_uuid = organization.uuid AND user.folded_email = ${emailKey(email)}
        AND user.deleted_date IS NULL
      JOIN authority ON authority.organization_uuid = organization.uuid AND authority.uuid = user.authority_uuid
      WHERE organization.slug = ${slug} AND ${livesHere}`,
    bySlug(slug),
  );
  return found && { ...found.row, permissions: parseJson(found.row.permissions) };
}

/** The password hash of a user, with the session epoch that it belongs to. */
export const passwordQuery = ({ organization }: Scope, userUuid: string) => sql<
  Pick<Account, 'passwordHash' | 'sessionEpoch'>
>`
  SELECT password_hash AS "passwordHash", session_epoch AS "sessionEpoch" FROM user
  WHERE organization_uuid = ${organization} AND uuid = ${userUuid}`;

/** Delete expired sessions and attempts of all organizations, and of operators. For the scheduled handler. */
export async function pruneSessions(db: D1Database, now: number): Promise<number> {
  let deleted = 0;
  for (const table of ['session', 'ended_session', 'sign_in_attempt'] as const) {
    deleted += await pruneRows(db, table, 'expires_date', now);
  }
  return deleted;
}
