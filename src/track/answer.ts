import { z } from '@hono/zod-openapi';
import { BASE_PATH } from '../http/endpoint.ts';
import { emptySchema, identifier } from '../http/schema.ts';
import { refuse } from '../http/write.ts';

/** Tracks below the integration API. */
export const path = `${BASE_PATH}/track`;
/** What a path names a track by. */
export const params = z.object({ trackId: identifier });
/** The answer of what has nothing to show. */
export const ok = { 200: { description: 'Done', schema: emptySchema } };

/** @throws 404: there is no such track. */
export const missing = (): never => refuse('trackNotFound', 'There is no such track.');
