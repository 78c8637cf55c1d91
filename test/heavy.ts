import { setTimeout as sleep } from 'node:timers/promises';
import { must, newTenant, type Served, type Tenant } from './e2e/client.ts';
import { bookOf } from './unit/readers/archive.ts';

/** So many heavy requests of an organization run at once. */
const REQUESTS = 10;
/** How often the neighbour asks. */
const PAUSE_MS = 20;
const PASSWORD = 'correct horse battery';

/** The answers to heavy requests, and the time that a neighbour waited for its own ones. */
export interface Waits {
  name: string;
  /** The statuses of the heavy requests. A request that is refused for a moment gets 503. */
  statuses: number[];
  /** 95 % of the neighbour's requests took at most this time, without and beside the heavy ones. Milliseconds. */
  idleMs: number;
  busyMs: number;
  /** How many of its requests were answered before the heavy ones. */
  answered: number;
}

/** Sends one heavy request, and returns its status after its whole answer. */
type Heavy = (number: number) => Promise<number>;

/** Measure how long the requests of an organization wait while another one sends each kind of heavy requests. */
export async function* neighbourWaits(service: Served): AsyncGenerator<Waits> {
  const [heavy, neighbour] = [await heavyTenant(service), await newTenant(service, 'neighbour')];
  const json = { wmsId: 'V1' };
  await must(neighbour, 'POST', '/track/get-and-couple?imageDelivery=URL', json);
  const ask = () => must(neighbour, 'GET', '/track/V1');
  for (const [name, request] of Object.entries(await heavyRequests(service, heavy))) {
    const statuses: number[] = [];
    const { p95: idleMs } = await waitsDuring(ask, () => sleep(1_000));
    const { p95: busyMs, answered } = await waitsDuring(ask, async () => {
      const all = Array.from({ length: REQUESTS }, (_, number) => request(number));
      statuses.push(...(await Promise.all(all)));
    });
    yield { name, statuses, idleMs, busyMs, answered };
  }
}

/**
 * The waits of the neighbour while other work runs. `p95`: 95 % of its requests take at most this time, in milliseconds.
 * `answered`: how many are answered before the end of this work.
 */
async function waitsDuring(
  ask: () => Promise<unknown>,
  work: () => Promise<void>,
): Promise<{ p95: number; answered: number }> {
  const times: number[] = [];
  let isWorking = true;
  const asking = (async () => {
    while (isWorking || times.length < REQUESTS) {
      const start = performance.now();
      await ask();
      times.push(performance.now() - start);
      await sleep(PAUSE_MS);
    }
  })();
  await work();
  isWorking = false;
  const answered = times.length;
  await asking;
  return { p95: times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.95)]!, answered };
}

/** An organization that may send all heavy requests. */
export const heavyTenant = (service: Served, slug = 'heavy'): Promise<Tenant> =>
  newTenant(service, slug, {
    dispatchStrategy: 'SHIPMENT',
    shipmentCustomFields: [{ fieldKey: 'note', fieldType: 'TEXT' }],
  });

/** The heaviest requests of each kind: images, bulk writes, lists, documents, files. */
async function heavyRequests(service: Served, tenant: Tenant): Promise<Record<string, Heavy>> {
  const got = async (address: string, init?: RequestInit): Promise<number> => {
    const answer = await fetch(new URL(address, service.origin), init);
    await answer.arrayBuffer();
    return answer.status;
  };
  const api = (method: string, path: string, init: RequestInit & { headers?: object } = {}) =>
    got(`/integration/rest/api/v1${path}`, {
      ...init,
      method,
      headers: { 'X-AUTH-KEY': tenant.key, ...init.headers },
    });
  const { cookie, token } = await signIn(service, tenant);
  await createLargeManifests(tenant);
  const upsert = largeUpsert();
  const document = await completeShipment(tenant);
  const workbook = largeWorkbook();
  return {
    '1,000 images of markers': () => api('POST', '/marker-code/allocate?quantity=1000'),
    'a list page of 9 MB': () => api('GET', '/manifest?pageSize=100'),
    'a bulk upsert of 4.5 MB': (number) =>
      api('POST', '/shipment/bulk-upsert', {
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': `upsert-${number}` },
        body: upsert,
      }),
    'a proof of 5,000 pallets': () => got(document),
    'a workbook of 160,000 cells': (number) => {
      const body = new FormData();
      const fields = { token, key: crypto.randomUUID(), action: 'create', externalIdentifier: `W${number}` };
      for (const [name, value] of Object.entries(fields)) body.set(name, value);
      body.set('file', new File([workbook], 'list.xlsx'));
      return got('/app/manifest/new', { method: 'POST', headers: { Cookie: cookie }, body });
    },
    'a CSV file of 10,000 shipments': () => got('/app/shipment.csv', { headers: { Cookie: cookie } }),
    'a workbook of 10,000 shipments': () => got('/app/shipment.xlsx', { headers: { Cookie: cookie } }),
  };
}

