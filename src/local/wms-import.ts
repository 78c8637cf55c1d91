import { basename, resolve } from 'node:path';
import { type ApiClient, unlessDone } from './demo-client.ts';
import { phase, say, secondsSince } from './demo-output.ts';
import { API, provision } from './demo-provision.ts';
import { compare } from './wms-check.ts';
import { readExport, type WmsOrder, type WmsPallet } from './wms-export.ts';

/** Requests in flight. */
const AT_ONCE = 12;
/** An import is not held up by the quota of everyday traffic. */
const REQUESTS_PER_MINUTE = 1_000_000;

/** The slug of the organization of a folder: its name as a DNS label. */
export function slugOf(folder: string): string {
  const label = basename(resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  return `demo-${label}`.slice(0, 63).replace(/-+$/, '');
}

/**
 * Bring a WMS export into the service and compare what is there afterwards with it.
 * @returns whether all of it adds up.
 */
export async function importExport(operator: ApiClient, folder: string): Promise<boolean> {
  const { orders, gates } = await readExport(folder);
  const pallets = orders.flatMap((order) => order.pallets);
  const shipped = orders.filter((order) => order.shipped);
  say(`Export: ${orders.length} orders (${shipped.length} shipped), ${pallets.length} pallets`);

  const start = performance.now();
  const slug = slugOf(folder);
  const { client, organization } = await provision(operator, {
    organization: { name: `WMS export ${slug}`, slug, requestsPerMinute: REQUESTS_PER_MINUTE },
    gates,
  });
  say(`Organization ${slug} (${organization.uuid}) with ${gates.length} gates`);
  await phase('pallets coupled', pallets, AT_ONCE, (pallet) => couple(client, pallet));
  await phase('manifests planned', orders, AT_ONCE, (order) => plan(client, order));
  await phase('manifests dispatched', shipped, AT_ONCE, (order) => dispatch(client, order));
  say(`Imported in ${secondsSince(start)}`);

  const reading = performance.now();
  const rows = await compare(client, { orders, gates }, organization.markerCodeStart, AT_ONCE);
  say(`Read back in ${secondsSince(reading)}`);
  say(`\n  ${'What'.padEnd(42)}${'expected'.padStart(12)}${'found'.padStart(12)}`);
  for (const { what, expected, found } of rows) {
    const mark = expected === found ? '' : '   DIFFERENT';
    say(`  ${what.padEnd(42)}${String(expected).padStart(12)}${String(found).padStart(12)}${mark}`);
  }
  const addsUp = rows.every(({ expected, found }) => expected === found);
  say(addsUp ? '\nAll of it adds up.' : '\nIt does not add up.');
  return addsUp;
}

/*
 * A key names the thing done, not the run: a repeat is answered like the first. Where the service has forgotten
 * a key by then (after 30 days), its refusal says that the thing is there, and the comparison proves it.
 */

async function couple(client: ApiClient, { sscc, fields }: WmsPallet): Promise<void> {
  await unlessDone(
    client.request('POST', `${API}/track/get-and-couple?imageDelivery=URL`, {
      key: `wms:couple:${sscc}`,
      body: { wmsId: sscc, customFields: fields },
    }),
    'wmsIdAlreadyCoupled',
  );
}

async function plan(client: ApiClient, { manifestId, fields, pallets }: WmsOrder): Promise<void> {
  await unlessDone(
    client.request('POST', `${API}/manifest`, {
      key: `wms:plan:${manifestId}`,
      body: {
        externalIdentifier: manifestId,
        customFields: fields,
        assets: pallets.map(({ sscc }) => sscc),
      },
    }),
    'externalIdentifierInUse',
  );
}

async function dispatch(client: ApiClient, { manifestId, gateId }: WmsOrder): Promise<void> {
  const manifest = `${API}/manifest/${encodeURIComponent(manifestId)}`;
  for (const step of [
    'status/TO_DO',
    `gate/${encodeURIComponent(gateId)}`,
    'status/IN_PROGRESS',
    'status/COMPLETED',
  ]) {
    await unlessDone(
      client.request('POST', `${manifest}/${step}`, { key: `wms:${manifestId}:${step}` }),
      'transitionNotAllowed',
      'manifestClosed',
    );
  }
}
