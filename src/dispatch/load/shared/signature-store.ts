import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { deepLink } from '../../../core/http/link.ts';
import type { WholeRow } from '../../../core/http/whole.ts';
import { type Json, parseJson } from '../../../core/lib/json.ts';
import type { Scope } from '../../../core/lib/scope.ts';
import { isoDate, isoDateOrNull } from '../../../core/lib/time.ts';
import { json } from '../../../core/lib/view.ts';
import type { FieldRole } from '../../../core/writer/settings.ts';
import { factOf } from '../../custom-field/store.ts';
import { authorName, presentAuthor } from '../../track/store.ts';
import type { SignedFacts, SignedFor, Stroke } from './signature-rules.ts';
import type { SignerRole } from './table.ts';

/** The signatures of a load in their order. `superseded` is 1 if the same role has a later signature. */
const signaturesOf = (
  organization: SQL,
  load: SQL,
): SQL => sql`(SELECT g.*, EXISTS (SELECT 1 FROM signature later
    WHERE later.organization_uuid = g.organization_uuid AND later.load_uuid = g.load_uuid
      AND later.number > g.number AND later.role = g.role) AS superseded
  FROM signature g WHERE g.organization_uuid = ${organization} AND g.load_uuid = ${load} ORDER BY g.number)`;

/** JSON of the latest signature of each role, for the views of shipments and manifests. */
export const signaturesView = (organization: SQL, load: SQL): SQL<SignatureReference[]> =>
  json(
    sql`(SELECT coalesce(json_group_array(json_object('role', role, 'name', signer_name, 'signDate', sign_date)), '[]') FROM ${signaturesOf(organization, load)} WHERE superseded = 0)`,
  );

/** A signature in the view of its load. */
export interface SignatureReference {
  role: SignerRole;
  name: string;
  signDate: number;
}

/** The signatures in the view of a load as the API shows them. */
export const presentSignatures = (stored: readonly SignatureReference[]) =>
  stored.map((each) => ({ ...each, signDate: isoDate(each.signDate) }));

/** The condition that a load `p` can be signed: it is open or completed. A manifest in a shipment is signed with its shipment. */
export const isSignable = (kind: 'SHIPMENT' | 'MANIFEST'): SQL => {
  const isShipment = kind === 'SHIPMENT';
  const status = isShipment ? sql`p.status` : sql`p.manifest_status`;
  const alone = sql`AND NOT EXISTS (SELECT 1 FROM shipment_manifest s
    WHERE s.organization_uuid = p.organization_uuid AND s.manifest_uuid = p.uuid)`;
  return sql`p.deleted_date IS NULL AND ${status} <> 'CANCELLED' ${isShipment ? sql`` : alone}`;
};

/** The state of a load's signatures that commands decide on. */
const signedQuery = ({ organization }: Scope, load: SQL): SQL<Signed> => sql`SELECT uuid, number, role,
    signer_name AS "name", sign_date AS "signDate"
  FROM signature WHERE organization_uuid = ${organization} AND load_uuid = ${load} ORDER BY number`;

export interface Signed extends SignatureReference {
  uuid: string;
  number: number;
}

/** The rows that a new signature on a load needs. */
export const askSigned = (scope: Scope, kind: 'SHIPMENT' | 'MANIFEST', load: SQL) => ({
  signed: signedQuery(scope, load),
  facts: signedFactsQuery(scope, kind, load),
});

/** The facts of a load for a new signature. */
function signedFactsQuery(
  { organization }: Scope,
  kind: 'SHIPMENT' | 'MANIFEST',
  load: SQL,
): SQL<SignedFacts> {
  const isShipment = kind === 'SHIPMENT';
  const members = isShipment
    ? sql`FROM shipment_manifest s CROSS JOIN manifest m ON m.uuid = s.manifest_uuid
        WHERE s.organization_uuid = p.organization_uuid AND s.shipment_uuid = p.uuid`
    : sql`FROM manifest m WHERE m.uuid = p.uuid`;
  const sum = (column: SQL, only: SQL): SQL => sql`(SELECT coalesce(sum(${column}), 0) ${members} ${only})`;
  const assets = sql`AND m.manifest_status <> 'CANCELLED'`;
  const invalid = sql`(SELECT count(*) FROM asset_loading a WHERE a.organization_uuid = m.organization_uuid
    AND a.manifest_uuid = m.uuid AND a.loading_status IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING'))`;
  const fact = (role: FieldRole, column?: 'field_date') => (isShipment ? factOf(role, column) : sql`NULL`);
  return sql`SELECT ${sum(sql`m.loaded_count`, assets)} AS "loadedAssetsCount",
      ${sum(sql`m.assets_count`, assets)} AS "totalAssetsCount", ${sum(invalid, sql``)} AS "invalidCount",
      ${sum(sql`m.record_changes`, sql``)} AS "recordChanges",
      ${fact('CARRIER')} AS carrier, ${fact('VEHICLE')} AS vehicle, ${fact('SEAL')} AS seal,
      ${fact('PLANNED_DEPARTURE', 'field_date')} AS "plannedDepartureDate",
      (SELECT count(*) FROM loading_correction c WHERE c.organization_uuid = p.organization_uuid
        AND c.load_uuid = p.uuid) AS revision
    FROM ${sql.raw(kind.toLowerCase())} p WHERE p.uuid = ${load} AND p.organization_uuid = ${organization}`;
}

