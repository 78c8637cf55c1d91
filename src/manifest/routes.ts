import { OpenAPIHono, z } from '@hono/zod-openapi';
import { apiKeyAccess } from '../credential/authenticate.ts';
import { customFieldSchema } from '../custom-field/schema.ts';
import { BASE_PATH, endpoint } from '../http/endpoint.ts';
import { answerList, envelope } from '../http/list-page.ts';
import { answerTagged, reads } from '../http/read.ts';
import { emptySchema, identifier, text } from '../http/schema.ts';
import { type AppContext, type AppEnv, origin } from '../http/types.ts';
import { answerWhole, GOES_ON, placeAfter, wholeQuery } from '../http/whole.ts';
import { ifMatch, refuse, write } from '../http/write.ts';
import type { Command } from '../writer/command.ts';
import { assetLoadingSchema, assetSchema } from './asset-schema.ts';
import {
  manifestRecordsQuery,
  presentAsset,
  presentRecord,
  recordPlace,
  type StoredRecord,
} from './asset-store.ts';
import {
  attachTrack,
  createManifest,
  detachTrack,
  putManifestField,
  removeManifestField,
  replaceManifest,
} from './commands.ts';
import { assignManifestGate, changeManifestStatus, deleteManifest } from './lifecycle-commands.ts';
import { manifestList } from './list.ts';
import {
  manifestCreateSchema,
  manifestIdentifiersSchema,
  manifestReplacedSchema,
  manifestReplaceSchema,
  manifestSchema,
  trackIdentifierSchema,
} from './schema.ts';
import {
  manifestPath,
  manifestQuery,
  manifestStateQuery,
  manifestUuidOf,
  presentManifest,
  type StoredManifest,
} from './store.ts';
import { MANIFEST_STATUSES } from './table.ts';

const app = new OpenAPIHono<AppEnv>();
const tag = 'Manifest';
const path = `${BASE_PATH}/manifest`;
const params = z.object({ manifestExternalId: identifier });
const access = apiKeyAccess;
const manifestAnswer = { 200: { description: 'The manifest', schema: manifestSchema } };
const matched = { 'If-Match': 'Only if the manifest still has this ETag' };

endpoint(app, {
  method: 'get',
  path,
  operationId: 'listManifests',
  tag,
  summary: 'List manifests',
  description: 'The newest first, without those that are deleted.',
  access,
  query: manifestList.query,
  responses: { 200: { description: 'A page', schema: envelope(manifestSchema) } },
  handler: (c, { query }) => answerList(c, manifestList, query, presentManifest),
});

endpoint(app, {
  method: 'post',
  path,
  operationId: 'createManifest',
  tag,
  summary: 'Create a manifest',
  description:
    'A work order: the pallets that are to be loaded together. Assets are WMS ids and need not be coupled ' +
    'yet; each links to its live track as soon as there is one.',
  access,
  body: manifestCreateSchema,
  responses: { 201: { description: 'Its identifiers', schema: manifestIdentifiersSchema } },
  errors: ['unknownStatus', ['gateNotFound', 400], 'externalIdentifierInUse'],
  async handler(c, { body }) {
    const written = await write(c, createManifest, {
      externalIdentifier: body.externalIdentifier,
      manifestStatus: body.manifestStatus,
      gateExternalId: body.gateExternalId || null,
      customFields: body.customFields ?? [],
      assets: body.assets ?? [],
    });
    c.header('Location', manifestPath(written.body.uuid));
    return c.json(written.body, 201);
  },
});

endpoint(app, {
  method: 'get',
  path: `${path}/{manifestExternalId}`,
  operationId: 'getManifest',
  tag,
  summary: 'Get a manifest, without its assets',
  description: 'Counts, links and `validationErrors` are of this moment. Answers an `ETag` for If-Match.',
  access,
  params,
  responses: { ...manifestAnswer, 304: { description: 'Not modified' } },
  errors: ['manifestNotFound'],
  async handler(c, { params: { manifestExternalId } }) {
    const database = reads(c);
    const row = await database.first(manifestQuery(database, manifestExternalId));
    if (!row) return missing();
    return answerTagged(c, row.view, (stored) => presentManifest(origin(c), stored));
  },
});

const replace = async (c: AppContext, identifier: string, body: z.output<typeof manifestReplaceSchema>) => {
  const written = await write(c, replaceManifest, {
    identifier,
    ifMatch: ifMatch(c),
    assets: body.assets ?? null,
    customFields: body.customFields ?? null,
  });
  return c.json(written.body as object);
};

