import { basename, resolve } from 'node:path';
import { type ApiClient, unlessDone } from '../../client/client.ts';
import type { Manifest, Shipment, Track } from '../demo/answers.ts';
import { tellLinks } from '../demo/links.ts';
import { say } from '../demo/output.ts';
import { API, type Provisioned, provision } from '../demo/provision.ts';
import { compare } from './check.ts';
import type { Row } from './check-row.ts';
import { readExport, type WmsExport, type WmsOrder, type WmsPallet } from './export.ts';
import { create, load } from './load.ts';
import { moveBackAndForth, Pace } from './moves.ts';
import { phase, phaseInLanes, secondsSince } from './phases.ts';
import { type PlannedScan, SHIPMENT_FIELDS, scansOf, shipmentsOf, type WmsShipment } from './shipments.ts';

/** Number of concurrent requests. */
const AT_ONCE = 12;
/** An import is not slowed down by the quota of everyday traffic. */
const REQUESTS_PER_MINUTE = 1_000_000;

/** The slug of the organization for a folder: the folder's name as a DNS label. */
export function slugOf(folder: string): string {
  const label = basename(resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  return `demo-${label}`.slice(0, 63).replace(/-+$/, '');
}

/**
 * Import a WMS export into the service, and compare the service with it afterwards. During the import, the
 * organization is moved `moves` times, alternately to another database and back. @returns whether all data
 * is equal.
 */
export async function importExport(operator: ApiClient, folder: string, moves = 0): Promise<boolean> {
  const wms = await readExport(folder);
  const shipments = shipmentsOf(wms.orders);
  const shipped = shipments.flatMap((shipment) => shipment.orders);
  say(
    `Export: ${wms.orders.length} orders, ${shipped.length} of them shipped in ${shipments.length} shipments`,
  );

  const start = performance.now();
  const slug = slugOf(folder);
  const provisioned = await provision(operator, {
    organization: {
      name: `WMS export ${slug}`,
      slug,
      requestsPerMinute: REQUESTS_PER_MINUTE,
      shipmentCustomFields: SHIPMENT_FIELDS,
    },
    gates: wms.gates,
  });
  const { organization } = provisioned;
  say(`Organization ${slug} (${organization.uuid}) with ${wms.gates.length} gates`);
  const pallets = wms.orders.flatMap((order) => order.pallets);
  const pace = new Pace(pallets.length + wms.orders.length + 2 * shipments.length);
  const [scans] = await Promise.all([
    dispatchAll(provisioned, wms, shipments, pace),
    moveBackAndForth(operator, organization.uuid, moves, pace),
  ]);
  say(`Imported in ${secondsSince(start)}`);

  const reading = performance.now();
  const plan = { ...wms, shipments, scans, markerCodeStart: organization.markerCodeStart };
  const rows = await compare(provisioned.wms, plan, AT_ONCE);
  say(`Read back in ${secondsSince(reading)}`);
  printRows(rows);
  const addsUp = rows.every(({ expected, found }) => expected === found);
  say(addsUp ? '\nAll of it adds up.' : '\nIt does not add up.');
  await links(provisioned, shipments.at(-1));
  return addsUp;
}

/** Print links to open: the last shipment and its first order, if any order was shipped. */
async function links(provisioned: Provisioned, last: WmsShipment | undefined): Promise<void> {
  const { wms } = provisioned;
  const open = [];
  if (last !== undefined) {
    open.push((await wms.request<Shipment>('GET', `${API}/shipment/${last.shipmentId}`)).body);
    open.push((await wms.request<Manifest>('GET', `${API}/manifest/${last.orders[0]!.manifestId}`)).body);
  }
  const shipped = last === undefined ? [] : [`/shipment/${last.shipmentId}/asset-loading`];
  await tellLinks(provisioned, {
    left: open,
    paths: [...shipped, '/manifest?pageSize=3', '/alert-event?pageSize=3'],
  });
}

/** Print the rows as a table. */
function printRows(rows: readonly Row[]): void {
  const width = Math.max(...rows.map(({ what }) => what.length));
  say(`\n  ${'What'.padEnd(width)}${'expected'.padStart(12)}${'found'.padStart(12)}`);
  for (const { what, expected, found, odd } of rows) {
    const mark = expected === found ? '' : `   DIFFERENT ${odd.join(', ')}`;
    say(
      `  ${what.padEnd(width)}${String(expected).padStart(12)}${String(found).padStart(12)}${mark}`.trimEnd(),
    );
  }
}

/** Dispatch all orders, until all trucks have departed. @returns the scans. */
async function dispatchAll(
  { wms, scanners }: Provisioned,
  { orders }: WmsExport,
  shipments: readonly WmsShipment[],
  pace: Pace,
): Promise<Map<string, PlannedScan[]>> {
  const codes = new Map<string, number>();
  const pallets = orders.flatMap((order) => order.pallets);
  const coupled = pace.counted(async (pallet: WmsPallet) => {
    codes.set(pallet.sscc, await couple(wms, pallet));
  });
  const planned = pace.counted((order: WmsOrder) => plan(wms, order));
  const created = pace.counted((shipment: WmsShipment) => create(wms, shipment));
  await phase('pallets coupled', pallets, AT_ONCE, coupled);
  await phase('manifests planned', orders, AT_ONCE, planned);
  await phase('shipments put together', shipments, AT_ONCE, created);
  const scans = scansOf(shipments, codes);
  // A scan acts on every shipment in progress at its gate. So gates work in parallel, with one truck at a
  // time at each.
  await phaseInLanes(
    'shipments loaded',
    shipments,
    ({ gateId }) => gateId,
    pace.counted((shipment) => load(wms, scanners, shipment, scans.get(shipment.shipmentId)!)),
  );
  return scans;
}

/*
 * A key names the action, not the run, so a repeat gets the first answer. The service forgets a key after 30 days.
 * Then its refusal says that the result exists, and the comparison proves it.
 */

/** Couple a pallet. @returns its marker code. */
async function couple(wms: ApiClient, { sscc, fields }: WmsPallet): Promise<number> {
  const coupled = await unlessDone(
    wms.request<{ markerCode: number }>('POST', `${API}/track/get-and-couple?imageDelivery=URL`, {
      key: `wms:couple:${sscc}`,
      body: { wmsId: sscc, customFields: fields },
    }),
    'wmsIdAlreadyCoupled',
  );
  return (coupled ?? (await wms.request<Track>('GET', `${API}/track/${sscc}`))).body.markerCode;
}

async function plan(wms: ApiClient, { manifestId, fields, pallets }: WmsOrder): Promise<void> {
  await unlessDone(
    wms.request('POST', `${API}/manifest`, {
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
