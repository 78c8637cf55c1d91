import { z } from '@hono/zod-openapi';
import { BASE_PATH } from '../http/endpoint.ts';
import { identifier } from '../http/schema.ts';
import { type AppContext, origin } from '../http/types.ts';
import { refuse, write } from '../http/write.ts';
import type { Command } from '../writer/command.ts';
import { shipmentSchema } from './schema.ts';
import { presentShipment, type StoredShipment } from './store.ts';

/** Shipments below the integration API. */
export const path = `${BASE_PATH}/shipment`;
/** What a path names a shipment by. */
export const params = z.object({ shipmentExternalId: identifier });
/** The answer of what shows the shipment. */
export const shipmentAnswer = { 200: { description: 'The shipment', schema: shipmentSchema } };

/** Send a command that is answered with the shipment. */
export async function answerShipment<I>(
  c: AppContext,
  command: Command<I, StoredShipment>,
  input: I,
): Promise<Response> {
  const { body } = await write(c, command, input);
  return c.json(presentShipment(origin(c), body));
}

/** @throws 404: there is no such shipment. */
export const missing = () => refuse('shipmentNotFound', 'There is no such shipment.');
