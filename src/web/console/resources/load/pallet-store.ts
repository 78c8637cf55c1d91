import { sql } from 'drizzle-orm';
import type { GateReference } from '../../../../dispatch/gate/rules.ts';
import { gateReferenceView } from '../../../../dispatch/gate/store.ts';
import { trackOfRecord } from '../../../../dispatch/load/shared/asset-store.ts';

/** A pallet of a load, as pages show it. Dates are epoch milliseconds. */
export interface ShownPallet {
  recordUuid: string;
  /** Null for an unknown marker. */
  wmsId: string | null;
  loadingStatus: string;
  date: number | null;
  manifestUuid: string;
  manifestExternalId: string;
  gate: GateReference | null;
  markerCode: number | null;
  track: { uuid: string; markerCode: number; flagged: 0 | 1; damaged: 0 | 1 | null } | null;
}

/** SQL: JSON of record `a` of `manifest`. */
export const palletView = sql<ShownPallet>`json_object('recordUuid', a.uuid, 'wmsId', a.wms_id,
  'loadingStatus', a.loading_status, 'date', a.loading_date, 'manifestUuid', manifest.uuid,
  'manifestExternalId', manifest.external_identifier, 'markerCode', a.marker_code,
  'gate', ${gateReferenceView(sql`a.organization_uuid`, sql`a.gate_uuid`)},
  'track', json((SELECT json_object('uuid', track.uuid, 'markerCode', track.marker_code, 'flagged', track.flagged,
      'damaged', track.damaged)
    FROM track WHERE track.uuid = ${trackOfRecord} AND track.organization_uuid = a.organization_uuid)))`;
