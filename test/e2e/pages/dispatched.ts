import type { Tenant } from '../client.ts';

export const LONG = 'W'.repeat(255);
export const TEXTS = [
  '<script>document.title = "taken over"</script>',
  'منصة نقالة ١٢',
  'Παλέτα 7 — Поддон',
  '\u202e reversed',
  LONG,
];

/**
 * Completes a shipment of two manifests with texts of every kind, and corrects it afterwards. Returns the URL of its
 * summary.
 */
export async function dispatched(tenant: Tenant): Promise<string> {
  const must = async (method: string, path: string, json?: unknown): Promise<Record<string, string>> => {
    const answer = await tenant.send({ method, path, ...(json === undefined ? {} : { json }) });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.json ?? {};
  };
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
