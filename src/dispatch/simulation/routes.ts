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
    'In an organization that is a sandbox: what the gate would read of a truck is read in the background, by the same ' +
    'commands as scans of cameras, with all that follows from them. An item of the operation is a scan; its outcome ' +
    'stands where that of any scan does.',
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
