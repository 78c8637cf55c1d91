import { planOf, type Statement } from '../statements.ts';

/** Columns that are not selective. Even together with the organization, they match any number of rows. */
const COARSE =
  /^(organization_uuid|organization_number|\w*status|retirement|flagged|damaged|deleted_date|kind|device_type|alert_type)$/;

/** Steps that look like walks, but read one or a few rows, or the end of an index. */
const BOUNDED: { table: string; in: RegExp; why: string }[] = [
  ...['o', 'organization_number'].map((table) => ({
    table,
    in: /\b(organization_number|audit_log|pallet_activity|command_log)\b/,
    why: 'the number of the organization',
  })),
  {
    table: 'recent_answer',
    in: /FROM recent_answer WHERE id BETWEEN \? AND \? AND command_id = \?/,
    why: 'the 16 ids that the answer of a command may have',
  },
  {
    table: 'event',
    in: /coalesce\(max\(event\.id\), /,
    why: 'the end of the log of events',
  },
  {
    table: 'event',
    in: /EXISTS \(SELECT 1 FROM event\s+WHERE event\.id > /,
    why: 'whether there is an event after a cursor',
  },
  {
    table: 'event',
    in: /\bORDER BY id LIMIT \?\)/,
    why: 'a part of the log of events after a cursor',
  },
  {
    table: 'e',
    in: /e\.id > .*w\.position.* AND e\.id <= \(SELECT max\(id\)/s,
    why: 'a part of the log of events after a cursor',
  },
  {
    table: 'event',
    in: /FROM event WHERE event\.id > .*\+ min\((\?|recorded\.value)/s,
    why: 'the events of a replay, of which there are at most 10,000',
  },
  {
    table: 'log',
    in: /FROM log\s+WHERE (log\.)?id BETWEEN .*\bORDER BY id DESC LIMIT 1\b/s,
    why: 'the end of the log, also in its fence',
  },
  {
    table: 'log',
    in: /SELECT max\(id\) FROM log WHERE id BETWEEN/,
    why: 'the row with a record, at the end of its range',
  },
  {
    table: 'log',
    in: /WITH RECURSIVE search \(low, high\)/,
    why: 'a binary search by date, and the rows around that date',
  },
  { table: 'b', in: /\baudit_log\b/, why: 'the row before a row, for the hash chain' },
  {
    table: 'l',
    in: /ORDER BY (audit_log\.)?log_id( ASC| DESC)?, (audit_log\.)?sequence_number( ASC| DESC)? LIMIT/,
    why: 'audit records in the order of their numbers, up to a limit',
  },
  {
    table: 'l',
    in: /ORDER BY t\.log_id, t\.number LIMIT \?\)/,
    why: 'timeline entries in the order of commits, up to a limit',
  },
  {
    table: 'h',
    in: /ORDER BY h\.close_date, h\.uuid LIMIT \?(\) l\b|$)/,
    why: 'a page of departures, along the index in its order',
  },
  {
    table: 'h',
    in: /\(SELECT h\.uuid FROM webhook h\s+WHERE h\.organization_uuid = \?\s+AND EXISTS/,
    why: 'the webhooks of an organization, at most 50',
  },
  {
    table: 'gate_worker',
    in: /FROM gate_worker WHERE organization_uuid = \? ORDER BY folded_name$/,
    why: 'the workers of an organization, at most 500',
  },
  {
    table: 'gate_worker',
    in: /FROM gate_worker\s+WHERE organization_uuid = \? AND offline_key IS NOT NULL ORDER BY uuid$/,
    why: 'the workers of an organization with badges, at most 500',
  },
  ...['manifest', 'shipment'].map((table) => ({
    table,
    in: new RegExp(
      `FROM ${table}\\s+WHERE [^;]*ORDER BY close_date DESC LIMIT \\?\\) p WHERE p\\.gate_uuid = \\?`,
    ),
    why: 'the loads that were completed last, along the index in its order',
  })),
  {
    table: 'alert',
    in: /alert_type = 'SIGN_IN_LIMIT_REACHED' AND status = 'OPEN'/,
    why: 'open alerts about attempts at tablets, one for each tablet at most',
  },
  {
    table: 'track',
    in: /flagged = 1 AND deleted_date IS NULL\s+ORDER BY create_date DESC LIMIT \?\)/,
    why: 'the newest flagged pallets, along the index in its order',
  },
  {
    table: 'manifest',
    in: /manifest_status = 'PLANNED'\s+AND deleted_date IS NULL ORDER BY create_date DESC, uuid DESC LIMIT \?\) m/,
    why: 'the newest planned manifests, along the index in its order',
  },
  {
    table: 'manifest',
    in: /a\.manifest_uuid IN \(SELECT uuid FROM manifest\s+WHERE [^)]*\)\s+AND deleted_date IS NULL LIMIT \?\)/,
    why: 'the open manifests, up to a limit',
  },
  ...['manifest', 'shipment'].map((table) => ({
    table,
    in: new RegExp(
      `SELECT uuid FROM ${table}\\s+WHERE [^;]* UNION SELECT uuid FROM ${table}\\s+WHERE [^;]*update_date > close_date`,
    ),
    why: 'the open loads, and the closed ones that were changed since a date',
  })),
  {
    table: 'f',
    in: /FROM shipment_figures f\s+CROSS JOIN shipment [^;]*f\.pallets_wrong > 0 AND f\.close_date >= \?/,
    why: 'the shipments that were completed on the days of a report, a year by default',
  },
  {
    table: 'device',
    in: /device_type = 'LOCAL_MANAGER' AND deleted_date IS NULL\s+ORDER BY create_date DESC, uuid DESC LIMIT \?$/,
    why: 'the newest local managers, along the index in its order',
  },
  {
    table: 'device',
    in: /AND last_heartbeat_date < \?\s+ORDER BY last_heartbeat_date, uuid LIMIT \?$/,
    why: 'devices that report, by the schedule: no index contains the dates of heartbeats',
  },
  {
    table: 'r',
    in: /sequence_number >= \?\s+ORDER BY sequence_number LIMIT 1$/,
    why: 'the record at a mark, or the first behind it',
  },
  {
    table: 'marker_allocation',
    in: /^SELECT 1 FROM marker_allocation\s+WHERE organization_uuid = \? LIMIT 1$/,
    why: 'whether there is any',
  },
  {
    table: 'shipment',
    in: /^SELECT 1 FROM shipment\s+WHERE organization_uuid = \? AND status IN .* LIMIT 1$/s,
    why: 'whether any is open, when the strategy is to change',
  },
  {
    table: 'shipment',
    in: /shipment\.status = \? AND shipment\.close_date IS NOT NULL ORDER BY shipment\.close_date (DESC|ASC), [^)]*LIMIT \?\)/,
    why: 'closed shipments, along the index in its order',
  },
  {
    table: 'store_rewind',
    in: /FROM store_rewind WHERE organization_uuid = \?/,
    why: 'restores of the store, of which there are few',
  },
  {
    table: 'marker_allocation',
    in: /ORDER BY first_marker_code (DESC )?LIMIT 1\b/,
    why: 'the first or last block, or the last before a code',
  },
  {
    table: 'operation',
    in: /^SELECT min\(due_date\) AS date FROM operation\s+WHERE organization_uuid = \? AND due_date > 0$/,
    why: 'the first that is due',
  },
  ...['identity_provider', 'p'].map((table) => ({
    table,
    in: /\bidentity_provider\b/,
    why: 'the company account, of which an organization has one at most',
  })),
  ...['mail_recipient', 'r'].map((table) => ({
    table,
    in: /\bmail_recipient\b/,
    why: 'the addresses that got e-mails in this hour, at most 200, and the few that have stopped them',
  })),
  ...['webhook', 'w'].map((table) => ({
    table,
    in: /\bwebhook\b/,
    why: 'webhooks, of which there are at most 50',
  })),
  {
    table: 'gate',
    in: /ORDER BY (gate\.)?external_identifier LIMIT \?$/,
    why: 'all gates: the board, and a choice of them',
  },
  {
    table: 'organization',
    in: /substr\(uuid, -8\) = \?/,
    why: 'the organizations of a routing tag, of which there is hardly ever more than one',
  },
  {
    table: 'long_job',
    in: /WHERE organization_uuid = \? AND finish_date IS NULL/,
    why: 'the unfinished job of an organization, of which there is one at most',
  },
  {
    table: 'user',
    in: /INDEXED BY user_erasing/,
    why: 'users who are being erased, hardly ever any',
  },
  {
    table: 'long_job',
    in: /\bfinish_date IS NULL\b/,
    why: 'the unfinished moves, imports and erasures of all organizations',
  },
  { table: 'export', in: /\bexport\b/, why: 'the exports of an organization that are under way' },
  {
    table: 'departure_due',
    in: /FROM departure_due\s+WHERE organization_uuid = \?$/,
    why: 'the one row of an organization',
  },
  {
    table: 'h',
    in: /FROM shipment h CROSS JOIN custom_field c ON .* AND c\.field_date (BETWEEN|>) \?/s,
    why: 'the open shipments, when a departure is due',
  },
  {
    table: 'a',
    in: /FROM alert a INDEXED BY alert_open_load/,
    why: 'the open alerts about loads',
  },
  {
    table: 'retention_due',
    in: /FROM retention_due\s+WHERE organization_uuid = \?$/,
    why: 'the one row of an organization',
  },
  {
    table: 'nightly_export_due',
    in: /FROM nightly_export_due\s+WHERE organization_uuid = \?$/,
    why: 'the one row of an organization',
  },
  {
    table: 'archive_entry',
    in: /AND cleared = 0 ORDER BY uuid LIMIT 1$/,
    why: 'the first of which rows are left',
  },
  {
    table: 'calibration_orphan',
    in: /AND object_key BETWEEN \? AND \?\s+ORDER BY create_date DESC LIMIT 1$/,
    why: 'the unfinished copies of one load, hardly ever any',
  },
  ...['shipment', 'manifest'].map((table) => ({
    table,
    in: /^SELECT \* FROM \(SELECT 'SHIPMENT' AS kind,.*ORDER BY close_date LIMIT \?\)$/s,
    why: 'the loads that were closed first, without the held loads',
  })),
  {
    table: 'l',
    in: /FROM alert l\b/,
    why: 'the open alerts, because their loads are not archived',
  },
  { table: 'o', in: /FROM operation o\b.*o\.due_date > 0/s, why: 'the operations that are not finished' },
  {
    table: 'shipment_figures',
    in: /(FROM|JOIN) shipment_figures (INDEXED BY shipment_figures_short )?(WHERE|ON) organization_uuid = \?\s+AND close_date >=/,
    why: 'the completed shipments of the days of a report, at most 366 days',
  },
  {
    table: 'f',
    in: /FROM shipment_figures f WHERE f\.organization_uuid = o\.uuid AND f\.close_date > \?/,
    why: 'the shipments of the last 24 hours',
  },
  {
    table: 'organization',
    in: /ORDER BY create_date, uuid\s+LIMIT 100\) o$/,
    why: 'the oldest organizations, along the index in its order',
  },
  {
    table: 'alert_pallet',
    in: /EXISTS \(SELECT 1 FROM alert_pallet WHERE organization_uuid = \?\)/,
    why: 'whether an open alert covers any pallet',
  },
  { table: 'authority', in: /ORDER BY authority_name$/, why: 'all authorities, of which there are a few' },
];

