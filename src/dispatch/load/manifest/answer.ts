import { z } from '@hono/zod-openapi';
import { BASE_PATH } from '../../../core/http/endpoint.ts';
import { identifier } from '../../../core/http/schema.ts';
import { type AppContext, origin } from '../../../core/http/types.ts';
import { type Submission, write } from '../../../core/http/write.ts';
import type { Command } from '../../../core/writer/command.ts';
import { manifestSchema } from './schema.ts';
import { type AnsweredManifest, presentManifest } from './store.ts';

export const MANIFEST_PATH = `${BASE_PATH}/manifest`;
export const manifestParams = z.object({ manifestExternalId: identifier });
/** The success response of operations that return the manifest. */
export const manifestResponse = { 200: { description: 'The manifest', schema: manifestSchema } };

/** Send a command that returns the manifest. */
export async function answerManifest<I>(
  c: AppContext,
  submission: Submission,
  command: Command<I, AnsweredManifest>,
  input: I,
): Promise<Response> {
  const { body } = await write(c, submission, command, input);
  return c.json(presentManifest(origin(c), body));
}
