import { type SQL, sql } from 'drizzle-orm';
import { deepLink } from '../../core/http/link.ts';
import { bounded, type Extent, itemsOf, truncation } from '../../core/lib/bounded.ts';
import type { Json } from '../../core/lib/json.ts';
import type { Scope, Write } from '../../core/lib/scope.ts';
import { inList, inRows } from '../../core/lib/sql.ts';
import { isoDate, isoDateOrNull } from '../../core/lib/time.ts';
import { type Viewed, type ViewRow, view, viewOfExtent } from '../../core/lib/view.ts';
import type { EntityKind } from '../../log/event/store.ts';
import type { Meaning, Reading } from '../../pallet/identifier.ts';
import { clientReferenceView, presentClientReference } from '../client/store.ts';
import { CUSTOM_FIELDS_MAXIMUM } from '../custom-field/rules.ts';
import { EVERY_FIELD, fieldsView, presentFields } from '../custom-field/store.ts';
import { gateReferenceView, presentGateReference } from '../gate/store.ts';
import { markerImageUrl } from '../marker/store.ts';
import { type TrackState, trackStatus } from './rules.ts';
import { track } from './table.ts';

/**
 * The uuid of the track with this WMS id: the live track, or else the retired track that was
 * coupled last.
 */
export const linkedTrack = (organization: SQL, wmsId: SQL): SQL => sql`(SELECT t.uuid FROM track t
  WHERE t.organization_uuid = ${organization} AND t.wms_id = ${wmsId} AND t.deleted_date IS NULL
  ORDER BY t.retirement = 'RETIRED', t.create_date DESC, t.uuid DESC LIMIT 1)`;

/** SQL condition: a track has this WMS id, live or retired. */
export const hasTrack = (organization: SQL, wmsId: SQL): SQL => sql`EXISTS (SELECT 1 FROM track t
  WHERE t.organization_uuid = ${organization} AND t.wms_id = ${wmsId} AND t.deleted_date IS NULL)`;

/** Whether `a` is an asset of an open manifest `m`. */
export const isOpenAsset = sql`a.closed = 0 AND m.manifest_status NOT IN ('COMPLETED', 'CANCELLED')`;

/** How many manifests and custom fields of a track are shown. */
export interface TrackExtent {
  manifests: Extent;
  fields: Extent;
}

/** For the GET of one track. */
export const WHOLE_TRACK: TrackExtent = {
  manifests: { items: 100, bytes: 200_000 },
  fields: EVERY_FIELD,
};
/** For lists, also lists of records. */
export const LISTED: TrackExtent = { manifests: { items: 10, bytes: 20_000 }, fields: EVERY_FIELD };
/** For events, and for answers about records. */
export const EMBEDDED: TrackExtent = {
  manifests: { items: 10, bytes: 2_000 },
  fields: { items: CUSTOM_FIELDS_MAXIMUM, bytes: 2_000 },
};

/**
 * The asset records `a` of a track, and their manifests `m`. Assets of closed manifests have stored
 * their track.
 */
const onManifests = sql`FROM asset_loading a CROSS JOIN manifest m ON m.uuid = a.manifest_uuid
  WHERE a.organization_uuid = track.organization_uuid AND a.wms_id = track.wms_id AND m.deleted_date IS NULL
    AND a.loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')
    AND CASE WHEN m.manifest_status IN ('COMPLETED', 'CANCELLED') THEN a.track_uuid
      ELSE ${linkedTrack(sql`a.organization_uuid`, sql`a.wms_id`)} END = track.uuid`;

/**
 * The manifests of a track, open manifests first, then the latest. A track can be on any number of
 * manifests.
 */
const lastManifests = ({ items }: Extent) => sql<{
  item: Json<HeldBy>;
}>`SELECT json_object('manifestExternalId', external_identifier,
    'manifestUuid', manifest_uuid, 'loadingStatus', loading_status) AS item FROM
  (SELECT m.external_identifier, a.manifest_uuid, a.loading_status, a.create_date, a.uuid ${onManifests}
    ORDER BY a.closed, a.manifest_uuid DESC LIMIT ${sql.raw(String(items + 1))})
  ORDER BY create_date, uuid`;

