import { OpenAPIHono, z } from '@hono/zod-openapi';
import { ANSWER_BYTES, fitting, jsonText } from '../http/bounded.ts';
import { BASE_PATH, endpoint } from '../http/endpoint.ts';
import { identifier } from '../http/schema.ts';
import { type AppContext, type AppEnv, origin } from '../http/types.ts';
import { refuse, write } from '../http/write.ts';
import { shipmentAccess } from '../shipment/access.ts';
import { shipmentSchema } from '../shipment/schema.ts';
import { presentShipment, type StoredShipment } from '../shipment/store.ts';
import { loadingChangedSchema, loadingStatusSchema } from './schema.ts';
import { presentMarked, type StoredMarked } from './store.ts';
import type { Target } from './target-store.ts';

const app = new OpenAPIHono<AppEnv>();
const tag = 'Shipment loading';
const path = `${BASE_PATH}/shipment/{shipmentExternalId}/asset-loading`;
const ofShipment = { shipmentExternalId: identifier };

/** A code that no marker can have, for a text that is none. */
const NO_MARKER = 0;

/** How a path names records: its end, its parameter, and what that means. */
const NAMINGS = [
  {
    end: '{recordUuid}',
    suffix: '',
    params: z.object({ ...ofShipment, recordUuid: identifier }),
    what: 'one record',
    target: (named: Record<string, string>): Target => ({
      by: 'record',
      recordUuid: named['recordUuid']!.toLowerCase(),
    }),
  },
  {
    end: 'track/{trackIdentifier}',
    suffix: 'ByTrack',
    params: z.object({ ...ofShipment, trackIdentifier: identifier }),
    what: 'every record of a WMS id',
    target: (named: Record<string, string>): Target => ({
      by: 'track',
      trackIdentifier: named['trackIdentifier']!,
    }),
  },
  {
    end: 'marker/{markerValue}',
    suffix: 'ByMarker',
    params: z.object({ ...ofShipment, markerValue: identifier }),
    what: "every record of the WMS id of a marker's track",
    target: (named: Record<string, string>): Target => ({
      by: 'marker',
      markerCode: markerCode(named['markerValue']!),
    }),
  },
] as const;

function markerCode(value: string): number {
  const code = /^[1-9]\d{0,15}$/.test(value) ? Number(value) : NO_MARKER;
  return Number.isSafeInteger(code) ? code : NO_MARKER;
}

const statusQuery = z.object({
  gateExternalId: identifier.optional().describe('As in the body; both have to agree'),
});

for (const { end, suffix, params, what, target } of NAMINGS) {
  endpoint(app, {
    method: 'patch',
    path: `${path}/${end}/status`,
    operationId: `markLoading${suffix}`,
    tag,
    summary: `Set the loading status of ${what}`,
    description:
      'NOT_LOADED and UNLOADED need a gate. Each record that changes gets an audit and a timeline entry; after completion ' +
      'the audit entry says `afterClose`. A record that has the status already stays as it is.',
    access: shipmentAccess,
    params,
    query: statusQuery,
    body: loadingStatusSchema,
    responses: { 200: { description: 'The records', schema: loadingChangedSchema } },
    errors: [
      'unknownStatus',
      'gateRequired',
      ['gateNotFound', 400],
      'shipmentNotFound',
      'assetLoadingNotFound',
      'shipmentClosed',
      'invalidLoadingRecord',
    ],
    async handler(c, { params: named, query, body }) {
      const { body: marked } = await write<StoredMarked, 'markLoading'>(c, 'markLoading', {
        shipmentIdentifier: named.shipmentExternalId,
        target: target(named),
        status: body.status,
        gateIdentifier: oneGate(body.gateExternalId || null, query.gateExternalId ?? null),
        comment: body.comment || null,
      });
      return jsonText(c, fitting(presentMarked(origin(c), marked), ANSWER_BYTES));
    },
  });

  endpoint(app, {
    method: 'delete',
    path: `${path}/${end}`,
    operationId: `removeInvalidLoading${suffix}`,
    tag,
    summary: `Delete the invalid loading of ${what}`,
    description: 'Also resolves its alert.',
    access: shipmentAccess,
    params,
    responses: { 200: { description: 'The shipment', schema: shipmentSchema } },
    errors: ['shipmentNotFound', 'assetLoadingNotFound', 'recordNotInvalidLoading'],
    handler: (c, { params: named }) => remove(c, named.shipmentExternalId, target(named)),
  });
}

async function remove(c: AppContext, shipmentIdentifier: string, target: Target): Promise<Response> {
  const { body } = await write<StoredShipment, 'removeInvalidLoading'>(c, 'removeInvalidLoading', {
    shipmentIdentifier,
    target,
  });
  return c.json(presentShipment(origin(c), body));
}

function oneGate(inBody: string | null, inQuery: string | null): string | null {
  if (inBody !== null && inQuery !== null && inBody !== inQuery) {
    const message = 'Body and query name different gates.';
    refuse('validationFailed', message, {
      errors: [{ field: 'gateExternalId', code: 'validationFailed', message, rejectedValue: inQuery }],
    });
  }
  return inBody ?? inQuery;
}

export const loadingRoutes = app;
