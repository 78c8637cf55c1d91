import { named } from '../../../core/lib/missing.ts';
import type { Refusal } from '../../../core/lib/problem.ts';
import type { Change, Context } from '../../../core/writer/command.ts';
import type { CustomFieldInput } from '../../custom-field/rules.ts';
import { addedSignature, type NewSignature } from '../shared/signature-changes.ts';
import type { Signed, StoredSignature } from '../shared/signature-store.ts';
import type { SignedFacts } from '../shared/signed-for-rules.ts';
import { touched } from './changes.ts';
import { closed } from './find.ts';
import { type ShipmentState, shipmentEntity } from './store.ts';

/** Add a signature to a shipment. `fields` are set in the same step, and the signature covers their new values. */
export function signedShipment(
  context: Context,
  state: ShipmentState,
  signature: NewSignature,
  { signed, facts: [facts] }: { signed: readonly Signed[]; facts: readonly SignedFacts[] },
  fields: readonly CustomFieldInput[] = [],
): Change<StoredSignature> | Refusal {
  if (state.status === 'CANCELLED') return closed(state)!;
  const valueWith = (role: 'VEHICLE' | 'SEAL', before: string | null) => {
    const key = context.organization!.shipmentCustomFields.find((field) => field.role === role)?.fieldKey;
    return fields.find(({ fieldKey }) => fieldKey === key)?.fieldValue ?? before;
  };
  const load = {
    uuid: state.uuid,
    externalIdentifier: state.externalIdentifier,
    title: named('Shipment', state.externalIdentifier),
    status: state.status,
    facts: {
      ...facts!,
      vehicle: valueWith('VEHICLE', facts!.vehicle),
      seal: valueWith('SEAL', facts!.seal),
    },
    entity: shipmentEntity,
    touched: (changes: Parameters<typeof touched>[4]) =>
      touched(context, 'SIGNATURE_ADDED', state, {}, changes),
  };
  return addedSignature(context, load, signature, signed);
}
