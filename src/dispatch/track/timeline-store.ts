import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import { deepLink } from '../../core/http/link.ts';
import type { WholeRow } from '../../core/http/whole.ts';
import { type Json, parseJson } from '../../core/lib/json.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { jsonChunks, seeking } from '../../core/lib/sql.ts';
import { isoDate } from '../../core/lib/time.ts';
import { entityKey, rowsAbout } from '../../core/writer/audit-table.ts';
import type { Actor } from '../../core/writer/chain.ts';
import type { Entries, EntryPallet, MadeEntries } from '../../core/writer/log.ts';
import { numberOf, rowIdOf } from '../../core/writer/numbers.ts';
import type { GateReference } from '../gate/rules.ts';
import { gateReferenceView, presentGateReference } from '../gate/store.ts';
import { type ActivityType, codeDetails, type Detail, detailsText, SYSTEM_NAME } from './rules.ts';
import { authorName, isOpenAsset, linkedTrack, presentAuthor } from './store.ts';

export interface StoredComment {
  uuid: string;
  trackUuid: string;
  createDate: number;
  updateDate: number;
  additionalInfo: string;
  author: string;
  attachments: Json<Attachment[]>;
}

/** An attachment of a comment as it is stored. */
export interface Attachment {
  link: string;
  fileName: string | null;
  description: string | null;
  /** The author of the attachment. If it is missing or null, it is the author of the comment. */
  author?: Record<'firstName' | 'lastName' | 'email' | 'phoneNumber', string | null> | null;
}

const COMMENT_AUTHOR = authorName(sql`track_comment`);

const commentColumns = sql`uuid, track_uuid AS "trackUuid", create_date AS "createDate", update_date AS "updateDate",
  additional_info AS "additionalInfo", ${COMMENT_AUTHOR} AS author, attachments`;

/** The position of a comment in the list of a track's comments. */
export const commentPlace = z.tuple([z.int(), z.string()]);
type CommentPlace = z.output<typeof commentPlace>;

/** The comments of a track after a position, oldest first. */
export const commentsQuery = (
  { organization }: Scope,
  trackUuid: SQL,
  after: CommentPlace | undefined,
) => sql<
  WholeRow<StoredComment, CommentPlace>
>`SELECT json_object('uuid', uuid, 'trackUuid', track_uuid, 'createDate', create_date, 'updateDate', update_date,
    'additionalInfo', additional_info, 'author', ${COMMENT_AUTHOR}, 'attachments', attachments) AS view,
    json_array(create_date, uuid) AS position
  FROM track_comment WHERE organization_uuid = ${organization} AND track_uuid = ${trackUuid}
    AND ${after === undefined ? sql`TRUE` : sql`(create_date, uuid) > (${after[0]}, ${after[1]})`}
  ORDER BY create_date, uuid`;

/** The last comments of a track, latest first. */
export const lastCommentsQuery = (
  { organization }: Scope,
  trackUuid: string,
  maximum: number,
): SQL<StoredComment> => sql`SELECT
    ${commentColumns} FROM track_comment WHERE organization_uuid = ${organization} AND track_uuid = ${trackUuid}
  ORDER BY create_date DESC, uuid DESC LIMIT ${maximum}`;

/** A comment as the API shows it. */
export function presentComment(links: string, { trackUuid, ...stored }: StoredComment) {
  const author = presentAuthor(stored.author);
  return {
    ...stored,
    createDate: isoDate(stored.createDate),
    updateDate: isoDate(stored.updateDate),
    deepLink: deepLink(links, 'track', trackUuid),
    author,
    attachments: parseJson(stored.attachments).map((attachment) => ({
      ...attachment,
      author: attachment.author ?? author,
    })),
  };
}

/**
 * An SQL condition: an entry `t`, or of another alias, is about one of these pallets. `pallets` selects them as one
 * column `pallet`, as `pallet_activity` names them.
 */
export const isOnTimelines = (scope: Scope, pallets: SQL, entry: SQL = sql`t`): SQL =>
  sql`${entry}.log_id IN (SELECT i.log_id FROM (${pallets}) named CROSS JOIN log_entity i
      ON i.organization_number = ${numberOf(scope)} AND i.entity_key = ${entityKey(sql`named.pallet`)})
    AND ${entry}.pallet IN (${pallets})`;

