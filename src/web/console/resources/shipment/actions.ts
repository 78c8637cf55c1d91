import { z } from '@hono/zod-openapi';
import { text } from '../../../../core/http/schema.ts';
import { write } from '../../../../core/http/write.ts';
import { KEY_LENGTH_MAXIMUM } from '../../../../dispatch/custom-field/rules.ts';
import { LOAD_STATUSES } from '../../../../dispatch/load/shared/status-rules.ts';
import {
  assignShipmentGate,
  changeShipmentStatus,
  putShipmentField,
  removeShipmentField,
} from '../../../../dispatch/load/shipment/lifecycle-commands.ts';
import { CANCELLED_MANIFESTS } from '../../../../dispatch/load/shipment/rules.ts';
import { detachManifestForUndo } from '../../../../dispatch/undo/commands.ts';
import { type ActionContext, action, type PageContext } from '../../../ui/confirm/action.ts';
import { askCarrier, newCarrierNotice } from '../../../ui/confirm/carriers.tsx';
import { confirmDetachment } from '../../../ui/confirm/confirm-closing.tsx';
import { undoable } from '../../../ui/confirm/undo.tsx';
import { LATER } from '../../../ui/form/later-button.tsx';
import { laterText, readTypedFields } from '../../../ui/form/typed-fields.ts';
import type { ByUuid } from '../../../ui/page/resource.tsx';
import { fieldLabel } from '../../../ui/parts/field-labels.ts';
import { confirmMove, loadActions, movedText } from '../load/actions.ts';
import { backorderAction } from '../load/backorder.tsx';
import { arrivalActions } from './arrival.tsx';

/** The name of the input in the form of one field. */
export const VALUE = 'fieldValue';

/** `was` is the stored value that the form showed. */
const fieldForm = z.object({
  fieldKey: text(1, KEY_LENGTH_MAXIMUM),
  [VALUE]: text(0, 1_000),
  was: text(0, 1_000).optional(),
});
type FieldForm = z.output<typeof fieldForm>;

/** The actions of the pencil at a fact of a shipment. */
const fieldActions = {
  putField: action('operate', fieldForm, setField, (at, { uuid }: ByUuid, form) =>
    askCarrier(at, read(at, form).fields, () => VALUE, uuid),
  ),
  [LATER]: action('operate', fieldForm, (at, params: ByUuid, { fieldKey, fieldValue, was }) =>
    setField(at, params, { fieldKey, fieldValue: laterText(at.session.organization, fieldValue, was) }),
  ),
};

const read = ({ session, words }: PageContext, form: FieldForm) =>
  readTypedFields(session.organization, words, [form], () => VALUE);

/** Set one field. A blank value removes it. */
async function setField(at: ActionContext, { uuid }: ByUuid, form: FieldForm) {
  const { c, session, words, submission } = at;
  const { fields, notices } = read(at, form);
  const notice = await newCarrierNotice(at, fields);
  await write(c, submission, putShipmentField, { identifier: uuid, field: fields[0]! });
  const configured = session.organization.shipmentCustomFields.find(
    ({ fieldKey }) => fieldKey === form.fieldKey,
  );
  const field = fieldLabel(words, configured ?? { fieldKey: form.fieldKey, role: null });
  const isRemoved = fields[0]!.fieldValue === '';
  const done = words.t(isRemoved ? 'load.fieldRemoved' : 'load.fieldSet', { field });
  return { done: [done, notice, ...notices].filter(Boolean).join(' ') };
}

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
