import type { ApiClient } from '../../client/client.ts';
import type { Manifest, Shipment, Track } from './answers.ts';
import { tellLinks } from './links.ts';
import { say } from './output.ts';
import { type Provisioned, provision, type Wanted } from './provision.ts';
import { Receiver } from './receiver.ts';
import { correct, leave, load, putTogether, type Shell, type Truck } from './shipment.ts';
import { palletSscc } from './sscc.ts';
import { Wms } from './wms.ts';

const GATES = [
  { externalIdentifier: 'GATE-1', name: 'Gate 1, north yard' },
  { externalIdentifier: 'GATE-2', name: 'Gate 2, south yard' },
];
const WANTED: Wanted = {
  organization: {
    name: 'Demo warehouse',
    slug: 'demo',
    requestsPerMinute: 6_000,
    shipmentCustomFields: [
      { fieldKey: 'carrier', fieldType: 'TEXT' },
      { fieldKey: 'temperature', fieldType: 'NUMBER' },
    ],
  },
  gates: GATES,
};

const [TODAY, TOMORROW] = ['SHIP-81', 'SHIP-82'] as const;
/** The orders of the day; the third leaves tomorrow. */
const [FIRST, SECOND, LATER] = ['ORDER-8101', 'ORDER-8102', 'ORDER-8201'] as const;
const PALLETS = {
  printed: ['1', '2', '3'].map((line) => palletSscc('8101', line)),
  sound: palletSscc('8102', '1'),
  damaged: palletSscc('8102', '2'),
  late: palletSscc('8102', '3'),
  replacement: palletSscc('8102', '4'),
  ofTomorrow: palletSscc('8201', '1'),
  unpacked: palletSscc('8201', '2'),
};

/** Markers that are printed, but not yet on a pallet. */
interface Spare {
  forLate: number;
  forNone: number;
}

/**
 * Play one dispatch day of the organization `demo`.
 * @returns true; a failure is thrown
 */
export async function playDay(operator: ApiClient): Promise<boolean> {
  say('\nThe operator provisions');
  const provisioned = await provision(operator, WANTED);
  const { organization } = provisioned;
  say(`  organization ${organization.slug} (${organization.uuid}) with ${GATES.length} gates`);
  say('  a fresh API key for the WMS and a fresh access token for the scanners, valid for a day');
  const receiver = await Receiver.start(provisioned.wms);
  const wms = new Wms(provisioned.wms, provisioned.scanners);
  const { tracks, spare } = await label(wms);
  await planDay(wms);
  await mendDamage(wms, tracks);
  const truck = await prepare(wms, tracks, spare);
  const wrongRecord = await load(wms, truck);
  await correct(wms, truck, wrongRecord);
  await leave(wms, truck);
  await retire(wms, tracks.get(PALLETS.printed[0]!)!);
  await receiver.arrived();
  await receiver.stop();
  await total(wms);
  await links(wms, provisioned, [...tracks.values()]);
  return true;
}

/** Label pallets: some with markers printed beforehand, others with markers that are allocated while coupling. */
async function label(wms: Wms): Promise<{ tracks: Map<string, Track>; spare: Spare }> {
  say('\nPallets are labelled');
  const { entries } = await wms.send<{ entries: { markerCode: number }[] }>(
    'POST',
    `/marker-code/allocate?quantity=${PALLETS.printed.length + 2}&imageDelivery=URL`,
    'allocate:shift-1',
    ({ entries: block }) => `markers ${block[0]?.markerCode} to ${block.at(-1)?.markerCode} allocated`,
  );
  const codes = entries.map((entry) => entry.markerCode);
  const tracks = new Map<string, Track>();
  for (const wmsId of PALLETS.printed) {
    tracks.set(wmsId, (await wms.couple(wmsId, codes.shift()!)).track);
  }
  for (const wmsId of [PALLETS.sound, PALLETS.damaged, PALLETS.ofTomorrow]) {
    tracks.set(wmsId, (await wms.getAndCouple(wmsId, 'Chai')).track);
  }
  return { tracks, spare: { forLate: codes[0]!, forNone: codes[1]! } };
}

async function planDay(wms: Wms): Promise<void> {
  say('\nManifests are planned');
  await wms.plan(FIRST, PALLETS.printed, 'Speedy Express');
  await wms.plan(SECOND, [PALLETS.sound, PALLETS.damaged, PALLETS.late], 'Speedy Express');
  await wms.plan(LATER, [PALLETS.ofTomorrow, PALLETS.unpacked], 'Federal Shipping');
  const seal = { fieldKey: 'sealNumber', fieldValue: 'S-4711' };
  const describe = () => `${FIRST} has ${seal.fieldKey} ${seal.fieldValue}`;
  await wms.send('POST', `/manifest/${FIRST}/custom-field`, `seal:${FIRST}`, describe, seal);
}