/** The uuid of the open manifest of `track`, or else of its latest manifest; null if it is on none. */
export const latestManifest = sql`(SELECT a.manifest_uuid ${onManifests}
  ORDER BY a.closed, a.manifest_uuid DESC LIMIT 1)`;

export const trackView = viewOfExtent(({ manifests, fields }: TrackExtent) =>
  view({
    uuid: track.uuid,
    wmsId: track.wmsId,
    markerCode: track.markerCode,
    retirement: track.retirement,
    flagged: track.flagged,
    damaged: track.damaged,
    dates: sql<TrackDates>`json_object('coupleDate', track.couple_date, 'retireDate', track.retire_date,
      'lastSeenDate', track.last_seen_date, 'createDate', track.create_date, 'updateDate', track.update_date,
      'deletedDate', track.deleted_date)`,
    lastGate: gateReferenceView(sql`track.organization_uuid`, sql`track.last_gate_uuid`),
    client: clientReferenceView(sql`track.organization_uuid`, sql`track.client_uuid`),
    customFields: fieldsView(sql`track.organization_uuid`, sql`track.uuid`, fields),
    manifests: bounded(lastManifests(manifests), manifests),
    commentsCount: sql<number>`(SELECT count(*) FROM track_comment
      WHERE track_comment.organization_uuid = track.organization_uuid AND track_uuid = track.uuid)`,
  }),
);
export type StoredTrack = Viewed<ReturnType<typeof trackView>>;

/** Dates are epoch milliseconds. */
interface TrackDates {
  coupleDate: number;
  retireDate: number | null;
  lastSeenDate: number | null;
  createDate: number;
  updateDate: number;
  deletedDate: number | null;
}

/** A manifest that has the track as an asset. */
interface HeldBy {
  manifestExternalId: string;
  manifestUuid: string;
  loadingStatus: string;
}

/** A track as the API shows it. */
export function presentTrack(links: string, stored: StoredTrack) {
  const { dates } = stored;
  return {
    uuid: stored.uuid,
    createDate: isoDate(dates.createDate),
    updateDate: isoDate(dates.updateDate),
    deepLink: deepLink(links, 'track', stored.uuid),
    wmsId: stored.wmsId,
    trackIdentifier: stored.wmsId,
    markerCode: stored.markerCode,
    markerImageUrl: markerImageUrl(links, stored.markerCode),
    trackStatus: trackStatus(stored),
    damaged: stored.damaged === 1,
    client: presentClientReference(links, stored.client),
    customFields: presentFields(links, 'track', stored.uuid, stored.customFields),
    manifests: itemsOf(stored.manifests),
    coupleDate: isoDate(dates.coupleDate),
    retireDate: isoDateOrNull(dates.retireDate),
    lastSeenDate: isoDateOrNull(dates.lastSeenDate),
    lastGate: presentGateReference(links, stored.lastGate),
    commentsCount: stored.commentsCount,
    deleted: dates.deletedDate !== null,
    ...truncation(stored.customFields, stored.manifests),
  };
}

/** The name of the author of a row. For a user, it is the current name. `row` is the name of the table in the query. */
export const authorName = (row: SQL): SQL<string> =>
  sql`iif(${row}.author_uuid IS NULL, ${row}.author, coalesce((SELECT first_name || ' ' || last_name FROM user
    WHERE user.uuid = ${row}.author_uuid), ''))`;

/** A display name as an author. */
export function presentAuthor(displayName: string) {
  return { firstName: displayName, lastName: null, email: null, phoneNumber: null };
}

/** The track with this identifier: uuid first, then WMS id. Deleted tracks are left out. */
const identified = (scope: Scope, identifier: string): SQL => sql`
  WHERE track.uuid = coalesce(
      (SELECT t.uuid FROM track t WHERE t.uuid = ${identifier.toLowerCase()}
        AND t.organization_uuid = ${scope.organization} AND t.deleted_date IS NULL),
      ${linkedTrack(sql`${scope.organization}`, sql`${identifier}`)})
    AND track.organization_uuid = ${scope.organization}`;

