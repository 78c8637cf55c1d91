import { OpenAPIHono, z } from '@hono/zod-openapi';
import { apiKeyAccess } from '../../../access/credential/authenticate.ts';
import { BASE_PATH, endpoint } from '../../../core/http/endpoint.ts';
import { reads } from '../../../core/http/read.ts';
import { identifier } from '../../../core/http/schema.ts';
import { type AppEnv, origin } from '../../../core/http/types.ts';
import { answerWhole, GOES_ON, positionAfter, wholeQuery } from '../../../core/http/whole.ts';
import { write } from '../../../core/http/write.ts';
import type { Database } from '../../../core/lib/database.ts';
import { missing } from '../../../core/lib/missing.ts';
import { primary } from '../../calibration/objects.ts';
import { signManifest } from '../manifest/lifecycle-commands.ts';
import { manifestStateQuery, manifestUuidOf } from '../manifest/store.ts';
import { signatureCreateSchema, signatureSchema, signaturesSchema } from '../shared/signature-schema.ts';
import { presentSignature, signaturePlace, signaturesQuery } from '../shared/signature-store.ts';
import { shipmentAccess } from './answer.ts';
import { signShipment } from './lifecycle-commands.ts';
import { shipmentStateQuery, shipmentUuidOf } from './store.ts';

/** The two kinds of loads that are signed. */
const LOADS = [
  {
    path: `${BASE_PATH}/shipment/{shipmentExternalId}/signature`,
    kind: 'SHIPMENT',
    named: '',
    title: 'shipment',
    tag: 'Shipment',
    where: '',
    access: shipmentAccess,
    params: { shipmentExternalId: identifier },
    missing: 'shipmentNotFound',
    errors: ['shipmentNotFound', 'shipmentClosed'],
    command: signShipment,
    uuidOf: shipmentUuidOf,
    stateOf: shipmentStateQuery,
  },
  {
    path: `${BASE_PATH}/manifest/{manifestExternalId}/signature`,
    kind: 'MANIFEST',
    named: 'Manifest',
    title: 'manifest',
    tag: 'Manifest',
    where: ' For a manifest in a shipment, sign the shipment.',
    access: apiKeyAccess,
    params: { manifestExternalId: identifier },
    missing: 'manifestNotFound',
    errors: ['manifestNotFound', 'manifestClosed', 'manifestBelongsToShipment'],
    command: signManifest,
    uuidOf: manifestUuidOf,
    stateOf: manifestStateQuery,
  },
] as const;

/**
 * Reads the digest of the proof of a load, which is then signed. Null for a load without a proof. The identifier is an
 * external id or a uuid.
 */
type ProofDigest = (
  database: Database,
  kind: 'SHIPMENT' | 'MANIFEST',
  identifier: string,
) => Promise<string | null>;

/** The routes of signatures. */
export function signatureRoutes(proofDigest: ProofDigest): OpenAPIHono<AppEnv> {
  const app = new OpenAPIHono<AppEnv>();
  for (const load of LOADS) declare(app, load, proofDigest);
  return app;
}

function declare(app: OpenAPIHono<AppEnv>, load: (typeof LOADS)[number], proofDigest: ProofDigest): void {
  const params = z.object<Record<string, typeof identifier>>(load.params);
  const present = presentSignature(load.title);
  const identifierOf = (named: Record<string, string>): string => Object.values(named)[0]!;

  endpoint(app, {
    method: 'post',
    path: load.path,
    operationId: `add${load.named}Signature`,
    tag: load.tag,
    summary: `Sign a ${load.title}`,
    description:
      `Adds a signature to a ${load.title} that is open or COMPLETED. It cannot be changed or deleted. A later ` +
      'signature of the same role supersedes it, and the earlier one stays. It keeps the load that it was given for ' +
      '(`signedFor`). Signatures are part of the proof of shipment and of its digest. The proof says whether anything ' +
      `has changed since.${load.where}`,
    access: load.access,
    params,
    body: signatureCreateSchema,
    responses: { 201: { description: 'The signature', schema: signatureSchema } },
    errors: [...load.errors, 'signatureLimitReached'],
    async handler(c, { params: named, body, submission }) {
      const identifier = identifierOf(named);
      const digest = await proofDigest(primary(c), load.kind, identifier);
      const { body: stored } = await write(c, submission, load.command, {
        identifier,
        signature: { ...body, digest },
      });
      // A signature is read in the list of its load.
      c.header('Location', `${BASE_PATH}/${load.title}/${stored.loadUuid}/signature`);
      return c.json(present(origin(c), stored), 201);
    },
  });

  endpoint(app, {
    method: 'get',
    path: load.path,
    operationId: `list${load.named}Signatures`,
    tag: load.tag,
    summary: `List the signatures of a ${load.title}`,
    description: `Returns all signatures in the order in which they were added, with their \`strokes\`. ${GOES_ON}`,
    access: load.access,
    params,
    query: wholeQuery,
    responses: { 200: { description: 'The signatures', schema: signaturesSchema } },
    errors: [load.missing],
    async handler(c, { params: named, query }) {
      const name = identifierOf(named);
      const database = reads(c);
      const owner = { query: load.stateOf(database, name), missing: missing(load.missing, name) };
      return answerWhole(
        c,
        database,
        {
          rowsAfter: (place) => signaturesQuery(database, load.uuidOf(database, name), place),
          after: positionAfter(query.after, signaturePlace),
        },
        present,
        owner,
      );
    },
  });
}
