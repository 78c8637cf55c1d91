import type { Answer, ApiClient } from '../../client/client.ts';
import type { ScanResult, Shipment, Track, Validation } from './answers.ts';
import { say } from './output.ts';
import { API, DEVICE_API } from './provision.ts';

/** A marker that a camera has read. */
export interface Scan {
  scanId: string;
  markerCode: number;
  direction: 'LOAD' | 'UNLOAD' | 'OFFLOAD';
}

/** Acts as the WMS and the scanners. Each action has a name, which is its idempotency key in every run. */
export class Wms {
  readonly #wms: ApiClient;
  readonly #scanners: ApiClient;

  constructor(wms: ApiClient, scanners: ApiClient) {
    this.#wms = wms;
    this.#scanners = scanners;
  }

  /** Send a request and print its result. */
  async send<T>(
    method: string,
    path: string,
    key: string,
    describe: (body: T) => string,
    body?: unknown,
  ): Promise<T> {
    const options = { key: `demo-day:${key}`, ...(body === undefined ? {} : { body }) };
    const answer: Answer<T> = await this.#wms.request<T>(method, API + path, options);
    say(`  ${describe(answer.body)}${answer.replayed ? '   [as in an earlier run]' : ''}`);
    return answer.body;
  }

  async read<T>(path: string): Promise<T> {
    return (await this.#wms.request<T>('GET', API + path)).body;
  }

  couple(wmsId: string, markerCode: number): Promise<{ track: Track }> {
    const describe = () => `pallet ${wmsId} coupled to printed marker ${markerCode}`;
    return this.send('POST', '/track/couple', `couple:${wmsId}`, describe, { markerCode, wmsId });
  }

  getAndCouple(wmsId: string, product: string): Promise<{ track: Track }> {
    return this.send<{ track: Track }>(
      'POST',
      '/track/get-and-couple?imageDelivery=URL',
      `get-and-couple:${wmsId}`,
      ({ track }) => `pallet ${wmsId} coupled to newly allocated marker ${track.markerCode}`,
      { wmsId, customFields: [{ fieldKey: 'product', fieldValue: product }] },
    );
  }

  plan(order: string, assets: string[], carrier: string): Promise<unknown> {
    const body = {
      externalIdentifier: order,
      customFields: [{ fieldKey: 'carrier', fieldValue: carrier }],
      assets,
    };
    const describe = () => `${order} planned for ${carrier}, pallets: ${assets.length}`;
    return this.send('POST', '/manifest', `plan:${order}`, describe, body);
  }

  ship(shipment: string, orders: string[], further: Record<string, unknown> = {}): Promise<Shipment> {
    const manifests = orders.map((manifestExternalId) => ({ manifestExternalId }));
    const describe = ({ status }: Shipment) => `${shipment} of ${orders.join(', ')} is ${status}`;
    const body = { identifier: shipment, manifests, ...further };
    return this.send('POST', '/shipment', `ship:${shipment}`, describe, body);
  }

  async move(shipment: string, status: string): Promise<void> {
    const path = `/shipment/${shipment}/status/${status}`;
    await this.send('POST', path, `move:${shipment}:${status}`, () => `${shipment} ${status}`);
  }

  /** Print the findings that would keep a shipment from leaving. */
  async validate(shipment: string): Promise<void> {
    const { valid, ...found } = await this.read<Validation>(`/shipment/${shipment}/validate`);
    say(`  ${shipment} validated: ${valid ? 'nothing is wrong' : findings(found).join('; ')}`);
  }

  /** Print how far the loading of a shipment is. */
  async progress(shipment: string): Promise<void> {
    const { status, ...counts } = await this.read<Shipment>(`/shipment/${shipment}`);
    say(
      `  ${shipment} is ${status}: ${counts.loadedAssetsCount} of ${counts.totalAssetsCount} pallets LOADED`,
    );
  }

  async scan(gate: string, scan: Scan): Promise<ScanResult> {
    const path = `${DEVICE_API}/gate/${gate}/scan`;
    const { body } = await this.#scanners.request<ScanResult>('POST', path, { body: scan });
    tellScan(scan, body);
    return body;
  }

  async scanAll(gate: string, scans: Scan[]): Promise<void> {
    const path = `${DEVICE_API}/gate/${gate}/scans`;
    const answer = await this.#scanners.request<{ results: ScanResult[] }>('POST', path, { body: { scans } });
    say(`  ${scans.length} scans in one request:`);
    for (const [index, result] of answer.body.results.entries()) tellScan(scans[index]!, result);
  }
}

function tellScan({ markerCode, direction }: Scan, { outcome, trackIdentifier }: ScanResult): void {
  say(`  ${direction} scan of marker ${markerCode}: ${outcome}, pallet ${trackIdentifier ?? 'unknown'}`);
}

function findings({ cancelledManifests, manifests }: Omit<Validation, 'valid'>): string[] {
  const cancelled = cancelledManifests.map(({ manifestExternalId }) => `${manifestExternalId} is cancelled`);
  const wrong = manifests.flatMap((manifest) =>
    [
      { tracks: manifest.duplicatedTracks, what: 'of another manifest' },
      { tracks: manifest.nonExistingTracks, what: 'without a marker' },
      { tracks: manifest.deactivatedTracks, what: 'that are retired' },
    ]
      .filter(({ tracks }) => tracks.length > 0)
      .map(({ tracks, what }) => `${manifest.manifestExternalId} has pallets ${what}: ${tracks.length}`),
  );
  return [...cancelled, ...wrong];
}