/** The uuid of the track with this identifier. Deleted tracks are left out. */
export const trackUuidOf = (scope: Scope, identifier: string): SQL => sql`(SELECT track.uuid FROM track
  ${identified(scope, identifier)})`;

/** Read the JSON of one track. */
export const trackQuery = (scope: Scope, identifier: string) =>
  sql<
    ViewRow<ReturnType<typeof trackView>>
  >`SELECT ${trackView(WHOLE_TRACK)} AS view FROM track ${identified(scope, identifier)}`;

/** The state of a track that commands decide on. */
export interface FoundTrack extends TrackState {
  uuid: string;
  wmsId: string;
  markerCode: number;
  damaged: 0 | 1;
  /** Whether it is an asset of an open manifest. */
  onOpenManifest: 0 | 1;
}

const foundColumns = sql`track.uuid, wms_id AS "wmsId", marker_code AS "markerCode", retirement, flagged, damaged`;

/** Read the state of a track for a command. */
export const trackStateQuery = (
  scope: Scope,
  identifier: string,
): SQL<FoundTrack> => sql`SELECT ${foundColumns},
  EXISTS (SELECT 1 ${onManifests} AND ${isOpenAsset}) AS "onOpenManifest"
  FROM track ${identified(scope, identifier)}`;

/** The track of a marker. Deleted tracks are left out. */
export const trackOfMarkerQuery = (
  scope: Scope,
  markerCode: number,
): SQL<FoundTrack> => sql`SELECT ${foundColumns},
  0 AS "onOpenManifest" FROM track WHERE organization_uuid = ${scope.organization}
  AND marker_code = ${markerCode} AND deleted_date IS NULL`;

/** Returns a row if the track of a marker is archived. */
export const archivedMarkerQuery = (
  scope: Scope,
  markerCode: number,
): SQL => sql`SELECT 1 FROM archived_marker
  WHERE organization_uuid = ${scope.organization} AND marker_code = ${markerCode}`;

/** The SQL condition that a track is on one of these manifests. */
export const onManifestsCondition = (manifestExternalIds: readonly string[]): SQL =>
  sql`EXISTS (SELECT 1 ${onManifests} AND m.external_identifier ${inList(manifestExternalIds)})`;

/**
 * Tracks with these WMS ids (`IN` condition) that are scheduled for retirement and are on no open
 * manifest. Manifests `m` and records `a` that match `leaving` do not count.
 */
export const dueRetirementsQuery = (
  scope: Scope,
  wmsIds: SQL,
  leaving: SQL,
): SQL<DueRetirement> => sql`SELECT track.uuid, track.wms_id AS "wmsId" FROM track
  WHERE track.organization_uuid = ${scope.organization} AND track.retirement = 'SCHEDULED'
    AND track.wms_id ${wmsIds}
    AND NOT EXISTS (SELECT 1 ${onManifests} AND ${isOpenAsset} AND NOT (${leaving}))
  ORDER BY track.uuid`;

/** A track that has to be retired now. */
export interface DueRetirement {
  uuid: string;
  wmsId: string;
}

/**
 * Set a new update date for the open manifests of pallets, because their tracks were created, deleted
 * or changed.
 */
export const touchManifestsOf = ({ organization }: Scope, wmsIds: readonly string[], now: number): Write =>
  // The plus keeps SQLite from walking all open manifests of the organization.
  sql`UPDATE manifest SET update_date = ${now} WHERE organization_uuid = ${organization} AND +deleted_date IS NULL
    AND manifest_status IN ('PLANNED', 'TO_DO', 'IN_PROGRESS') AND uuid IN (SELECT manifest_uuid FROM asset_loading
      WHERE organization_uuid = ${organization} AND wms_id ${inRows(JSON.stringify(wmsIds))} AND closed = 0
        AND loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING'))`;

/** How events describe tracks. */
export const trackEntity: EntityKind = {
  type: 'TRACK',
  data: (uuid) => sql`(SELECT ${trackView(LISTED)} FROM track WHERE track.uuid = ${uuid})`,
};

