import { OpenAPIHono, z } from '@hono/zod-openapi';
import { apiKeyAccess } from '../../access/credential/authenticate.ts';
import { BASE_PATH, endpoint } from '../../core/http/endpoint.ts';
import { identifier } from '../../core/http/schema.ts';
import type { AppEnv } from '../../core/http/types.ts';
import { write } from '../../core/http/write.ts';
import { acceptedDescription, acceptedSchema } from '../../log/operation/schema.ts';
import { operationPath } from '../../log/operation/store.ts';
import { acceptSimulation } from './commands.ts';
import { simulationSchema } from './schema.ts';

const app = new OpenAPIHono<AppEnv>();

endpoint(app, {
  method: 'post',
  path: `${BASE_PATH}/gate/{gateExternalId}/simulation`,
  operationId: 'simulateGate',
  tag: 'Sandbox',
  summary: 'Simulate cameras at a gate',
  description:
    'Only for an organization that is a sandbox. Simulates the scans of a truck at the gate, in ' +
    'the background. They use the same commands as camera scans and have all their effects. Each ' +
    'item of the operation is a scan. Its outcome appears where the outcome of any scan does.',
  access: apiKeyAccess,
  params: z.object({ gateExternalId: identifier }),
  body: simulationSchema,
  responses: { 202: { description: acceptedDescription, schema: acceptedSchema } },
  errors: ['sandboxRequired', 'gateNotFound'],
  async handler(c, { params: { gateExternalId }, body, submission }) {
    const input = { ...body, gateIdentifier: gateExternalId, requestId: c.get('requestId') };
    const { body: written } = await write(c, submission, acceptSimulation, input);
    c.header('Location', operationPath(written.operationUuid));
    return c.json({ operationId: written.operationUuid }, 202);
  },
});

export const simulationRoutes = app;
