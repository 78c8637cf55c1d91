import { OpenAPIHono, z } from '@hono/zod-openapi';
import { endpoint } from '../../../core/http/endpoint.ts';
import { reads } from '../../../core/http/read.ts';
import { identifier, text } from '../../../core/http/schema.ts';
import type { AppContext, AppEnv } from '../../../core/http/types.ts';
import { answerWhole, GOES_ON, positionAfter, wholeQuery } from '../../../core/http/whole.ts';
import { refuseMissing } from '../../../core/http/write.ts';
import { missing } from '../../../core/lib/missing.ts';
import { customFieldSchema } from '../../custom-field/schema.ts';
import { assetLoadingsSchema, shipmentAssetSchema } from '../manifest/schema.ts';
import {
  presentAsset,
  presentManifestReference,
  presentRecord,
  recordPlace,
  type StoredRecord,
} from '../shared/asset-store.ts';
import { answerShipment, SHIPMENT_PATH, shipmentAccess, shipmentParams, shipmentResponse } from './answer.ts';
import {
  assignShipmentGate,
  attachManifests,
  detachManifests,
  putShipmentField,
  removeShipmentField,
} from './lifecycle-commands.ts';
import { shipmentAttachSchema, shipmentDetachSchema, shipmentValidationSchema } from './schema.ts';
import { recordsOfShipment, shipmentStateQuery, shipmentUuidOf } from './store.ts';
import { validateMembers } from './validation.ts';

const app = new OpenAPIHono<AppEnv>();
const tag = 'Shipment';
const access = shipmentAccess;

endpoint(app, {
  method: 'post',
  path: `${SHIPMENT_PATH}/{shipmentExternalId}/manifest`,
  operationId: 'attachManifests',
  tag,
  summary: 'Attach manifests to a shipment, all or none',
  description:
    'Each manifest must be PLANNED and in no shipment; `errors` lists every manifest that is not. ' +
    'The manifests become TO_DO, or IN_PROGRESS if the shipment is. They take the gate of the ' +
    'shipment and lose their own. If the shipment has no gate yet, they have none.',
  access,
  params: shipmentParams,
  body: shipmentAttachSchema,
  responses: shipmentResponse,
  errors: [
    'manifestsEmpty',
    'shipmentNotFound',
    'shipmentClosed',
    'manifestsNotAttachable',
    'manifestLimitReached',
  ],
  handler: (c, { params: { shipmentExternalId }, body, submission }) =>
    answerShipment(c, submission, attachManifests, {
      identifier: shipmentExternalId,
      manifests: body.manifests,
    }),
});

for (const { method, path, operationId, by, more } of [
  { method: 'delete', path: 'manifest', operationId: 'detachManifests', by: '', more: '' },
  {
    method: 'post',
    path: 'manifest/detach',
    operationId: 'detachManifestsByPost',
    by: ' by POST',
    more: ' The same as the DELETE, for clients and proxies that send no body with DELETE.',
  },
] as const) {
  endpoint(app, {
    method,
    path: `${SHIPMENT_PATH}/{shipmentExternalId}/${path}`,
    operationId,
    tag,
    summary: `Detach manifests from a shipment${by}, all or none`,
    description:
      'The manifests become PLANNED again, without a gate. Cancelled manifests stay unchanged. ' +
      `Loading records and alerts stay with the manifests.${more}`,
    access,
    params: shipmentParams,
    body: shipmentDetachSchema,
    responses: shipmentResponse,
    errors: ['manifestsEmpty', 'shipmentNotFound', 'shipmentClosed', 'manifestsNotAttached'],
    handler: (c, { params: { shipmentExternalId }, body, submission }) =>
      answerShipment(c, submission, detachManifests, {
        identifier: shipmentExternalId,
        manifests: body.manifests,
      }),
  });
}

endpoint(app, {
  method: 'post',
  path: `${SHIPMENT_PATH}/{shipmentExternalId}/gate/{gateExternalId}`,
  operationId: 'assignShipmentGate',
  tag,
  summary: 'Assign a gate to a shipment and its manifests',
  description:
    'Required before loading starts. The gate can change while loading is in progress. Cancelled ' +
    'manifests keep their gate.',
  access,
  params: shipmentParams.extend({ gateExternalId: identifier }),
  responses: shipmentResponse,
  errors: ['shipmentNotFound', 'gateNotFound', 'shipmentClosed'],
  handler: (c, { params: { shipmentExternalId, gateExternalId }, submission }) =>
    answerShipment(c, submission, assignShipmentGate, {
      identifier: shipmentExternalId,
      gateIdentifier: gateExternalId,
    }),
});