endpoint(app, {
  method: 'put',
  path: `${path}/{manifestExternalId}`,
  operationId: 'replaceManifest',
  tag,
  summary: 'Replace assets and custom fields',
  description:
    'Declarative: what is missing from a list is deleted, what is new is added, the rest is updated. A list that is ' +
    'omitted or null stays as it is.',
  access,
  params,
  body: manifestReplaceSchema,
  requestHeaders: matched,
  responses: { 200: { description: 'How many of each', schema: manifestReplacedSchema } },
  errors: ['manifestNotFound', 'manifestClosed', 'preconditionFailed'],
  handler: (c, { params: { manifestExternalId }, body }) => replace(c, manifestExternalId, body),
});

/** When upsert-assets was deprecated and when it ends: RFC 9745 and RFC 8594. */
const UPSERT_DEPRECATED = `@${Date.UTC(2026, 10, 21) / 1_000}`;
const UPSERT_SUNSET = new Date(Date.UTC(2028, 0, 1)).toUTCString();

endpoint(app, {
  method: 'post',
  path: `${path}/{manifestExternalId}/upsert-assets`,
  operationId: 'upsertAssets',
  tag,
  summary: 'Replace assets and custom fields (deprecated)',
  description: 'Does what PUT on the manifest does; use that.',
  deprecated: true,
  access,
  params,
  body: manifestReplaceSchema,
  requestHeaders: matched,
  responses: { 200: { description: 'How many of each', schema: manifestReplacedSchema } },
  errors: ['manifestNotFound', 'manifestClosed', 'preconditionFailed'],
  handler(c, { params: { manifestExternalId }, body }) {
    c.header('Deprecation', UPSERT_DEPRECATED);
    c.header('Sunset', UPSERT_SUNSET);
    c.header('Link', `<${manifestPath(manifestExternalId)}>; rel="successor-version"`);
    return replace(c, manifestExternalId, body);
  },
});

endpoint(app, {
  method: 'delete',
  path: `${path}/{manifestExternalId}`,
  operationId: 'deleteManifest',
  tag,
  summary: 'Delete a manifest',
  description: 'Its external id is free again. Alerts about invalid loadings on it are resolved.',
  access,
  params,
  requestHeaders: matched,
  responses: { 200: { description: 'Deleted', schema: emptySchema } },
  errors: ['manifestNotFound', 'manifestBelongsToShipment', 'preconditionFailed'],
  async handler(c, { params: { manifestExternalId } }) {
    await write(c, deleteManifest, { identifier: manifestExternalId, ifMatch: ifMatch(c) });
    return c.json({});
  },
});

/** Send a command that is answered with the manifest. */
async function answerManifest<I>(
  c: AppContext,
  command: Command<I, StoredManifest>,
  input: I,
): Promise<Response> {
  const { body } = await write(c, command, input);
  return c.json(presentManifest(origin(c), body));
}

const recordParams = params.extend({ trackIdentifier: trackIdentifierSchema });

endpoint(app, {
  method: 'post',
  path: `${path}/{manifestExternalId}/track-record/{trackIdentifier}`,
  operationId: 'attachTrack',
  tag,
  summary: 'Add a track to a manifest',
  description:
    'By WMS id, which need not be coupled yet. One that is on the manifest already changes nothing.',
  access,
  params: recordParams,
  responses: manifestAnswer,
  errors: ['manifestNotFound', 'manifestClosed', 'assetLimitReached'],
  handler: (c, { params: { manifestExternalId, trackIdentifier } }) =>
    answerManifest(c, attachTrack, { identifier: manifestExternalId, trackIdentifier }),
});

endpoint(app, {
  method: 'delete',
  path: `${path}/{manifestExternalId}/track-record/{trackIdentifier}`,
  operationId: 'detachTrack',
  tag,
  summary: 'Take a track off a manifest',
  description: 'Removes the association only, not the track.',
  access,
  params: recordParams,
  responses: manifestAnswer,
  errors: ['manifestNotFound', 'trackRecordNotFound', 'manifestClosed'],
  handler: (c, { params: { manifestExternalId, trackIdentifier } }) =>
    answerManifest(c, detachTrack, { identifier: manifestExternalId, trackIdentifier }),
});