/** Manifests whose fields make a page of 9 MB. In JSON, each character of their values takes six bytes. */
export async function createLargeManifests(tenant: Tenant, count = 100, fields = 15): Promise<void> {
  const customFields = Array.from({ length: fields }, (_, index) => ({
    fieldKey: `field ${index}`,
    fieldValue: '\u0001'.repeat(1_000),
  }));
  for (let index = 0; index < count; index += 1)
    await must(tenant, 'POST', '/manifest', { externalIdentifier: `M${index}`, customFields });
}

/** The body of a bulk upsert of 10,000 items. It has 4.5 MB. */
export function largeUpsert(): string {
  const items = Array.from({ length: 10_000 }, (_, index) => ({
    shipmentExternalId: `S${index}`,
    customFields: [{ fieldKey: 'note', fieldValue: 'x'.repeat(360) }],
  }));
  return JSON.stringify({ items });
}

/** Complete a shipment of 5,000 pallets. @returns the address of its proof */
export async function completeShipment(tenant: Tenant): Promise<string> {
  const assets = Array.from({ length: 5_000 }, (_, index) => `39521234900${String(index).padStart(7, '0')}`);
  await must(tenant, 'POST', '/manifest', { externalIdentifier: 'PROOF', assets });
  const manifests = [{ manifestExternalId: 'PROOF' }];
  await must(tenant, 'POST', '/shipment', { identifier: 'PROOF', gateIdentifier: 'G1', manifests });
  await must(tenant, 'POST', '/shipment/PROOF/status/IN_PROGRESS');
  await must(tenant, 'POST', '/shipment/PROOF/status/COMPLETED');
  return (await must(tenant, 'GET', '/shipment/PROOF')).proofOfShipmentUrl;
}

/** A workbook of 40,000 rows with four cells each. It names 4,000 pallets. */
function largeWorkbook(): Buffer<ArrayBuffer> {
  const rows = Array.from({ length: 40_000 }, (_, row) => {
    const cells = [...'ABCD'].map((column) => `<c r="${column}${row + 1}"><v>${row % 4_000}</v></c>`);
    return `<row r="${row + 1}">${cells.join('')}</row>`;
  });
  return Buffer.from(bookOf({ sheet: rows.join('') }));
}

/** Sign an administrator in. @returns the cookie, and the token of forms */
async function signIn(service: Served, tenant: Tenant): Promise<{ cookie: string; token: string }> {
  const email = 'heavy@example.com';
  const { inviteLink } = await must(tenant, 'POST', '/user', {
    ...{ firstName: 'Robin', lastName: 'Field', email },
    ...{ authority: { authorityName: 'ADMINISTRATOR' }, passwordPolicyMode: 'INVITE_LINK' },
  });
  const post = (path: string, fields: Record<string, string>) =>
    fetch(new URL(path, service.origin), {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });
  await post(inviteLink, { password: PASSWORD, passwordAgain: PASSWORD });
  const answer = await post('/app/login', { organization: tenant.slug, email, password: PASSWORD });
  const cookie = answer.headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ');
  const board = await fetch(new URL('/app/board', service.origin), { headers: { Cookie: cookie } });
  return { cookie, token: /name="token" value="([^"]+)"/.exec(await board.text())![1]! };
}
