import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import { text } from '../../../core/http/schema.ts';
import { refuseMissing, write } from '../../../core/http/write.ts';
import type { Database } from '../../../core/lib/database.ts';
import { newUuid } from '../../../core/lib/id.ts';
import { markLoading } from '../../../dispatch/loading/commands.ts';
import type { ScanOutcome } from '../../../dispatch/loading/gate-view-rules.ts';
import { recordScans } from '../../../dispatch/loading/scan-commands.ts';
import type { Words } from '../../../messages/words.ts';
import { readScan } from '../assets/modules/scan-text.js';
import { type ActionResult, action } from '../kit/action.ts';
import { refuseInWords } from '../kit/language.ts';
import { beginByBadge } from '../tablet/at-gate.ts';
import { shipmentOfManifest } from './store.ts';

const scanForm = z.object({
  scan: text(1, 255),
  /** An id from the device, so that a scan that is sent again counts once. */
  scanId: text(1, 100).optional(),
  /** The time of the scan, which may be earlier than the time of sending. */
  scanDate: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional(),
});

interface Expected {
  recordUuid: string;
  manifestUuid: string;
  manifestExternalId: string;
  shipmentUuid: string | null;
  wmsId: string;
}

/**
 * The possible meanings of a scan at a gate: a pallet with a marker, or an expected pallet without a marker.
 * `isPallet`: the text is the id or marker of a pallet.
 */
async function meantBy(database: Database, gateUuid: string, ids: readonly string[], marker: number | null) {
  const { organization } = database;
  const named = sql`IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  const { gates, live, marked, expected } = await database.ask({
    gates: sql<{ externalIdentifier: string }>`SELECT external_identifier AS "externalIdentifier" FROM gate
      WHERE uuid = ${gateUuid} AND +organization_uuid = ${organization} AND deleted_date IS NULL`,
    live: sql<{
      wmsId: string;
      markerCode: number;
    }>`SELECT wms_id AS "wmsId", marker_code AS "markerCode" FROM track
      WHERE organization_uuid = ${organization} AND wms_id ${named} AND deleted_date IS NULL AND retirement <> 'RETIRED'`,
    marked: sql<{ marked: 1 }>`SELECT 1 AS marked FROM track WHERE organization_uuid = ${organization}
      AND marker_code = ${marker} AND deleted_date IS NULL AND retirement <> 'RETIRED'`,
    expected: sql<Expected>`SELECT a.uuid AS "recordUuid", m.uuid AS "manifestUuid", a.wms_id AS "wmsId",
        m.external_identifier AS "manifestExternalId", ${shipmentOfManifest} AS "shipmentUuid"
      FROM manifest m CROSS JOIN asset_loading a ON a.organization_uuid = m.organization_uuid
        AND a.manifest_uuid = m.uuid AND a.wms_id ${named}
        AND a.loading_status IN ('NOT_LOADED', 'LOADED', 'UNLOADED', 'OFFLOADED')
      WHERE m.organization_uuid = ${organization} AND m.gate_uuid = ${gateUuid}
        AND m.manifest_status = 'IN_PROGRESS' AND m.deleted_date IS NULL LIMIT 1`,
  });
  const track = ids.map((id) => live.find(({ wmsId }) => wmsId === id)).find(Boolean);
  const isPallet = track !== undefined || expected.length > 0 || marked.length > 0;
  return { gate: gates[0], track, record: expected[0], isPallet };
}

/**
 * Process a scan at the gate of the page, in the user's name. It counts like a scan of a camera. If the
 * pallet has no marker yet, it marks the pallet's record instead.
 */
export const scanAction = action(
  'mark',
  scanForm,
  async (at, { uuid }: { uuid: string }, form): Promise<ActionResult> => {
    const { c, database, words, submission } = at;
    const { ids, marker } = readScan(form.scan);
    const { gate, track, record, isPallet } = await meantBy(database, uuid, ids, marker);
    if (!gate) return refuseMissing('gateNotFound', uuid);
    const begun = isPallet ? undefined : await beginByBadge(at, form.scan);
    if (begun && begun !== 'paused') return begun;
    const markerCode = track?.markerCode ?? (record ? null : marker);
    if (markerCode !== null) {
      const scanId = form.scanId ?? submission.key ?? newUuid();
      const scanDate = form.scanDate ?? null;
      const { body } = await write(c, submission, recordScans, {
        gateIdentifier: gate.externalIdentifier,
        scans: [{ scanId, markerCode, direction: 'LOAD', damaged: false, cameraHardwareId: null, scanDate }],
      });
      const [result] = body.results;
      const pallet = result!.trackIdentifier ?? String(markerCode);
      return scanAnswer(words, result!.outcome, pallet, result!.manifestExternalId, result!.recordUuid);
    }
    if (!record) {
      const notCalled = words.t('gate.notCalled', { name: form.scan.trim() });
      const detail = begun ? `${notCalled} ${words.t('work.paused')}` : notCalled;
      return refuseInWords('trackNotFound', detail, { status: 404 });
    }
    const load =
      record.shipmentUuid === null
        ? { manifestIdentifier: record.manifestUuid }
        : { shipmentIdentifier: record.shipmentUuid };
    // A separate key. When the form is sent again, the pallet may have a marker, and then it is a scan. With
    // the same key, the answer would still be this mark.
    const key = submission.key && `${submission.key} mark`;
    await write(c, { ...submission, key }, markLoading, {
      ...load,
      target: { by: 'record', recordUuid: record.recordUuid },
      status: 'LOADED',
      gateIdentifier: uuid,
      comment: null,
    });
    return scanAnswer(words, 'LOADED', record.wmsId, record.manifestExternalId, record.recordUuid);
  },
);

/** The message about a scan, readable from a distance. */
const scanAnswer = (
  { t }: Words,
  outcome: ScanOutcome,
  pallet: string,
  manifest: string | null,
  record: string | null,
): ActionResult => ({
  done: `${t(`scan.${outcome}`)}: ${pallet}`,
  data: { outcome, said: t(`scan.${outcome}`), pallet, manifest, record },
});

/** SQL: the manifest or shipment of a record, for a batch. */
export const loadOfRecordQuery = (
  { organization }: Database,
  recordUuid: string,
): SQL<{ manifestUuid: string; shipmentUuid: string | null }> => sql`SELECT m.uuid AS "manifestUuid",
    ${shipmentOfManifest} AS "shipmentUuid"
  FROM asset_loading a CROSS JOIN manifest m ON m.uuid = a.manifest_uuid
  WHERE a.uuid = ${recordUuid} AND a.organization_uuid = ${organization}`;
