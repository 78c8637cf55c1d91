import { type SQL, sql } from 'drizzle-orm';
import type { Scope } from '../../core/lib/scope.ts';
import { entityKey } from '../../core/writer/audit-table.ts';
import { numberIn, numberOf } from '../../core/writer/numbers.ts';
import { IS_ASSET } from '../load/shared/asset-store.ts';
import type { StoredPhoto } from './store.ts';

/**
 * Store the audit record of a photo as a correction of the completed loads that show it. These are its shipment, its
 * manifest, or the manifests of its pallet, and the shipments of such manifests. The record is already in the log.
 */
export const photoCorrection = (
  scope: Scope,
  action: 'PHOTO_ADDED' | 'PHOTO_DELETED',
  { uuid, ownerUuid, ownerIdentifier }: Pick<StoredPhoto, 'uuid' | 'ownerUuid' | 'ownerIdentifier'>,
): SQL => sql`INSERT INTO loading_correction (organization_uuid, load_uuid, sequence_number)
  SELECT ${scope.organization}, d.value, ${numberIn(sql`g.id`)} + r.key FROM log_entity i CROSS JOIN log g ON g.id = i.log_id
  CROSS JOIN json_each(g.records) r ON r.value ->> 0 = ${action} AND r.value ->> 2 = ${uuid}
  CROSS JOIN (SELECT uuid FROM shipment WHERE uuid = ${ownerUuid} AND status = 'COMPLETED'
    UNION ALL SELECT uuid FROM manifest WHERE uuid = ${ownerUuid} AND manifest_status = 'COMPLETED'
    UNION ALL SELECT m.uuid FROM asset_loading a CROSS JOIN manifest m ON m.uuid = a.manifest_uuid
      WHERE a.organization_uuid = ${scope.organization} AND a.wms_id = ${ownerIdentifier} AND a.track_uuid = ${ownerUuid}
        AND m.manifest_status = 'COMPLETED' AND a.${IS_ASSET}) l
  CROSS JOIN json_each(json_array(l.uuid, (SELECT s.uuid FROM shipment_manifest h CROSS JOIN shipment s
    ON s.uuid = h.shipment_uuid AND s.status = 'COMPLETED'
    WHERE h.organization_uuid = ${scope.organization} AND h.manifest_uuid = l.uuid))) d
  WHERE i.organization_number = ${numberOf(scope)} AND i.entity_key = ${entityKey(uuid)} AND d.value IS NOT NULL
  ON CONFLICT DO NOTHING`;
