import { type SQL, sql } from 'drizzle-orm';
import type { Scope } from '../../core/lib/scope.ts';
import { inList } from '../../core/lib/sql.ts';
import { presentRecord, recordPairs, type StoredRecord, trackOfRecord } from '../load/shared/asset-store.ts';
import { EMBEDDED, LISTED, type StoredTrack, trackView } from '../track/store.ts';

/**
 * Marked records as the writer stores them. Each track is stored once, because a row of D1 has at
 * most 2 MB.
 */
export interface StoredMarked {
  changed: StoredTracklessRecord[];
  unchanged: StoredTracklessRecord[];
  tracks: StoredTrack[];
  /** 1 if further records are left out. */
  more?: 0 | 1;
}

type StoredTracklessRecord = Omit<StoredRecord, 'track'> & { trackUuid: string | null };

/** The maximum number of marked records that an answer shows. A pallet may be on many manifests. */
const MARKED_MAXIMUM = 100;
/** This many tracks of any size fit into one row. With more tracks, each shows fewer fields. */
const LARGE_TRACKS_MAXIMUM = 3;

/** JSON of marked records (`StoredMarked`). */
export function markedView(
  { organization }: Scope,
  marked: { changed: readonly SetRecord[]; unchanged: readonly SetRecord[] },
): SQL<StoredMarked> {
  const changed = marked.changed.slice(0, MARKED_MAXIMUM);
  const unchanged = marked.unchanged.slice(0, MARKED_MAXIMUM - changed.length);
  const more = changed.length + unchanged.length < marked.changed.length + marked.unchanged.length;
  const shown = (records: readonly SetRecord[]): SQL => sql`json((SELECT json_group_array(json(view)) FROM
    (SELECT json_object(${recordPairs}, 'trackUuid', ${trackOfRecord}) AS view
      FROM json_each(${JSON.stringify(records.map(({ recordUuid }) => recordUuid))}) wanted
      CROSS JOIN asset_loading a ON a.uuid = wanted.value AND a.organization_uuid = ${organization}
      CROSS JOIN manifest ON manifest.uuid = a.manifest_uuid ORDER BY wanted.key)))`;
  const trackUuids = new Set([...changed, ...unchanged].flatMap(({ trackUuid }) => trackUuid ?? []));
  const extent = trackUuids.size > LARGE_TRACKS_MAXIMUM ? EMBEDDED : LISTED;
  return sql`json_object('changed', ${shown(changed)}, 'unchanged', ${shown(unchanged)}, 'more', ${Number(more)},
    'tracks', json((SELECT json_group_array(json(view)) FROM (SELECT ${trackView(extent)} AS view FROM track
      WHERE track.organization_uuid = ${organization} AND track.uuid ${inList([...trackUuids])}))))`;
}

interface SetRecord {
  recordUuid: string;
  trackUuid: string | null;
}

/** Marked records as the API shows them. */
export function presentMarked(links: string, { changed, unchanged, tracks, more }: StoredMarked) {
  const byUuid = new Map(tracks.map((track) => [track.uuid, track]));
  const shown = (records: StoredTracklessRecord[]) =>
    records.map((record) =>
      presentRecord(links, { ...record, track: byUuid.get(record.trackUuid ?? '') ?? null }),
    );
  return { changed: shown(changed), unchanged: shown(unchanged), ...(more ? { truncated: true } : {}) };
}
