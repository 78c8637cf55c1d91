import type { Answer, ApiClient } from './demo-client.ts';
import { say } from './demo-output.ts';
import { API, type Provisioned, provision } from './demo-provision.ts';
import { palletSscc } from './wms-sscc.ts';

const WANTED = {
  organization: { name: 'Demo warehouse', slug: 'demo', requestsPerMinute: 6_000 },
  gates: [
    { externalIdentifier: 'GATE-1', name: 'Gate 1, north yard' },
    { externalIdentifier: 'GATE-2', name: 'Gate 2, south yard' },
  ],
};

/** The orders of the day; the third leaves tomorrow. */
const [MORNING, NOON, TOMORROW] = ['7001', '7002', '7003'] as const;
const PALLETS = {
  printed: ['1', '2', '3'].map((line) => palletSscc(MORNING, line)),
  sound: palletSscc(NOON, '1'),
  damaged: palletSscc(NOON, '2'),
  late: palletSscc(NOON, '3'),
  replacement: palletSscc(NOON, '4'),
  unpacked: palletSscc(TOMORROW, '1'),
};

interface Manifest {
  manifestStatus: string;
  gate: { externalIdentifier: string } | null;
  tracksCount: number;
  validationErrors: { nonExistingTracks: unknown[] } | null;
}

interface Track {
  uuid: string;
  wmsId: string;
  markerCode: number;
  markerImageUrl: string;
  trackStatus: string;
}

/** Speaks for the WMS: each thing has a name, which is its Idempotency-Key in every run. */
class Wms {
  readonly #client: ApiClient;

  constructor(client: ApiClient) {
    this.#client = client;
  }

  /** Send it and say what came of it. */
  async send<T>(
    method: string,
    path: string,
    key: string,
    told: (body: T) => string,
    body?: unknown,
  ): Promise<T> {
    const options = { key: `demo:${key}`, ...(body === undefined ? {} : { body }) };
    const answer: Answer<T> = await this.#client.request<T>(method, API + path, options);
    say(`  ${told(answer.body)}${answer.replayed ? '   [as in an earlier run]' : ''}`);
    return answer.body;
  }

