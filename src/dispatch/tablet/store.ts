import { type SQL, sql } from 'drizzle-orm';
import { ATTEMPT_WINDOW_MS, SEEN_STEP_MS } from '../../access/session/rules.ts';
import type { FoundSession, SessionTablet } from '../../access/session/store.ts';
import type { Database } from '../../core/lib/database.ts';
import type { Databases } from '../../core/lib/databases.ts';
import { sha256Hex } from '../../core/lib/hash.ts';
import { tagOf } from '../../core/lib/id.ts';
import { type Json, parseJson } from '../../core/lib/json.ts';
import { byTag, livesHere, lookUp, organizationsWhere } from '../../core/lib/look-up.ts';
import { pruneRows } from '../../core/lib/prune.ts';
import type { Scope, Write } from '../../core/lib/scope.ts';
import { inList } from '../../core/lib/sql.ts';
import { json, type ViewRow, view } from '../../core/lib/view.ts';
import { type OrganizationSettings, organizationView, toSettings } from '../../core/writer/settings.ts';
import { type CodeKind, QUIET_MS, type StoredCode, TABLET_PERMISSIONS, TURN_LIFE_MS } from './rules.ts';
import { gateTablet, gateTurn, gateWorker } from './table.ts';

/** The active turn at a tablet: not ended, and used recently. */
const openTurn = (now: number): SQL => sql`gate_turn.organization_uuid = gate_tablet.organization_uuid
  AND gate_turn.tablet_uuid = gate_tablet.uuid AND gate_turn.end_date IS NULL
  AND gate_turn.last_used_date > ${now - QUIET_MS}`;

/** A tablet that was found by its cookie. */
interface TabletRow extends ViewRow<typeof organizationView> {
  tablet: Json<
    Omit<SessionTablet, 'asks'> & { uuid: string; lastSeenDate: number | null; revokedDate: number | null }
  >;
}

/** Find the tablet of a token, as a session. `revoked` if the tablet was revoked. */
export async function findTablet(
  databases: Databases,
  token: string,
  now: number,
): Promise<FoundSession | 'revoked' | undefined> {
  const tokenHash = sha256Hex(token);
  const found = await lookUp(
    databases,
    sql<TabletRow>`SELECT ${organizationView} AS view, json_object('uuid', gate_tablet.uuid, 'name', gate_tablet.name,
        'gateUuid', gate_tablet.gate_uuid, 'lastSeenDate', gate_tablet.last_seen_date,
        'revokedDate', gate_tablet.revoked_date,
        'turn', json((SELECT json_object('uuid', uuid, 'workerName', worker_name, 'lastUsedDate', last_used_date)
          FROM gate_turn WHERE ${openTurn(now)}))) AS tablet
      FROM gate_tablet JOIN organization ON organization.uuid = gate_tablet.organization_uuid
      WHERE gate_tablet.token_hash = ${tokenHash} AND ${livesHere}`,
    byTag(tagOf(token)),
  );
  if (!found) return undefined;
  const { uuid, lastSeenDate, revokedDate, ...tablet } = parseJson(found.row.tablet);
  if (revokedDate !== null) return 'revoked';
  const organization = toSettings(found.row);
  databases.remember(organization.uuid, found.databaseName);
  return {
    uuid,
    lastSeenDate: lastSeenDate ?? 0,
    expiresDate: Number.MAX_SAFE_INTEGER,
    user: {
      uuid,
      firstName: tablet.name,
      lastName: '',
      email: '',
      authorityName: '',
      permissions: [...TABLET_PERMISSIONS],
      passwordChangeRequired: false,
    },
    organization,
    openAlerts: { count: 0, wrong: 0 },
    late: { count: 0, more: false },
    tablet: { ...tablet, asks: organization.gateWorkerIdentification },
  };
}

/** The gate with which a link pairs a device. */
export interface FoundLink {
  uuid: string;
  name: string;
  gateUuid: string;
  gateName: string;
  linkExpiresDate: number;
  pairedDate: number | null;
  revokedDate: number | null;
  organization: OrganizationSettings;
}

