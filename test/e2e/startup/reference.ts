import { z } from 'zod';

/** Schemas that this Worker makes at its start. They take about as long as a start of the service should. */
const SCHEMAS = 1_500;

const schemas = Array.from({ length: SCHEMAS }, (_, index) =>
  z.object({ [`name${index}`]: z.string().min(1).optional(), count: z.number() }),
);

export default {
  fetch: (): Response => Response.json(schemas.length),
};
