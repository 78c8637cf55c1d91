/** A scan as the client sends it. */
export interface Scan {
  scanId: string;
  markerCode: number;
  direction: string;
}

/** A scan with the rows that it refers to. */
interface ResolvedScan {
  scanId: string;
  markerCode: number;
  direction: string;
  trackUuid: string;
  recordUuid: string;
  manifestUuid: string;
  shipmentUuid: string;
}

/** The log records and events of a command. */
export interface LogEntries {
  entries: object[];
  events: object[];
}

/** Size of a resource in an event: a loading record with its track, or a manifest. */
const EVENT_BYTES = 900;
export const PADDING = 'x'.repeat(EVENT_BYTES);
/** Pallets in each manifest of the shipments that only change their status. */
const MOVED_PALLETS = 3;

/** Read all rows that scans depend on, in one round trip. */
export async function readScans(
  session: D1DatabaseSession,
  organization: string,
  scans: Scan[],
): Promise<ResolvedScan[]> {
  const list = JSON.stringify(scans);
  const [seen, found] = await session.batch([
    session
      .prepare(
        `SELECT scan_id FROM scan WHERE organization = ?1
          AND scan_id IN (SELECT json_extract(value, '$.scanId') FROM json_each(?2))`,
      )
      .bind(organization, list),
    session
      .prepare(
        `SELECT json_extract(s.value, '$.scanId') AS scanId, t.marker_code AS markerCode,
            json_extract(s.value, '$.direction') AS direction, t.uuid AS trackUuid, r.uuid AS recordUuid,
            m.uuid AS manifestUuid, m.shipment_uuid AS shipmentUuid
          FROM json_each(?2) s
          CROSS JOIN track t ON t.organization = ?1 AND t.marker_code = json_extract(s.value, '$.markerCode')
          CROSS JOIN loading_record r ON r.organization = ?1 AND r.wms_id = t.wms_id
          CROSS JOIN manifest m ON m.uuid = r.manifest_uuid AND m.status = 'IN_PROGRESS'
          ORDER BY s.key`,
      )
      .bind(organization, list),
  ]);
  const before = new Set((seen!.results as { scan_id: string }[]).map(({ scan_id }) => scan_id));
  return (found!.results as unknown as ResolvedScan[]).filter(({ scanId }) => !before.has(scanId));
}

/** The statements for scans, without log, events and answer. */
export function scanWrites(
  session: D1DatabaseSession,
  organization: string,
  scans: ResolvedScan[],
  now: number,
) {
  const list = JSON.stringify(scans.map((scan) => ({ ...scan, activityUuid: crypto.randomUUID() })));
  const write = (text: string) => session.prepare(text).bind(organization, list, now);
  return [
    write(`UPDATE loading_record SET loading_status = json_extract(s.value, '$.direction') || 'ED', loading_date = ?3,
        update_date = ?3 FROM json_each(?2) s
      WHERE loading_record.uuid = json_extract(s.value, '$.recordUuid') AND +organization = ?1`),
    write(`INSERT INTO activity (uuid, track_uuid, activity_type, create_date)
      SELECT json_extract(value, '$.activityUuid'), json_extract(value, '$.trackUuid'),
        json_extract(value, '$.direction') || 'ED', ?3 FROM json_each(?2)`),
    write(`UPDATE track SET last_seen_date = ?3 FROM json_each(?2) s
      WHERE track.uuid = json_extract(s.value, '$.trackUuid') AND +organization = ?1`),
    write(`UPDATE manifest SET update_date = ?3 WHERE +organization = ?1
      AND uuid IN (SELECT json_extract(value, '$.manifestUuid') FROM json_each(?2))`),
    write(`UPDATE shipment SET update_date = ?3 WHERE +organization = ?1
      AND uuid IN (SELECT json_extract(value, '$.shipmentUuid') FROM json_each(?2))`),
    write(`INSERT INTO scan (organization, scan_id, marker_code, direction, record_uuid, create_date)
      SELECT ?1, json_extract(value, '$.scanId'), json_extract(value, '$.markerCode'),
        json_extract(value, '$.direction'), json_extract(value, '$.recordUuid'), ?3 FROM json_each(?2)`),
  ];
}

/** A log record for the batch and one for each loading record; an event for each loading record. */
export const entriesOfScans = (scans: ResolvedScan[]): LogEntries => ({
  entries: [
    { action: 'SCANS_RECORDED', scans: scans.map(({ scanId, markerCode }) => ({ scanId, markerCode })) },
    ...scans.map(({ recordUuid, direction }) => ({ action: 'STATUS_CHANGED', recordUuid, direction })),
  ],
  events: scans.map(({ recordUuid }) => ({ eventType: 'STATUS_CHANGED', recordUuid, data: PADDING })),
});

/**
 * Insert a shipment in progress with `manifests` manifests of `pallets` pallets. Their codes begin at
 * `first + 1`. Also insert `moved` shipments whose status will change. Each has one manifest with three
 * pallets.
 */
export async function seedDispatch(
  db: D1Database,
  organization: string,
  { manifests, pallets, first, moved }: { manifests: number; pallets: number; first: number; moved: number },
): Promise<void> {
  const numbers = (count: number) =>
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  const insert = (table: string, columns: string, values: string, count: number) =>
    db
      .prepare(
        `INSERT INTO ${table} (organization, ${columns}) ${numbers(count)} SELECT ?1, ${values} FROM n`,
      )
      .bind(organization);
  const member = `'M${first}-' || ((i - 1) / ${pallets})`;
  await db.batch([
    insert('shipment', 'uuid, status, update_date', `'S${first}', 'IN_PROGRESS', 0`, 1),
    insert(
      'manifest',
      'uuid, shipment_uuid, status, gate, update_date',
      `'M${first}-' || (i - 1), 'S${first}', 'IN_PROGRESS', 'G', 0`,
      manifests,
    ),
    insert(
      'track',
      'uuid, wms_id, marker_code, create_date',
      `'T' || (${first} + i), 'P' || (${first} + i), ${first} + i, 0`,
      manifests * pallets,
    ),
    insert(
      'loading_record',
      'uuid, manifest_uuid, wms_id, loading_status, update_date',
      `'R' || (${first} + i), ${member}, 'P' || (${first} + i), 'NOT_LOADED', 0`,
      manifests * pallets,
    ),
    insert('shipment', 'uuid, status, update_date', `'MOVED' || (${first} + i), 'TO_DO', 0`, moved),
    insert(
      'manifest',
      'uuid, shipment_uuid, status, gate, update_date',
      `'MEMBER' || (${first} + i), 'MOVED' || (${first} + i), 'TO_DO', 'G', 0`,
      moved,
    ),
    insert(
      'loading_record',
      'uuid, manifest_uuid, wms_id, loading_status, update_date',
      `'X' || (${first} + i), 'MEMBER' || (${first} + (i - 1) / ${MOVED_PALLETS} + 1), 'X' || (${first} + i),
        'NOT_LOADED', 0`,
      moved * MOVED_PALLETS,
    ),
  ]);
}
