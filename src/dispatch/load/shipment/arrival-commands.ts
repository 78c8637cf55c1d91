import { named } from '../../../core/lib/missing.ts';
import { isoDateOrNull } from '../../../core/lib/time.ts';
import { command, isRefusal, mergeChanges, unchanged } from '../../../core/writer/command.ts';
import { emit } from '../../../log/event/store.ts';
import { timeOrRefusal } from '../../../pallet/device-time.ts';
import { diffFields, isBlank } from '../../custom-field/rules.ts';
import { auditFields, writeFields } from '../../custom-field/store.ts';
import { faulty, fieldErrors, fieldsToStore, shipmentAnswer, touched } from './changes.ts';
import { askWithFields, openShipment } from './find.ts';
import { roleKey } from './rules.ts';
import { shipmentEntity } from './store.ts';

/** Record that the truck of an open shipment arrived, or change its arrival. */
export const recordArrival = command('recordArrival', {
  ask: ({ scope }, { identifier }: Arrival) => askWithFields(scope, identifier),
  decide(context, input, { fields: current, ...rows }) {
    const found = openShipment(rows, input);
    if (isRefusal(found)) return found;
    const { state } = found;
    const { scope, now, organization } = context;
    const answer = shipmentAnswer(context, state.uuid);
    if (input.onlyFirst && state.arrivalDate !== null) return unchanged(answer);
    const vehicleKey = roleKey(organization!.shipmentCustomFields, 'VEHICLE');
    const vehicle =
      input.vehicle === null || vehicleKey === null
        ? []
        : [{ fieldKey: vehicleKey, fieldValue: input.vehicle }];
    const refused = faulty(fieldErrors(context, vehicle).map((error) => ({ ...error, field: 'vehicle' })));
    if (refused) return refused;
    const others = current.filter(({ fieldKey }) => fieldKey !== vehicle[0]?.fieldKey);
    const fields = diffFields(current, [...others, ...fieldsToStore(context, vehicle)]);
    const name = named('shipment', state.externalIdentifier);
    const said = { field: 'arrivalDate', said: input.arrivalDate, name, uuid: state.uuid };
    const arrivalDate = timeOrRefusal(said, now);
    if (typeof arrivalDate !== 'number') return arrivalDate;
    const driverName =
      input.driverName === null ? state.driverName : isBlank(input.driverName) ? null : input.driverName;
    const changes = [
      {
        field: 'arrivalDate',
        oldValue: isoDateOrNull(state.arrivalDate),
        newValue: isoDateOrNull(arrivalDate),
      },
      { field: 'driverName', oldValue: state.driverName, newValue: driverName },
      ...auditFields(current, fields),
    ];
    if (changes.every(({ oldValue, newValue }) => oldValue === newValue)) return unchanged(answer);
    return mergeChanges(answer, [
      { writes: writeFields(scope, state.uuid, fields), audit: [] },
      touched(context, 'SHIPMENT_ARRIVED', state, { arrivalDate, driverName }, changes),
      { writes: [], audit: [], events: emit(context, 'SHIPMENT_ARRIVED', shipmentEntity, [state]) },
    ]);
  },
});

/** The input of a button that says that the truck is here now. */
export const firstArrival = (identifier: string): Arrival => ({
  identifier,
  arrivalDate: null,
  vehicle: null,
  driverName: null,
  onlyFirst: true,
});

interface Arrival {
  identifier: string;
  /** Epoch milliseconds; null for now. */
  arrivalDate: number | null;
  /** The value of the custom field with the role VEHICLE; null leaves it unchanged. */
  vehicle: string | null;
  /** A blank name removes the name; null leaves it unchanged. */
  driverName: string | null;
  /** Whether a shipment that has arrived already stays unchanged. So two taps are one arrival. */
  onlyFirst?: boolean;
}
