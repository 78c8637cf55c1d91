import { type SQL, sql } from 'drizzle-orm';
import { BASE_PATH } from '../../../core/http/endpoint.ts';
import { deepLink } from '../../../core/http/link.ts';
import type { Json } from '../../../core/lib/json.ts';
import type { Scope } from '../../../core/lib/scope.ts';
import { inList, rendered } from '../../../core/lib/sql.ts';
import { isoDate, isoDateOrNull } from '../../../core/lib/time.ts';
import { json, type Viewed, type ViewRow, view, viewOf, viewOfExtent } from '../../../core/lib/view.ts';
import type { EntityKind } from '../../../log/event/store.ts';
import { fieldsView, presentFields } from '../../custom-field/store.ts';
import type { AssignedGate } from '../../gate/rules.ts';
import { gateExternalIdOf, gateReferenceView, presentGateReference } from '../../gate/store.ts';
import { IS_ASSET } from '../shared/asset-store.ts';
import { presentSignatures, signaturesView } from '../shared/signature-store.ts';
import type { LoadStatus } from '../shared/status-rules.ts';
import {
  eachFact,
  FACT_NAMES,
  factsOf,
  type ManifestFact,
  type ManifestFacts,
  UNSET_FACTS,
} from './rules.ts';
import { manifest } from './table.ts';
import {
  BRIEF_LOOK,
  isSound,
  type Look,
  type ManifestValidation,
  presentValidation,
  validationView,
  WHOLE_LOOK,
} from './validation-store.ts';

/** The manifest with this uuid, also an archived one; null if it is deleted. */
export const referenceView = (organization: SQL, uuid: SQL): SQL<StoredReference | null> =>
  json(sql`coalesce(
    (SELECT json_object('manifestExternalId', n.external_identifier, 'manifestUuid', n.uuid) FROM manifest n
      WHERE n.uuid = ${uuid} AND n.organization_uuid = ${organization} AND n.deleted_date IS NULL),
    (SELECT json_object('manifestExternalId', p.external_identifier, 'manifestUuid', p.uuid) FROM archive_entry p
      WHERE p.uuid = ${uuid} AND p.organization_uuid = ${organization} AND p.entity_type = 'MANIFEST'
        AND p.deleted_date IS NULL))`);

export interface StoredReference {
  manifestExternalId: string;
  manifestUuid: string;
}

const factColumns = eachFact<Pick<typeof manifest, ManifestFact>>((_, name) => manifest[name]);

export const manifestView = viewOfExtent((look: Look) =>
  view({
    uuid: manifest.uuid,
    externalIdentifier: manifest.externalIdentifier,
    manifestStatus: manifest.manifestStatus,
    activateDate: manifest.activateDate,
    closeDate: manifest.closeDate,
    publicToken: manifest.publicToken,
    createDate: manifest.createDate,
    updateDate: manifest.updateDate,
    deletedDate: manifest.deletedDate,
    gate: gateReferenceView(sql`manifest.organization_uuid`, sql`manifest.gate_uuid`),
    ...factColumns,
    counts: sql<{ total: number; loaded: number }>`json_object('total', manifest.assets_count,
      'loaded', manifest.loaded_count)`,
    customFields: fieldsView(sql`manifest.organization_uuid`, sql`manifest.uuid`),
    validation: json<ManifestValidation | null>(validationView(look)),
    backorderOf: referenceView(sql`manifest.organization_uuid`, sql`manifest.back_order_of_uuid`),
    backorder: referenceView(sql`manifest.organization_uuid`, sql`manifest.back_order_uuid`),
    signatures: signaturesView(sql`manifest.organization_uuid`, sql`manifest.uuid`),
  }),
);
export type StoredManifest = Viewed<ReturnType<typeof manifestView>>;
/** A manifest in the answer of a write. An object of an older version knew fewer facts. */
export type AnsweredManifest = Omit<StoredManifest, ManifestFact> & Partial<ManifestFacts>;

