import { z } from '@hono/zod-openapi';
import { write } from '../../../../core/http/write.ts';
import { LOAD_STATUSES } from '../../../../dispatch/load/shared/status-rules.ts';
import {
  assignShipmentGate,
  changeShipmentStatus,
  removeShipmentField,
} from '../../../../dispatch/load/shipment/lifecycle-commands.ts';
import { CANCELLED_MANIFESTS } from '../../../../dispatch/load/shipment/rules.ts';
import { detachManifestForUndo } from '../../../../dispatch/undo/commands.ts';
import { action } from '../../../ui/confirm/action.ts';
import { confirmDetachment } from '../../../ui/confirm/confirm-closing.tsx';
import { undoable } from '../../../ui/confirm/undo.tsx';
import type { ByUuid } from '../../../ui/page/resource.tsx';
import { confirmMove, loadActions, movedText } from '../load/actions.ts';
import { backorderAction } from '../load/backorder.tsx';
import { arrivalActions } from './arrival.tsx';
import { fieldActions } from './field-actions.ts';

export function shipmentActions() {
  return {
    ...loadActions({ assignGate: assignShipmentGate, removeField: removeShipmentField }),
    ...fieldActions,
    ...arrivalActions,
    status: action(
      'operate',
      z.object({ status: z.enum(LOAD_STATUSES), manifests: z.enum(CANCELLED_MANIFESTS).optional() }),
      async ({ c, words, submission }, { uuid }: ByUuid, { status, manifests }) => {
        await write(c, submission, changeShipmentStatus, {
          identifier: uuid,
          status,
          ...(manifests && { manifests }),
        });
        return { done: movedText(words, 'shipment', status) };
      },
      confirmMove('shipment'),
    ),
    backorder: backorderAction,
    detach: action(
      'operate',
      z.object({ manifestUuid: z.uuid() }),
      async (at, { uuid }: ByUuid, { manifestUuid }) => {
        const manifests = [{ manifestExternalId: null, manifestUuid }];
        const { body } = await write(at.c, at.submission, detachManifestForUndo, {
          identifier: uuid,
          manifests,
        });
        return undoable(at, body, at.words.t('load.detached'));
      },
      (at, { uuid }, what) => confirmDetachment(at, { kind: 'shipment', uuid }, what),
    ),
  };
}
