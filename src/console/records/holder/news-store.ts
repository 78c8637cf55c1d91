import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../../lib/database.ts';
import { parseViews, type ViewRow } from '../../../lib/view.ts';
import { recordTally } from '../../../manifest/asset-store.ts';
import type { Tally } from '../../../manifest/asset-table.ts';
import type { WrongPallet } from '../../board/rules.ts';
import { wrongView } from '../../board/store.ts';

/** Wrong pallets that are named. */
export const NEWS_LIMITS = { wrong: 20 } as const;

/** A manifest with its records by status. */
export interface NewsPart {
  externalIdentifier: string;
  status: string;
  counts: Tally;
}

/** What is read of a shipment or manifest to tell its news; `manifests` is what their uuids are compared with. */
export const newsQueries = (database: Database, manifests: SQL) => ({
  parts: sql<ViewRow<SQL<NewsPart>>>`SELECT json_object('externalIdentifier', m.external_identifier,
      'status', m.manifest_status, 'counts', json(${recordTally})) AS view
    FROM manifest m WHERE m.uuid ${manifests} AND +m.organization_uuid = ${database.organization}`,
  wrong: sql<ViewRow<SQL<WrongPallet>>>`SELECT ${wrongView} AS view FROM manifest m
    CROSS JOIN asset_loading a ON a.organization_uuid = m.organization_uuid AND a.manifest_uuid = m.uuid
      AND a.loading_status IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')
    WHERE m.uuid ${manifests} AND +m.organization_uuid = ${database.organization}
    ORDER BY a.create_date DESC, a.uuid DESC LIMIT ${NEWS_LIMITS.wrong + 1}`,
});

interface Found {
  parts: readonly ViewRow<SQL<NewsPart>>[];
  wrong: readonly ViewRow<SQL<WrongPallet>>[];
}

/** What was read, as the page tells it. */
export const newsOf = ({ parts, wrong }: Found) => ({
  parts: parseViews(parts),
  wrong: parseViews(wrong),
});
export type NewsRead = ReturnType<typeof newsOf>;
