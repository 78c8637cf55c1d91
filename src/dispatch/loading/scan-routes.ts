import { OpenAPIHono, z } from '@hono/zod-openapi';
import { accessTokenAccess } from '../../access/credential/authenticate.ts';
import { DEVICE_PATH, endpoint } from '../../core/http/endpoint.ts';
import { reads } from '../../core/http/read.ts';
import { identifier } from '../../core/http/schema.ts';
import type { AppContext, AppEnv } from '../../core/http/types.ts';
import { type Submission, write } from '../../core/http/write.ts';
import { readIdentifier } from '../../pallet/identifier.ts';
import type { ScanResult } from './gate-view-rules.ts';
import { recordScans } from './scan-commands.ts';
import { type Scanned, type Subject, scannedAt, subjectMeant } from './scanned-store.ts';
import { scanResultSchema, scanResultsSchema, scanSchema, scansSchema } from './schema.ts';

const app = new OpenAPIHono<AppEnv>();
const tag = 'Device';
const path = `${DEVICE_PATH}/gate/{gateExternalId}`;
const params = z.object({ gateExternalId: identifier });
const access = accessTokenAccess('GATE_WRITE');
const description =
  'Acts on the manifests in progress at the gate. A pallet on such a manifest becomes LOADED or ' +
  'UNLOADED. With OFFLOAD, a pallet that a completed manifest has as LOADED becomes OFFLOADED.\n\n' +
  'A LOAD of any other known pallet adds a WRONGLY_LOADED record, and a LOAD of an unknown marker an ' +
  'UNKNOWN_LOADING record. A pallet is known if it has a live track, or if an open manifest has it as an asset. It needs ' +
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
  'A pallet is LOADED on one truck: where it was read last. A LOAD that makes it LOADED removes its WRONGLY_LOADED records ' +
  'elsewhere, and its LOADED record on another load in progress becomes UNLOADED.\n\n' +
  'A repeat has the same `scanId`, `direction` and `markerCode` or `identifier`. It gets the first response and ' +
  'does nothing. With another marker, text or direction, a used `scanId` is a new scan.\n\n' +
  'An `identifier` that is an SSCC of no known pallet counts like an unknown marker. Any other text that is no pallet and no ' +
  'marker is NOT_RECOGNIZED: nothing is recorded. So is a text that can mean several pallets, unless the gate expects ' +
  'one of them, and a text of several SSCCs, which a scanner without Enter sends. An end that the scanner types as text, ' +
  'such as `{ENTER}`, is no part of the identifier.';

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
  path: `${path}/scan`,
  operationId: 'recordScan',
  tag,
  summary: 'Report a scan of a camera',
  description,
  access,
  params,
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
  path: `${path}/scans`,
  operationId: 'recordScans',
  tag,
  summary: 'Report up to 100 scans of cameras',
  description:
    'Each scan has the effect of `POST …/scan`. The scans are processed in order and in one commit. A bad ' +
    'request processes none of them.',
  access,
  params,
  body: scansSchema,
  responses: { 200: { description: 'The results, in order', schema: scanResultsSchema } },
  errors: ['gateNotFound'],
  handler: async (c, { params: { gateExternalId }, body, submission }) =>
    c.json({ results: await writeScans(c, submission, gateExternalId, body.scans) }),
});

export const scanRoutes = app;
