import { createRoute } from '@hono/zod-openapi';

/** A Worker that makes at its start the objects that `count.ts` finds. */
createRoute({ method: 'get', path: '/', responses: {} });
const numbers = new Intl.NumberFormat('en');

export default {
  fetch: (): Response => new Response(numbers.format(1)),
};
