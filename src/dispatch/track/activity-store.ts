import { sql } from 'drizzle-orm';
import type { Scope } from '../../core/lib/scope.ts';
import { jsonChunks } from '../../core/lib/sql.ts';
import type { Actor } from '../../core/writer/chain.ts';
import type { Entries, EntryPallet, MadeEntries } from '../../core/writer/log.ts';
import type { ActivityType } from './rules.ts';
import { isOpenAsset, linkedTrack } from './store.ts';
import { coded, type Detail } from './timeline-rules.ts';

/** The author of a comment or photo. */
export interface Author {
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
  entriesOf('RETIRED', trackUuids, { details: coded('lastManifestClosed'), isOfService: 1 });
