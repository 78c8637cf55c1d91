import { OpenAPIHono, z } from '@hono/zod-openapi';
import { customFieldSchema } from '../custom-field/schema.ts';
import { BASE_PATH, endpoint } from '../http/endpoint.ts';
import { answerList, envelope } from '../http/list-page.ts';
import { answerTagged, reads } from '../http/read.ts';
import { identifier, text } from '../http/schema.ts';
import { type AppContext, type AppEnv, origin } from '../http/types.ts';
import { answerWhole, GOES_ON, placeAfter, wholeQuery } from '../http/whole.ts';
import { ifMatch, refuse, write } from '../http/write.ts';
import { assetLoadingSchema, shipmentAssetSchema } from '../manifest/asset-schema.ts';
import {
  presentAsset,
  presentManifestReference,
  presentRecord,
  recordPlace,
  type StoredRecord,
} from '../manifest/asset-store.ts';
import type { Command } from '../writer/command.ts';
import { shipmentAccess } from './access.ts';
import { recordsOfShipment } from './asset-store.ts';
import { createShipment, deleteShipment, replaceShipment } from './commands.ts';
import {
  assignShipmentGate,
  attachManifests,
  changeShipmentStatus,
  detachManifests,
  putShipmentField,
  removeShipmentField,
} from './lifecycle-commands.ts';
import { shipmentList } from './list.ts';
import {
  shipmentAttachSchema,
  shipmentCreateSchema,
  shipmentDetachSchema,
  shipmentReplaceSchema,
  shipmentSchema,
  shipmentValidationSchema,
} from './schema.ts';
import {
  presentShipment,
  type StoredShipment,
  shipmentPath,
  shipmentQuery,
  shipmentStateQuery,
  shipmentUuidOf,
} from './store.ts';
import { SHIPMENT_STATUSES } from './table.ts';
import { validateMembers } from './validation.ts';

const app = new OpenAPIHono<AppEnv>();
const tag = 'Shipment';
const path = `${BASE_PATH}/shipment`;
const params = z.object({ shipmentExternalId: identifier });
const access = shipmentAccess;
const shipmentAnswer = { 200: { description: 'The shipment', schema: shipmentSchema } };
const matched = { 'If-Match': 'Only if the shipment still has this ETag' };

endpoint(app, {
  method: 'get',
  path,
  operationId: 'listShipments',
  tag,
  summary: 'List shipments',
  description: 'A bound on activateDate or closeDate leaves out shipments that have no such date.',
  access,
  query: shipmentList.query,
  responses: { 200: { description: 'A page', schema: envelope(shipmentSchema) } },
  handler: (c, { query }) => answerList(c, shipmentList, query, presentShipment),
});

endpoint(app, {
  method: 'post',
  path,
  operationId: 'createShipment',
  tag,
  summary: 'Create a shipment of planned manifests',
  description:
    'All or nothing: it is TO_DO then, and its manifests are. Its gate is theirs from then on; without one they lose ' +
    'what they had.',
  access,
  body: shipmentCreateSchema,
  responses: { 201: { description: 'The shipment', schema: shipmentSchema } },
  errors: [
    'manifestsEmpty',
    ['gateNotFound', 400],
    'customFieldNotConfigured',
    'customFieldNotNumeric',
    'externalIdentifierInUse',
    'manifestsNotAttachable',
  ],
  async handler(c, { body }) {
    const { body: stored } = await write(c, createShipment, {
      identifier: body.identifier,
      gateIdentifier: body.gateIdentifier || null,
      notes: body.notes ?? null,
      manifests: body.manifests,
      customFields: body.customFields ?? [],
    });
    c.header('Location', shipmentPath(stored.uuid));
    return c.json(presentShipment(origin(c), stored), 201);
  },
});

endpoint(app, {
  method: 'get',
  path: `${path}/{shipmentExternalId}`,
  operationId: 'getShipment',
  tag,
  summary: 'Get a shipment',
  description: 'By external id, else by uuid. Answers an `ETag` for If-Match. One that is deleted is 404.',
  access,
  params,
  responses: { ...shipmentAnswer, 304: { description: 'Not modified' } },
  errors: ['shipmentNotFound'],
  async handler(c, { params: { shipmentExternalId } }) {
    const database = reads(c);
    const row = await database.first(shipmentQuery(database, shipmentExternalId));
    if (!row) return missing();
    return answerTagged(c, row.view, (stored) => presentShipment(origin(c), stored));
  },
});

/** Send a command that is answered with the shipment. */
async function answerShipment<I>(
  c: AppContext,
  command: Command<I, StoredShipment>,
  input: I,
): Promise<Response> {
  const { body } = await write(c, command, input);
  return c.json(presentShipment(origin(c), body));
}