/** The live track of a WMS id, which keeps the WMS id from being coupled again. */
export interface LiveTrack {
  retirement: 'NONE' | 'SCHEDULED';
  /** The external identifier of an open manifest of the track; null if it is on none. */
  openManifest: string | null;
}

const liveTrack = (scope: Scope, wmsId: SQL): SQL<LiveTrack> => sql`SELECT retirement,
  (SELECT m.external_identifier ${onManifests} AND ${isOpenAsset} LIMIT 1) AS "openManifest"
  FROM track WHERE organization_uuid = ${scope.organization}
  AND wms_id = ${wmsId} AND deleted_date IS NULL AND retirement <> 'RETIRED'`;

/** The live track of a WMS id. */
export const liveTrackQuery = (scope: Scope, wmsId: string): SQL<LiveTrack> =>
  liveTrack(scope, sql`${wmsId}`);

/** The live track of the WMS id of this track. */
export const liveTrackNamed = (scope: Scope, identifier: string): SQL<LiveTrack> =>
  liveTrack(scope, sql`(SELECT track.wms_id FROM track ${identified(scope, identifier)})`);

/** The number of pallets that are read for a reading. A person can choose among this many. */
const PALLETS_MAXIMUM = 20;

/** The texts and numbers that find the pallets of readings. */
export interface Candidates {
  /** WMS ids. */
  ids: string[];
  /** Folded WMS ids. */
  folded: string[];
  markers: number[];
}

/** The texts and numbers that find the pallets of readings, each once. A reading has at most 140. */
export function candidatesOf(readings: readonly Reading[]): Candidates {
  const meanings: Meaning[] = readings.flatMap((reading) => [reading, ...reading.undone]);
  const folded = [...new Set(meanings.map((meaning) => meaning.folded))];
  // Ids that are their own folded text are found as ids.
  const ids = meanings.flatMap(({ literal, meant }) => [...literal, ...meant]);
  const markers = meanings.flatMap(({ marker }) => (marker === null ? [] : [marker]));
  return { ids: [...new Set([...ids, ...folded])], folded, markers: [...new Set(markers)] };
}

/** SQL: one of the values of a list, or of these values in capitals (ASCII). The index by WMS id finds both. */
const asIsOrInCapitals = (values: readonly string[]): SQL =>
  sql`IN (SELECT iif(capitals, upper(value), value) FROM json_each(${JSON.stringify(values)})
    CROSS JOIN (SELECT 0 AS capitals UNION ALL SELECT 1))`;

/**
 * SQL conditions on `track`, one for each index. The first index finds the WMS ids of a list, also in capitals. The second
 * one finds `folded` texts. It has only ids with letters of both cases, or with characters beyond ASCII.
 */
export const spelledAs = (ids: readonly string[], folded: readonly string[]): [SQL, SQL] => [
  sql`wms_id ${asIsOrInCapitals(ids)}`,
  sql`folded_wms_id ${inList(folded)} AND folded_wms_id <> wms_id
    AND (wms_id <> upper(wms_id) OR wms_id GLOB '*[^ -~]*')`,
];

/** A live pallet with its marker. */
interface LivePallet {
  wmsId: string;
  markerCode: number;
}

/** The live pallets that readings may mean. Each way to look them up has its own index. */
export function livePalletsQuery({ organization }: Scope, readings: readonly Reading[]): SQL<LivePallet> {
  const { ids, folded, markers } = candidatesOf(readings);
  const live = (condition: SQL): SQL => sql`SELECT wms_id AS "wmsId", marker_code AS "markerCode" FROM track
    WHERE organization_uuid = ${organization} AND ${condition} AND deleted_date IS NULL AND retirement <> 'RETIRED'`;
  const [byId, byFolded] = spelledAs(ids, folded);
  // UNION would sort, and then walk over the index of WMS ids.
  return sql`SELECT DISTINCT * FROM (${live(byId)}
    UNION ALL ${live(byFolded)}
    UNION ALL ${live(sql`marker_code ${inList(markers)}`)})
    LIMIT ${PALLETS_MAXIMUM * readings.length}`;
}
