import { z } from '@hono/zod-openapi';
import { BASE_PATH } from '../../core/http/endpoint.ts';
import { emptySchema, identifier } from '../../core/http/schema.ts';

export const TRACK_PATH = `${BASE_PATH}/track`;
export const trackParams = z.object({ trackId: identifier });
/** The success response of operations without a result. */
export const ok = { 200: { description: 'Done', schema: emptySchema } };