  async read<T>(path: string): Promise<T> {
    return (await this.#client.request<T>('GET', API + path)).body;
  }

  couple(wmsId: string, markerCode: number): Promise<{ track: Track }> {
    const told = () => `pallet ${wmsId} coupled to printed marker ${markerCode}`;
    return this.send('POST', '/track/couple', `couple:${wmsId}`, told, { markerCode, wmsId });
  }

  getAndCouple(wmsId: string, product: string): Promise<{ track: Track }> {
    return this.send<{ track: Track }>(
      'POST',
      '/track/get-and-couple?imageDelivery=URL',
      `get-and-couple:${wmsId}`,
      ({ track }) => `pallet ${wmsId} got and coupled to marker ${track.markerCode}`,
      { wmsId, customFields: [{ fieldKey: 'product', fieldValue: product }] },
    );
  }

  plan(order: string, assets: string[], carrier: string): Promise<unknown> {
    return this.send(
      'POST',
      '/manifest',
      `plan:${order}`,
      () => `ORDER-${order} planned for ${carrier}, pallets: ${assets.length}`,
      {
        externalIdentifier: `ORDER-${order}`,
        customFields: [{ fieldKey: 'carrier', fieldValue: carrier }],
        assets,
      },
    );
  }

  async move(order: string, ...steps: string[]): Promise<void> {
    for (const step of steps) {
      const told = ({ manifestStatus, gate, tracksCount }: Manifest) =>
        `ORDER-${order} ${manifestStatus}, ${gate?.externalIdentifier ?? 'no gate'}, pallets: ${tracksCount}`;
      await this.send('POST', `/manifest/ORDER-${order}/${step}`, `move:${order}:${step}`, told);
    }
  }
}

/**
 * Play one dispatch day of the organization `demo`.
 * @returns true: what fails is thrown.
 */
export async function playDay(operator: ApiClient): Promise<boolean> {
  say('\nThe operator provisions');
  const provisioned = await provision(operator, WANTED);
  const { organization, client } = provisioned;
  say(`  organization ${organization.slug} (${organization.uuid}) with ${WANTED.gates.length} gates`);
  say('  a fresh API key, valid for a day');
  const wms = new Wms(client);
  const { tracks, spare } = await label(wms);
  await planDay(wms);
  await mendDamage(wms, tracks);
  const late = await wms.couple(PALLETS.late, spare);
  await load(wms, tracks);
  await total(wms);
  links(provisioned, operator.base, [...tracks.values(), late.track]);
  return true;
}

/** Markers printed ahead and coupled, and others got while coupling. */
async function label(wms: Wms): Promise<{ tracks: Map<string, Track>; spare: number }> {
  say('\nPallets are labelled');
  const { entries } = await wms.send<{ entries: { markerCode: number }[] }>(
    'POST',
    `/marker-code/allocate?quantity=${PALLETS.printed.length + 1}&imageDelivery=URL`,
    'allocate:shift-1',
    ({ entries: block }) => `markers ${block[0]?.markerCode} to ${block.at(-1)?.markerCode} allocated`,
  );
  const tracks = new Map<string, Track>();
  for (const [index, wmsId] of PALLETS.printed.entries()) {
    tracks.set(wmsId, (await wms.couple(wmsId, entries[index]!.markerCode)).track);
  }
  for (const wmsId of [PALLETS.sound, PALLETS.damaged]) {
    tracks.set(wmsId, (await wms.getAndCouple(wmsId, 'Chai')).track);
  }
  return { tracks, spare: entries.at(-1)!.markerCode };
}

async function planDay(wms: Wms): Promise<void> {
  say('\nManifests are planned');
  await wms.plan(MORNING, PALLETS.printed, 'Speedy Express');
  await wms.plan(NOON, [PALLETS.sound, PALLETS.damaged, PALLETS.late], 'United Package');
  await wms.plan(TOMORROW, [PALLETS.unpacked], 'Federal Shipping');
  const seal = { fieldKey: 'sealNumber', fieldValue: 'S-4711' };
  const told = () => `ORDER-${MORNING} has ${seal.fieldKey} ${seal.fieldValue}`;
  await wms.send('POST', `/manifest/ORDER-${MORNING}/custom-field`, `seal:${MORNING}`, told, seal);
}

/** A damaged pallet is flagged, commented on, and another takes its place. */
async function mendDamage(wms: Wms, tracks: Map<string, Track>): Promise<void> {
  say('\nA pallet is damaged, another is late');
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
  const told = () => `comment: ${comment.additionalInfo}`;
  await wms.send('POST', `${path}/comments`, `comment:${wmsId}`, told, comment);

  const replacement = PALLETS.replacement;
  tracks.set(replacement, (await wms.getAndCouple(replacement, 'Chai')).track);
  const record = `/manifest/ORDER-${NOON}/track-record`;
  await wms.send('DELETE', `${record}/${wmsId}`, `off:${wmsId}`, () => `pallet ${wmsId} off ORDER-${NOON}`);
  await wms.send(
    'POST',
    `${record}/${replacement}`,
    `on:${replacement}`,
    () => `pallet ${replacement} on ORDER-${NOON} in its place`,
  );
}

async function load(wms: Wms, tracks: Map<string, Track>): Promise<void> {
  say('\nThe orders are loaded and leave');
  await wms.move(MORNING, 'status/TO_DO', 'gate/GATE-1', 'status/IN_PROGRESS');
  await wms.move(NOON, 'status/TO_DO', 'gate/GATE-1', 'gate/GATE-2', 'status/IN_PROGRESS');
  await wms.move(MORNING, 'status/COMPLETED');
  await wms.move(NOON, 'status/COMPLETED');

  const { wmsId, uuid } = tracks.get(PALLETS.printed[0]!)!;
  await wms.send(
    'PATCH',
    `/track/${uuid}/retire`,
    `retire:${wmsId}`,
    () => `pallet ${wmsId} came back empty`,
  );
  say(`  its track is ${(await wms.read<Track>(`/track/${uuid}`)).trackStatus}`);
}

/** How much there is, which another run does not change. */
async function total(wms: Wms): Promise<void> {
  say('\nAt the end of the day');
  const tomorrow = await wms.read<Manifest>(`/manifest/ORDER-${TOMORROW}`);
  const missing = tomorrow.validationErrors?.nonExistingTracks.length ?? 0;
  say(`  ORDER-${TOMORROW} is ${tomorrow.manifestStatus}; pallets without a marker yet: ${missing}`);
  for (const resource of ['manifest', 'track', 'gate']) {
    const { totalElements } = await wms.read<{ totalElements: number }>(`/${resource}?pageSize=1`);
    say(`  ${resource}s: ${totalElements}`);
  }
}

/** What a person can open. */
function links({ secret }: Provisioned, base: string, tracks: readonly Track[]): void {
  say('\nMarker images (public)');
  for (const { markerImageUrl, wmsId } of tracks) say(`  ${markerImageUrl}   pallet ${wmsId}`);
  const authorized = `curl -s -H 'X-AUTH-KEY: ${secret}'`;
  say('\nWith the key of this run');
  for (const path of [
    `/manifest/ORDER-${MORNING}`,
    `/manifest/ORDER-${MORNING}/asset`,
    `/track/${PALLETS.damaged}/activity`,
  ]) {
    say(`  ${authorized} ${base}${API}${path}`);
  }
  say(`\nThe contract of the API\n  ${base}/openapi.json\n`);
}