endpoint(app, {
  method: 'put',
  path: `${path}/{shipmentExternalId}`,
  operationId: 'replaceShipment',
  tag,
  summary: 'Change a shipment',
  description:
    'What is null or omitted stays as it is. Manifests and custom fields that are given are all it is to have; manifests ' +
    'that come and go are attached and detached as by the operations for that. A gate that is given is that of its ' +
    'manifests too (cancelled ones keep theirs); it may change while loading is in progress, but not be cleared.',
  access,
  params,
  body: shipmentReplaceSchema,
  requestHeaders: matched,
  responses: shipmentAnswer,
  errors: [
    'manifestsEmpty',
    'identifierImmutable',
    'gateRequired',
    ['gateNotFound', 400],
    'customFieldNotConfigured',
    'customFieldNotNumeric',
    'shipmentNotFound',
    'shipmentClosed',
    'manifestsNotAttachable',
    'preconditionFailed',
  ],
  handler: (c, { params: { shipmentExternalId }, body }) =>
    answerShipment(c, replaceShipment, {
      identifier: shipmentExternalId,
      ifMatch: ifMatch(c),
      newIdentifier: body.identifier ?? null,
      gateIdentifier: body.gateIdentifier ?? null,
      notes: body.notes ?? null,
      manifests: body.manifests ?? null,
      customFields: body.customFields ?? null,
    }),
});

endpoint(app, {
  method: 'delete',
  path: `${path}/{shipmentExternalId}`,
  operationId: 'deleteShipment',
  tag,
  summary: 'Delete a shipment that is not closed',
  description:
    'Its manifests are detached and PLANNED again, without a gate (cancelled ones stay as they are), and its identifier is ' +
    'free. Also while it is IN_PROGRESS: loading records stay with their manifests as they are, loaded pallets and ' +
    'invalid loadings among them, and alerts stay open. They are put right by `…/manifest/{manifestExternalId}/' +
    'asset-loading`.',
  access,
  params,
  requestHeaders: matched,
  responses: { 204: { description: 'Deleted' } },
  errors: ['shipmentNotFound', 'shipmentClosed', 'preconditionFailed'],
  async handler(c, { params: { shipmentExternalId } }) {
    await write(c, deleteShipment, { identifier: shipmentExternalId, ifMatch: ifMatch(c) });
    return c.body(null, 204);
  },
});

endpoint(app, {
  method: 'post',
  path: `${path}/{shipmentExternalId}/status/{shipmentStatus}`,
  operationId: 'changeShipmentStatus',
  tag,
  summary: 'Move a shipment to another status',
  description:
    'TO_DO to IN_PROGRESS (with a gate) or CANCELLED, IN_PROGRESS to COMPLETED or CANCELLED. Every manifest that is not ' +
    'cancelled goes with it.',
  access,
  params: params.extend({ shipmentStatus: z.enum(SHIPMENT_STATUSES) }),
  responses: { 204: { description: 'Moved' } },
  errors: ['unknownStatus', 'transitionNotAllowed', 'gateRequired', 'shipmentNotFound'],
  async handler(c, { params: { shipmentExternalId, shipmentStatus } }) {
    await write(c, changeShipmentStatus, { identifier: shipmentExternalId, status: shipmentStatus });
    return c.body(null, 204);
  },
});

endpoint(app, {
  method: 'post',
  path: `${path}/{shipmentExternalId}/manifest`,
  operationId: 'attachManifests',
  tag,
  summary: 'Attach manifests: all of them or none',
  description:
    'Each has to be PLANNED and in no shipment; `errors` names every one that is not. They become TO_DO ' +
    '(IN_PROGRESS, if the shipment is). The gate of the shipment is theirs from then on, in the place of what they had; ' +
    'where it has none yet, they have none.',
  access,
  params,
  body: shipmentAttachSchema,
  responses: shipmentAnswer,
  errors: [
    'manifestsEmpty',
    'shipmentNotFound',
    'shipmentClosed',
    'manifestsNotAttachable',
    'manifestLimitReached',
  ],
  handler: (c, { params: { shipmentExternalId }, body }) =>
    answerShipment(c, attachManifests, { identifier: shipmentExternalId, manifests: body.manifests }),
});

endpoint(app, {
  method: 'delete',
  path: `${path}/{shipmentExternalId}/manifest`,
  operationId: 'detachManifests',
  tag,
  summary: 'Detach manifests: all of them or none',
  description:
    'They are PLANNED again, without a gate; cancelled ones stay as they are. Loading records and alerts stay with them.',
  access,
  params,
  body: shipmentDetachSchema,
  responses: shipmentAnswer,
  errors: ['manifestsEmpty', 'shipmentNotFound', 'shipmentClosed', 'manifestsNotAttached'],
  handler: (c, { params: { shipmentExternalId }, body }) =>
    answerShipment(c, detachManifests, { identifier: shipmentExternalId, manifests: body.manifests }),
});