/** Flag a damaged pallet, comment on it, and replace it by another one. */
async function mendDamage(wms: Wms, tracks: Map<string, Track>): Promise<void> {
  say('\nA pallet is damaged');
  const wmsId = PALLETS.damaged;
  const path = `/track/${tracks.get(wmsId)!.uuid}`;
  await wms.send(
    'PATCH',
    `${path}/flag`,
    `flag:${wmsId}`,
    ({ trackStatus }: Track) => `pallet ${wmsId} is ${trackStatus}`,
    { damaged: true, reason: 'Film torn, cartons wet' },
  );
  const comment = { additionalInfo: 'Two cartons are wet; repack before it leaves.' };
  const describe = () => `comment: ${comment.additionalInfo}`;
  await wms.send('POST', `${path}/comments`, `comment:${wmsId}`, describe, comment);

  const replacement = PALLETS.replacement;
  tracks.set(replacement, (await wms.getAndCouple(replacement, 'Chai')).track);
  const record = `/manifest/${SECOND}/track-record`;
  await wms.send(
    'DELETE',
    `${record}/${wmsId}`,
    `off:${wmsId}`,
    () => `pallet ${wmsId} removed from ${SECOND}`,
  );
  await wms.send(
    'POST',
    `${record}/${replacement}`,
    `on:${replacement}`,
    () => `pallet ${replacement} added to ${SECOND} instead`,
  );
}

/** Prepare today's shipment for loading, and tomorrow's, which waits. */
async function prepare(wms: Wms, tracks: Map<string, Track>, spare: Spare): Promise<Truck> {
  say('\nShipments are put together');
  const shell: Shell = { shipment: TODAY, orders: [FIRST, SECOND], gates: ['GATE-1', 'GATE-2'] };
  await putTogether(wms, shell);
  await wms.validate(TODAY);
  tracks.set(PALLETS.late, (await wms.couple(PALLETS.late, spare.forLate)).track);
  await wms.validate(TODAY);
  await wms.ship(TOMORROW, [LATER]);
  await wms.validate(TOMORROW);
  const aboard = [...PALLETS.printed, PALLETS.sound, PALLETS.replacement, PALLETS.late];
  return {
    ...shell,
    codes: new Map(aboard.map((wmsId) => [wmsId, tracks.get(wmsId)!.markerCode])),
    unreadable: PALLETS.replacement,
    wrongCode: tracks.get(PALLETS.ofTomorrow)!.markerCode,
    unknownCode: spare.forNone,
  };
}

async function retire(wms: Wms, { wmsId, uuid }: Track): Promise<void> {
  await wms.send(
    'PATCH',
    `/track/${uuid}/retire`,
    `retire:${wmsId}`,
    () => `pallet ${wmsId} came back empty`,
  );
  say(`  its track is ${(await wms.read<Track>(`/track/${uuid}`)).trackStatus}`);
}

/** Print totals. Another run does not change them. */
async function total(wms: Wms): Promise<void> {
  say('\nAt the end of the day');
  await wms.progress(TOMORROW);
  for (const [what, path] of [
    ['shipments', '/shipment?'],
    ['manifests', '/manifest?'],
    ['tracks', '/track?'],
    ['gates', '/gate?'],
    ['alerts', '/alert-event?'],
    ['open alerts', '/alert-event?status=OPEN&'],
  ] as const) {
    const { totalElements } = await wms.read<{ totalElements: number }>(`${path}pageSize=1`);
    say(`  ${what}: ${totalElements}`);
  }
}

/** Print what a person can open. */
async function links(wms: Wms, provisioned: Provisioned, tracks: Track[]): Promise<void> {
  say('\nMarker images (public)');
  for (const { markerImageUrl, wmsId } of tracks) say(`  ${markerImageUrl}   pallet ${wmsId}`);
  const shipment = await wms.read<Shipment>(`/shipment/${TODAY}`);
  const manifests = [FIRST, SECOND].map((order) => wms.read<Manifest>(`/manifest/${order}`));
  await tellLinks(provisioned, {
    left: [shipment, ...(await Promise.all(manifests))],
    paths: [
      `/shipment/${TODAY}`,
      `/shipment/${TODAY}/asset-loading`,
      `/track/${PALLETS.replacement}/activity`,
      '/alert-event',
    ],
  });
}
