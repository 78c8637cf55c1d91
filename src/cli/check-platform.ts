/** Checks of properties that a service has only when it is deployed, or that the platform can break. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Pallet, pathOf, type Site } from './check-day.ts';
import { median, type Probe, poll } from './check-probe.ts';
import { API, DEVICE_API, OPERATOR_API } from './demo/provision.ts';

/** The result of a check that did not fail. A check that needs the platform is skipped elsewhere. */
export type Outcome = { passed: string } | { skipped: string };

/** Writes and reads that are compared. */
const COMPARED = 15;
/**
 * A write calls the object, and the object calls the database. A read calls only the database. Beside each other, this
 * makes a difference of 10 to 50 ms. An object on another continent adds 100 ms or more.
 */
const WRITE_EXCESS_MAXIMUM_MS = 100;
const ROUND_TRIPS_MAXIMUM = 2;
const IMAGE_REQUESTS = 5;
const IMAGE_PAUSE_MS = 500;
const POLL_MS = 2_000;
const PAGE_SIZE = 100;
/** Three runs of the schedule of every minute. */
export const SCHEDULE_MAXIMUM_MS = 180_000;

const ms = (milliseconds: number): string => `${Math.round(milliseconds)} ms`;

/** Check that the service can read and write its database. */
export async function health(probe: Probe): Promise<Outcome> {
  const answer = await probe.send('health', 'GET', '/health');
  const text = await answer.text();
  if (answer.status !== 200)
    throw new Error(`GET /health was answered ${answer.status}: ${text.slice(0, 200)}`);
  return { passed: text };
}

/** A database, as far as the check of migrations needs it. */
interface CheckedDatabase {
  databaseName: string;
  missingMigrations: string[] | null;
}

/**
 * Check that every database has all migrations of the deployed version. The service measures its databases every minute,
 * so the check waits for the next measurements.
 */
export async function migrations(operator: Probe, maximumMs = SCHEDULE_MAXIMUM_MS): Promise<Outcome> {
  return poll({ maximumMs, pollMs: POLL_MS }, async () => {
    const databases = await databasesOf(operator);
    const faults = databases
      .filter(({ missingMigrations }) => missingMigrations?.length !== 0)
      .map(({ databaseName, missingMigrations }) =>
        missingMigrations
          ? `${databaseName} lacks ${missingMigrations.join(', ')}`
          : `${databaseName} was never measured or has no table d1_migrations`,
      );
    return faults.length > 0
      ? new Error(`${faults.join('; ')}. Run npm run deploy:migrate.`)
      : { passed: `databases without missing migrations: ${databases.length}` };
  });
}

async function databasesOf(operator: Probe): Promise<CheckedDatabase[]> {
  const databases: CheckedDatabase[] = [];
  for (let pageNumber = 1; ; pageNumber += 1) {
    const path = `${OPERATOR_API}/database?pageSize=${PAGE_SIZE}&pageNumber=${pageNumber}`;
    const { content } = await operator.call<{ content: CheckedDatabase[] }>('list databases', 'GET', path);
    databases.push(...content);
    if (content.length < PAGE_SIZE) return databases;
  }
}

/** How long a deployment takes to reach the whole network, and objects to restart. */
const ROLLOUT_MAXIMUM_MS = 60_000;
/** The most organizations whose objects are asked. */
const OBJECTS_ASKED = 10;
/** While two versions share the traffic, each request may reach either. So the versions have to be the same so often in a row. */
const SAME_IN_A_ROW = 5;

/**
 * Check that the edge and the objects of the newest organizations run one version, now or soon. An object that was running
 * before the deployment may keep the former version.
 */
export async function sameVersion(
  operator: Probe,
  maximumMs = ROLLOUT_MAXIMUM_MS,
  pollMs = POLL_MS,
): Promise<Outcome> {
  const listed = `${OPERATOR_API}/organization?pageSize=${OBJECTS_ASKED}`;
  const { content } = await operator.call<{ content: { uuid: string }[] }>(
    'list organizations',
    'GET',
    listed,
  );
  const objects = `edge and objects of organizations: ${content.length}`;
  let [same, last] = [0, ''];
  return poll({ maximumMs, pollMs }, async () => {
    const seen = new Set<string>();
    for (const { uuid } of content) {
      const path = `${OPERATOR_API}/organization/${uuid}/version`;
      const found = await operator.call<{ edgeVersionId: string; writerVersionId: string }>(
        'read versions',
        'GET',
        path,
      );
      seen.add(found.edgeVersionId).add(found.writerVersionId);
    }
    const versions = [...seen].join(', ');
    same = seen.size > 1 ? 0 : versions === last ? same + 1 : 1;
    last = versions;
    if (same === SAME_IN_A_ROW) return { passed: `${versions}, ${objects}` };
    return new Error(
      `Not one version answers, but ${versions} (${objects}). Deploy one version to all traffic.`,
    );
  });
}

