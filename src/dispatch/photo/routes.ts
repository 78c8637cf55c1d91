import { OpenAPIHono, z } from '@hono/zod-openapi';
import { accessTokenAccess, apiKeyAccess } from '../../access/credential/authenticate.ts';
import { dateFilter } from '../../core/http/dates.ts';
import { BASE_PATH, DEVICE_PATH, endpoint } from '../../core/http/endpoint.ts';
import { answerList, envelope } from '../../core/http/list-page.ts';
import { answerRecord, reads } from '../../core/http/read.ts';
import { common, dateTime, emptySchema, identifier, int32, uuidName } from '../../core/http/schema.ts';
import { type AppContext, type AppEnv, origin } from '../../core/http/types.ts';
import { type Submission, write } from '../../core/http/write.ts';
import { isDateNumber } from '../../core/lib/time.ts';
import { discardObjects } from '../calibration/objects.ts';
import { authorSchema } from '../track/schema.ts';
import { deletePhoto } from './commands.ts';
import { readPhoto, savePhoto } from './receive.ts';
import { CONTENT_TYPES, PHOTO_KINDS, type PhotoReference } from './rules.ts';
import { photoList, photoQuery, presentPhoto } from './store.ts';

/** A photo as the API shows it. */
const photoSchema = z
  .object({
    ...common,
    kind: z.enum(PHOTO_KINDS),
    link: z.url().describe('Public URL of the bytes. It needs no key, and works as long as the photo exists'),
    contentType: z.enum(CONTENT_TYPES),
    sizeBytes: z.int().min(1).describe('Size of the stored bytes, which have no metadata'),
    sha256: z.string().describe('SHA-256 of the stored bytes, hexadecimal'),
    width: int32.describe('Pixels, as viewers show the photo'),
    height: int32,
    takenDate: dateTime.nullable().describe('Null if the caller did not say it. `createDate` is the upload'),
    author: authorSchema,
    trackIdentifier: z.string().nullable().describe('WMS id of the pallet; null for another reference'),
    manifestExternalId: z.string().nullable(),
    shipmentExternalId: z.string().nullable(),
  })
  .openapi('Photo');

const ONE_REFERENCE = 'Send exactly one of trackIdentifier, manifestExternalId and shipmentExternalId.';

/** Query parameters of the operations that add a photo. */
const newPhotoQuery = z
  .object({
    kind: z.enum(PHOTO_KINDS).describe('Subject of the photo'),
    takenDate: dateFilter
      .refine(isDateNumber, 'Use a date of the years 0 to 9999.')
      .optional()
      .describe(
        'When the photo was taken. Without an offset, it is a time of the site. Up to 5 minutes in the future counts ' +
          'as now. A later date is refused, and so is a date more than a day before the creation of the pallet or load',
      ),
    trackIdentifier: identifier.optional().describe('WMS id or UUID of a pallet'),
    manifestExternalId: identifier.optional().describe('External id or UUID of a manifest'),
    shipmentExternalId: identifier.optional().describe('External id or UUID of a shipment'),
  })
  .superRefine((query, context) => {
    const named = (['trackIdentifier', 'manifestExternalId', 'shipmentExternalId'] as const).filter(
      (name) => query[name] !== undefined,
    );
    if (named.length === 1) return;
    context.addIssue({ code: 'custom', path: [named[1] ?? 'trackIdentifier'], message: ONE_REFERENCE });
  });

const app = new OpenAPIHono<AppEnv>();
const tag = 'Photo';
const path = `${BASE_PATH}/photo`;
const params = z.object({ uuid: uuidName });

/** The contract of adding a photo, for both callers. */
const adding = {
  method: 'post' as const,
  query: newPhotoQuery,
  contractBody: z.string().openapi({
    format: 'binary',
    description: 'JPEG, PNG or WebP; at most 5 MiB, 25 megapixels and 2,000 parts',
  }),
  contractBodyType: CONTENT_TYPES,
  responses: { 201: { description: 'The photo', schema: photoSchema } },
};
const missingReferences = [
  ['trackNotFound', 400],
  ['manifestNotFound', 400],
  ['shipmentNotFound', 400],
] as const;
const adds =
  'The body is the image. It must be one complete JPEG, PNG or WebP file of the type that `Content-Type` names. Its ' +
  'metadata, such as location, camera and time, is removed. Only the orientation is kept. Of an animated PNG, the ' +
  'still image is kept. Data after the end of the image is dropped. An image that no browser shows gets 400.';

