import type { Draw, Seen, Sent } from './draw.ts';
import { newWebhook } from './inputs-floor.ts';

/** The input for an organization that dispatches by shipment. All have the same first code. */
export const organizationOf = (index: number) => ({
  name: 'Acme',
  slug: `acme-${index}`,
  database: 'DB',
  dispatchStrategy: 'SHIPMENT',
  sandbox: false,
  clientFeatureEnabled: true,
  // The second organization cannot give all pallets of a load their markers at once.
  markerAllocationMaximum: index === 0 ? 100 : 4,
  markerCodeStart: 1_000,
  requestsPerMinute: 100,
  deviceOfflineAfterSeconds: 300,
  retentionDays: null,
  timeZone: 'UTC',
  gateWorkerIdentification: 'NONE',
  labelSize: 'A4',
  quietFrom: null,
  quietTo: null,
  shipmentCustomFields: [
    { fieldKey: 'lane', fieldType: 'TEXT', role: null },
    { fieldKey: 'weight', fieldType: 'NUMBER', role: null },
  ],
});

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** The first commands of an organization. They create data that later commands can conflict about. */
export async function beginning(draw: Draw, seen: Seen): Promise<Sent[]> {
  return [
    ...numbers(3).map((number): Sent => {
      const input = { externalIdentifier: `G${number}`, name: `Gate ${number}`, localManagerUuid: undefined };
      return { name: 'putGate', input };
    }),
    ...numbers(4).map((quantity): Sent => ({ name: 'allocateMarkers', input: { quantity } })),
    { name: 'createDevice', input: { deviceType: 'SCANNER', name: 'Scanner 1' } },
    await newWebhook(draw, seen, []),
    ...numbers(10).map((number): Sent => {
      const input = { wmsId: `P${number}`, customFields: [], clientId: null };
      return { name: 'allocateAndCouple', input };
    }),
    ...numbers(6).map((number): Sent => {
      const input = {
        externalIdentifier: `M${number}`,
        manifestStatus: 'PLANNED' as const,
        gateExternalId: null,
        customFields: [],
        assets: draw.some(
          numbers(12).map((one) => `P${one}`),
          40,
        ),
      };
      return { name: 'createManifest', input };
    }),
  ];
}
