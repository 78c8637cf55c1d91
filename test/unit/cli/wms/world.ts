import { palletSscc } from '../../../../src/cli/demo/sscc.ts';
import type { Found, Plan } from '../../../../src/cli/wms/check-row.ts';
import type { WmsOrder } from '../../../../src/cli/wms/export.ts';
import { palletsOf, scansOf, shipmentsOf } from '../../../../src/cli/wms/shipments.ts';

export const CODE_START = 1_000;

/** An order with a number of pallets. */
export function orderOf(
  id: string,
  shippedDay: string | undefined,
  shipperId: string,
  pallets: number,
): WmsOrder {
  return {
    manifestId: `ORDER-${id}`,
    shippedDay,
    shipper: { id: shipperId, name: `Shipper ${shipperId}` },
    gateId: `GATE-${shipperId}`,
    fields: [{ fieldKey: 'customer', fieldValue: `Customer of ${id}` }],
    pallets: Array.from({ length: pallets }, (_, index) => ({
      sscc: palletSscc(id, String(index + 1)),
      fields: [{ fieldKey: 'product', fieldValue: String(index + 1) }],
    })),
  };
}

/** The plan for orders, with consecutive marker codes. */
export function planOf(orders: WmsOrder[]): Plan & { codes: Map<string, number> } {
  const pallets = orders.flatMap((order) => order.pallets.map((pallet) => pallet.sscc));
  const codes = new Map(pallets.map((sscc, index) => [sscc, CODE_START + index]));
  const shipments = shipmentsOf(orders);
  const gates = [...new Set(orders.map((order) => order.gateId))].map((externalIdentifier) => ({
    externalIdentifier,
    name: externalIdentifier,
  }));
  return { orders, gates, shipments, scans: scansOf(shipments, codes), markerCodeStart: CODE_START, codes };
}

const pages = { deepLink: '', proofOfShipmentUrl: null };
const dates = (shipped: boolean) => ({
  activateDate: shipped ? 'then' : null,
  closeDate: shipped ? 'later' : null,
});

/** The data of a service that matches a plan. */
export function foundOf(plan: ReturnType<typeof planOf>): Found {
  const { orders, shipments, codes } = plan;
  const lines = orders.flatMap((order) => order.pallets.map((pallet) => ({ order, ...pallet })));
  const statusOf = ({ shippedDay }: WmsOrder) => (shippedDay ? 'LOADED' : 'NOT_LOADED');
  const counts = (pallets: number, loaded: number) => ({
    tracksCount: pallets,
    totalAssetsCount: pallets,
    loadedAssetsCount: loaded,
  });
  const gateOf = ({ shippedDay, gateId }: WmsOrder) => (shippedDay ? { externalIdentifier: gateId } : null);
  const reference = (order: WmsOrder) => ({ manifestExternalId: order.manifestId, manifestUuid: '' });
  return {
    manifests: orders.map((order) => ({
      ...pages,
      ...dates(order.shippedDay !== undefined),
      ...counts(order.pallets.length, order.shippedDay ? order.pallets.length : 0),
      externalIdentifier: order.manifestId,
      manifestStatus: order.shippedDay ? 'COMPLETED' : 'PLANNED',
      gate: gateOf(order),
      customFields: order.fields,
      validationErrors: null,
    })),
    shipments: shipments.map((shipment) => ({
      ...pages,
      ...dates(true),
      ...counts(palletsOf(shipment).length, palletsOf(shipment).length),
      externalIdentifier: shipment.shipmentId,
      status: 'COMPLETED',
      gate: { externalIdentifier: shipment.gateId },
      manifests: shipment.orders.map(reference),
      customFields: shipment.fields,
    })),
    tracks: lines.map(({ order, sscc, fields }) => ({
      uuid: sscc,
      wmsId: sscc,
      markerCode: codes.get(sscc)!,
      markerImageUrl: '',
      trackStatus: 'ACTIVE',
      deepLink: '',
      customFields: fields,
      manifests: [{ manifestExternalId: order.manifestId, loadingStatus: statusOf(order) }],
    })),
    alerts: [...plan.scans].flatMap(([shipmentExternalId, scans]) =>
      scans
        .filter((scan) => scan.outcome !== 'LOADED')
        .map(({ outcome, sscc, markerCode }) => ({
          alertType: outcome,
          status: 'RESOLVED',
          message: '',
          trackIdentifier: sscc,
          markerCode,
          shipmentExternalId,
        })),
    ),
    gates: plan.gates.map(({ externalIdentifier }) => ({
      externalIdentifier,
      status: 'AVAILABLE',
      openAlertsCount: 0,
    })),
    assets: new Map(
      orders.map((order) => [
        order.manifestId,
        order.pallets.map(({ sscc }) => ({
          trackIdentifier: sscc,
          track: { wmsId: sscc, markerCode: codes.get(sscc)! },
          loadingStatus: statusOf(order),
          gate: gateOf(order),
        })),
      ]),
    ),
    records: new Map(
      shipments.map((shipment) => [
        shipment.shipmentId,
        shipment.orders.flatMap((order) =>
          order.pallets.map(({ sscc }) => ({
            recordUuid: sscc,
            trackIdentifier: sscc,
            loadingStatus: 'LOADED',
            gate: gateOf(order),
            manifest: reference(order),
          })),
        ),
      ]),
    ),
    totals: new Map([
      ['manifest?manifestStatus=COMPLETED', orders.filter((order) => order.shippedDay).length],
      ['manifest?manifestStatus=PLANNED', orders.filter((order) => !order.shippedDay).length],
      ['manifest?manifestStatus=TO_DO,IN_PROGRESS,CANCELLED', 0],
      ['shipment?status=COMPLETED', shipments.length],
      ['shipment?status=PLANNED,TO_DO,IN_PROGRESS,CANCELLED', 0],
      ['alert-event?status=OPEN', 0],
    ]),
  };
}
