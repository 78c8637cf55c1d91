import type { AlertEvent, LoadingRecord, Shipment } from './answers.ts';
import { say } from './output.ts';
import type { Wms } from './wms.ts';

/** A truck before its pallets are known. */
export interface Shell {
  shipment: string;
  orders: [string, string];
  /** The first gate of the truck, and the gate that it moves to. */
  gates: [string, string];
}

/** The truck of the day and its pallets. */
export interface Truck extends Shell {
  /** Marker codes of its pallets, by WMS id. */
  codes: ReadonlyMap<string, number>;
  /** The pallet with a label that no camera can read. */
  unreadable: string;
  /** The marker of a pallet that leaves tomorrow, and a marker that is on no pallet. */
  wrongCode: number;
  unknownCode: number;
}

/** Create a shipment of two manifests and assign a gate. */
export async function putTogether(wms: Wms, { shipment, orders, gates }: Shell): Promise<void> {
  const [first, second] = orders;
  await wms.ship(shipment, [first], {
    gateIdentifier: gates[0],
    notes: 'Call the driver when the last pallet is on',
    customFields: [{ fieldKey: 'carrier', fieldValue: 'Speedy Express' }],
  });
  await wms.send(
    'POST',
    `/shipment/${shipment}/manifest`,
    `attach:${second}`,
    ({ manifests }: Shipment) => `${second} attached, manifests of ${shipment}: ${manifests.length}`,
    { manifests: [{ manifestExternalId: second }] },
  );
  const field = { fieldKey: 'temperature', fieldValue: '4.5' };
  const describe = () => `${shipment} has ${field.fieldKey} ${field.fieldValue}`;
  await wms.send('POST', `/shipment/${shipment}/custom-field`, `temperature:${shipment}`, describe, field);
  const gate = gates[1];
  await wms.send('POST', `/shipment/${shipment}/gate/${gate}`, `gate:${shipment}:${gate}`, () => {
    return `${shipment} moved from ${gates[0]} to ${gate}`;
  });
}

/**
 * Scan what passes the gate, including two pallets that should not pass.
 * @returns the loading record of the pallet that leaves tomorrow
 */
export async function load(wms: Wms, truck: Truck): Promise<string> {
  const { shipment, gates, codes, unreadable, wrongCode, unknownCode } = truck;
  const gate = gates[1];
  say(`\nThe truck is loaded at ${gate}`);
  await wms.move(shipment, 'IN_PROGRESS');
  const seen = [...codes].filter(([wmsId]) => wmsId !== unreadable).map(([, code]) => code);
  const scans = [...seen.slice(0, 1), wrongCode, ...seen.slice(1), unknownCode].map((markerCode) => ({
    scanId: `${shipment}-load-${markerCode}`,
    markerCode,
    direction: 'LOAD' as const,
  }));
  await wms.scan(gate, scans[0]!);
  const { recordUuid } = await wms.scan(gate, scans[1]!);
  await wms.scanAll(gate, scans.slice(2));
  await wms.progress(shipment);

  say('\nAlerts');
  const path = `/alert-event?shipmentExternalId=${shipment}&sort.sortBy=raisedDate`;
  const { content } = await wms.read<{ content: AlertEvent[] }>(path);
  for (const { alertType, status, message } of content) say(`  ${alertType}, ${status}: ${message}`);
  if (recordUuid === null) throw new Error(`Nothing was in progress at ${gate}`);
  return recordUuid;
}

/** Remove the records of the wrong pallets, and enter by hand the pallet that no camera read. */
export async function correct(wms: Wms, truck: Truck, wrongRecord: string): Promise<void> {
  say('\nThe loading is corrected');
  const { shipment, unknownCode, unreadable } = truck;
  const records = `/shipment/${shipment}/asset-loading`;
  await wms.send('DELETE', `${records}/${wrongRecord}`, `remove:${shipment}:wrong`, () => {
    return "record of tomorrow's pallet removed";
  });
  await wms.send('DELETE', `${records}/marker/${unknownCode}`, `remove:${shipment}:unknown`, () => {
    return `record of marker ${unknownCode} removed`;
  });
  await wms.send(
    'PATCH',
    `${records}/track/${unreadable}/status`,
    `loaded:${unreadable}`,
    ({ changed }: { changed: LoadingRecord[] }) =>
      `pallet ${unreadable} set to ${changed.map((record) => record.loadingStatus).join(', ')}`,
    { status: 'LOADED', comment: 'Label torn; counted by hand' },
  );
  await wms.validate(shipment);
  await wms.progress(shipment);
}

/** Complete the shipment. Then one pallet comes off again. */
export async function leave(wms: Wms, { shipment, gates, codes }: Truck): Promise<void> {
  say('\nThe truck leaves');
  await wms.move(shipment, 'COMPLETED');
  const [[wmsId, markerCode]] = [...codes] as [[string, number]];
  say(`  the customer takes pallet ${wmsId} off`);
  await wms.scan(gates[1], { scanId: `${shipment}-offload-${markerCode}`, markerCode, direction: 'OFFLOAD' });
  await wms.progress(shipment);
}
