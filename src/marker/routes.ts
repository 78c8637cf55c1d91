import { OpenAPIHono, z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { apiKeyAccess, publicAccess } from '../credential/authenticate.ts';
import { BASE_PATH, endpoint } from '../http/endpoint.ts';
import { reads } from '../http/read.ts';
import { pathParams } from '../http/routing.ts';
import { type AppEnv, origin } from '../http/types.ts';
import { refuse, write } from '../http/write.ts';
import { isoDate } from '../lib/time.ts';
import { presentTrack, type StoredTrack, trackView, WHOLE } from '../track/store.ts';
import { allocateMarkers } from './commands.ts';
import { markerImageResponse, streamEntries } from './delivery.ts';
import { MARKER_CODE_MAXIMUM } from './rules.ts';
import { allocationSchema, imageDelivery, markerSchema } from './schema.ts';
import { allocationQuery } from './store.ts';

const app = new OpenAPIHono<AppEnv>();
const tag = 'Marker code';

/** A code in a path: canonical decimal, so that one image has one URL. */
const code = z
  .string()
  .regex(/^[1-9]\d{0,15}$/)
  .transform(Number)
  .refine((value) => value <= MARKER_CODE_MAXIMUM);

endpoint(app, {
  method: 'post',
  path: `${BASE_PATH}/marker-code/allocate`,
  operationId: 'allocateMarkers',
  tag,
  summary: 'Allocate marker codes',
  description:
    'Exactly once: codes are consecutive within the organization, a batch is one block, and a repeat with the same ' +
    'Idempotency-Key is answered with the same codes.',
  access: apiKeyAccess,
  query: z.object({
    quantity: z
      .string()
      .regex(/^\d{1,9}$/, 'A whole number is needed.')
      .transform(Number)
      .pipe(z.number().min(1))
      .default(1)
      .openapi({
        type: 'integer',
        minimum: 1,
        description: 'At most the `markerAllocationMaximum` of the organization',
      }),
    imageDelivery,
  }),
  responses: { 200: { description: 'The codes with their images', schema: allocationSchema } },
  errors: ['markerCodesExhausted'],
  async handler(c, { query }) {
    const { body } = await write(c, allocateMarkers, {
      quantity: query.quantity,
    });
    return c.body(streamEntries(origin(c), body, query.imageDelivery), 200, {
      'Content-Type': 'application/json',
    });
  },
});

endpoint(app, {
  method: 'get',
  path: `${BASE_PATH}/marker-code/image/{code}.png`,
  pattern: `${BASE_PATH}/marker-code/image/:file{[^/]+\\.png}`,
  operationId: 'getMarkerImage',
  tag,
  summary: 'Image of a marker code',
  description: 'Public. QR Code Model 2, version 1, level H, of the decimal code; the bytes never change.',
  access: publicAccess,
  contractParams: z.object({ code: z.string().openapi({ description: 'Canonical decimal, 1 to 2^53−1' }) }),
  responses: {
    200: { description: '1-bit 600×600 PNG', type: 'image/png' },
    304: { description: 'Not modified' },
  },
  errors: ['markerCodeNotFound'],
  handler(c) {
    const parsed = code.safeParse(pathParams(c)['file']!.slice(0, -'.png'.length));
    if (!parsed.success)
      return refuse('markerCodeNotFound', 'A marker code is a decimal integer from 1 to 2^53−1.');
    return markerImageResponse(c, parsed.data);
  },
});

endpoint(app, {
  method: 'get',
  path: `${BASE_PATH}/marker-code/{code}`,
  operationId: 'getMarker',
  tag,
  summary: 'Look a marker code up',
  description: 'When the code was allocated, and the track that it is coupled to, if any.',
  access: apiKeyAccess,
  params: z.object({ code: z.string() }),
  responses: { 200: { description: 'The code', schema: markerSchema } },
  errors: ['markerCodeNotFound'],
  async handler(c, { params }) {
    const parsed = code.safeParse(params.code);
    if (!parsed.success)
      return refuse('markerCodeNotFound', 'A marker code is a decimal integer from 1 to 2^53−1.');
    const database = reads(c);
    const [allocations, tracks] = await database.batch<[{ allocatedDate: number }[], { view: string }[]]>([
      allocationQuery(database, parsed.data),
      sql`SELECT ${trackView(WHOLE)} AS view FROM track WHERE organization_uuid = ${database.organization}
        AND marker_code = ${parsed.data} AND deleted_date IS NULL`,
    ]);
    const [allocation] = allocations;
    if (!allocation) return refuse('markerCodeNotFound', 'The marker code is not allocated.');
    return c.json({
      markerCode: parsed.data,
      allocatedDate: isoDate(allocation.allocatedDate),
      track: tracks[0] ? presentTrack(origin(c), JSON.parse(tracks[0].view) as StoredTrack) : null,
    });
  },
});

export const markerRoutes = app;
