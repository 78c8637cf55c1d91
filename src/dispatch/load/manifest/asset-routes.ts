import { OpenAPIHono, z } from '@hono/zod-openapi';
import { apiKeyAccess } from '../../../access/credential/authenticate.ts';
import { endpoint } from '../../../core/http/endpoint.ts';
import { reads } from '../../../core/http/read.ts';
import { identifier, text } from '../../../core/http/schema.ts';
import type { AppContext, AppEnv } from '../../../core/http/types.ts';
import { answerWhole, GOES_ON, positionAfter, wholeQuery } from '../../../core/http/whole.ts';
import { missing } from '../../../core/lib/missing.ts';
import { customFieldSchema } from '../../custom-field/schema.ts';
import {
  manifestRecordsQuery,
  presentAsset,
  presentRecord,
  recordPlace,
  type StoredRecord,
} from '../shared/asset-store.ts';
import { LOAD_STATUSES } from '../shared/status-rules.ts';
import { answerManifest, MANIFEST_PATH, manifestParams, manifestResponse } from './answer.ts';
import { assetLoadingsSchema, assetSchema } from './asset-schema.ts';
import { attachTrack, detachTrack, putManifestField, removeManifestField } from './commands.ts';
import { assignManifestGate, changeManifestStatus } from './lifecycle-commands.ts';
import { trackIdentifierSchema } from './schema.ts';
import { manifestStateQuery, manifestUuidOf } from './store.ts';

const app = new OpenAPIHono<AppEnv>();
const tag = 'Manifest';
const access = apiKeyAccess;

const recordParams = manifestParams.extend({ trackIdentifier: trackIdentifierSchema });

endpoint(app, {
  method: 'post',
  path: `${MANIFEST_PATH}/{manifestExternalId}/track-record/{trackIdentifier}`,
  operationId: 'attachTrack',
  tag,
  summary: 'Add a track to a manifest',
  description:
    'Takes a WMS id, which does not have to be coupled yet. A WMS id that is already on the ' +
    'manifest changes nothing.',
  access,
  params: recordParams,
  responses: manifestResponse,
  errors: ['manifestNotFound', 'manifestClosed', 'assetLimitReached'],
  handler: (c, { params: { manifestExternalId, trackIdentifier }, submission }) =>
    answerManifest(c, submission, attachTrack, { identifier: manifestExternalId, trackIdentifier }),
});

endpoint(app, {
  method: 'delete',
  path: `${MANIFEST_PATH}/{manifestExternalId}/track-record/{trackIdentifier}`,
  operationId: 'detachTrack',
  tag,
  summary: 'Remove a track from a manifest',
  description: 'Removes only the association, not the track.',
  access,
  params: recordParams,
  responses: manifestResponse,
  errors: ['manifestNotFound', 'trackRecordNotFound', 'manifestClosed'],
  handler: (c, { params: { manifestExternalId, trackIdentifier }, submission }) =>
    answerManifest(c, submission, detachTrack, { identifier: manifestExternalId, trackIdentifier }),
});

endpoint(app, {
  method: 'post',
  path: `${MANIFEST_PATH}/{manifestExternalId}/status/{manifestStatus}`,
  operationId: 'changeManifestStatus',
  tag,
  summary: 'Change the status of a manifest: plan, start, complete or cancel it',
  description:
    'From PLANNED: TO_DO or CANCELLED. From TO_DO: PLANNED, IN_PROGRESS (needs a gate) or ' +
    'CANCELLED. From IN_PROGRESS: COMPLETED or CANCELLED. A manifest in a shipment changes with ' +
    'the shipment; by itself it can only be CANCELLED.',
  access,
  params: manifestParams.extend({ manifestStatus: z.enum(LOAD_STATUSES) }),
  responses: manifestResponse,
  errors: [
    'unknownStatus',
    'transitionNotAllowed',
    'gateRequired',
    'manifestNotFound',
    'manifestBelongsToShipment',
  ],
  handler: (c, { params: { manifestExternalId, manifestStatus }, submission }) =>
    answerManifest(c, submission, changeManifestStatus, { identifier: manifestExternalId, manifestStatus }),
});