/**
 * The steps of a statement that read all rows of an organization or a table. Only a list may have such
 * steps. The search for a page, and its count, may each walk once over the listed rows, or once over each part
 * of them. They may also walk over the gates that a filter names, because no index has the names of deleted
 * gates. The rows of the page are found one by one.
 */
export async function walksOf(statement: Statement): Promise<string[]> {
  const plan = await planOf(statement);
  const made = new Set(plan.flatMap((step) => /^(?:CO-ROUTINE|MATERIALIZE) (.*)$/.exec(step)?.[1] ?? []));
  const bounded = BOUNDED.filter((item) => item.in.test(statement.text.trim())).map(({ table }) => table);
  const walks = plan.filter((step) => isWalk(step, made) && !bounded.includes(tableOf(step)!));
  const [, listed, counted] = LIST.exec(statement.text) ?? [];
  if (listed === undefined && counted === undefined) return walks;
  const paged = plan.findIndex((step) => /^SCAN \(subquery/.test(step));
  const search = counted === undefined ? plan.slice(0, Math.max(paged, 0)) : plan;
  const name = listed ?? counted!;
  for (const table of new Set([IN_VIEWS[name] ?? name, 'gate'])) {
    const [forgiven, ...others] = search.filter((step) => tableOf(step) === table && walks.includes(step));
    const parts = forgiven && OF_PART.test(forgiven) ? others.filter((step) => step === forgiven) : [];
    for (const step of forgiven === undefined ? [] : [forgiven, ...parts])
      walks.splice(walks.indexOf(step), 1);
  }
  return walks;
}

/** Matches the statements of a list: a page, or its count. */
const LIST = /\bAS position, "?(\w+)"?\."?\w+"? AS key\s+FROM|^SELECT count\(\*\) AS total FROM (\w+)/;

/** A step that reads the rows with a status, in the order of creation. The parts of a list have different statuses. */
const OF_PART = /USING INDEX (\w+)_status \(organization_uuid=\? AND \w*status=\?/;

/** The rows of a list that is a view, as the view names them. */
const IN_VIEWS: Record<string, string> = { audit_log: 'l' };

const tableOf = (step: string): string | undefined => /^(?:SCAN|SEARCH) (\S+)/.exec(step)?.[1];

function isWalk(step: string, made: ReadonlySet<string>): boolean {
  if (/AUTOMATIC/.test(step)) return true;
  if (step.startsWith('SCAN ')) {
    return !/VIRTUAL TABLE|CONSTANT ROW/.test(step) && !made.has(step.slice('SCAN '.length));
  }
  const terms = /^SEARCH .* USING .*\((.*)\)/.exec(step)?.[1];
  if (terms === undefined) return false;
  const narrowing = terms
    .split(' AND ')
    .flatMap((term) => /^(\w+)=\?$/.exec(term)?.[1] ?? [])
    .filter((column) => !COARSE.test(column));
  return narrowing.length === 0;
}
