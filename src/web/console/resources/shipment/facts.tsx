import type { Child, FC } from 'hono/jsx';
import type { FoundSession } from '../../../../access/session/store.ts';
import { definiteInstant } from '../../../../core/lib/date.ts';
import type { ShipmentCustomField } from '../../../../core/writer/settings.ts';
import type { presentShipment } from '../../../../dispatch/load/shipment/store.ts';
import { useWords } from '../../../../messages/context.ts';
import type { Words } from '../../../../messages/words.ts';
import { type Carrier, Carriers } from '../../../ui/confirm/carriers.tsx';
import { FieldInput } from '../../../ui/confirm/field-input.tsx';
import { Form, Hidden, Submit } from '../../../ui/form/form.tsx';
import { LATER } from '../../../ui/form/later.tsx';
import { LATER_MINUTES } from '../../../ui/form/typed-fields.ts';
import type { GateChoice } from '../../../ui/list/gates.tsx';
import { Facts, OptionalText } from '../../../ui/parts/components.tsx';
import { fieldLabel } from '../../../ui/parts/field-labels.ts';
import { ROLES, rolesOf } from '../../../ui/parts/roles.tsx';
import { Time } from '../../../ui/parts/time.tsx';
import { Fact, GateFact, Pencil, RemoveField } from '../load/facts.tsx';
import { gateFacts } from '../load/parts.tsx';
import type { shipmentActions } from './actions.ts';
import { arrivalFacts } from './arrival.tsx';
import { VALUE } from './field-actions.ts';

type Actions = ReturnType<typeof shipmentActions>;
type ShownShipment = ReturnType<typeof presentShipment>;

/** A custom field of a shipment, as a fact. */
interface FieldFact {
  field: ShipmentCustomField;
  label: string;
  value: string;
  shown: Child;
}

/** The facts of a shipment. A pencil at each opens its form where the fact is shown. */
export const ShipmentFacts: FC<{
  shipment: ShownShipment;
  session: FoundSession;
  gates: readonly GateChoice[];
  carriers: readonly Carrier[];
  mayChange: { fields: boolean; gate: boolean };
}> = ({ shipment, session, gates, carriers, mayChange }) => {
  const words = useWords();
  const { shipmentCustomFields: configured } = session.organization;
  const [[gateLabel, gate], ...dates] = gateFacts(words, shipment) as [[string, Child], ...[string, Child][]];
  const former = shipment.customFields.filter(({ fieldKey }) =>
    configured.every((field) => field.fieldKey !== fieldKey),
  );
  return (
    <>
      {mayChange.fields && <Carriers carriers={carriers} />}
      <Facts
        facts={[
          ...factsOf(words, session, shipment).map((fact): [string, Child] => [
            fact.label,
            <Fact shown={fact.shown}>{mayChange.fields && <FieldPencil of={fact} />}</Fact>,
          ]),
          [
            gateLabel,
            <GateFact
              shown={gate}
              label={gateLabel}
              of={shipment}
              gates={gates}
              mayChange={mayChange.gate}
            />,
          ],
          ...arrivalFacts(words, shipment, mayChange.gate),
          ...dates,
          ...former.map(({ fieldKey, fieldValue }): [string, Child] => [
            fieldKey,
            <Fact shown={<span>{fieldValue}</span>}>
              {mayChange.fields && <RemoveField fieldKey={fieldKey} label={fieldKey} />}
            </Fact>,
          ]),
        ]}
      />
    </>
  );
};

/** The configured fields of the organization, those with a role first, with the values of a shipment. */
function factsOf(words: Words, { organization }: FoundSession, shipment: ShownShipment): FieldFact[] {
  const { shipmentCustomFields: configured } = organization;
  const roles = new Map(rolesOf(words, organization).map((one) => [one.role, one.value]));
  const rank = ({ role }: ShipmentCustomField): number =>
    role === null ? ROLES.length : ROLES.indexOf(role);
  return configured
    .toSorted((one, other) => rank(one) - rank(other))
    .map((field) => {
      const value =
        shipment.customFields.find(({ fieldKey }) => fieldKey === field.fieldKey)?.fieldValue ?? '';
      const ofRole = field.role && roles.get(field.role);
      const isDate = field.fieldType === 'DATE_TIME' && !Number.isNaN(definiteInstant(value));
      const plain = isDate ? <Time at={definiteInstant(value)} /> : <OptionalText of={value} />;
      return {
        field,
        label: fieldLabel(words, field),
        value,
        shown: ofRole ? ofRole({ status: shipment.status, fields: shipment.customFields }) : plain,
      };
    });
}

/** The pencil of a custom field. A departure can also be moved by one button. */
const FieldPencil: FC<{ of: FieldFact }> = ({ of: { field, label, value } }) => {
  const { t } = useWords();
  const of = { name: 'fieldKey', value: field.fieldKey };
  return (
    <Pencil label={label} of={{ action: 'putField', of }}>
      <Form<Actions> action="putField" of={of} several>
        <Hidden name="was" value={value} />
        <FieldInput field={field} name={VALUE} value={value} />
        <div class="actions">
          <Submit<Actions> action="putField">{t('field.save')}</Submit>
          {field.role === 'PLANNED_DEPARTURE' && (
            <Submit<Actions> action={LATER} quiet>
              {t('field.later', { minutes: LATER_MINUTES })}
            </Submit>
          )}
        </div>
      </Form>
    </Pencil>
  );
};
