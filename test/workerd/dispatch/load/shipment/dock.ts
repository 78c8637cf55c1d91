import { type Answer, newGate, newTenant, type Tenant } from '../../../client.ts';

/** A tenant that dispatches by shipment, with gate G, pallets and cameras. */
export interface Dock extends Tenant {
  /** Marker codes by WMS id. */
  codes: Record<string, number>;
  /** Sends a request and expects success. */
  must(method: string, path: string, json?: unknown): Promise<Answer>;
  couple(...wmsIds: string[]): Promise<void>;
  /** Creates a PLANNED manifest. */
  manifest(externalIdentifier: string, ...assets: string[]): Promise<void>;
  /** Creates a shipment of these manifests. */
  shipment(identifier: string, manifests: string[], more?: object): Promise<void>;
  /** Reports a scan at G of a WMS id or a marker code. */
  scan(pallet: string | number, direction?: string, more?: object): Promise<Answer>;
}

let scans = 0;

/** Creates such a tenant. */
export async function newDock(settings: Record<string, unknown> = {}): Promise<Dock> {
  const tenant = await newTenant(settings);
  await newGate(tenant, 'G');
  await newGate(tenant, 'H');
  const codes: Record<string, number> = {};
  const must = async (...args: Parameters<Tenant['call']>): Promise<Answer> => {
    const answer = await tenant.call(...args);
    if (answer.status >= 300) throw new Error(`${args.join(' ')}: ${JSON.stringify(answer.body)}`);
    return answer;
  };
  return {
    ...tenant,
    codes,
    must,
    async couple(...wmsIds) {
      for (const wmsId of wmsIds) {
        const { body } = await must('POST', '/track/get-and-couple?imageDelivery=URL', { wmsId });
        codes[wmsId] = body.markerCode;
      }
    },
    async manifest(externalIdentifier, ...assets) {
      await must('POST', '/manifest', { externalIdentifier, assets });
    },
    async shipment(identifier, manifests, more = {}) {
      await must('POST', '/shipment', {
        identifier,
        manifests: manifests.map((manifestExternalId) => ({ manifestExternalId })),
        ...more,
      });
    },
    scan(pallet, direction = 'LOAD', more = {}) {
      scans += 1;
      const markerCode = typeof pallet === 'number' ? pallet : codes[pallet];
      return tenant.device('POST', '/gate/G/scan', {
        scanId: `scan-${scans}`,
        markerCode,
        direction,
        ...more,
      });
    },
  };
}

/** The uuid of the loading record of a pallet on a manifest. */
export const recordUuidOf = async (dock: Dock, pallet: string, manifest = 'M'): Promise<string> =>
  (await dock.must('GET', `/manifest/${manifest}/asset-loading`)).body.find(
    ({ trackIdentifier }: { trackIdentifier: string }) => trackIdentifier === pallet,
  ).uuid;

/** A dock with shipment S in progress at G. Its manifests are M (A, B) and N (B, C). */
export async function loadingDock(settings: Record<string, unknown> = {}): Promise<Dock> {
  const dock = await newDock(settings);
  await dock.couple('A', 'B', 'C', 'X');
  await dock.manifest('M', 'A', 'B');
  await dock.manifest('N', 'B', 'C');
  await dock.shipment('S', ['M', 'N'], { gateIdentifier: 'G' });
  await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
  return dock;
}
