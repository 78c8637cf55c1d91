import { checkDigit } from '../../../src/pallet/gs1.ts';
import type { Tenant } from '../client.ts';

export const LONG = 'W'.repeat(255);
export const TEXTS = [
  '<script>document.title = "taken over"</script>',
  'منصة نقالة ١٢',
  'Παλέτα 7 — Поддон',
  '\u202e reversed',
  LONG,
];

/** Sends a request that must succeed. */
const sender =
  (tenant: Tenant) =>
  async (method: string, path: string, json?: unknown): Promise<Record<string, string>> => {
    const answer = await tenant.send({ method, path, ...(json === undefined ? {} : { json }) });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.json ?? {};
  };

/** Completes shipment SH-1 with 7 of its 30 pallets. Returns the URL of its summary. */
export async function leftShort(tenant: Tenant): Promise<string> {
  const must = sender(tenant);
  const pallets = Array.from({ length: 30 }, (_, index) => {
    const digits = `39521234900000${String(index).padStart(3, '0')}`;
    return digits + checkDigit(digits);
  });
  for (const wmsId of pallets.slice(0, 7)) {
    await must('POST', '/track/get-and-couple?imageDelivery=URL', { wmsId });
  }
  await must('POST', '/manifest', { externalIdentifier: 'ORD-1', assets: pallets.slice(0, 14) });
  await must('POST', '/manifest', { externalIdentifier: 'ORD-2', assets: pallets.slice(14) });
  const fields = { carrier: 'Speedy Express', plate: 'BX-660-P', seal: 'NL 4478102' };
  await must('POST', '/shipment', {
    identifier: 'SH-1',
    gateIdentifier: 'G1',
    manifests: ['ORD-1', 'ORD-2'].map((manifestExternalId) => ({ manifestExternalId })),
    customFields: Object.entries(fields).map(([fieldKey, fieldValue]) => ({ fieldKey, fieldValue })),
  });
  await must('POST', '/shipment/SH-1/status/IN_PROGRESS');
  for (const pallet of pallets.slice(0, 7)) {
    await must('PATCH', `/shipment/SH-1/asset-loading/track/${pallet}/status`, { status: 'LOADED' });
  }
  await must('POST', '/shipment/SH-1/status/COMPLETED');
  return (await must('GET', '/shipment/SH-1'))['shipmentSummaryUrl']!;
}

/**
 * Completes a shipment of two manifests with texts of every kind, and corrects it afterwards. Returns the URL of its
 * summary.
 */
export async function dispatched(tenant: Tenant): Promise<string> {
  const must = sender(tenant);
  for (const wmsId of [...TEXTS, '340123450000000017', '340123450000000024']) {
    await must('POST', '/track/get-and-couple?imageDelivery=URL', { wmsId });
  }
  await must('POST', '/manifest', { externalIdentifier: 'ORDER-1', assets: ['340123450000000017'] });
  const assets = [...TEXTS, '340123450000000024'];
  await must('POST', '/manifest', { externalIdentifier: LONG, assets });
  const manifests = ['ORDER-1', LONG].map((manifestExternalId) => ({ manifestExternalId }));
  await must('POST', '/shipment', { identifier: TEXTS[0], gateIdentifier: 'G1', manifests });
  const path = `/shipment/${encodeURIComponent(TEXTS[0]!)}`;
  await must('POST', `${path}/status/IN_PROGRESS`);
  const load = (wmsId: string) =>
    must('PATCH', `${path}/asset-loading/track/${encodeURIComponent(wmsId)}/status`, { status: 'LOADED' });
  await load('340123450000000017');
  await load(LONG);
  await must('POST', `${path}/status/COMPLETED`);
  await load('340123450000000024');
  return (await must('GET', path))['shipmentSummaryUrl']!;
}