const signatureView = sql<StoredSignature>`json_object('uuid', g.uuid, 'loadUuid', g.load_uuid, 'role', g.role, 'name', g.signer_name,
  'signDate', g.sign_date, 'strokes', json(g.strokes), 'superseded', g.superseded, 'signedFor', json(g.signed_for),
  'author', ${authorName(sql`g`)},
  'createDate', g.create_date)`;

/** A signature as it is stored. */
export interface StoredSignature extends SignatureReference {
  uuid: string;
  /** The shipment or manifest. */
  loadUuid: string;
  strokes: Stroke[];
  superseded: 0 | 1;
  signedFor: SignedFor;
  author: string;
  createDate: number;
}

/** The position of a signature in the list of a load. */
export const signaturePlace = z.tuple([z.int()]);
type SignaturePlace = z.output<typeof signaturePlace>;

/** All signatures of a load after a position, in their order. */
export const signaturesQuery = ({ organization }: Scope, load: SQL, after: SignaturePlace | undefined) => sql<
  WholeRow<StoredSignature, SignaturePlace>
>`SELECT ${signatureView} AS view, json_array(g.number) AS position
    FROM ${signaturesOf(sql`${organization}`, load)} g WHERE g.number > ${after?.[0] ?? 0} ORDER BY g.number`;

/** The answer with a new signature, read after its commit. */
export const signatureAnswer = ({ organization }: Scope, load: string, uuid: string): SQL<StoredSignature> =>
  sql`SELECT ${signatureView} FROM ${signaturesOf(sql`${organization}`, sql`${load}`)} g WHERE g.uuid = ${uuid}`;

/**
 * A signature on a shipment or manifest as the API shows it. It has no page of its own, so its deep link is the deep
 * link of its load.
 */
export const presentSignature =
  (load: 'shipment' | 'manifest') =>
  (links: string, { superseded, loadUuid, signedFor, ...stored }: StoredSignature) => ({
    ...stored,
    signedFor: presentSignedFor(signedFor),
    author: presentAuthor(stored.author),
    superseded: superseded === 1,
    signDate: isoDate(stored.signDate),
    createDate: isoDate(stored.createDate),
    updateDate: isoDate(stored.createDate),
    deepLink: deepLink(links, load, loadUuid),
  });

/** The load that a signature was given for, as the API and the data of proofs show it. */
export const presentSignedFor = ({ recordChanges: _, revision: __, ...signed }: SignedFor) => ({
  ...signed,
  plannedDepartureDate: isoDateOrNull(signed.plannedDepartureDate),
});

/** A signature in a proof. */
export interface ProofSignature extends SignatureReference {
  uuid: string;
  strokes: Stroke[];
  signedFor: SignedFor;
  afterClose: 0 | 1;
  createDate: number;
}

/** The signatures of a load for its public pages, in their order. */
export const proofSignaturesQuery = (
  { organization }: Scope,
  loadUuid: string,
): SQL<StoredProofSignature> => sql`SELECT uuid, role, signer_name AS "name",
    sign_date AS "signDate", strokes, signed_for AS "signedFor", after_close AS "afterClose", create_date AS "createDate"
  FROM signature WHERE organization_uuid = ${organization} AND load_uuid = ${loadUuid} ORDER BY number`;

type StoredProofSignature = Omit<ProofSignature, 'strokes' | 'signedFor'> & {
  strokes: Json<Stroke[]>;
  signedFor: Json<SignedFor>;
};

export const readSignatures = (rows: readonly StoredProofSignature[]): ProofSignature[] =>
  rows.map((row) => ({ ...row, strokes: parseJson(row.strokes), signedFor: parseJson(row.signedFor) }));

/**
 * JSON of the names that the proof of a load shows: of the organization and of the gate. For a shipment, it also has the
 * key of the custom field with each role. The row of the load is `manifest` or `shipment`.
 */
export const proofNames = (table: 'manifest' | 'shipment'): SQL => {
  const load = sql.raw(table);
  const organization = sql`FROM organization WHERE organization.uuid = ${load}.organization_uuid`;
  const fields = sql`json((SELECT json_group_object(value ->> 'role', value ->> 'fieldKey')
    FROM organization CROSS JOIN json_each(organization.shipment_custom_fields)
    WHERE organization.uuid = ${load}.organization_uuid AND value ->> 'role' IS NOT NULL))`;
  return sql`json_object('organizationName', (SELECT name ${organization}),
    'gateExternalId', (SELECT external_identifier FROM gate WHERE gate.uuid = ${load}.gate_uuid),
    'gateName', (SELECT name FROM gate WHERE gate.uuid = ${load}.gate_uuid)
    ${table === 'shipment' ? sql`, 'fields', ${fields}` : sql``})`;
};
