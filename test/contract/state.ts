import { env } from 'cloudflare:workers';
import { operator, type Tenant } from '../workerd/client.ts';

const db = (env as unknown as { DB: D1Database }).DB;
const PAGE_SIZE = 100;

/** The tables with rows of an organization. They are the same for all files of a runtime. */
let tables: string[] | undefined;

async function tablesOfOrganizations(): Promise<string[]> {
  const { results } = await db
    .prepare(
      "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND sql LIKE '%organization_uuid%' AND name NOT LIKE 'computed_%' ORDER BY name",
    )
    .all<{ name: string }>();
  if (results.length < 10) throw new Error('too few tables were found');
  return results.map(({ name }) => name);
}

/** Every row of an organization, by table. Tests compare this to show that nothing changed. */
export async function storedState(tenant: Tenant): Promise<Record<string, unknown[]>> {
  tables ??= await tablesOfOrganizations();
  const names = ['organization', ...tables];
  const results = await db.batch<Record<string, unknown>>(
    names.map((name) => {
      const owner = name === 'organization' ? 'uuid' : 'organization_uuid';
      return db.prepare(`SELECT * FROM ${name} WHERE ${owner} = ?1`).bind(tenant.uuid);
    }),
  );
  return Object.fromEntries(
    names.map((name, index) => [
      name,
      inOrder(results[index]!.results.map((row) => withoutProgress(name, row))),
    ]),
  );
}

/** Columns that change by themselves: last use of keys and sessions, deliveries being sent, and numbers of rows. */
const PROGRESS: Record<string, string[]> = {
  credential: ['last_used_date'],
  session: ['last_seen_date'],
  audit_log: ['log_id', 'actor_number'],
  pallet_activity: ['log_id'],
  command_log: ['log_id', 'organization_number'],
  event_log: ['event_id', 'organization_number'],
  organization_number: ['number'],
  webhook_delivery: [
    ...['state', 'claim', 'due_date', 'queued_count', 'failures_count', 'first_attempt_date'],
    ...['attempts', 'attempts_count', 'update_date'],
  ],
};

const withoutProgress = (table: string, row: Record<string, unknown>) =>
  PROGRESS[table]
    ? Object.fromEntries(Object.entries(row).filter(([column]) => !PROGRESS[table]!.includes(column)))
    : row;

/** Rows sorted by their JSON text. Each text is made only once. */
const inOrder = (rows: object[]): object[] =>
  rows
    .map((row) => ({ row, text: JSON.stringify(row) }))
    .sort((one, two) => (one.text < two.text ? -1 : 1))
    .map(({ row }) => row);

/** All rows of a paginated list. */
async function everything(get: (query: string) => Promise<{ status: number; body: Page }>): Promise<Row[]> {
  const rows: Row[] = [];
  for (let pageNumber = 1; ; pageNumber += 1) {
    const { status, body } = await get(`pageSize=${PAGE_SIZE}&pageNumber=${pageNumber}`);
    if (status !== 200) throw new Error(JSON.stringify(body));
    rows.push(...body.content);
    if (body.content.length < PAGE_SIZE) return rows;
  }
}

interface Row {
  uuid: string;
  [field: string]: unknown;
}
interface Page {
  content: Row[];
}

/** Everything that the API of an organization shows. Add new resources here. */
export async function shownState(tenant: Tenant): Promise<Record<string, unknown>> {
  const list = (path: string, more = '&includeDeleted=true') =>
    everything((query) => tenant.call('GET', `${path}?${query}${more}`));
  const get = async (path: string) => (await tenant.call('GET', path)).body;
  const ofOperator = async (kind: string) =>
    (await everything((query) => operator('GET', `/organization/${tenant.uuid}/${kind}?${query}`))).map(
      ({ lastUsedDate: _, ...row }) => row,
    );
  const [gates, manifests, tracks] = [await list('/gate'), await list('/manifest'), await list('/track')];
  const devices = [await list('/scanner'), await list('/local-manager'), await list('/agent')];
  const clients = await list('/client');
  const batches = [];
  for (const { uuid, deleted } of devices[0]!) {
    if (!deleted) batches.push(...(await list(`/scanner/${uuid}/printing-batch`)));
  }
  const [users, authorities] = [await list('/user'), await get('/authority')];
  const details: Record<string, unknown> = {};
  for (const { uuid } of manifests) {
    for (const part of ['', '/asset', '/asset-loading', '/signature']) {
      details[`manifest ${uuid}${part}`] = await get(`/manifest/${uuid}${part}`);
    }
  }
  const shipments = await list('/shipment');
  for (const { uuid } of shipments) {
    for (const part of ['', '/asset', '/asset-loading', '/signature', '/validate']) {
      details[`shipment ${uuid}${part}`] = await get(`/shipment/${uuid}${part}`);
    }
  }
  for (const { uuid } of clients) details[`client ${uuid}`] = await get(`/client/${uuid}`);
  for (const { uuid, markerCode } of tracks) {
    for (const part of ['', '/comments'])
      details[`track ${uuid}${part}`] = await get(`/track/${uuid}${part}`);
    details[`marker ${markerCode}`] = await get(`/marker-code/${markerCode}`);
    const activity = await tenant.call('GET', `/track/${uuid}/activity?pageSize=${PAGE_SIZE}`);
    details[`track ${uuid}/activity`] = activity.body;
  }
  return withoutMoments({
    organization: (await operator('GET', `/organization/${tenant.uuid}`)).body,
    apiKeys: await ofOperator('api-key'),
    accessTokens: await ofOperator('access-token'),
    users,
    authorities,
    gates,
    devices,
    clients,
    batches,
    manifests,
    tracks,
    shipments,
    archive: await list('/archive', ''),
    alerts: await list('/alert-event', ''),
    auditLog: await list('/audit-log', ''),
    webhooks: await list('/webhook', ''),
    details,
  });
}

/** A problem contains its request and date. Comparisons leave them out. */
function withoutMoments<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (key, item) =>
    key === 'requestId' || key === 'timestamp' ? undefined : item,
  );
}

/** The whole state of an organization: as the API shows it, and as it is stored. */
export async function stateOf(tenant: Tenant) {
  return { shown: await shownState(tenant), stored: await storedState(tenant) };
}