/** An SQL condition: an entry `t`, or of another alias, is about a pallet, as `pallet_activity` names it. */
export const isOnTimeline = (scope: Scope, pallet: SQL | string, entry: SQL = sql`t`): SQL =>
  sql`${entry}.log_id IN (${rowsAbout(scope, pallet)}) AND ${entry}.pallet = ${pallet}`;

/** SQL: the pallet of an entry about a WMS id without a marker. */
export const unmarkedPallet = (wmsId: SQL | string | null): SQL => sql`json_array(${wmsId})`;

/** The pallet of a track, and, while the track lives, its WMS id: entries from before it had a marker are about that. */
export const palletsOfTrack = (trackUuid: SQL | string): SQL => sql`SELECT ${trackUuid} AS pallet
  UNION ALL SELECT ${unmarkedPallet(sql`wms_id`)} FROM track WHERE uuid = ${trackUuid} AND deleted_date IS NULL`;

/** SQL: the uuid of the track of an entry: the live one of its WMS id, if it was made without a marker. */
const TRACK_OF_ENTRY = sql`iif(json_valid(pallet_activity.pallet),
  ${linkedTrack(sql`pallet_activity.organization_uuid`, sql`pallet_activity.pallet ->> 0`)}, pallet_activity.pallet)`;

/** The bits of the number of an entry after the number of its row. */
const PLACE_BITS = 20;

/** SQL: the id of the row of the log with the entry that has a number. */
const rowOfEntry = (scope: Scope, number: SQL | number): SQL =>
  rowIdOf(scope, sql`(${number} >> ${sql.raw(`${PLACE_BITS}`)})`);

/** An SQL condition: an entry `t` of `pallet_activity` was made after the one with this number. */
export const entryIsAfter = (scope: Scope, number: number): SQL =>
  sql`t.number > ${number} AND ${seeking(sql`t.log_id >= ${rowOfEntry(scope, number)}`)}`;

/** An SQL condition: an entry of `pallet_activity` has this number. */
export const isEntry = (scope: Scope, number: SQL): SQL =>
  sql`pallet_activity.organization_uuid = ${scope.organization}
    AND pallet_activity.log_id = ${rowOfEntry(scope, number)} AND pallet_activity.number = ${number}`;

/** An entry on the timeline of a pallet. */
export interface StoredActivity {
  uuid: string;
  trackUuid: string;
  /** When the entry was made. The event may have happened earlier. */
  createDate: number;
  activityType: ActivityType;
  activityDate: number;
  gate: GateReference | null;
  manifestExternalId: string | null;
  shipmentExternalId: string | null;
  /** Null for the service itself. */
  author: string | null;
  details: readonly Detail[] | null;
}

/** JSON of an entry. */
export const activityView = sql<StoredActivity>`json_object('uuid', pallet_activity.uuid, 'trackUuid', ${TRACK_OF_ENTRY},
  'createDate', pallet_activity.update_date, 'activityType', activity_type,
  'activityDate', pallet_activity.create_date, 'manifestExternalId', manifest_external_id,
  'shipmentExternalId', shipment_external_id,
  'gate', ${gateReferenceView(sql`pallet_activity.organization_uuid`, sql`pallet_activity.gate_uuid`)},
  'author', author, 'details', json(details))`;

/** An entry as the API shows it. */
export function presentActivity(links: string, { author, details, trackUuid, ...stored }: StoredActivity) {
  const createDate = isoDate(stored.createDate);
  return {
    ...stored,
    createDate,
    updateDate: createDate,
    deepLink: deepLink(links, 'track', trackUuid),
    activityDate: isoDate(stored.activityDate),
    gate: presentGateReference(links, stored.gate),
    author: presentAuthor(author ?? SYSTEM_NAME),
    details: details && detailsText(details),
  };
}

/** The author of a comment or photo. */
interface Author {
  /**
   * Empty for a user. The user's current name is read when it is shown, so that it can be erased.
   */
  author: string;
  authorUuid: string | null;
}

export const authorOf = ({ actorType, uuid, displayName }: Actor): Author =>
  actorType === 'USER' ? { author: '', authorUuid: uuid } : { author: displayName, authorUuid: null };

/** Entries of some tracks that nothing else is known about. */
const entriesOf = (type: ActivityType, pallets: readonly string[], more: Partial<Entries> = {}): Entries => ({
  type,
  manifestExternalId: null,
  shipmentExternalId: null,
  gateUuid: null,
  details: null,
  date: null,
  isOfService: 0,
  pallets,
  ...more,
});

/**
 * The pallet of an entry: its track, or else its WMS id. An unknown marker has neither, and no timeline. Returns a list,
 * for use in `flatMap`.
 */
