import { OpenAPIHono, z } from '@hono/zod-openapi';
import { apiKeyAccess } from '../../../access/credential/authenticate.ts';
import { endpoint } from '../../../core/http/endpoint.ts';
import { answerList, envelope } from '../../../core/http/list-page.ts';
import { answerTagged, reads } from '../../../core/http/read.ts';
import { emptySchema, identifier, text } from '../../../core/http/schema.ts';
import { type AppContext, type AppEnv, origin } from '../../../core/http/types.ts';
import { answerWhole, GOES_ON, positionAfter, wholeQuery } from '../../../core/http/whole.ts';
import { ifMatch, refuseMissing, type Submission, write } from '../../../core/http/write.ts';
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
import {
  attachTrack,
  detachTrack,
  putManifestField,
  removeManifestField,
  replaceManifest,
} from './commands.ts';
import { createBackorder, createManifest } from './creation-commands.ts';
import { assignManifestGate, changeManifestStatus, deleteManifest } from './lifecycle-commands.ts';
import { manifestList } from './list.ts';
import {
  assetLoadingsSchema,
  assetSchema,
  backorderSchema,
  type ManifestReplacement,
  manifestCreateSchema,
  manifestIdentifiersSchema,
  manifestReplacedSchema,
  manifestReplaceSchema,
  manifestSchema,
  trackIdentifierSchema,
} from './schema.ts';
import { manifestPath, manifestQuery, manifestStateQuery, manifestUuidOf, presentManifest } from './store.ts';

const app = new OpenAPIHono<AppEnv>();
const tag = 'Manifest';
const access = apiKeyAccess;
const matched = { 'If-Match': 'Only if the manifest still has this ETag' };

endpoint(app, {
  method: 'get',
  path: MANIFEST_PATH,
  operationId: 'listManifests',
  tag,
  summary: 'List manifests',
  description: 'Returns manifests, newest first. Deleted manifests are left out by default.',
  access,
  query: manifestList.query,
  responses: { 200: { description: 'A page', schema: envelope('ManifestPage', manifestSchema) } },
  handler: (c, { query }) => answerList(c, manifestList, query, presentManifest),
});

endpoint(app, {
  method: 'post',
  path: MANIFEST_PATH,
  operationId: 'createManifest',
  tag,
  summary: 'Create a manifest',
  description:
    'Creates a work order: the pallets to load together. Assets are WMS ids and do not have to be ' +
    'coupled yet. Each asset links to its live track as soon as it has one.',
  access,
  body: manifestCreateSchema,
  responses: { 201: { description: 'The identifiers of the manifest', schema: manifestIdentifiersSchema } },
  errors: ['unknownStatus', ['gateNotFound', 400], 'externalIdentifierInUse'],
  async handler(c, { body, submission }) {
    const written = await write(c, submission, createManifest, body);
    c.header('Location', manifestPath(written.body.uuid));
    return c.json(written.body, 201);
  },
});

endpoint(app, {
  method: 'post',
  path: `${MANIFEST_PATH}/{manifestExternalId}/backorder`,
  operationId: 'createBackorder',
  tag,
  summary: 'Create the back order of a manifest',
  description:
    'Takes a COMPLETED or CANCELLED manifest. Creates a PLANNED manifest with its pallets that are ' +
    'NOT_LOADED or UNLOADED, and with the same custom fields. The two manifests name each other as ' +
    '`backorder` and `backorderOf`. A manifest has at most one back order that is not deleted.',
  access,
  params: manifestParams,
  body: backorderSchema,
  responses: {
    201: { description: 'The identifiers of the new manifest', schema: manifestIdentifiersSchema },
  },
  errors: [
    'manifestNotFound',
    'manifestNotClosed',
    'backorderExists',
    'nothingLeft',
    'externalIdentifierInUse',
  ],
  async handler(c, { params: { manifestExternalId }, body, submission }) {
    const input = { identifier: manifestExternalId, externalIdentifier: body.externalIdentifier };
    const written = await write(c, submission, createBackorder, input);
    c.header('Location', manifestPath(written.body.uuid));
    return c.json(written.body, 201);
  },
});

