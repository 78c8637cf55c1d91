import { OpenAPIHono, z } from '@hono/zod-openapi';
import { BASE_PATH, endpoint } from '../../../core/http/endpoint.ts';
import { answerList, envelope } from '../../../core/http/list-page.ts';
import { inTurn } from '../../../core/http/permit.ts';
import { answerTagged, reads } from '../../../core/http/read.ts';
import { type AppEnv, origin } from '../../../core/http/types.ts';
import { ifMatch, refuse, refuseMissing, write } from '../../../core/http/write.ts';
import { acceptedDescription, acceptedSchema } from '../../../log/operation/schema.ts';
import { operationPath } from '../../../log/operation/store.ts';
import { LOAD_STATUSES } from '../shared/status-rules.ts';
import { answerShipment, SHIPMENT_PATH, shipmentAccess, shipmentParams, shipmentResponse } from './answer.ts';
import { acceptBulkUpsert } from './bulk-commands.ts';
import { createShipment, deleteShipment, replaceShipment } from './commands.ts';
import { changeShipmentStatus, recordArrival } from './lifecycle-commands.ts';
import { shipmentList } from './list.ts';
import { storedItems } from './rules.ts';
import {
  BULK_ITEMS_MAXIMUM,
  shipmentArrivalSchema,
  shipmentBulkUpsertSchema,
  shipmentCreateSchema,
  shipmentReplaceSchema,
  shipmentSchema,
  shipmentStatusQuery,
} from './schema.ts';
import { presentShipment, shipmentPath, shipmentQuery } from './store.ts';

const app = new OpenAPIHono<AppEnv>();
const tag = 'Shipment';
const access = shipmentAccess;
const matched = { 'If-Match': 'Only if the shipment still has this ETag' };

endpoint(app, {
  method: 'get',
  path: SHIPMENT_PATH,
  operationId: 'listShipments',
  tag,
  summary: 'List shipments',
  description:
    'Returns shipments, newest first. A filter by activateDate or closeDate leaves out shipments without that date.',
  access,
  query: shipmentList.query,
  responses: { 200: { description: 'A page', schema: envelope('ShipmentPage', shipmentSchema) } },
  handler: (c, { query }) => answerList(c, shipmentList, query, presentShipment),
});

endpoint(app, {
  method: 'post',
  path: SHIPMENT_PATH,
  operationId: 'createShipment',
  tag,
  summary: 'Create a shipment of planned manifests',
  description:
    'Creates the shipment completely or not at all. The shipment and its manifests become TO_DO. ' +
    'The manifests take the gate of the shipment. If it has no gate, they lose theirs.',
  access,
  body: shipmentCreateSchema,
  responses: { 201: { description: 'The shipment', schema: shipmentSchema } },
  errors: [
    'manifestsEmpty',
    ['gateNotFound', 400],
    'customFieldNotConfigured',
    'customFieldNotNumeric',
    'customFieldNotDateTime',
    'externalIdentifierInUse',
    'manifestsNotAttachable',
  ],
  async handler(c, { body, submission }) {
    const { body: stored } = await write(c, submission, createShipment, body);
    c.header('Location', shipmentPath(stored.uuid));
    return c.json(presentShipment(origin(c), stored), 201);
  },
});

endpoint(app, {
  method: 'get',
  path: `${SHIPMENT_PATH}/{shipmentExternalId}`,
  operationId: 'getShipment',
  tag,
  summary: 'Get a shipment',
  description:
    'Finds the shipment by external id, or else by UUID. Returns an `ETag` for `If-Match`. For ' +
    'a deleted shipment, the answer is 404.',
  access,
  params: shipmentParams,
  responses: { ...shipmentResponse, 304: { description: 'Not modified' } },
  errors: ['shipmentNotFound'],
  async handler(c, { params: { shipmentExternalId } }) {
    const database = reads(c);
    const row = await database.first(shipmentQuery(database, shipmentExternalId));
    if (!row) return refuseMissing('shipmentNotFound', shipmentExternalId);
    return answerTagged(c, row.view, (stored) => presentShipment(origin(c), stored));
  },
});

endpoint(app, {
  method: 'put',
  path: `${SHIPMENT_PATH}/{shipmentExternalId}`,
  operationId: 'replaceShipment',
  tag,
  summary: 'Change a shipment',
  description:
    'Omitted or null fields stay unchanged. `manifests` and `customFields` replace the whole ' +
    'list. The rules for attaching and detaching manifests apply. A new gate also ' +
    'applies to the manifests; cancelled manifests keep their gate. While loading is in progress, ' +
    'the gate can change, but it cannot be cleared.',
  access,
  params: shipmentParams,
  body: shipmentReplaceSchema,
  requestHeaders: matched,
  responses: shipmentResponse,
  errors: [
    'manifestsEmpty',
    'identifierImmutable',
    'gateRequired',
    ['gateNotFound', 400],
    'customFieldNotConfigured',
    'customFieldNotNumeric',
    'customFieldNotDateTime',
    'shipmentNotFound',
    'shipmentClosed',
    'manifestsNotAttachable',
    'preconditionFailed',
  ],
  handler: (
    c,
    { params: { shipmentExternalId }, body: { identifier: newIdentifier, ...body }, submission },
  ) =>
    answerShipment(c, submission, replaceShipment, {
      ...body,
      newIdentifier,
      identifier: shipmentExternalId,
      ifMatch: ifMatch(c),
    }),
});

