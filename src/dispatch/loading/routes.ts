import { OpenAPIHono, z } from '@hono/zod-openapi';
import { apiKeyAccess } from '../../access/credential/authenticate.ts';
import { ANSWER_BYTES, fitting, jsonText } from '../../core/http/bounded.ts';
import { BASE_PATH, endpoint } from '../../core/http/endpoint.ts';
import { identifier } from '../../core/http/schema.ts';
import { type AppEnv, origin } from '../../core/http/types.ts';
import { refuse, write } from '../../core/http/write.ts';
import { quoted } from '../../core/lib/missing.ts';
import { manifestSchema } from '../load/manifest/schema.ts';
import { type AnsweredManifest, presentManifest } from '../load/manifest/store.ts';
import { shipmentAccess } from '../load/shipment/access.ts';
import { shipmentSchema } from '../load/shipment/schema.ts';
import { presentShipment, type StoredShipment } from '../load/shipment/store.ts';
import { markLoading, removeInvalidLoading } from './commands.ts';
import type { LoadIdentifier } from './find.ts';
import { loadingChangedSchema, loadingStatusSchema } from './schema.ts';
import { presentMarked } from './store.ts';
import type { Target } from './target-store.ts';

const app = new OpenAPIHono<AppEnv>();

type Named = Record<string, string>;

/** The two kinds of load in paths: parameters, errors, and the answer after a record is deleted. */
const HOLDERS = [
  {
    path: `${BASE_PATH}/shipment/{shipmentExternalId}/asset-loading`,
    tag: 'Shipment loading',
    named: '',
    where: '',
    access: shipmentAccess,
    params: { shipmentExternalId: identifier },
    load: (named: Named): LoadIdentifier => ({ shipmentIdentifier: named['shipmentExternalId']! }),
    errors: ['shipmentNotFound'],
    closed: ['shipmentClosed', 'manifestClosed'],
    answer: { description: 'The shipment', schema: shipmentSchema },
    present: (links: string, stored: unknown) => presentShipment(links, stored as StoredShipment),
  },
  {
    path: `${BASE_PATH}/manifest/{manifestExternalId}/asset-loading`,
    tag: 'Manifest loading',
    named: 'Manifest',
    where: ' For a manifest in a shipment, use the operation of the shipment.',
    access: apiKeyAccess,
    params: { manifestExternalId: identifier },
    load: (named: Named): LoadIdentifier => ({ manifestIdentifier: named['manifestExternalId']! }),
    errors: ['manifestNotFound', 'manifestBelongsToShipment'],
    closed: ['manifestClosed'],
    answer: { description: 'The manifest', schema: manifestSchema },
    present: (links: string, stored: unknown) => presentManifest(links, stored as AnsweredManifest),
  },
] as const;

/** Used for a value that is not a marker code. No marker has the code 0. */
const NO_MARKER = 0;

/** The ways in which a path names records: end of the path, parameter and target. */
const NAMINGS = [
  {
    end: '{recordUuid}',
    suffix: '',
    params: { recordUuid: identifier },
    what: 'one record',
    target: (named: Named): Target => ({
      by: 'record',
      recordUuid: named['recordUuid']!.toLowerCase(),
    }),
  },
  {
    end: 'track/{trackIdentifier}',
    suffix: 'ByTrack',
    params: { trackIdentifier: identifier },
    what: 'all records of a WMS id',
    target: (named: Named): Target => ({
      by: 'track',
      trackIdentifier: named['trackIdentifier']!,
    }),
  },
  {
    end: 'marker/{markerValue}',
    suffix: 'ByMarker',
    params: { markerValue: identifier },
    what: 'all records of a marker and of its pallet',
    target: (named: Named): Target => ({
      by: 'marker',
      markerCode: markerCode(named['markerValue']!),
      markerValue: named['markerValue']!,
    }),
  },
] as const;

function markerCode(value: string): number {
  const code = /^[1-9]\d{0,15}$/.test(value) ? Number(value) : NO_MARKER;
  return Number.isSafeInteger(code) ? code : NO_MARKER;
}

const statusQuery = z.object({
  gateExternalId: identifier.optional().describe('As in the body; if both are given, they must agree'),
});

for (const of of HOLDERS) for (const naming of NAMINGS) declare(of, naming);

function declare(
  of: (typeof HOLDERS)[number],
  { end, suffix, what, target, ...naming }: (typeof NAMINGS)[number],
) {
  const params = z.object<Record<string, typeof identifier>>({ ...of.params, ...naming.params });
  const { tag, access } = of;

  endpoint(app, {
    method: 'patch',
    path: `${of.path}/${end}/status`,
    operationId: `mark${of.named}Loading${suffix}`,
    tag,
    summary: `Set the loading status of ${what}`,
    description:
      'NOT_LOADED and UNLOADED need a gate. Each changed record gets an audit entry, and its pallet, if ' +
      'coupled, a timeline entry. After completion the audit entry has `afterClose`. A cancelled ' +
      'shipment or manifest is refused. Records of a cancelled manifest stay as they are. A record that already has the ' +
      `status stays unchanged.${of.where}`,
    access,
    params,
    query: statusQuery,
    body: loadingStatusSchema,
    responses: { 200: { description: 'The records', schema: loadingChangedSchema } },
    errors: [
      'unknownStatus',
      'gateRequired',
      ['gateNotFound', 400],
      ...of.errors,
      'assetLoadingNotFound',
      ...of.closed,
      'invalidLoadingRecord',
    ],
    async handler(c, { params: named, query, body, submission }) {
      const { body: marked } = await write(c, submission, markLoading, {
        ...of.load(named),
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
    path: `${of.path}/${end}`,
    operationId: `removeInvalid${of.named}Loading${suffix}`,
    tag,
    summary: `Delete invalid loadings: ${what}`,
    description:
      'An invalid loading is the record of a pallet or marker that does not belong to the load. Also ' +
      'resolves the alert of the record. Works in any status of the shipment or ' +
      `manifest, because a wrong pallet must always be removable.${of.where}`,
    access,
    params,
    responses: { 200: of.answer },
    errors: [...of.errors, 'assetLoadingNotFound', 'recordNotInvalidLoading'],
    async handler(c, { params: named, submission }) {
      const input = { ...of.load(named), target: target(named) };
      const { body } = await write(c, submission, removeInvalidLoading, input);
      return c.json(of.present(origin(c), body));
    },
  });
}

function oneGate(inBody: string | null, inQuery: string | null): string | null {
  if (inBody !== null && inQuery !== null && inBody !== inQuery) {
    const message = `The body names gate ${quoted(inBody)}, and the query gate ${quoted(inQuery)}. Name one gate.`;
    refuse('validationFailed', message, {
      errors: [{ field: 'gateExternalId', code: 'validationFailed', message, rejectedValue: inQuery }],
    });
  }
  return inBody ?? inQuery;
}

export const loadingRoutes = app;
