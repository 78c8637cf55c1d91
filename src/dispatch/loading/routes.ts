import { OpenAPIHono, z } from '@hono/zod-openapi';
import { accessTokenAccess, apiKeyAccess } from '../../access/credential/authenticate.ts';
import { ANSWER_BYTES, fitting, jsonText } from '../../core/http/bounded.ts';
import { BASE_PATH, DEVICE_PATH, endpoint } from '../../core/http/endpoint.ts';
import { reads } from '../../core/http/read.ts';
import { identifier } from '../../core/http/schema.ts';
import { type AppContext, type AppEnv, origin } from '../../core/http/types.ts';
import { refuse, type Submission, write } from '../../core/http/write.ts';
import { quoted } from '../../core/lib/missing.ts';
import { readIdentifier } from '../../pallet/identifier.ts';
import { manifestSchema } from '../load/manifest/schema.ts';
import { type AnsweredManifest, presentManifest } from '../load/manifest/store.ts';
import { shipmentAccess } from '../load/shipment/answer.ts';
import { shipmentSchema } from '../load/shipment/schema.ts';
import { presentShipment, type StoredShipment } from '../load/shipment/store.ts';
import { type LoadIdentifier, markLoading, removeInvalidLoading } from './commands.ts';
import type { ScanResult } from './gate-view-rules.ts';
import { recordScans } from './scan-commands.ts';
import { type Scanned, type Subject, scannedAt, subjectMeant } from './scanned-store.ts';
import {
  loadingChangedSchema,
  loadingStatusSchema,
  scanResultSchema,
  scanResultsSchema,
  scanSchema,
  scansSchema,
} from './schema.ts';
import { presentMarked, type Target } from './store.ts';

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
      'NOT_LOADED and UNLOADED need a gate. Each changed record gets an audit entry. Its pallet gets a timeline ' +
      'entry if it is coupled. After completion the audit entry has `afterClose`. A cancelled ' +
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

const SCAN_PATH = `${DEVICE_PATH}/gate/{gateExternalId}`;
const scanParams = z.object({ gateExternalId: identifier });
const scanAccess = accessTokenAccess('GATE_WRITE');
const scanDescription =
  'Acts on the manifests in progress at the gate. A pallet on such a manifest becomes LOADED or ' +
  'UNLOADED. With OFFLOAD, a pallet that is LOADED on a completed manifest becomes OFFLOADED.\n\n' +
  'A LOAD of any other known pallet adds a WRONGLY_LOADED record, and a LOAD of an unknown marker an ' +
  'UNKNOWN_LOADING record. A pallet is known if it has a live track or is an asset of an open manifest. It needs ' +
  'no marker. Such a record belongs to the manifest that was activated last, and ' +
  'raises an alert. If nothing is in progress, a LOAD only raises an alert (NO_ACTIVE_MANIFEST). A gate ' +
  'has one such open alert. Further pallets increase its `count`.\n\n' +
  'UNLOAD and OFFLOAD delete the invalid records of the pallet or marker at the gate, and resolve ' +
  'their alerts (UNLOADED). This works after the manifest was closed, too. If there is nothing to ' +
  'take off, nothing is recorded (NOT_LOADED). For an UNLOAD with nothing in progress, this is ' +
  'NO_ACTIVE_MANIFEST.\n\n' +
  'A late scan changes nothing (SUPERSEDED). It is late if the same camera has changed the status ' +
  'of the pallet by a scan with a later `scanDate`. The camera is identified by ' +
  '`cameraHardwareId`, else by the access token.\n\n' +
  'A pallet is LOADED on only one truck, the one with the last reading. When a LOAD makes it LOADED, its WRONGLY_LOADED ' +
  'records elsewhere are deleted. Its LOADED record on another load in progress becomes UNLOADED.\n\n' +
  'A repeat has the same `scanId`, `direction` and `markerCode` or `identifier`. It gets the first response and ' +
  'does nothing. A used `scanId` with another marker, text or direction is a new scan.\n\n' +
  'An SSCC of an unknown pallet counts like an unknown marker. Any other text without a pallet or marker is ' +
  'NOT_RECOGNIZED, and nothing is recorded. The same applies to a text that matches several pallets, unless the gate ' +
  'expects one of them. It also applies to a text of several SSCCs, as a scanner without Enter sends it. The service ' +
  'removes an ending that the scanner types as text, such as `{ENTER}`.';

/** Send scans to the writer. The texts of labels are first compared with the pallets that exist. */
async function writeScans(
  c: AppContext,
  submission: Submission,
  gateIdentifier: string,
  scans: z.output<typeof scanSchema>[],
): Promise<ScanResult[]> {
  const subjects = await subjectsOf(c, gateIdentifier, scans);
  const { body } = await write(c, submission, recordScans, {
    gateIdentifier,
    scans: scans.map((scan, index) => ({
      scanId: scan.scanId,
      ...subjects[index]!,
      direction: scan.direction,
      damaged: scan.damaged ?? false,
      scanDate: scan.scanDate ?? null,
      cameraHardwareId: scan.cameraHardwareId ?? null,
    })),
  });
  return body.results;
}

/** The markers or pallets that scans have read. */
async function subjectsOf(
  c: AppContext,
  gateIdentifier: string,
  scans: readonly z.output<typeof scanSchema>[],
): Promise<Subject[]> {
  const database = reads(c);
  const readings = scans.map(({ identifier }) =>
    identifier ? readIdentifier(identifier, database.organization) : undefined,
  );
  const given = readings.filter((reading) => reading !== undefined);
  const arriving = readings.flatMap((reading, index) =>
    reading && scans[index]!.direction === 'OFFLOAD' ? [reading] : [],
  );
  const { meant, markers } =
    given.length > 0 ? await scannedAt(database, gateIdentifier, given, arriving) : NOTHING;
  const meantBy = new Map(given.map((reading, index) => [reading, meant[index]!.pallets]));
  return scans.map(({ markerCode, identifier }, index) => {
    const reading = readings[index];
    if (!reading) return { markerCode: markerCode!, identifier: null, wmsId: null };
    return subjectMeant(identifier!, reading, meantBy.get(reading)!, markers);
  });
}

const NOTHING: Pick<Scanned, 'meant' | 'markers'> = { meant: [], markers: undefined };

endpoint(app, {
  method: 'post',
  path: `${SCAN_PATH}/scan`,
  operationId: 'recordScan',
  tag: 'Device',
  summary: 'Report a scan of a camera',
  description: scanDescription,
  access: scanAccess,
  params: scanParams,
  body: scanSchema,
  responses: { 200: { description: 'The result', schema: scanResultSchema } },
  errors: ['gateNotFound'],
  async handler(c, { params: { gateExternalId }, body, submission }) {
    const [result] = await writeScans(c, submission, gateExternalId, [body]);
    return c.json(result!);
  },
});

endpoint(app, {
  method: 'post',
  path: `${SCAN_PATH}/scans`,
  operationId: 'recordScans',
  tag: 'Device',
  summary: 'Report up to 100 scans of cameras',
  description:
    'Each scan has the effect of `POST …/scan`. The scans are processed in order and in one commit. A bad ' +
    'request processes none of them.',
  access: scanAccess,
  params: scanParams,
  body: scansSchema,
  responses: { 200: { description: 'The results, in order', schema: scanResultsSchema } },
  errors: ['gateNotFound'],
  handler: async (c, { params: { gateExternalId }, body, submission }) =>
    c.json({ results: await writeScans(c, submission, gateExternalId, body.scans) }),
});

export const loadingRoutes = app;
