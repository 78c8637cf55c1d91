import { type Answer, newGate, newTenant, type Tenant } from '../../client.ts';

/** A tenant that dispatches by shipment, with a gate G, its pallets, and cameras that report. */
export interface Dock extends Tenant {
  /** Marker code by WMS id. */
  codes: Record<string, number>;
  /** Send it, and expect success. */
  must(method: string, path: string, json?: unknown): Promise<Answer>;
  /** Couple pallets. */
  couple(...wmsIds: string[]): Promise<void>;
  /** Create a PLANNED manifest. */
  manifest(externalIdentifier: string, ...assets: string[]): Promise<void>;
  /** Create a shipment of manifests. */
  shipment(identifier: string, manifests: string[], more?: object): Promise<void>;
  /** Scan at G: a WMS id, or a marker code. */
  scan(pallet: string | number, direction?: string, more?: object): Promise<Answer>;
}

let scans = 0;

/** Provision it. */
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

/** A dock with shipment S of manifests M (pallets A, B) and N (pallets B, C) in progress at G. */
export async function loadingDock(): Promise<Dock> {
  const dock = await newDock();
  await dock.couple('A', 'B', 'C', 'X');
  await dock.manifest('M', 'A', 'B');
  await dock.manifest('N', 'B', 'C');
  await dock.shipment('S', ['M', 'N'], { gateIdentifier: 'G' });
  await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
  return dock;
}