/** A manifest as the API shows it. */
export function presentManifest(links: string, stored: AnsweredManifest) {
  const { publicToken, deletedDate, counts, validation, ...manifest } = stored;
  const found = validation && presentValidation(validation);
  return {
    ...manifest,
    ...factsOf(stored, UNSET_FACTS),
    activateDate: isoDateOrNull(stored.activateDate),
    closeDate: isoDateOrNull(stored.closeDate),
    createDate: isoDate(stored.createDate),
    updateDate: isoDate(stored.updateDate),
    deepLink: deepLink(links, 'manifest', stored.uuid),
    tracksCount: counts.total,
    totalAssetsCount: counts.total,
    loadedAssetsCount: counts.loaded,
    gate: presentGateReference(links, stored.gate),
    customFields: presentFields(links, 'manifest', stored.uuid, stored.customFields),
    validationErrors: found && !isSound(found) ? found : null,
    signatures: presentSignatures(stored.signatures),
    proofOfShipmentUrl: publicToken && `${links}/public/proof-of-shipment/${publicToken}.pdf`,
    ...(publicToken === null
      ? {}
      : { shipmentSummaryUrl: `${links}/public/shipment-summary/${publicToken}` }),
    deleted: deletedDate !== null,
  };
}

/**
 * The API path of a manifest, by external id or uuid. An external id such as `..` does not work in
 * a path.
 */
export function manifestPath(identifier: string): string {
  return `${BASE_PATH}/manifest/${encodeURIComponent(identifier)}`;
}

/**
 * The condition for the manifest with this identifier: external id first, then uuid. Deleted
 * manifests are left out. It uses two look-ups by unique index. With OR, SQLite would walk all
 * manifests of the organization.
 */
const identified = (database: Scope, identifier: string): SQL => sql`
  WHERE manifest.uuid = coalesce((SELECT named.uuid FROM manifest named
      WHERE named.organization_uuid = ${database.organization} AND named.external_identifier = ${identifier}
        AND named.deleted_date IS NULL), ${identifier.toLowerCase()})
    AND manifest.organization_uuid = ${database.organization} AND manifest.deleted_date IS NULL`;

/**
 * The uuid of the manifest with this identifier: external id first, then uuid. Deleted manifests
 * are left out.
 */
export const manifestUuidOf = (
  database: Scope,
  identifier: string,
): SQL => sql`(SELECT manifest.uuid FROM manifest
  ${identified(database, identifier)})`;

/** Read the JSON of one manifest. */
export const manifestQuery = (
  database: Scope,
  identifier: string,
): SQL<ViewRow<ReturnType<typeof manifestView>>> =>
  sql`SELECT ${manifestView(WHOLE_LOOK)} AS view FROM manifest ${identified(database, identifier)}`;

/** The columns of `ManifestState`. */
export const stateColumns = rendered(sql`manifest.uuid${sql.join(
  FACT_NAMES.map((name) => sql`, ${factColumns[name]} AS ${sql.identifier(name)}`),
)}, manifest.external_identifier AS "externalIdentifier",
  manifest.manifest_status AS "manifestStatus", manifest.gate_uuid AS "gateUuid",
  ${gateExternalIdOf(sql`manifest.organization_uuid`, sql`manifest.gate_uuid`)} AS "gateExternalId",
  manifest.assets_count AS "assetsCount", manifest.activate_date AS "activateDate",
  (SELECT s.shipment_uuid FROM shipment_manifest s WHERE s.organization_uuid = manifest.organization_uuid
    AND s.manifest_uuid = manifest.uuid) AS "shipmentUuid"`);

/** The columns of `LocatedManifest`. */
const locatedColumns = rendered(sql`${stateColumns},
  (SELECT p.external_identifier FROM shipment_manifest s CROSS JOIN shipment p ON p.uuid = s.shipment_uuid
    WHERE s.organization_uuid = manifest.organization_uuid AND s.manifest_uuid = manifest.uuid) AS "shipmentExternalId"`);