endpoint(app, {
  method: 'post',
  path: `${path}/{manifestExternalId}/status/{manifestStatus}`,
  operationId: 'changeManifestStatus',
  tag,
  summary: 'Move a manifest to another status',
  description:
    'PLANNED to TO_DO or CANCELLED, TO_DO to PLANNED, IN_PROGRESS (a gate is assigned) or CANCELLED, ' +
    'IN_PROGRESS to COMPLETED or CANCELLED. The shipment of a manifest moves it; by itself it can only be ' +
    'CANCELLED then.',
  access,
  params: params.extend({ manifestStatus: z.enum(MANIFEST_STATUSES) }),
  responses: manifestAnswer,
  errors: [
    'unknownStatus',
    'transitionNotAllowed',
    'gateRequired',
    'manifestNotFound',
    'manifestBelongsToShipment',
  ],
  handler: (c, { params: { manifestExternalId, manifestStatus } }) =>
    answerManifest(c, changeManifestStatus, { identifier: manifestExternalId, manifestStatus }),
});

endpoint(app, {
  method: 'post',
  path: `${path}/{manifestExternalId}/gate/{gateExternalId}`,
  operationId: 'assignManifestGate',
  tag,
  summary: 'Assign a gate',
  description: 'By external id, else by uuid. Where there is another gate already it is changed.',
  access,
  params: params.extend({ gateExternalId: identifier }),
  responses: manifestAnswer,
  errors: ['manifestNotFound', 'gateNotFound', 'manifestBelongsToShipment', 'manifestClosed'],
  handler: (c, { params: { manifestExternalId, gateExternalId } }) =>
    answerManifest(c, assignManifestGate, {
      identifier: manifestExternalId,
      gateIdentifier: gateExternalId,
    }),
});

endpoint(app, {
  method: 'post',
  path: `${path}/{manifestExternalId}/custom-field`,
  operationId: 'putManifestField',
  tag,
  summary: 'Add or change one custom field',
  description: 'A blank value removes it.',
  access,
  params,
  body: customFieldSchema,
  responses: manifestAnswer,
  errors: ['manifestNotFound', 'manifestClosed', 'customFieldLimitReached'],
  handler: (c, { params: { manifestExternalId }, body }) =>
    answerManifest(c, putManifestField, { identifier: manifestExternalId, field: body }),
});

endpoint(app, {
  method: 'delete',
  path: `${path}/{manifestExternalId}/custom-field/{fieldKey}`,
  operationId: 'removeManifestField',
  tag,
  summary: 'Remove one custom field',
  description: 'Gone for good; the audit log says what it was.',
  access,
  params: params.extend({ fieldKey: text(1, 100) }),
  responses: manifestAnswer,
  errors: ['manifestNotFound', 'customFieldNotFound', 'manifestClosed'],
  handler: (c, { params: { manifestExternalId, fieldKey } }) =>
    answerManifest(c, removeManifestField, { identifier: manifestExternalId, fieldKey }),
});

/** All assets or records of a manifest. */
async function answerAssets(
  c: AppContext,
  identifier: string,
  { after, onlyAssets }: { after: string | undefined; onlyAssets: boolean },
  present: (links: string, stored: StoredRecord) => object,
): Promise<Response> {
  const wanted = { onlyAssets, after: placeAfter(after, recordPlace) };
  const database = reads(c);
  const { found, records } = await database.ask({
    found: manifestStateQuery(database, identifier),
    records: manifestRecordsQuery(database, manifestUuidOf(database, identifier), wanted),
  });
  if (found.length === 0) return missing();
  return answerWhole(c, records, (stored) => present(origin(c), stored));
}

endpoint(app, {
  method: 'get',
  path: `${path}/{manifestExternalId}/asset`,
  operationId: 'listAssets',
  tag,
  summary: 'All assets of a manifest',
  description: `In the order in which they were added, each with its track, loading status and gate. ${GOES_ON}`,
  access,
  params,
  query: wholeQuery,
  responses: { 200: { description: 'The assets', schema: z.array(assetSchema) } },
  errors: ['manifestNotFound'],
  handler: (c, { params: { manifestExternalId }, query: { after } }) =>
    answerAssets(c, manifestExternalId, { after, onlyAssets: true }, presentAsset),
});

endpoint(app, {
  method: 'get',
  path: `${path}/{manifestExternalId}/asset-loading`,
  operationId: 'listAssetLoadings',
  tag,
  summary: 'All loading records of a manifest',
  description:
    'One record for each asset from the start, NOT_LOADED, and one for each invalid loading that a scan ' +
    `has added. Also of a manifest that is in a shipment. ${GOES_ON}`,
  access,
  params,
  query: wholeQuery,
  responses: { 200: { description: 'The records', schema: z.array(assetLoadingSchema) } },
  errors: ['manifestNotFound'],
  handler: (c, { params: { manifestExternalId }, query: { after } }) =>
    answerAssets(c, manifestExternalId, { after, onlyAssets: false }, presentRecord),
});

const missing = () => refuse('manifestNotFound', 'There is no such manifest.');

export const manifestRoutes = app;
