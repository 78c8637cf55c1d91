import { z } from '@hono/zod-openapi';
import type { FC } from 'hono/jsx';
import { dateFilter } from '../../../../core/http/dates.ts';
import { text } from '../../../../core/http/schema.ts';
import { refuse } from '../../../../core/http/write.ts';
import { isDateNumber } from '../../../../core/lib/time.ts';
import { zonedIn } from '../../../../core/lib/zone.ts';
import type { FieldRole } from '../../../../core/writer/settings.ts';
import { markersOfShipments } from '../../../../dispatch/manifest/label-store.ts';
import { planShipment } from '../../../../dispatch/shipment/change-commands.ts';
import { changeShipmentStatus } from '../../../../dispatch/shipment/lifecycle-commands.ts';
import { assignShipmentsGate } from '../../../../dispatch/shipment/many-commands.ts';
import { roleKey } from '../../../../dispatch/shipment/rules.ts';
import { useWords } from '../../../../messages/context.ts';
import { type ActionContext, action } from '../../kit/action.ts';
import { confirmRows, outcomeOf, rowsOf } from '../../kit/bulk.tsx';
import { namedRows, writeEach } from '../../kit/bulk-rows.ts';
import { loadBulk, loadBulkActions } from '../load/bulk.tsx';

/** An input for a role of the chosen shipments. */
const RoleInput: FC<{ role: FieldRole }> = ({ role }) => {
  const label = useWords().t(`role.${role}`);
  return role === 'PLANNED_DEPARTURE' ? (
    <input name="departure" type="datetime-local" aria-label={label} />
  ) : (
    <input name="carrier" aria-label={label} placeholder={label} maxlength={1_000} />
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

/** Set the field with a role in each chosen shipment. A closed shipment is refused. */
async function planEach(at: ActionContext, row: readonly string[], role: FieldRole, fieldValue: string) {
  const { session, words } = at;
  const fieldKey = roleKey(session.organization.shipmentCustomFields, role);
  if (fieldKey === null) return refuse('customFieldNotFound', `No custom field has the role ${role}.`);
  const became = await writeEach(at, await namedRows(at, 'shipment', row), planShipment, (identifier) => ({
    identifier,
    gateIdentifier: null,
    fields: [{ fieldKey, fieldValue }],
  }));
  return outcomeOf(became, (counts) => words.t('bulk.planned', counts));
}

const carrierForm = z.object({ ...rowsOf(z.uuid()), carrier: text(1, 1_000) });
const departureForm = z.object({
  ...rowsOf(z.uuid()),
  departure: dateFilter.refine(isDateNumber, 'A time is written as 2026-11-22T14:30.'),
});

export const shipmentBulkActions = {
  ...loadBulkActions('shipment', {
    assign: assignShipmentsGate,
    cancel: changeShipmentStatus,
    cancelInput: (identifier) => ({ identifier, status: 'CANCELLED' as const }),
    markers: (uuids, scope) => markersOfShipments(scope, uuids),
  }),
  carriers: action(
    'operate',
    carrierForm,
    (at, _, { row, carrier }) => planEach(at, row, 'CARRIER', carrier),
    (at, _, chosen) => confirmRows(at, chosen, at.words.t('bulk.setCarrier')),
  ),
  departures: action(
    'operate',
    departureForm,
    (at, _, { row, departure }) =>
      planEach(at, row, 'PLANNED_DEPARTURE', zonedIn(at.session.organization.timeZone, departure)),
    (at, _, chosen) => confirmRows(at, chosen, at.words.t('bulk.setDeparture')),
  ),
};
