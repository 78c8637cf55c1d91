import { counting, type Found, matching, type Plan, type Row, sameCounts, sameFields } from './check-row.ts';
import { palletsOf } from './shipments.ts';

/** Compare shipments with the days and shippers of the export. */
export function shipmentRows({ shipments }: Plan, found: Found): Row[] {
  const wanted = new Map(shipments.map((shipment) => [shipment.shipmentId, shipment]));
  const asExported = found.shipments.filter((shipment) => {
    const planned = wanted.get(shipment.externalIdentifier);
    const pallets = planned === undefined ? 0 : palletsOf(planned).length;
    return (
      planned !== undefined &&
      shipment.status === 'COMPLETED' &&
      shipment.gate?.externalIdentifier === planned.gateId &&
      shipment.activateDate !== null &&
      shipment.closeDate !== null &&
      sameCounts(shipment, pallets, pallets) &&
      sameFields(shipment.customFields, planned.fields)
    );
  });
  const memberships = (group: Iterable<readonly [string, readonly string[]]>): string[] =>
    [...group].flatMap(([shipmentId, members]) => members.map((member) => `${shipmentId} ${member}`));
  const attached = memberships(
    found.shipments.map((shipment) => [
      shipment.externalIdentifier,
      shipment.manifests.map((manifest) => manifest.manifestExternalId),
    ]),
  );
  const planned = memberships(
    shipments.map(({ shipmentId, orders }) => [shipmentId, orders.map((order) => order.manifestId)]),
  );
  return [
    counting('shipments', shipments.length, found.shipments.length),
    matching(
      '  COMPLETED with gate, dates, counts, fields',
      wanted.keys(),
      asExported.map((shipment) => shipment.externalIdentifier),
    ),
    counting('manifests in shipments', planned.length, attached.length),
    matching('  in the shipment of their day and shipper', planned, attached),
    counting(
      'pallets LOADED, as shipments count them',
      shipments.reduce((total, shipment) => total + palletsOf(shipment).length, 0),
      found.shipments.reduce((total, shipment) => total + shipment.loadedAssetsCount, 0),
    ),
  ];
}

/** Compare the pallets to load with the loading records of shipments. There must be no other records. */
export function recordRows({ shipments }: Plan, { records }: Found): Row[] {
  const wanted = shipments.flatMap(({ shipmentId, gateId, orders }) =>
    orders.flatMap(({ manifestId, pallets }) =>
      pallets.map(({ sscc }) => [shipmentId, manifestId, gateId, sscc].join(' ')),
    ),
  );
  const listed = [...records].flatMap(([shipmentId, found]) =>
    found.map((record) => ({ ...record, shipmentId })),
  );
  const loaded = listed
    .filter((record) => record.loadingStatus === 'LOADED')
    .map(({ shipmentId, manifest, gate, trackIdentifier }) =>
      [shipmentId, manifest.manifestExternalId, gate?.externalIdentifier, trackIdentifier].join(' '),
    );
  return [
    counting('loading records of shipments', wanted.length, listed.length),
    matching('  LOADED on their manifest at their gate', wanted, loaded),
  ];
}

/** Compare the scans of wrong pallets with the alerts. */
export function alertRows({ scans }: Plan, { alerts }: Found): Row[] {
  const wanted = [...scans].flatMap(([shipmentId, planned]) =>
    planned
      .filter((scan) => scan.outcome !== 'LOADED')
      .map(({ outcome, sscc, markerCode }) => [outcome, shipmentId, sscc ?? '', markerCode].join(' ')),
  );
  const resolved = alerts
    .filter((alert) => alert.status === 'RESOLVED')
    .map(({ alertType, shipmentExternalId, trackIdentifier, markerCode }) =>
      [alertType, shipmentExternalId, trackIdentifier ?? '', markerCode].join(' '),
    );
  return [
    counting('alerts', wanted.length, alerts.length),
    matching('  RESOLVED, for each pallet that was wrong', wanted, resolved),
  ];
}

/** No gate is loading, and no alert is open. */
export function gateRows({ gates: wanted }: Plan, { gates }: Found): Row[] {
  const quiet = gates.filter((gate) => gate.status === 'AVAILABLE' && gate.openAlertsCount === 0);
  return [
    matching(
      'gates AVAILABLE, without an open alert',
      wanted.map((gate) => gate.externalIdentifier),
      quiet.map((gate) => gate.externalIdentifier),
    ),
  ];
}