/** Find a link, also if it was used or has expired. */
export async function findLink(databases: Databases, token: string): Promise<FoundLink | undefined> {
  const linkHash = sha256Hex(token);
  const found = await lookUp(
    databases,
    sql<
      ViewRow<typeof organizationView> & { link: Json<Omit<FoundLink, 'organization'>> }
    >`SELECT ${organizationView} AS view,
        json_object('uuid', gate_tablet.uuid, 'name', gate_tablet.name, 'gateUuid', gate_tablet.gate_uuid,
          'gateName', gate.name, 'linkExpiresDate', gate_tablet.link_expires_date,
          'pairedDate', gate_tablet.paired_date, 'revokedDate', gate_tablet.revoked_date) AS link
      FROM gate_tablet JOIN organization ON organization.uuid = gate_tablet.organization_uuid
      JOIN gate ON gate.uuid = gate_tablet.gate_uuid AND gate.organization_uuid = gate_tablet.organization_uuid
      WHERE gate_tablet.link_hash = ${linkHash} AND ${livesHere}`,
    byTag(tagOf(token)),
  );
  return found && { ...parseJson(found.row.link), organization: toSettings(found.row) };
}

/**
 * Record that a tablet and its worker were active. Nothing is decided here, and both dates only
 * move forward.
 */
export async function noteTabletUse(
  database: Database,
  { uuid, tablet }: Pick<FoundSession, 'uuid' | 'tablet'>,
  now: number,
  works: boolean,
): Promise<void> {
  const before = now - SEEN_STEP_MS;
  const seen = sql`uuid = ${uuid} AND coalesce(last_seen_date, 0) <= ${before}`;
  const used = sql`uuid = ${tablet?.turn?.uuid ?? ''} AND end_date IS NULL AND last_used_date <= ${before}`;
  await database.send([
    database.update(gateTablet, { lastSeenDate: now }, seen),
    ...(works && tablet?.turn ? [database.update(gateTurn, { lastUsedDate: now }, used)] : []),
  ]);
}

/** The given tablets that are not revoked, if their organization is not suspended. */
export const lastingTabletsQuery = ({ organization }: Scope, uuids: readonly string[]) => sql<{
  uuid: string;
}>`SELECT gate_tablet.uuid FROM gate_tablet WHERE gate_tablet.uuid ${inList(uuids)}
    AND +gate_tablet.organization_uuid = ${organization} AND gate_tablet.revoked_date IS NULL
    AND NOT EXISTS (SELECT 1 FROM organization
      WHERE organization.uuid = gate_tablet.organization_uuid AND suspended_date IS NOT NULL)`;

/** JSON of a tablet for its page, without its secrets. */
export const tabletView = view({
  uuid: gateTablet.uuid,
  name: gateTablet.name,
  linkExpiresDate: gateTablet.linkExpiresDate,
  pairedDate: gateTablet.pairedDate,
  pairedBy: sql<
    string | null
  >`(SELECT user.first_name || ' ' || user.last_name FROM user WHERE user.uuid = gate_tablet.paired_by_uuid
    AND user.organization_uuid = gate_tablet.organization_uuid)`,
  lastSeenDate: gateTablet.lastSeenDate,
  revokedDate: gateTablet.revokedDate,
  worker: json<{ name: string } | null>(sql`(SELECT json_object('name', worker_name) FROM gate_turn
    WHERE gate_turn.organization_uuid = gate_tablet.organization_uuid AND gate_turn.tablet_uuid = gate_tablet.uuid
      AND gate_turn.end_date IS NULL)`),
});

/**
 * The maximum number of tablets on a gate's page. It is more than can be paired, so that some revoked tablets
 * appear too.
 */
const LISTED = 50;

/** The tablets of a gate: paired ones first, newest first. */
export const tabletsQuery = ({ organization }: Scope, gateUuid: string) => sql<ViewRow<typeof tabletView>>`
  SELECT ${tabletView} AS view FROM gate_tablet
  WHERE organization_uuid = ${organization} AND gate_uuid = ${gateUuid}
  ORDER BY revoked_date IS NOT NULL, create_date DESC LIMIT ${LISTED}`;