endpoint(app, {
  method: 'get',
  path: `${MANIFEST_PATH}/{manifestExternalId}`,
  operationId: 'getManifest',
  tag,
  summary: 'Get a manifest without its assets',
  description: 'Counts, links and `validationErrors` are up to date. Returns an `ETag` for `If-Match`.',
  access,
  params: manifestParams,
  responses: { ...manifestResponse, 304: { description: 'Not modified' } },
  errors: ['manifestNotFound'],
  async handler(c, { params: { manifestExternalId } }) {
    const database = reads(c);
    const row = await database.first(manifestQuery(database, manifestExternalId));
    if (!row) return refuseMissing('manifestNotFound', manifestExternalId);
    return answerTagged(c, row.view, (stored) => presentManifest(origin(c), stored));
  },
});

const replace = async (
  c: AppContext,
  submission: Submission,
  identifier: string,
  body: ManifestReplacement,
) => {
  const input = { identifier, ifMatch: ifMatch(c), ...body };
  const written = await write(c, submission, replaceManifest, input);
  return c.json(written.body as object);
};

endpoint(app, {
  method: 'put',
  path: `${MANIFEST_PATH}/{manifestExternalId}`,
  operationId: 'replaceManifest',
  tag,
  summary: 'Replace the assets and custom fields of a manifest',
  description:
    'Each list replaces the stored list: missing items are deleted, and new items are added. A ' +
    'custom field that is in both lists gets the new value. An omitted or null list stays unchanged.',
  access,
  params: manifestParams,
  body: manifestReplaceSchema,
  requestHeaders: matched,
  responses: {
    200: {
      description: 'The numbers of added, updated, removed and unchanged items',
      schema: manifestReplacedSchema,
    },
  },
  errors: ['manifestNotFound', 'manifestClosed', 'preconditionFailed'],
  handler: (c, { params: { manifestExternalId }, body, submission }) =>
    replace(c, submission, manifestExternalId, body),
});

/** When upsert-assets was deprecated (RFC 9745), and when it will be removed (RFC 8594). */
const UPSERT_DEPRECATED = `@${Date.UTC(2026, 10, 21) / 1_000}`;
const UPSERT_SUNSET = new Date(Date.UTC(2028, 0, 1)).toUTCString();

endpoint(app, {
  method: 'post',
  path: `${MANIFEST_PATH}/{manifestExternalId}/upsert-assets`,
  operationId: 'upsertAssets',
  tag,
  summary: 'Replace the assets and custom fields of a manifest (deprecated)',
  description: 'Does the same as PUT on the manifest. Use PUT instead.',
  deprecated: true,
  access,
  params: manifestParams,
  body: manifestReplaceSchema,
  requestHeaders: matched,
  responses: {
    200: {
      description: 'The numbers of added, updated, removed and unchanged items',
      schema: manifestReplacedSchema,
    },
  },
  errors: ['manifestNotFound', 'manifestClosed', 'preconditionFailed'],
  handler(c, { params: { manifestExternalId }, body, submission }) {
    c.header('Deprecation', UPSERT_DEPRECATED);
    c.header('Sunset', UPSERT_SUNSET);
    c.header('Link', `<${manifestPath(manifestExternalId)}>; rel="successor-version"`);
    return replace(c, submission, manifestExternalId, body);
  },
});

endpoint(app, {
  method: 'delete',
  path: `${MANIFEST_PATH}/{manifestExternalId}`,
  operationId: 'deleteManifest',
  tag,
  summary: 'Delete a manifest',
  description:
    'Frees the external id. Resolves alerts about invalid loadings (pallets or markers that do not belong there) on the manifest.',
  access,
  params: manifestParams,
  requestHeaders: matched,
  responses: { 200: { description: 'Deleted', schema: emptySchema } },
  errors: ['manifestNotFound', 'manifestBelongsToShipment', 'preconditionFailed'],
  async handler(c, { params: { manifestExternalId }, submission }) {
    await write(c, submission, deleteManifest, { identifier: manifestExternalId, ifMatch: ifMatch(c) });
    return c.json({});
  },
});

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

export const manifestRoutes = app;
