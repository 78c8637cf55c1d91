import { z } from '@hono/zod-openapi';
import type { FC, PropsWithChildren } from 'hono/jsx';
import { dateFilter } from '../../../../core/http/dates.ts';
import { text } from '../../../../core/http/schema.ts';
import { refuse } from '../../../../core/http/write.ts';
import { isDateNumber } from '../../../../core/lib/time.ts';
import { zonedIn } from '../../../../core/lib/zone.ts';
import type { FieldRole } from '../../../../core/writer/settings.ts';
import { labelsOfShipments } from '../../../../dispatch/label/store.ts';
import { planShipment } from '../../../../dispatch/load/shipment/change-commands.ts';
import { changeShipmentStatus } from '../../../../dispatch/load/shipment/lifecycle-commands.ts';
import { assignShipmentsGate } from '../../../../dispatch/load/shipment/many-commands.ts';
import { roleKey } from '../../../../dispatch/load/shipment/rules.ts';
import { useWords } from '../../../../messages/context.ts';
import { type ActionContext, action, type PageContext } from '../../../ui/confirm/action.ts';
import { askCarrier, newCarrierNotice } from '../../../ui/confirm/carriers.tsx';
import type { Confirmation } from '../../../ui/confirm/confirmation.tsx';
import { Input } from '../../../ui/form/form.tsx';
import {
  type ChosenRows,
  confirmRows,
  outcomeOf,
  RowCount,
  rowsOf,
  useRowsInput,
} from '../../../ui/list/bulk.tsx';
import { namedRows, writeEach } from '../../../ui/list/bulk-rows.ts';
import { schemaText } from '../../../ui/parts/form-rules.ts';
import { loadBulk, loadBulkActions } from '../load/bulk.tsx';

/** An input for a role of the chosen shipments. */
const RoleInput: FC<{ role: FieldRole }> = ({ role }) => {
  const label = useWords().t(`role.${role}`);
  const [departure, carrier] = [useRowsInput('departure'), useRowsInput('carrier')];
  return role === 'PLANNED_DEPARTURE' ? (
    <Input name="departure" type="datetime-local" label={label} value={departure} />
  ) : (
    <Input name="carrier" label={label} placeholder={label} value={carrier} />
  );
};

/** How shipments are chosen, and the actions on them. Carrier and departure need a custom field with that role. */
export const SHIPMENT_BULK = loadBulk((_, { session: { organization } }) =>
  (
    [
      ['CARRIER', 'carriers', 'truck', 'bulk.setCarrier'],
      ['PLANNED_DEPARTURE', 'departures', 'clock', 'bulk.setDeparture'],
    ] as const
  ).flatMap(([role, name, icon, label]) =>
    roleKey(organization.shipmentCustomFields, role) === null
      ? []
      : [
          {
            action: name,
            right: 'operate' as const,
            label: ({ t }) => t(label),
            icon,
            with: <RoleInput role={role} />,
            more: true as const,
          },
        ],
  ),
);

/** The custom field with a role, as the API takes it. */
function fieldOf({ session }: PageContext, role: FieldRole, fieldValue: string) {
  const fieldKey = roleKey(session.organization.shipmentCustomFields, role);
  if (fieldKey === null) return refuse('customFieldNotFound', `No custom field has the role ${role}.`);
  return { fieldKey, fieldValue };
}

/** Set the field with a role in each chosen shipment. A closed shipment is refused. */
async function planEach(at: ActionContext, row: readonly string[], role: FieldRole, value: string) {
  const { words } = at;
  const field = fieldOf(at, role, value);
  const notice = await newCarrierNotice(at, [field]);
  const became = await writeEach(at, await namedRows(at, 'shipment', row), planShipment, (identifier) => ({
    identifier,
    gateIdentifier: null,
    fields: [field],
  }));
  return outcomeOf(became, (counts) => [words.t('bulk.planned', counts), notice].filter(Boolean).join(' '));
}

/** The question about a name that is nearly a known carrier, or else about all rows of a filter. */
async function confirmCarrier(
  at: PageContext,
  _: unknown,
  { carrier, ...chosen }: z.output<typeof carrierForm>,
): Promise<Confirmation> {
  const question = await askCarrier(at, [fieldOf(at, 'CARRIER', carrier)], () => 'carrier');
  if (question.needed === false) return confirmRows(at, chosen, at.words.t('bulk.setCarrier'));
  return { ...question, text: <AboutRows of={chosen}>{question.text}</AboutRows> };
}

const AboutRows: FC<PropsWithChildren<{ of: ChosenRows }>> = ({ of, children }) => (
  <>
    <RowCount of={of} />
    <p>{children}</p>
  </>
);

const carrierForm = z.object({ ...rowsOf(z.uuid()), carrier: text(1, 1_000) });
const departureForm = z.object({
  ...rowsOf(z.uuid()),
  departure: dateFilter.refine(isDateNumber, schemaText('noTime')),
});

export const shipmentBulkActions = {
  ...loadBulkActions('shipment', {
    assign: assignShipmentsGate,
    cancel: changeShipmentStatus,
    cancelInput: (identifier, manifests) => ({
      identifier,
      status: 'CANCELLED' as const,
      ...(manifests && { manifests }),
    }),
    labelsOf: (uuids, scope) => labelsOfShipments(scope, uuids),
  }),
  carriers: action(
    'operate',
    carrierForm,
    (at, _, { row, carrier }) => planEach(at, row, 'CARRIER', carrier),
    confirmCarrier,
  ),
  departures: action(
    'operate',
    departureForm,
    (at, _, { row, departure }) =>
      planEach(at, row, 'PLANNED_DEPARTURE', zonedIn(at.session.organization.timeZone, departure)),
    (at, _, chosen) => confirmRows(at, chosen, at.words.t('bulk.setDeparture')),
  ),
};