endpoint(app, {
  method: 'delete',
  path: `${SHIPMENT_PATH}/{shipmentExternalId}`,
  operationId: 'deleteShipment',
  tag,
  summary: 'Delete a shipment that is not closed',
  description:
    'Detaches its manifests and frees its identifier. The manifests become PLANNED again, without ' +
    'a gate; cancelled manifests stay unchanged. A shipment that is IN_PROGRESS can be deleted ' +
    'too. The manifests keep their loading records, including loaded pallets and ' +
    'invalid loadings. Alerts stay open. Correct the records with ' +
    '`…/manifest/{manifestExternalId}/asset-loading`.',
  access,
  params: shipmentParams,
  requestHeaders: matched,
  responses: { 204: { description: 'Deleted' } },
  errors: ['shipmentNotFound', 'shipmentClosed', 'preconditionFailed'],
  async handler(c, { params: { shipmentExternalId }, submission }) {
    await write(c, submission, deleteShipment, { identifier: shipmentExternalId, ifMatch: ifMatch(c) });
    return c.body(null, 204);
  },
});

endpoint(app, {
  method: 'post',
  path: `${SHIPMENT_PATH}/{shipmentExternalId}/status/{shipmentStatus}`,
  operationId: 'changeShipmentStatus',
  tag,
  summary: 'Change the status of a shipment: start, complete or cancel it',
  description:
    'From TO_DO: IN_PROGRESS (needs a gate) or CANCELLED. From IN_PROGRESS: COMPLETED or ' +
    'CANCELLED. Every manifest that is not cancelled changes with it. With `manifests=RELEASE`, the ' +
    'manifests of a cancelled shipment are detached first: they become PLANNED, without a gate, and ' +
    'keep their loading records. Manifests that are already cancelled are detached, too.',
  access,
  params: shipmentParams.extend({ shipmentStatus: z.enum(LOAD_STATUSES) }),
  query: shipmentStatusQuery,
  responses: { 204: { description: 'Changed' } },
  errors: ['unknownStatus', 'transitionNotAllowed', 'gateRequired', 'shipmentNotFound'],
  async handler(c, { params: { shipmentExternalId, shipmentStatus }, query, submission }) {
    const { manifests, shortReason } = query;
    refuseOthers(shipmentStatus, 'CANCELLED', { manifests });
    refuseOthers(shipmentStatus, 'COMPLETED', { shortReason });
    // The reason is part of the audit records, too.
    const { key, payload } = submission;
    const reasoned = shortReason === undefined ? submission : { key, payload, reason: shortReason };
    await write(c, reasoned, changeShipmentStatus, {
      identifier: shipmentExternalId,
      status: shipmentStatus,
      ...(manifests === undefined ? {} : { manifests }),
    });
    return c.body(null, 204);
  },
});

endpoint(app, {
  method: 'post',
  path: `${SHIPMENT_PATH}/{shipmentExternalId}/arrival`,
  operationId: 'recordShipmentArrival',
  tag,
  summary: 'Record the arrival of the truck',
  description:
    'Sets `arrivalDate`, `driverName` and the custom field with the role VEHICLE of an open shipment. Another call ' +
    'changes the arrival. A call that changes nothing emits no event.',
  access,
  params: shipmentParams,
  body: shipmentArrivalSchema,
  bodyOptional: true,
  responses: shipmentResponse,
  errors: ['customFieldNotNumeric', 'shipmentNotFound', 'shipmentClosed'],
  handler: (c, { params: { shipmentExternalId }, body, submission }) =>
    answerShipment(c, submission, recordArrival, { ...body, identifier: shipmentExternalId }),
});

/** @throws 400 if the request has a parameter that belongs to another status */
function refuseOthers(status: string, owner: string, parameter: Record<string, string | undefined>): void {
  const [[field, rejectedValue]] = Object.entries(parameter) as [[string, string | undefined]];
  if (rejectedValue === undefined || status === owner) return;
  const message = `Send this parameter only with the status ${owner}.`;
  const code = 'validationFailed' as const;
  refuse(code, `${field}: ${message}`, { errors: [{ field, code, message, rejectedValue }] });
}

const BODY_BYTES_MAXIMUM = 5 * 1024 * 1024;

endpoint(app, {
  method: 'post',
  path: `${BASE_PATH}/shipment/bulk-upsert`,
  operationId: 'bulkUpsertShipments',
  tag: 'Shipment',
  summary: 'Set custom fields of many shipments',
  description:
    'Works in the background, item by item. The body may have up to 5 MiB. An item takes effect ' +
    'as a whole or has an error. Errors are an unknown shipment, a key that is not configured, ' +
    'and a NUMBER field whose value is no number. With `ROLLBACK`, any error keeps all items from ' +
    'taking effect. The operation has a result for each item.',
  access: shipmentAccess,
  body: shipmentBulkUpsertSchema,
  bodyBytesMaximum: BODY_BYTES_MAXIMUM,
  bodyList: { name: 'items', maximum: BULK_ITEMS_MAXIMUM },
  responses: { 202: { description: acceptedDescription, schema: acceptedSchema } },
  async handler(c, { body, submission }) {
    const { body: written } = await write(c, submission, acceptBulkUpsert, {
      items: await inTurn(c, () => storedItems(body.items)),
      errorBehaviour: body.errorBehaviour,
      requestId: c.get('requestId'),
    });
    c.header('Location', operationPath(written.operationUuid));
    return c.json({ operationId: written.operationUuid }, 202);
  },
});

export const shipmentRoutes = app;