/** Check that the object of the organization is near its database: a write takes little longer than a read. */
export async function location({ wms }: Site, { uuid, wmsId }: Pallet): Promise<Outcome> {
  const [writes, reads, roundTrips]: number[][] = [[], [], []];
  for (let number = 1; number <= COMPARED; number += 1) {
    const begin = performance.now();
    const body = { additionalInfo: `Comment ${number} of the check` };
    const written = await wms.send('compare: write', 'POST', `${API}/track/${uuid}/comments`, { body });
    const middle = performance.now();
    const read = await wms.send('compare: read', 'GET', `${API}/track/${wmsId}`);
    if (!written.ok || !read.ok)
      throw new Error(`A comment was answered ${written.status}, and a read ${read.status}.`);
    writes!.push(middle - begin);
    reads!.push(performance.now() - middle);
    const cost = /(\d+) round trips/.exec(written.headers.get('Server-Timing') ?? '')?.[1];
    if (cost !== undefined) roundTrips!.push(Number(cost));
  }
  const excess = median(writes!) - median(reads!);
  const text = `a write takes ${ms(median(writes!))}, a read ${ms(median(reads!))}`;
  if (excess > WRITE_EXCESS_MAXIMUM_MS)
    throw new Error(
      `${text}. The difference is over ${ms(WRITE_EXCESS_MAXIMUM_MS)}: the object is far from D1.`,
    );
  if (median(roundTrips!) > ROUND_TRIPS_MAXIMUM)
    throw new Error(`A write makes ${median(roundTrips!)} round trips to D1, over ${ROUND_TRIPS_MAXIMUM}.`);
  return { passed: roundTrips!.length > 0 ? `${text}, with round trips: ${median(roundTrips!)}` : text };
}

/**
 * Check that the edge answers repeated requests for a marker image from its cache, without the id of an earlier request.
 */
export async function imageCache(anyone: Probe, { markerImageUrl }: Pallet): Promise<Outcome> {
  const seen: string[] = [];
  for (let request = 1; request <= IMAGE_REQUESTS; request += 1) {
    const headers = { 'X-Request-Id': `image-${request}` };
    const answer = await anyone.send('read a marker image', 'GET', pathOf(markerImageUrl), { headers });
    const type = answer.headers.get('Content-Type');
    if (answer.status !== 200 || type !== 'image/png')
      throw new Error(`The image was answered ${answer.status} with the type ${type}.`);
    const control = answer.headers.get('Cache-Control') ?? '';
    if (!control.includes('public'))
      throw new Error(`The image has Cache-Control "${control}", so nothing caches it.`);
    const id = answer.headers.get('X-Request-Id') ?? headers['X-Request-Id'];
    if (id !== headers['X-Request-Id'])
      throw new Error(`The image has the X-Request-Id "${id}" of another request, so a cache stores it.`);
    const status = answer.headers.get('cf-cache-status') ?? 'none';
    if (status === 'HIT') return { passed: `request ${request} was a HIT` };
    if (!answer.headers.has('cf-ray')) return { skipped: 'no edge cache is in front of this service' };
    seen.push(status);
    await sleep(IMAGE_PAUSE_MS);
  }
  throw new Error(`cf-cache-status was ${seen.join(', ')}, never HIT. Is [cache] enabled in wrangler.toml?`);
}

/**
 * Check that an update with the tag of a compressed answer is accepted, and that one with a former tag is refused. The
 * edge adds `W/` to the tags of answers that it compresses.
 */
export async function weakTags({ wms }: Site): Promise<Outcome> {
  const step = 'update if unchanged';
  const path = `${API}/manifest/CHECK-TAG`;
  await wms.call('create a manifest', 'POST', `${API}/manifest`, { externalIdentifier: 'CHECK-TAG' });
  const headers = { 'Accept-Encoding': 'gzip' };
  const tag = (await wms.send(step, 'GET', path, { headers })).headers.get('ETag') ?? '';
  const strong = /^(?:W\/)?("[^"]+")$/.exec(tag)?.[1];
  if (strong === undefined) throw new Error(`The manifest has no entity tag, but "${tag}".`);
  const put = async (asset: string): Promise<number> => {
    const options = { body: { assets: [asset] }, headers: { 'If-Match': `W/${strong}` } };
    return (await wms.send(step, 'PUT', path, options)).status;
  };
  const current = await put('CHECK-TAG-1');
  if (current !== 200) throw new Error(`An update with the current tag W/${strong} was answered ${current}.`);
  const former = await put('CHECK-TAG-2');
  if (former !== 412) throw new Error(`An update with a former tag was answered ${former}, not 412.`);
  return { passed: `the tag came ${tag === strong ? 'strong' : 'weak'}, and an update with W/ is accepted` };
}

/** Send a heartbeat of the scanner. Afterwards it is silent, so the schedule raises an alert. */
export const beat = ({ devices, scannerUuid }: Site): Promise<unknown> =>
  devices.call('heartbeat', 'POST', `${DEVICE_API}/heartbeat`, {
    deviceType: 'SCANNER',
    uuid: scannerUuid,
    status: 'ONLINE',
  });

/** Check that the schedule of every minute runs: it raises an alert about the silent scanner. */
export async function schedule({ wms }: Site, maximumMs = SCHEDULE_MAXIMUM_MS): Promise<Outcome> {
  const path = `${API}/alert-event?pageSize=100`;
  return poll({ maximumMs, pollMs: POLL_MS }, async () => {
    const { content } = await wms.call<{ content: { alertType: string; raisedDate: string }[] }>(
      'read alerts',
      'GET',
      path,
    );
    const alert = content.find(({ alertType }) => alertType === 'DEVICE_OFFLINE');
    if (alert) return { passed: `the alert about the silent scanner was raised at ${alert.raisedDate}` };
    return new Error(
      `No alert about the silent scanner within ${maximumMs / 1_000} s. Check [triggers] crons.`,
    );
  });
}
