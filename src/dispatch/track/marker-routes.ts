import { OpenAPIHono, z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { apiKeyAccess } from '../../access/credential/authenticate.ts';
import { BASE_PATH, endpoint } from '../../core/http/endpoint.ts';
import { reads } from '../../core/http/read.ts';
import { type AppEnv, origin } from '../../core/http/types.ts';
import { refuse } from '../../core/http/write.ts';
import { parseJson } from '../../core/lib/json.ts';
import { isoDate } from '../../core/lib/time.ts';
import type { ViewRow } from '../../core/lib/view.ts';
import { noMarkerCode, unallocatedText } from '../marker/rules.ts';
import { pathCode } from '../marker/schema.ts';
import { allocationQuery } from '../marker/store.ts';
import { markerSchema } from './schema.ts';
import { presentTrack, trackView, WHOLE_TRACK } from './store.ts';

const app = new OpenAPIHono<AppEnv>();

endpoint(app, {
  method: 'get',
  path: `${BASE_PATH}/marker-code/{code}`,
  operationId: 'getMarker',
  tag: 'Marker code',
  summary: 'Look up a marker code',
  description: 'Shows when the code was allocated, and the track that it is coupled to, if any.',
  access: apiKeyAccess,
  params: z.object({ code: z.string() }),
  responses: { 200: { description: 'The code', schema: markerSchema } },
  errors: ['markerCodeNotFound'],
  async handler(c, { params }) {
    const parsed = pathCode.safeParse(params.code);
    if (!parsed.success) return refuse('markerCodeNotFound', noMarkerCode(params.code));
    const database = reads(c);
    const {
      allocations: [allocation],
      tracks: [found],
    } = await database.ask({
      allocations: allocationQuery(database, parsed.data),
      tracks: sql<ViewRow<ReturnType<typeof trackView>>>`SELECT ${trackView(WHOLE_TRACK)} AS view FROM track
        WHERE organization_uuid = ${database.organization}
          AND marker_code = ${parsed.data} AND deleted_date IS NULL`,
    });
    if (!allocation) return refuse('markerCodeNotFound', unallocatedText(parsed.data));
    return c.json({
      markerCode: parsed.data,
      allocatedDate: isoDate(allocation.allocatedDate),
      track: found ? presentTrack(origin(c), parseJson(found.view)) : null,
    });
  },
});

export const markerTrackRoutes = app;