endpoint(app, {
  method: 'post',
  path: `${path}/{shipmentExternalId}/gate/{gateExternalId}`,
  operationId: 'assignShipmentGate',
  tag,
  summary: 'Assign a gate to a shipment and its manifests',
  description:
    'Needed before loading starts; may change while it is in progress. Cancelled manifests keep theirs.',
  access,
  params: params.extend({ gateExternalId: identifier }),
  responses: shipmentAnswer,
  errors: ['shipmentNotFound', 'gateNotFound', 'shipmentClosed'],
  handler: (c, { params: { shipmentExternalId, gateExternalId } }) =>
    answerShipment(c, assignShipmentGate, {
      identifier: shipmentExternalId,
      gateIdentifier: gateExternalId,
    }),
});

endpoint(app, {
  method: 'post',
  path: `${path}/{shipmentExternalId}/custom-field`,
  operationId: 'putShipmentField',
  tag,
  summary: 'Set one custom field',
  description: 'A blank value removes it. Also of a shipment that is closed.',
  access,
  params,
  body: customFieldSchema,
  responses: shipmentAnswer,
  errors: ['customFieldNotConfigured', 'customFieldNotNumeric', 'shipmentNotFound'],
  handler: (c, { params: { shipmentExternalId }, body }) =>
    answerShipment(c, putShipmentField, { identifier: shipmentExternalId, field: body }),
});

endpoint(app, {
  method: 'delete',
  path: `${path}/{shipmentExternalId}/custom-field/{fieldKey}`,
  operationId: 'removeShipmentField',
  tag,
  summary: 'Remove one custom field',
  description: 'Gone for good; the audit log says what it was.',
  access,
  params: params.extend({ fieldKey: text(1, 100) }),
  responses: shipmentAnswer,
  errors: ['shipmentNotFound', 'customFieldNotFound'],
  handler: (c, { params: { shipmentExternalId, fieldKey } }) =>
    answerShipment(c, removeShipmentField, { identifier: shipmentExternalId, fieldKey }),
});

endpoint(app, {
  method: 'get',
  path: `${path}/{shipmentExternalId}/validate`,
  operationId: 'validateShipment',
  tag,
  summary: 'What hinders a shipment',
  description:
    'Changes nothing. A WMS id in two of its manifests is duplicated too. Manifest by manifest up to 50,000 assets are ' +
    'looked at; a manifest that was not looked at, or has more than 100 of a kind, says `truncated`.',
  access,
  params,
  responses: { 200: { description: 'What was found', schema: shipmentValidationSchema } },
  errors: ['shipmentNotFound'],
  async handler(c, { params: { shipmentExternalId } }) {
    const validated = await validateMembers(reads(c), shipmentExternalId);
    return validated ? c.json(validated) : missing();
  },
});

/** All assets or records of a shipment. */
async function answerRecords(
  c: AppContext,
  shipmentIdentifier: string,
  { after, onlyAssets }: { after: string | undefined; onlyAssets: boolean },
  present: (links: string, stored: StoredRecord) => object,
): Promise<Response> {
  const wanted = { onlyAssets, after: placeAfter(after, recordPlace) };
  const database = reads(c);
  const { found, records } = await database.ask({
    found: shipmentStateQuery(database, shipmentIdentifier),
    records: recordsOfShipment(database, shipmentUuidOf(database, shipmentIdentifier), wanted),
  });
  if (found.length === 0) return missing();
  return answerWhole(c, records, (stored) => present(origin(c), stored));
}

endpoint(app, {
  method: 'get',
  path: `${path}/{shipmentExternalId}/asset`,
  operationId: 'listShipmentAssets',
  tag,
  summary: 'All assets of a shipment',
  description: `Of its manifests that are not cancelled. ${GOES_ON}`,
  access,
  params,
  query: wholeQuery,
  responses: { 200: { description: 'The assets', schema: z.array(shipmentAssetSchema) } },
  errors: ['shipmentNotFound'],
  handler: (c, { params: { shipmentExternalId }, query: { after } }) =>
    answerRecords(c, shipmentExternalId, { after, onlyAssets: true }, (links, stored) => ({
      ...presentAsset(links, stored),
      manifest: presentManifestReference(stored),
    })),
});

endpoint(app, {
  method: 'get',
  path: `${path}/{shipmentExternalId}/asset-loading`,
  operationId: 'listShipmentAssetLoadings',
  tag,
  summary: 'All loading records of a shipment',
  description: `Of all its manifests, invalid loadings among them. ${GOES_ON}`,
  access,
  params,
  query: wholeQuery,
  responses: { 200: { description: 'The records', schema: z.array(assetLoadingSchema) } },
  errors: ['shipmentNotFound'],
  handler: (c, { params: { shipmentExternalId }, query: { after } }) =>
    answerRecords(c, shipmentExternalId, { after, onlyAssets: false }, presentRecord),
});

const missing = () => refuse('shipmentNotFound', 'There is no such shipment.');

export const shipmentRoutes = app;
