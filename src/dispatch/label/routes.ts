import { OpenAPIHono, z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { apiKeyAccess } from '../../access/credential/authenticate.ts';
import { linkNext } from '../../core/http/bounded.ts';
import { endpoint } from '../../core/http/endpoint.ts';
import { wholeNumber } from '../../core/http/list.ts';
import { reads } from '../../core/http/read.ts';
import { text } from '../../core/http/schema.ts';
import type { AppEnv } from '../../core/http/types.ts';
import { refuse, refuseMissing } from '../../core/http/write.ts';
import { named } from '../../core/lib/missing.ts';
import { LABEL_SIZES } from '../../core/writer/settings-table.ts';
import { MANIFEST_PATH, manifestParams } from '../load/manifest/answer.ts';
import { manifestUuidOf } from '../load/manifest/store.ts';
import { dpmm, queryCode } from '../printing-batch/schema.ts';
import { TRACK_PATH, trackParams } from '../track/schema.ts';
import { answerLabels } from './answer.ts';
import { labelsOfManifests, labelsOfPallet } from './store.ts';

const app = new OpenAPIHono<AppEnv>();

/** The maximum number of labels of one API request. Pages have their own limit. */
const LABELS_MAXIMUM = 500;

const form = {
  format: z.enum(['PDF', 'ZPL']).default('PDF').describe('PDF for a browser, or ZPL II for a label printer'),
  size: z.enum(LABEL_SIZES).optional().describe('Default: the `labelSize` of the organization'),
  dpmm: dpmm.describe('For ZPL: dots per millimetre of the printer'),
};
const shown =
  'A label shows the SSCC as GS1-128, or another id as Code 128. It also shows the last four characters, the manifest, its ' +
  'gate and the consignee. The label of a pallet with a marker shows the marker, too. The consignee is the custom field ' +
  '`consignee` of the manifest. Without it, it is the display name of the client. Captions are in the best match for ' +
  '`Accept-Language`. In ZPL, the sizes A4 and LETTER print like A6.';
const responses = { 200: { description: 'The labels', type: ['application/pdf', 'application/zpl'] } };

endpoint(app, {
  method: 'get',
  path: `${TRACK_PATH}/{trackId}/label`,
  operationId: 'getTrackLabel',
  tag: 'Track',
  summary: 'Get the label of a pallet as PDF or ZPL II',
  description: `Names the open manifest of the pallet, or else its latest one. A pallet without a marker has a label while an open manifest expects it. ${shown}`,
  access: apiKeyAccess,
  params: trackParams,
  query: z.object(form),
  responses,
  errors: ['trackNotFound'],
  async handler(c, { params: { trackId }, query }) {
    const database = reads(c);
    const labels = await database.all(labelsOfPallet(database, trackId));
    return labels.length === 0 ? refuseMissing('trackNotFound', trackId) : answerLabels(c, labels, query);
  },
});

endpoint(app, {
  method: 'get',
  path: `${MANIFEST_PATH}/{manifestExternalId}/label`,
  operationId: 'getManifestLabels',
  tag: 'Manifest',
  summary: 'Get the labels of the pallets of a manifest as PDF or ZPL II',
  description:
    'Returns a label for each pallet, in the order of the marker codes. Pallets without a marker come last, in the order of ' +
    'their WMS ids. If there are more than `limit`, `Link: <…>; rel="next"` gives the URL of the rest. Without any label, the ' +
    'answer is 404 `trackNotFound`. ' +
    shown,
  access: apiKeyAccess,
  params: manifestParams,
  query: z.object({
    ...form,
    limit: wholeNumber(1, LABELS_MAXIMUM, LABELS_MAXIMUM).describe('Maximum number of labels'),
    after: queryCode
      .optional()
      .describe('Only labels with a higher marker code, and labels without a marker'),
    afterPallet: text(1, 255).optional().describe('Only labels without a marker, with a higher WMS id'),
  }),
  responses,
  errors: ['manifestNotFound', 'trackNotFound'],
  async handler(c, { params: { manifestExternalId }, query: { limit, after, afterPallet, ...query } }) {
    const database = reads(c);
    const manifest = manifestUuidOf(database, manifestExternalId);
    const { manifests, labels } = await database.ask({
      manifests: sql<{ uuid: string | null }>`SELECT ${manifest} AS uuid`,
      labels: labelsOfManifests(database, sql`= ${manifest}`, { after, afterPallet, limit: limit + 1 }),
    });
    if (!manifests[0]?.uuid) return refuseMissing('manifestNotFound', manifestExternalId);
    const part = labels.slice(0, limit);
    const last = part.at(-1);
    if (!last)
      refuse('trackNotFound', `${named('Manifest', manifestExternalId)} has no more pallets with a label.`);
    if (labels.length > limit)
      linkNext(
        c,
        last.markerCode === null
          ? { name: 'afterPallet', value: last.wmsId, instead: 'after' }
          : { name: 'after', value: String(last.markerCode) },
      );
    return answerLabels(c, part, query);
  },
});

export const labelRoutes = app;