endpoint(app, {
  method: 'post',
  path: `${MANIFEST_PATH}/{manifestExternalId}/gate/{gateExternalId}`,
  operationId: 'assignManifestGate',
  tag,
  summary: 'Assign a gate to a manifest',
  description:
    'Takes the external id of the gate, or else its UUID. Replaces a gate that was assigned before.',
  access,
  params: manifestParams.extend({ gateExternalId: identifier }),
  responses: manifestResponse,
  errors: ['manifestNotFound', 'gateNotFound', 'manifestBelongsToShipment', 'manifestClosed'],
  handler: (c, { params: { manifestExternalId, gateExternalId }, submission }) =>
    answerManifest(c, submission, assignManifestGate, {
      identifier: manifestExternalId,
      gateIdentifier: gateExternalId,
    }),
});

endpoint(app, {
  method: 'post',
  path: `${MANIFEST_PATH}/{manifestExternalId}/custom-field`,
  operationId: 'putManifestField',
  tag,
  summary: 'Add or change a custom field of a manifest',
  description: 'A blank value removes the field.',
  access,
  params: manifestParams,
  body: customFieldSchema,
  responses: manifestResponse,
  errors: ['manifestNotFound', 'manifestClosed', 'customFieldLimitReached'],
  handler: (c, { params: { manifestExternalId }, body, submission }) =>
    answerManifest(c, submission, putManifestField, { identifier: manifestExternalId, field: body }),
});

endpoint(app, {
  method: 'delete',
  path: `${MANIFEST_PATH}/{manifestExternalId}/custom-field/{fieldKey}`,
  operationId: 'removeManifestField',
  tag,
  summary: 'Remove a custom field of a manifest',
  description: 'Deletes the field permanently. The audit log keeps its last value.',
  access,
  params: manifestParams.extend({ fieldKey: text(1, 100) }),
  responses: manifestResponse,
  errors: ['manifestNotFound', 'customFieldNotFound', 'manifestClosed'],
  handler: (c, { params: { manifestExternalId, fieldKey }, submission }) =>
    answerManifest(c, submission, removeManifestField, { identifier: manifestExternalId, fieldKey }),
});

/** Return all assets or records of a manifest. */
async function answerAssets(
  c: AppContext,
  identifier: string,
  { after, onlyAssets }: { after: string | undefined; onlyAssets: boolean },
  present: (links: string, stored: StoredRecord) => object,
): Promise<Response> {
  const database = reads(c);
  const owner = {
    query: manifestStateQuery(database, identifier),
    missing: missing('manifestNotFound', identifier),
  };
  return answerWhole(
    c,
    database,
    {
      rowsAfter: (place) =>
        manifestRecordsQuery(database, manifestUuidOf(database, identifier), { onlyAssets, after: place }),
      after: positionAfter(after, recordPlace),
    },
    present,
    owner,
  );
}

endpoint(app, {
  method: 'get',
  path: `${MANIFEST_PATH}/{manifestExternalId}/asset`,
  operationId: 'listAssets',
  tag,
  summary: 'List all assets of a manifest',
  description:
    'Returns the assets in the order in which they were added, each with its track, loading ' +
    `status and gate. ${GOES_ON}`,
  access,
  params: manifestParams,
  query: wholeQuery,
  responses: { 200: { description: 'The assets', schema: z.array(assetSchema).openapi('Assets') } },
  errors: ['manifestNotFound'],
  handler: (c, { params: { manifestExternalId }, query: { after } }) =>
    answerAssets(c, manifestExternalId, { after, onlyAssets: true }, presentAsset),
});

endpoint(app, {
  method: 'get',
  path: `${MANIFEST_PATH}/{manifestExternalId}/asset-loading`,
  operationId: 'listAssetLoadings',
  tag,
  summary: 'List all loading records of a manifest',
  description:
    'Returns one record for each asset, NOT_LOADED from the start, and one for each invalid ' +
    `loading that a scan has added. Also works for a manifest in a shipment. ${GOES_ON}`,
  access,
  params: manifestParams,
  query: wholeQuery,
  responses: { 200: { description: 'The records', schema: assetLoadingsSchema } },
  errors: ['manifestNotFound'],
  handler: (c, { params: { manifestExternalId }, query: { after } }) =>
    answerAssets(c, manifestExternalId, { after, onlyAssets: false }, presentRecord),
});

export const manifestAssetRoutes = app;
