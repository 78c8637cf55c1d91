import { OpenAPIHono, z } from '@hono/zod-openapi';
import { apiKeyAccess } from '../../access/credential/authenticate.ts';
import { BASE_PATH, endpoint } from '../../core/http/endpoint.ts';
import { reads } from '../../core/http/read.ts';
import { identifier } from '../../core/http/schema.ts';
import { type AppEnv, origin } from '../../core/http/types.ts';
import { answerWhole, GOES_ON, positionAfter, wholeQuery } from '../../core/http/whole.ts';
import { write } from '../../core/http/write.ts';
import { missing } from '../../core/lib/missing.ts';
import { signManifest } from '../manifest/signature-commands.ts';
import { manifestStateQuery, manifestUuidOf } from '../manifest/store.ts';
import { signatureCreateSchema, signatureSchema, signaturesSchema } from '../signature/schema.ts';
import { presentSignature, signaturePlace, signaturesQuery } from '../signature/store.ts';
import { shipmentAccess } from './access.ts';
import { signShipment } from './signature-commands.ts';
import { shipmentStateQuery, shipmentUuidOf } from './store.ts';

const app = new OpenAPIHono<AppEnv>();

/** The two kinds of loads that are signed. */
const LOADS = [
  {
    path: `${BASE_PATH}/shipment/{shipmentExternalId}/signature`,
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

for (const load of LOADS) {
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
      'signature of the same role supersedes it, and the earlier one stays. Signatures are part of the proof of ' +
      `shipment and of its digest.${load.where}`,
    access: load.access,
    params,
    body: signatureCreateSchema,
    responses: { 201: { description: 'The signature', schema: signatureSchema } },
    errors: [...load.errors, 'signatureLimitReached'],
    async handler(c, { params: named, body, submission }) {
      const { body: stored } = await write(c, submission, load.command, {
        identifier: identifierOf(named),
        signature: body,
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
      const after = positionAfter(query.after, signaturePlace);
      const database = reads(c);
      const signatures = signaturesQuery(database, load.uuidOf(database, name), after);
      const owner = { query: load.stateOf(database, name), missing: missing(load.missing, name) };
      return answerWhole(c, database, signatures, present, owner);
    },
  });
}

export const signatureRoutes = app;