/** A worker for the page of workers. */
export interface ListedWorker {
  uuid: string;
  name: string;
  /** Null if it is not known yet. */
  codeKind: CodeKind;
  createDate: number;
  updateDate: number;
}

/** The workers of an organization by name. */
export const workersQuery = ({ organization }: Scope) => sql<ListedWorker>`SELECT uuid, name,
    code_kind AS "codeKind", create_date AS "createDate", update_date AS "updateDate"
  FROM gate_worker WHERE organization_uuid = ${organization} ORDER BY folded_name`;

/** A worker with the stored badge. */
export type WorkerBadge = { uuid: string; name: string } & StoredCode;

const storedColumns = sql`code_hash AS "codeHash", offline_key AS "offlineKey", code_kind AS "codeKind"`;

/** Find the worker with a badge or PIN by its hashes. */
export const workerOfCodeQuery = (
  { organization }: Scope,
  hashes: readonly string[],
): SQL<WorkerBadge> => sql`SELECT uuid, name, ${storedColumns} FROM ${gateWorker}
    WHERE organization_uuid = ${organization} AND code_hash ${inList(hashes)}`;

/** The workers whose badges tablets recognize without a connection. */
export const badgesQuery = ({ organization }: Scope): SQL<WorkerBadge> => sql`SELECT uuid, name,
    ${storedColumns} FROM ${gateWorker}
  WHERE organization_uuid = ${organization} AND offline_key IS NOT NULL ORDER BY uuid`;

/** End turns at a tablet or of a worker. */
export const endTurns = (scope: Scope, meant: SQL, now: number): Write =>
  scope.update(gateTurn, { endDate: now }, sql`${meant} AND end_date IS NULL`);

/**
 * Find a turn at a tablet, current or past. `isOver`: its worker was deleted, or got another badge
 * or PIN since.
 */
export const turnQuery = ({ organization }: Scope, tabletUuid: string, uuid: string) => sql<{
  workerName: string;
  isOver: 0 | 1;
  endDate: number | null;
  lastUsedDate: number;
}>`SELECT worker_name AS "workerName", end_date AS "endDate", last_used_date AS "lastUsedDate",
    NOT EXISTS (SELECT 1 FROM gate_worker w WHERE w.uuid = gate_turn.worker_uuid
      AND +w.organization_uuid = gate_turn.organization_uuid AND w.update_date <= gate_turn.create_date) AS "isOver"
  FROM gate_turn
  WHERE uuid = ${uuid} AND +organization_uuid = ${organization} AND tablet_uuid = ${tabletUuid}`;

/**
 * SQL condition: an open alert about a limit of attempts at a tablet. It has literal values, so
 * that SQLite finds its index.
 */
const OPEN_LIMIT = sql`alert_type = 'SIGN_IN_LIMIT_REACHED' AND status = 'OPEN'`;

/** Find an alert about attempts at a tablet that is open or was raised within the window. */
export const limitAlertQuery = ({ organization }: Scope, tabletUuid: string, now: number) => sql<{
  uuid: string;
}>`SELECT uuid FROM alert WHERE organization_uuid = ${organization} AND device_uuid = ${tabletUuid}
    AND (status = 'OPEN' OR create_date > ${now - ATTEMPT_WINDOW_MS})`;

/** SQL condition: open alerts about attempts whose window has passed. */
export const overLimitAlerts = (now: number): SQL =>
  sql`${OPEN_LIMIT} AND create_date <= ${now - ATTEMPT_WINDOW_MS}`;

/** Organizations with such alerts. */
export const limitedOrganizations = (db: D1Database, now: number): Promise<string[]> =>
  organizationsWhere(db, sql`uuid IN (SELECT organization_uuid FROM alert WHERE ${overLimitAlerts(now)})`);

/**
 * Delete old turns and tablets that were revoked long ago, of all organizations. The scheduled
 * handler calls it.
 */
export async function pruneTablets(db: D1Database, now: number): Promise<number> {
  const turns = await pruneRows(db, 'gate_turn', 'create_date', now - TURN_LIFE_MS);
  return turns + (await pruneRows(db, 'gate_tablet', 'revoked_date', now - TURN_LIFE_MS));
}
