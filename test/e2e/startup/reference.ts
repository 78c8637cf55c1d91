import { z } from 'zod';

/** The number of schemas that this Worker makes at its start. Its start is the unit of the service's budget. */
const SCHEMAS = 1_500;

const schemas = Array.from({ length: SCHEMAS }, (_, index) =>
  z.object({ [`name${index}`]: z.string().min(1).optional(), count: z.number() }),
);

export default {
  fetch: (): Response => Response.json(schemas.length),
};
