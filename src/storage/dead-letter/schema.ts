import { z } from '@hono/zod-openapi';
import { common, dateTime, int32 } from '../../core/http/schema.ts';

/** A dead letter as the operator sees it. */
export const deadLetterSchema = z
  .object({
    ...common,
    organizationUuid: z.uuid().nullable().describe('Null if the message names no organization'),
    queue: z.string().describe('Purpose of the queue, such as `operation`'),
    body: z.unknown().describe('The message'),
    reason: z.string(),
    resendCount: int32,
    resendDate: dateTime.nullable(),
  })
  .openapi('DeadLetter');
