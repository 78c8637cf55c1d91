import { sql } from 'drizzle-orm';
import type { PageContext } from './action.ts';
import { type Confirmation, NOT_ASKED } from './confirmation.tsx';

interface LeftRecord {
  wmsId: string | null;
  markerCode: number | null;
  /** The shipment, or the manifest that is in no shipment. */
  load: string;
}

/**
 * The question before the record of a wrong pallet is removed from a load that has left. The removal is then a correction
 * of the proof. Records of other loads are removed without a question.
 */
export async function confirmRemoval(
  { database, words: { t } }: Pick<PageContext, 'database' | 'words'>,
  recordUuid: string,
): Promise<Confirmation> {
  const left = await database.first(sql<LeftRecord>`SELECT a.wms_id AS "wmsId", a.marker_code AS "markerCode",
      coalesce((SELECT shipment.external_identifier FROM shipment_manifest s
        CROSS JOIN shipment ON shipment.uuid = s.shipment_uuid
        WHERE s.organization_uuid = m.organization_uuid AND s.manifest_uuid = m.uuid), m.external_identifier) AS load
    FROM asset_loading a CROSS JOIN manifest m ON m.uuid = a.manifest_uuid
    WHERE a.uuid = ${recordUuid} AND +a.organization_uuid = ${database.organization}
      AND m.manifest_status = 'COMPLETED'`);
  if (!left) return NOT_ASKED;
  const { wmsId, markerCode, load } = left;
  const pallet = wmsId ?? t('gate.marker', { code: String(markerCode ?? '?') });
  return {
    title: t('removal.title', { pallet, load }),
    text: <p>{t('removal.text', { pallet, load })}</p>,
    yes: t('removal.yes'),
    no: t('ask.keep'),
  };
}