endpoint(app, {
  method: 'post',
  path: `${SHIPMENT_PATH}/{shipmentExternalId}/custom-field`,
  operationId: 'putShipmentField',
  tag,
  summary: 'Set a custom field of a shipment',
  description: 'A blank value removes the field. Also works for closed shipments.',
  access,
  params: shipmentParams,
  body: customFieldSchema,
  responses: shipmentResponse,
  errors: ['customFieldNotConfigured', 'customFieldNotNumeric', 'customFieldNotDateTime', 'shipmentNotFound'],
  handler: (c, { params: { shipmentExternalId }, body, submission }) =>
    answerShipment(c, submission, putShipmentField, { identifier: shipmentExternalId, field: body }),
});

endpoint(app, {
  method: 'delete',
  path: `${SHIPMENT_PATH}/{shipmentExternalId}/custom-field/{fieldKey}`,
  operationId: 'removeShipmentField',
  tag,
  summary: 'Remove a custom field of a shipment',
  description: 'Deletes the field permanently. The audit log keeps its last value.',
  access,
  params: shipmentParams.extend({ fieldKey: text(1, 100) }),
  responses: shipmentResponse,
  errors: ['shipmentNotFound', 'customFieldNotFound'],
  handler: (c, { params: { shipmentExternalId, fieldKey }, submission }) =>
    answerShipment(c, submission, removeShipmentField, { identifier: shipmentExternalId, fieldKey }),
});

endpoint(app, {
  method: 'get',
  path: `${SHIPMENT_PATH}/{shipmentExternalId}/validate`,
  operationId: 'validateShipment',
  tag,
  summary: 'Validate a shipment',
  description:
    'Changes nothing. A WMS id on two manifests of the shipment also counts as duplicated. Checks ' +
    'up to 50,000 assets, manifest by manifest. A manifest that was not checked, or that has more ' +
    'than 100 problems of a kind, has `truncated`.',
  access,
  params: shipmentParams,
  responses: { 200: { description: 'The result of the validation', schema: shipmentValidationSchema } },
  errors: ['shipmentNotFound'],
  async handler(c, { params: { shipmentExternalId } }) {
    const validated = await validateMembers(reads(c), shipmentExternalId);
    return validated ? c.json(validated) : refuseMissing('shipmentNotFound', shipmentExternalId);
  },
});

/** Return all assets or records of a shipment. */
async function answerRecords(
  c: AppContext,
  shipmentIdentifier: string,
  { after, onlyAssets }: { after: string | undefined; onlyAssets: boolean },
  present: (links: string, stored: StoredRecord) => object,
): Promise<Response> {
  const database = reads(c);
  const owner = {
    query: shipmentStateQuery(database, shipmentIdentifier),
    missing: missing('shipmentNotFound', shipmentIdentifier),
  };
  return answerWhole(
    c,
    database,
    {
      rowsAfter: (place) =>
        recordsOfShipment(database, shipmentUuidOf(database, shipmentIdentifier), {
          onlyAssets,
          after: place,
        }),
      after: positionAfter(after, recordPlace),
    },
    present,
    owner,
  );
}

endpoint(app, {
  method: 'get',
  path: `${SHIPMENT_PATH}/{shipmentExternalId}/asset`,
  operationId: 'listShipmentAssets',
  tag,
  summary: 'List all assets of a shipment',
  description: `Returns the assets of the manifests that are not cancelled. ${GOES_ON}`,
  access,
  params: shipmentParams,
  query: wholeQuery,
  responses: {
    200: { description: 'The assets', schema: z.array(shipmentAssetSchema).openapi('ShipmentAssets') },
  },
  errors: ['shipmentNotFound'],
  handler: (c, { params: { shipmentExternalId }, query: { after } }) =>
    answerRecords(c, shipmentExternalId, { after, onlyAssets: true }, (links, stored) => ({
      ...presentAsset(links, stored),
      manifest: presentManifestReference(stored),
    })),
});

endpoint(app, {
  method: 'get',
  path: `${SHIPMENT_PATH}/{shipmentExternalId}/asset-loading`,
  operationId: 'listShipmentAssetLoadings',
  tag,
  summary: 'List all loading records of a shipment',
  description: `Returns the records of all its manifests, including invalid loadings. ${GOES_ON}`,
  access,
  params: shipmentParams,
  query: wholeQuery,
  responses: { 200: { description: 'The records', schema: assetLoadingsSchema } },
  errors: ['shipmentNotFound'],
  handler: (c, { params: { shipmentExternalId }, query: { after } }) =>
    answerRecords(c, shipmentExternalId, { after, onlyAssets: false }, presentRecord),
});

export const shipmentMemberRoutes = app;
