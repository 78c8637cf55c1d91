import { validationRefusal } from '../../../core/http/problem-items.ts';
import { ProblemError } from '../../../core/lib/problem.ts';
import type { FieldRole, OrganizationSettings, ShipmentCustomField } from '../../../core/writer/settings.ts';
import type { CustomFieldInput } from '../../../dispatch/custom-field/rules.ts';
import { fieldFaults } from '../../../dispatch/load/shipment/rules.ts';
import type { Words } from '../../../messages/words.ts';
import type { PageContext } from '../../ui/confirm/action.ts';
import { confirmCompletion, type LoadRef } from '../../ui/confirm/confirm-closing.tsx';
import type { Confirmation } from '../../ui/confirm/confirmation.tsx';
import { namesPallet } from '../../ui/confirm/meant-pallet.ts';
import type { QuestionField } from '../../ui/form/asked-fields.tsx';
import { refuseInWords } from '../../ui/parts/language.ts';

/** The roles of fields that a gate asks for before a shipment is completed, with the names of the inputs. */
const ASKED = [
  { role: 'VEHICLE', name: 'vehicle', label: 'page.vehicle' },
  { role: 'SEAL', name: 'seal', label: 'page.seal' },
] as const satisfies { role: FieldRole; name: string; label: string }[];

/** The typed values of these inputs. */
type TypedFields = { [N in (typeof ASKED)[number]['name']]?: string | undefined };

type Settings = Pick<OrganizationSettings, 'shipmentCustomFields'>;

/** The configured fields that the completion of a load asks for. Manifests have no fields with roles. */
function askedOf({ shipmentCustomFields }: Settings, kind: LoadRef['kind']) {
  if (kind === 'manifest') return [];
  return ASKED.flatMap((asked) => {
    const field = shipmentCustomFields.find(({ role }) => role === asked.role);
    return field ? [{ ...asked, field }] : [];
  });
}

/** Whether the completion of a load asks for fields, even if all pallets are loaded. */
export const asksForFields = (settings: Settings, kind: LoadRef['kind']): boolean =>
  askedOf(settings, kind).length > 0;

/** The question before a load is completed, with inputs for vehicle and seal, and the name of the load. */
export async function askCompletion(
  at: PageContext,
  load: LoadRef,
): Promise<{ question: Confirmation; name: string }> {
  const { t } = at.words;
  const asked = askedOf(at.session.organization, load.kind);
  let name = '';
  const question = await confirmCompletion(at, load, (known, title) => {
    name = title;
    return asked.map(({ name: input, label, field }): QuestionField => {
      const value = known.find(({ fieldKey }) => fieldKey === field.fieldKey)?.fieldValue ?? '';
      return { name: input, label: t(label), value };
    });
  });
  return { question, name };
}

/**
 * The fields that the form of a completion sets. A blank input leaves its field unchanged.
 * @throws 400 with the inputs that have the label of a pallet, or a wrong value
 */
export async function fieldsToSet(
  at: PageContext,
  kind: LoadRef['kind'],
  typed: TypedFields,
): Promise<CustomFieldInput[]> {
  const { words, database, session } = at;
  const filled = askedOf(session.organization, kind).flatMap(({ name, label, field }) => {
    const value = typed[name]?.trim();
    return value ? [{ name, label: words.t(label), field, value }] : [];
  });
  for (const { name, label, value } of filled)
    if (await namesPallet(database, value)) refuseFields(words, name, label);
  const faults = filled.flatMap(({ name, field, value }) =>
    faultsOf(field, value).map((fault) => ({ ...fault, field: name })),
  );
  if (faults.length > 0) throw new ProblemError(validationRefusal(faults));
  return filled.map(({ field, value }) => ({ fieldKey: field.fieldKey, fieldValue: value }));
}

const faultsOf = (field: ShipmentCustomField, fieldValue: string) =>
  fieldFaults([field], [{ fieldKey: field.fieldKey, fieldValue }], () => '');

function refuseFields({ t }: Words, field: string, label: string): never {
  const message = t('tablet.isPallet', { field: label });
  refuseInWords('validationFailed', message, {
    errors: [{ field, code: 'validationFailed', message }],
  });
}
