import { z } from '@hono/zod-openapi';
import { customFieldSchema } from '../custom-field/schema.ts';
import { text } from '../http/schema.ts';
import { write } from '../http/write.ts';
import {
  assignShipmentGate,
  attachManifests,
  changeShipmentStatus,
  detachManifests,
  putShipmentField,
  removeShipmentField,
} from '../shipment/lifecycle-commands.ts';
import { SHIPMENT_STATUSES } from '../shipment/table.ts';
import type { ByUuid } from './detail.tsx';
import { type Action, action } from './page.tsx';

/** What the forms on the page of a shipment do. */
export function shipmentActions(): Record<string, Action> {
  return {
    status: action(
      'operate',
      z.object({ status: z.enum(SHIPMENT_STATUSES) }),
      async ({ c }, { uuid }: ByUuid, { status }) => {
        await write(c, changeShipmentStatus, { identifier: uuid, status });
        return { done: 'The shipment has its new status.' };
      },
    ),
    gate: action('operate', z.object({ gate: text(1, 255) }), async ({ c }, { uuid }: ByUuid, { gate }) => {
      await write(c, assignShipmentGate, { identifier: uuid, gateIdentifier: gate });
      return { done: `Gate ${gate} is assigned.` };
    }),
    attach: action(
      'operate',
      z.object({ manifestExternalId: text(1, 255) }),
      async ({ c }, { uuid }: ByUuid, { manifestExternalId }) => {
        const manifests = [{ manifestExternalId, manifestUuid: null }];
        await write(c, attachManifests, { identifier: uuid, manifests });
        return { done: `${manifestExternalId} is attached.` };
      },
    ),
    detach: action(
      'operate',
      z.object({ manifestUuid: z.uuid() }),
      async ({ c }, { uuid }: ByUuid, { manifestUuid }) => {
        const manifests = [{ manifestExternalId: null, manifestUuid }];
        await write(c, detachManifests, { identifier: uuid, manifests });
        return { done: 'The manifest is detached.' };
      },
    ),
    putField: action('operate', customFieldSchema, async ({ c }, { uuid }: ByUuid, field) => {
      await write(c, putShipmentField, { identifier: uuid, field });
      return { done: `${field.fieldKey} is set.` };
    }),
    removeField: action(
      'operate',
      z.object({ fieldKey: text(1, 100) }),
      async ({ c }, { uuid }: ByUuid, { fieldKey }) => {
        await write(c, removeShipmentField, { identifier: uuid, fieldKey });
        return { done: `${fieldKey} is removed.` };
      },
    ),
  };
}
