import { z } from '@hono/zod-openapi';
import { common, input, nameText, text } from '../../core/http/schema.ts';

/** A client as the API shows it. */
export const clientSchema = z
  .object({
    ...common,
    displayName: z.string().describe('Unique in the organization, ignoring case'),
    externalId: z.string().describe('Unique in the organization, ignoring case'),
    deleted: z.boolean(),
  })
  .openapi('Client');

/** Body of POST /client and of PUT /client/{clientId}. */
export const clientWriteSchema = input(clientSchema, {
  displayName: nameText(255).openapi({ example: 'Acme Foods' }),
  externalId: text(1, 255).openapi({ example: 'ACME' }),
}).openapi('ClientWrite');

/** A reference to a client in other resources. */
export const clientReferenceSchema = z
  .object({ uuid: z.uuid(), externalId: z.string(), displayName: z.string(), deepLink: z.url() })
  .openapi('ClientReference');