/** Read the state of a manifest for a command. */
export const manifestStateQuery = (
  database: Scope,
  identifier: string,
): SQL<LocatedManifest> => sql`SELECT ${locatedColumns}
  FROM manifest ${identified(database, identifier)}`;

/** Read the states of manifests by uuid, for a command. */
export const manifestStatesQuery = (
  { organization }: Scope,
  uuids: readonly string[],
): SQL<LocatedManifest> => sql`SELECT ${locatedColumns} FROM manifest
  WHERE manifest.uuid ${inList(uuids)} AND +manifest.organization_uuid = ${organization}
    AND manifest.deleted_date IS NULL`;

/** The states of the other manifests of the shipment that a manifest belongs to. */
export const siblingsQuery = (
  { organization }: Scope,
  manifestUuid: SQL,
): SQL<ManifestState> => sql`SELECT ${stateColumns}
  FROM shipment_manifest own CROSS JOIN shipment_manifest s ON s.organization_uuid = own.organization_uuid
    AND s.shipment_uuid = own.shipment_uuid AND s.manifest_uuid <> own.manifest_uuid
  CROSS JOIN manifest ON manifest.uuid = s.manifest_uuid
  WHERE own.organization_uuid = ${organization} AND own.manifest_uuid = ${manifestUuid}`;

/** The state of a manifest that commands decide on. */
export interface ManifestState extends AssignedGate, ManifestFacts {
  uuid: string;
  externalIdentifier: string;
  manifestStatus: LoadStatus;
  assetsCount: number;
  /** Epoch milliseconds; null if its loading has not started. */
  activateDate: number | null;
  /** The shipment that it is attached to. */
  shipmentUuid: string | null;
}

/** A manifest with the name of its shipment. Refusals of changes to the manifest alone name the shipment. */
export interface LocatedManifest extends ManifestState {
  shipmentExternalId: string | null;
}

/** The answer with the manifest after all writes of the commit. */
export const manifestAnswer: (scope: Scope, uuid: string) => SQL<AnsweredManifest> = viewOf(
  manifestView(BRIEF_LOOK),
  manifest,
);

/** The WMS ids of a manifest's assets, in the order of creation. */
export const assetIdsQuery = (
  database: Scope,
  manifestUuid: SQL,
): SQL<{ wmsId: string }> => sql`SELECT wms_id AS "wmsId"
  FROM asset_loading WHERE organization_uuid = ${database.organization} AND manifest_uuid = ${manifestUuid}
    AND ${IS_ASSET} ORDER BY create_date, uuid`;

/** A manifest that exists, and the JSON of its pallets among some. */
export interface HeldPallets {
  uuid: string;
  externalIdentifier: string;
  manifestStatus: string;
  held: Json<string[]>;
}

/** The manifests with these external ids, each with its pallets among these WMS ids. */
export const heldPalletsQuery = (
  { organization }: Scope,
  names: readonly string[],
  wmsIds: readonly string[],
): SQL<HeldPallets> => sql<HeldPallets>`SELECT m.uuid, m.external_identifier AS "externalIdentifier",
    m.manifest_status AS "manifestStatus", (SELECT json_group_array(a.wms_id) FROM asset_loading a
      WHERE a.organization_uuid = m.organization_uuid AND a.manifest_uuid = m.uuid AND a.${IS_ASSET}
        AND a.wms_id ${inList(wmsIds)}) AS held
  FROM manifest m WHERE m.organization_uuid = ${organization} AND m.external_identifier ${inList(names)}
    AND m.deleted_date IS NULL`;

