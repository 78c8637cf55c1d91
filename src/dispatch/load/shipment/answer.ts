import { z } from '@hono/zod-openapi';
import { apiKeyAccess } from '../../../access/credential/authenticate.ts';
import type { Access } from '../../../core/http/declaration.ts';
import { BASE_PATH } from '../../../core/http/endpoint.ts';
import { identifier } from '../../../core/http/schema.ts';
import { type AppContext, origin, principalOf } from '../../../core/http/types.ts';
import { refuse, type Submission, write } from '../../../core/http/write.ts';
import type { Command } from '../../../core/writer/command.ts';
import { shipmentSchema } from './schema.ts';
import { presentShipment, type StoredShipment } from './store.ts';

export const SHIPMENT_PATH = `${BASE_PATH}/shipment`;
export const shipmentParams = z.object({ shipmentExternalId: identifier });
/** The success response of operations that return the shipment. */
export const shipmentResponse = { 200: { description: 'The shipment', schema: shipmentSchema } };

/** Send a command that returns the shipment. */
export async function answerShipment<I>(
  c: AppContext,
  submission: Submission,
  command: Command<I, StoredShipment>,
  input: I,
): Promise<Response> {
  const { body } = await write(c, submission, command, input);
  return c.json(presentShipment(origin(c), body));
}

/** Access with an API key. These routes exist only if the organization dispatches by shipment. */
export const shipmentAccess: Access = {
  ...apiKeyAccess,
  errors: [...apiKeyAccess.errors, 'shipmentStrategyRequired'],
  async check(c) {
    await apiKeyAccess.check(c);
    if (principalOf(c).organization.dispatchStrategy !== 'SHIPMENT') {
      refuse('shipmentStrategyRequired', 'The organization does not dispatch by shipment.');
    }
  },
};