endpoint(app, {
  ...adding,
  path,
  operationId: 'addPhoto',
  tag,
  summary: 'Add a photo of a pallet, manifest or shipment',
  description:
    `${adds} A pallet has at most 20 photos. A manifest and a shipment have at most 100 each. The kind DAMAGE of a ` +
    'pallet also flags it as damaged, as `PATCH …/track/{trackId}/flag` does.',
  access: apiKeyAccess,
  errors: [...missingReferences, 'imageInvalid', 'photoLimitReached'],
  handler: (c, { query, submission }) => add(c, submission, query, null),
});

endpoint(app, {
  ...adding,
  path: `${DEVICE_PATH}/gate/{gateExternalId}/photo`,
  operationId: 'addPhotoAtGate',
  tag: 'Device',
  summary: 'Add a photo that was taken at a gate',
  description:
    `${adds} The manifest or shipment must be in progress at the gate. A pallet must be on such a manifest. A record ` +
    'WRONGLY_LOADED or UNKNOWN_LOADING at this gate is also enough. Limits and flags are as for `POST …/photo`.',
  access: accessTokenAccess('GATE_WRITE'),
  params: z.object({ gateExternalId: identifier }),
  errors: ['gateNotFound', ...missingReferences, 'imageInvalid', 'notAtGate', 'photoLimitReached'],
  handler: (c, { params: { gateExternalId }, query, submission }) =>
    add(c, submission, query, gateExternalId),
});

async function add(
  c: AppContext,
  submission: Submission,
  query: z.output<typeof newPhotoQuery>,
  gateIdentifier: string | null,
): Promise<Response> {
  const { kind, takenDate = null } = query;
  const facts = { kind, takenDate, gateIdentifier, reference: referenceOf(query) };
  const { body } = await savePhoto(c, submission, await readPhoto(c), facts);
  c.header('Location', `${path}/${body.uuid}`);
  return c.json(presentPhoto(origin(c), body), 201);
}

/** The only reference of a query. */
function referenceOf(query: z.output<typeof newPhotoQuery>): PhotoReference {
  const { trackIdentifier, manifestExternalId, shipmentExternalId } = query;
  if (trackIdentifier !== undefined) return { type: 'TRACK', identifier: trackIdentifier };
  if (manifestExternalId !== undefined) return { type: 'MANIFEST', identifier: manifestExternalId };
  return { type: 'SHIPMENT', identifier: shipmentExternalId! };
}

endpoint(app, {
  method: 'get',
  path,
  operationId: 'listPhotos',
  tag,
  summary: 'List photos',
  description:
    'Returns photos, latest first. Photos stay when their pallet, manifest or shipment is deleted or moves to the archive.',
  access: apiKeyAccess,
  query: photoList.query,
  responses: { 200: { description: 'A page', schema: envelope('PhotoPage', photoSchema) } },
  handler: (c, { query }) => answerList(c, photoList, query, presentPhoto),
});

endpoint(app, {
  method: 'get',
  path: `${path}/{uuid}`,
  operationId: 'getPhoto',
  tag,
  summary: 'Get a photo',
  description: 'Returns the photo as in the list. The bytes are at its `link`.',
  access: apiKeyAccess,
  params,
  responses: { 200: { description: 'The photo', schema: photoSchema } },
  errors: ['photoNotFound'],
  handler(c, { params: { uuid } }) {
    const database = reads(c);
    const named = { code: 'photoNotFound', identifier: uuid } as const;
    return answerRecord(c, database, photoQuery(database, uuid), named, (stored) =>
      presentPhoto(origin(c), stored),
    );
  },
});

endpoint(app, {
  method: 'delete',
  path: `${path}/{uuid}`,
  operationId: 'deletePhoto',
  tag,
  summary: 'Delete a photo',
  description:
    'Deletes the photo and its bytes. Its `link` stops working. A flag that the photo has set stays.',
  access: apiKeyAccess,
  params,
  responses: { 200: { description: 'Deleted', schema: emptySchema } },
  errors: ['photoNotFound'],
  async handler(c, { params: { uuid }, submission }) {
    const { body } = await write(c, submission, deletePhoto, { uuid });
    await discardObjects(c, [body.objectKey]);
    return c.json({});
  },
});

export const photoRoutes = app;
