import { type SQL, sql } from 'drizzle-orm';
import { ANSWER_BYTES, bytesOf } from '../../../core/http/bounded.ts';
import type { Database } from '../../../core/lib/database.ts';
import { type Json, parseJson } from '../../../core/lib/json.ts';
import { inList } from '../../../core/lib/sql.ts';
import type { ManifestState } from '../manifest/store.ts';
import {
  isSound,
  type ManifestValidation,
  presentValidation,
  validationView,
  WHOLE_LOOK,
} from '../manifest/validation-store.ts';
import { presentManifestReference } from '../shared/asset-store.ts';
import { isCancelled } from './changes.ts';
import { membersQuery, shipmentStateQuery, shipmentUuidOf } from './store.ts';

/** The maximum number of assets of a shipment that are checked. */
const LOOKED_MAXIMUM = 50_000;
/** The maximum number of manifests that one round trip checks. */
const AT_ONCE = 100;
/** The limits for the problems of one manifest, when a shipment has many. */
const LOOK = { ...WHOLE_LOOK, bytes: 50_000 };
/** The maximum number of bytes of problems in an answer. The rest is for the list of all manifests. */
const FOUND_BYTES = ANSWER_BYTES / 2;

const UNSEEN: ManifestValidation = {
  duplicatedTracks: [],
  nonExistingTracks: [],
  deactivatedTracks: [],
  leftWith: [],
  unseen: 1,
};
const CLOSED: ManifestValidation = { ...UNSEEN, unseen: 0 };

/** The problems of a shipment, by manifest; undefined if the shipment does not exist. */
export async function validateMembers(database: Database, identifier: string) {
  const { states, members, first } = await database.ask({
    states: shipmentStateQuery(database, identifier),
    members: membersQuery(database, identifier),
    first: firstQuery(database, identifier),
  });
  if (states.length === 0) return undefined;
  const cancelledManifests = members.filter(isCancelled).map(named);
  const going = members.filter((member) => !isCancelled(member));
  const found = await lookAt(database, going, first);
  const manifests = going.map((member) => ({
    member,
    shown: presentValidation(found.get(member.uuid) ?? UNSEEN),
  }));
  return {
    valid: cancelledManifests.length === 0 && manifests.every(({ shown }) => isSound(shown)),
    cancelledManifests,
    manifests: manifests.map(({ member, shown }) => ({ ...named(member), ...shown })),
  };
}

/** The problems of a manifest; null for a closed manifest. */
interface Found {
  uuid: string;
  view: Json<ManifestValidation> | null;
}

/**
 * The problems of the first manifests within the limit of assets. For most shipments this is all of
 * them.
 */
const firstQuery = (database: Database, identifier: string): SQL<Found> => sql`SELECT manifest.uuid,
    ${validationView(LOOK)} AS view
  FROM (SELECT m.uuid AS member, sum(m.assets_count) OVER (ORDER BY s.rowid) AS assets
    FROM shipment_manifest s CROSS JOIN manifest m ON m.uuid = s.manifest_uuid
    WHERE s.organization_uuid = ${database.organization} AND m.manifest_status <> 'CANCELLED'
      AND s.shipment_uuid = ${shipmentUuidOf(database, identifier)} ORDER BY s.rowid LIMIT ${AT_ONCE})
  CROSS JOIN manifest ON manifest.uuid = member WHERE assets <= ${LOOKED_MAXIMUM}`;

/**
 * The problems of manifests by uuid, as far as the limits allow. `first` has the problems of the
 * first ones.
 */
async function lookAt(
  database: Database,
  members: readonly ManifestState[],
  first: readonly Found[],
): Promise<Map<string, ManifestValidation>> {
  let [assets, bytes] = [0, 0];
  const looked = members.filter(({ assetsCount }) => {
    assets += assetsCount;
    return assets <= LOOKED_MAXIMUM;
  });
  const found = new Map<string, ManifestValidation>();
  for (let from = 0; from < looked.length; from += AT_ONCE) {
    const uuids = looked.slice(from, from + AT_ONCE).map(({ uuid }) => uuid);
    const rows =
      from === 0
        ? first
        : await database.all(sql<Found>`SELECT manifest.uuid, ${validationView(LOOK)} AS view FROM manifest
            WHERE manifest.uuid ${inList(uuids)} AND +manifest.organization_uuid = ${database.organization}`);
    for (const { uuid, view } of rows) {
      bytes += view === null ? 0 : bytesOf(view);
      if (bytes > FOUND_BYTES) return found;
      found.set(uuid, view === null ? CLOSED : parseJson(view));
    }
  }
  return found;
}

const named = ({ externalIdentifier, uuid }: ManifestState) =>
  presentManifestReference({ manifestExternalId: externalIdentifier, manifestUuid: uuid });