export const entryPallet = ({
  trackUuid,
  wmsId,
}: {
  trackUuid: string | null;
  wmsId: string | null;
}): EntryPallet[] => {
  if (trackUuid !== null) return [trackUuid];
  return wmsId === null ? [] : [[wmsId]];
};

/**
 * An entry in the timelines of pallets that manifests attach or detach. A pallet without a marker, or with a retired track,
 * has one only when it is detached: until then its record says that it is attached. Coupling adds the other entry.
 */
export const manifestEntries = (
  scope: Scope,
  activityType: 'ATTACHED' | 'DETACHED',
  assets: readonly { wmsId: string; manifestExternalId: string }[],
): MadeEntries[] =>
  jsonChunks(assets.map(({ wmsId, manifestExternalId }) => [wmsId, manifestExternalId])).map((json) => ({
    given: JSON.parse(json),
    entries: (given) => {
      const pallets =
        activityType === 'ATTACHED'
          ? sql`json_group_array(track.uuid) AS pallets FROM json_each(${given}) given
              CROSS JOIN track ON track.organization_uuid = ${scope.organization} AND track.wms_id = given.value ->> 0
                AND track.deleted_date IS NULL AND track.retirement <> 'RETIRED'`
          : sql`json_group_array(json(iif(given.track IS NULL, json_array(given.value ->> 0), json_quote(given.track))))
              AS pallets FROM (SELECT value, ${linkedTrack(sql`${scope.organization}`, sql`value ->> 0`)} AS track
                FROM json_each(${given})) given`;
      return sql`(SELECT json_group_array(json_array(${activityType}, manifest, NULL, NULL, NULL, NULL, 0, json(pallets)))
        FROM (SELECT given.value ->> 1 AS manifest, ${pallets} GROUP BY given.value ->> 1))`;
    },
  }));

/** An entry in the timeline of one track in any state. */
export const trackEntry = (
  activityType: ActivityType,
  trackUuid: string,
  details: readonly Detail[] | null = null,
): Entries => entriesOf(activityType, [trackUuid], { details });

/** COUPLED in the timelines of new tracks, and ATTACHED for each open manifest that already expects their pallets. */
export const couplingEntries = (
  { organization }: Scope,
  coupled: readonly { uuid: string; wmsId: string; markerCode: number }[],
): (Entries | MadeEntries)[] => [
  ...coupled.map(({ uuid, markerCode }) => trackEntry('COUPLED', uuid, [{ markerCode }])),
  {
    given: coupled.map(({ uuid, wmsId }) => [uuid, wmsId]),
    entries: (
      given,
    ) => sql`(SELECT json_group_array(json_array('ATTACHED', m.external_identifier, NULL, NULL, NULL, NULL, 0,
      json_array(given.value ->> 0))) FROM json_each(${given}) given
    CROSS JOIN asset_loading a ON a.organization_uuid = ${organization} AND a.wms_id = given.value ->> 1
    CROSS JOIN manifest m ON m.uuid = a.manifest_uuid
    WHERE a.loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING') AND m.deleted_date IS NULL AND ${isOpenAsset})`,
  },
];

/** A timeline entry for an event at a gate. */
export interface GateActivity {
  pallet: EntryPallet;
  activityType: ActivityType;
  gateUuid: string | null;
  manifestExternalId: string | null;
  shipmentExternalId: string | null;
  details: readonly Detail[] | null;
  /** Epoch milliseconds. A scan may be reported later than it happened. */
  activityDate: number;
}

/** Entries for events at gates. Neighbours that differ only in their pallets become one. */
export function gateEntries({ now }: { now: number }, entries: readonly GateActivity[]): Entries[] {
  const groups: (Entries & { pallets: EntryPallet[] })[] = [];
  let last = '';
  for (const { pallet, activityType, activityDate, ...of } of entries) {
    const date = activityDate === now ? null : activityDate;
    const same = JSON.stringify([activityType, date, of]);
    if (same === last) groups.at(-1)!.pallets.push(pallet);
    else groups.push({ type: activityType, ...of, date, isOfService: 0, pallets: [pallet] });
    last = same;
  }
  return groups;
}

/** RETIRED in the timelines of tracks that the service retires. */
export const retirementEntries = (trackUuids: readonly string[]): Entries =>
  entriesOf('RETIRED', trackUuids, { details: codeDetails('lastManifestClosed'), isOfService: 1 });
