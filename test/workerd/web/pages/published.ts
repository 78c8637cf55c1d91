import { call } from '../../client.ts';
import { type Dock, newDock } from '../../dispatch/load/shipment/dock.ts';
import { unescaped } from '../../markup.ts';

/** The addresses of the pages of a completed shipment or manifest. */
export interface Addresses {
  summary: string;
  document: string;
  data: string;
}

/** Returns the public addresses of a shipment or manifest. */
export async function addressesOf(
  dock: Pick<Dock, 'must'>,
  kind: 'shipment' | 'manifest',
  identifier: string,
): Promise<Addresses> {
  const { body } = await dock.must('GET', `/${kind}/${encodeURIComponent(identifier)}`);
  return {
    summary: body.shipmentSummaryUrl,
    document: body.proofOfShipmentUrl,
    data: body.proofOfShipmentUrl.replace(/pdf$/, 'json'),
  };
}

const decoder = new TextDecoder();

/** Returns the HTML of a page. */
export async function pageOf(url: string): Promise<string> {
  const answer = await call('GET', url);
  if (answer.status !== 200) throw new Error(`${answer.status} of ${url}`);
  return decoder.decode(answer.body);
}

/** The text of a page without markup. Each run of white space becomes one space. */
export const saidBy = (html: string): string =>
  unescaped(html.replace(/<head>.*<\/head>/s, '').replace(/<[^>]+>/g, ' ')).replace(/\s+/g, ' ');

/**
 * Creates a completed shipment S of the manifests M (A, B, C), N (D) and O (E). O was cancelled, and most of them
 * have problems.
 */
export async function departed(): Promise<Dock> {
  const dock = await newDock({ name: 'Acme Foods' });
  await dock.couple('A', 'B', 'C', 'D', 'E', 'X');
  await dock.manifest('M', 'A', 'B', 'C', 'uncoupled');
  await dock.manifest('N', 'D');
  await dock.manifest('O', 'E');
  await dock.shipment('S', ['M', 'N', 'O'], { gateIdentifier: 'G', notes: 'SECRET NOTE' });
  await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
  for (const pallet of ['A', 'B', 'E']) await dock.scan(pallet);
  await dock.scan('B', 'UNLOAD');
  await dock.scan('A', 'LOAD', { damaged: true });
  await dock.scan('X');
  await dock.scan(4_711);
  await dock.must('POST', '/manifest/O/status/CANCELLED');
  await dock.must('POST', '/shipment/S/status/COMPLETED');
  return dock;
}
