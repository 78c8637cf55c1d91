import { OpenAPIHono, z } from '@hono/zod-openapi';
import { apiKeyAccess, publicAccess } from '../../access/credential/authenticate.ts';
import { BASE_PATH, endpoint } from '../../core/http/endpoint.ts';
import type { AppEnv } from '../../core/http/types.ts';
import { refuse, write } from '../../core/http/write.ts';
import { allocateMarkers } from './commands.ts';
import { enterForImages, markerImageResponse, streamEntries } from './image.ts';
import { noMarkerCode } from './rules.ts';
import { allocationSchema, imageDelivery, pathCode } from './schema.ts';

const app = new OpenAPIHono<AppEnv>();
const tag = 'Marker code';

endpoint(app, {
  method: 'post',
  path: `${BASE_PATH}/marker-code/allocate`,
  operationId: 'allocateMarkers',
  tag,
  summary: 'Allocate marker codes',
  description:
    'Allocates codes exactly once. Codes are consecutive within the organization, and a batch is ' +
    'one block. A repeat with the same Idempotency-Key gets the same codes.',
  access: apiKeyAccess,
  query: z.object({
    quantity: z
      .string()
      .regex(/^\d{1,9}$/, 'Use a whole number, in digits only.')
      .transform(Number)
      .pipe(z.number().min(1))
      .default(1)
      .openapi({
        type: 'integer',
        minimum: 1,
        default: 1,
        description: 'Number of codes; at most the `markerAllocationMaximum` of the organization',
      }),
    imageDelivery,
  }),
  responses: { 200: { description: 'The codes with their images', schema: allocationSchema } },
  errors: ['markerCodesExhausted'],
  async handler(c, { query, submission }) {
    const { quantity, imageDelivery } = query;
    await enterForImages(c, quantity, imageDelivery);
    const { body } = await write(c, submission, allocateMarkers, { quantity });
    return c.body(await streamEntries(c, body, imageDelivery), 200, {
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
  summary: 'Get the image of a marker code',
  description:
    'Public. The image is a QR Code Model 2, version 1, level H, of the decimal code. Its bytes ' +
    'never change.',
  access: publicAccess,
  contractParams: z.object({ code: z.string().openapi({ description: 'Canonical decimal, 1 to 2^53−1' }) }),
  responses: {
    200: { description: '1-bit 600×600 PNG', type: 'image/png' },
    304: { description: 'Not modified' },
  },
  errors: ['markerCodeNotFound'],
  handler(c) {
    const code = c.req.param()['file']!.slice(0, -'.png'.length);
    const parsed = pathCode.safeParse(code);
    if (!parsed.success) return refuse('markerCodeNotFound', noMarkerCode(code));
    return markerImageResponse(c, parsed.data);
  },
});

export const markerRoutes = app;