/** Read the back order of a manifest. */
export const backorderQuery = ({ organization }: Scope, manifestUuid: SQL): SQL<BackorderRow> =>
  sql`SELECT ${referenceView(sql`manifest.organization_uuid`, sql`manifest.back_order_uuid`)} AS backorder FROM manifest
    WHERE manifest.uuid = ${manifestUuid} AND manifest.organization_uuid = ${organization}`;

/** A row of `backorderQuery`. */
export interface BackorderRow {
  backorder: Json<StoredReference> | null;
}

/** The manifests that a manifest names as its back order, or as the manifest that it is the back order of. */
export const linkedQuery = ({ organization }: Scope, manifestUuid: SQL): SQL<LinkedManifest> =>
  sql`SELECT manifest.uuid, manifest.external_identifier AS "externalIdentifier", manifest.gate_uuid AS "gateUuid",
      manifest.back_order_uuid IS o.uuid AS "isSource"
    FROM manifest o CROSS JOIN manifest ON manifest.uuid IN (o.back_order_uuid, o.back_order_of_uuid)
    WHERE o.uuid = ${manifestUuid} AND o.organization_uuid = ${organization}
      AND +manifest.organization_uuid = ${organization} AND manifest.deleted_date IS NULL`;

/** A row of `linkedQuery`. */
export interface LinkedManifest {
  uuid: string;
  externalIdentifier: string;
  gateUuid: string | null;
  /** 1 if the other manifest is its back order. */
  isSource: 0 | 1;
}

/**
 * The WMS ids of a manifest's assets that are left behind, in the order of creation. A pallet is not left behind if it is
 * aboard a load in progress, or if it left with a load that was completed after the manifest was created.
 */
export const leftAssetsQuery = (
  database: Scope,
  manifestUuid: SQL,
): SQL<{ wmsId: string }> => sql`SELECT a.wms_id AS "wmsId"
  FROM asset_loading a CROSS JOIN manifest own ON own.uuid = a.manifest_uuid
  WHERE a.organization_uuid = ${database.organization} AND a.manifest_uuid = ${manifestUuid}
    AND +a.loading_status IN ('NOT_LOADED', 'UNLOADED')
    AND NOT EXISTS (SELECT 1 FROM asset_loading b CROSS JOIN manifest m ON m.uuid = b.manifest_uuid
      WHERE b.organization_uuid = ${database.organization} AND b.wms_id = a.wms_id AND b.closed IN (0, 1)
        AND b.manifest_uuid <> a.manifest_uuid AND m.deleted_date IS NULL
        AND b.loading_status IN ('LOADED', 'OFFLOADED', 'WRONGLY_LOADED')
        AND (m.manifest_status = 'IN_PROGRESS'
          OR (m.manifest_status = 'COMPLETED' AND m.close_date >= own.create_date)))
  ORDER BY a.create_date, a.uuid`;

/** Returns a row if the manifest has this asset. */
export const assetQuery = (database: Scope, manifestUuid: SQL, wmsId: string): SQL => sql`SELECT 1
  FROM asset_loading WHERE organization_uuid = ${database.organization} AND manifest_uuid = ${manifestUuid} AND closed IN (0, 1)
    AND wms_id = ${wmsId} AND ${IS_ASSET}`;

/** Returns a row if a manifest, also an archived one, has this external id. */
export const takenQuery = (database: Scope, externalIdentifier: string): SQL => sql`SELECT 1 FROM manifest
  WHERE organization_uuid = ${database.organization} AND external_identifier = ${externalIdentifier}
    AND deleted_date IS NULL
  UNION ALL SELECT 1 FROM archive_entry WHERE organization_uuid = ${database.organization}
    AND external_identifier = ${externalIdentifier} AND entity_type = 'MANIFEST' AND deleted_date IS NULL`;

/** How events describe manifests. */
export const manifestEntity: EntityKind = {
  type: 'MANIFEST',
  data: (uuid) => sql`(SELECT ${manifestView(BRIEF_LOOK)} FROM manifest WHERE manifest.uuid = ${uuid})`,
};
