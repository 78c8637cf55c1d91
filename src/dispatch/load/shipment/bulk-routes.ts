import { OpenAPIHono } from '@hono/zod-openapi';
import { BASE_PATH, endpoint } from '../../../core/http/endpoint.ts';
import { inTurn } from '../../../core/http/permit.ts';
import type { AppEnv } from '../../../core/http/types.ts';
import { write } from '../../../core/http/write.ts';
import { acceptedDescription, acceptedSchema } from '../../../log/operation/schema.ts';
import { operationPath } from '../../../log/operation/store.ts';
import { shipmentAccess } from './access.ts';
import { acceptBulkUpsert } from './bulk-commands.ts';
import { storedItems } from './bulk-rules.ts';
import { BULK_ITEMS_MAXIMUM, shipmentBulkUpsertSchema } from './schema.ts';

const BODY_BYTES_MAXIMUM = 5 * 1024 * 1024;

const app = new OpenAPIHono<AppEnv>();

endpoint(app, {
  method: 'post',
  path: `${BASE_PATH}/shipment/bulk-upsert`,
  operationId: 'bulkUpsertShipments',
  tag: 'Shipment',
  summary: 'Set custom fields of many shipments',
  description:
    'Works in the background, item by item. The body may have up to 5 MiB. An item takes effect ' +
    'as a whole or has an error. Errors are an unknown shipment, a key that is not configured, ' +
    'and a NUMBER field whose value is no number. With `ROLLBACK`, any error keeps all items from ' +
    'taking effect. The operation has a result for each item.',
  access: shipmentAccess,
  body: shipmentBulkUpsertSchema,
  bodyBytesMaximum: BODY_BYTES_MAXIMUM,
  bodyList: { name: 'items', maximum: BULK_ITEMS_MAXIMUM },
  responses: { 202: { description: acceptedDescription, schema: acceptedSchema } },
  async handler(c, { body, submission }) {
    const { body: written } = await write(c, submission, acceptBulkUpsert, {
      items: await inTurn(c, () => storedItems(body.items)),
      errorBehaviour: body.errorBehaviour,
      requestId: c.get('requestId'),
    });
    c.header('Location', operationPath(written.operationUuid));
    return c.json({ operationId: written.operationUuid }, 202);
  },
});

export const bulkRoutes = app;
