import { expect } from 'vitest';
import { storedState } from '../../../contract/state.ts';
import { type Dock, newDock } from '../load/shipment/dock.ts';

/** A request, its status and problem code, and its items as `field: code`, if there are any. */
export type Refused = [
  method: string,
  path: string,
  json: unknown,
  status: number,
  code: string,
  items?: string[],
];

export const by = (...ids: string[]) => ids.map((manifestExternalId) => ({ manifestExternalId }));
export const item = (index: number, code: string, name = 'manifestExternalId') =>
  `manifests[${index}].${name}: ${code}`;
/** A uuid that belongs to no thing. */
export const UUID = '01890000-0000-7000-8000-000000000000';

/**
 * Creates a dock with things in every state. Shipment S (TO_DO, no gate) holds M. Shipment L is in progress at G: it
 * holds LM with pallet A and an invalid record of B. DONE is completed and OFF is cancelled, each with one manifest.
 * P and Q are planned, R is TO_DO, X is cancelled, GONE is deleted.
 */
export async function everyKind(): Promise<Dock> {
  const dock = await newDock({
    shipmentCustomFields: [
      { fieldKey: 'carrier', fieldType: 'TEXT' },
      { fieldKey: 'weight', fieldType: 'NUMBER' },
    ],
  });
  await dock.couple('A', 'B');
  for (const id of ['M', 'LM', 'DM', 'OM', 'P', 'Q', 'R', 'X', 'GONE']) await dock.manifest(id, 'A');
  await dock.shipment('S', ['M']);
  await dock.shipment('L', ['LM'], { gateIdentifier: 'G' });
  await dock.shipment('DONE', ['DM'], { gateIdentifier: 'H' });
  await dock.shipment('OFF', ['OM'], { gateIdentifier: 'H' });
  for (const path of [
    'L/status/IN_PROGRESS',
    'DONE/status/IN_PROGRESS',
    'DONE/status/COMPLETED',
    'OFF/status/CANCELLED',
  ]) {
    await dock.must('POST', `/shipment/${path}`);
  }
  await dock.must('POST', '/manifest/R/status/TO_DO');
  await dock.must('POST', '/manifest/X/status/CANCELLED');
  await dock.must('DELETE', '/manifest/GONE');
  expect((await dock.scan('B')).body.outcome).toBe('WRONGLY_LOADED');
  return dock;
}

/** Checks that each request is refused like this, and that none changes anything. */
export async function expectRefused(dock: Dock, requests: Refused[]): Promise<void> {
  const before = await storedState(dock);
  for (const [method, path, json, status, code, items] of requests) {
    const answer = await dock.call(method, path, json);
    const what = `${method} ${path} ${JSON.stringify(json)}`;
    expect([what, answer.status, answer.body?.code]).toEqual([what, status, code]);
    if (!items) continue;
    const shown = answer.body.errors.map(
      (error: { field: string; code: string }) => `${error.field}: ${error.code}`,
    );
    expect([what, shown]).toEqual([what, items]);
  }
  expect(await storedState(dock)).toEqual(before);
}
