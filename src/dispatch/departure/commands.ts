import { smallest } from '../../core/lib/extremes.ts';
import { parseJson } from '../../core/lib/json.ts';
import {
  type ChangePart,
  type Context,
  command,
  mergeChanges,
  unchanged,
} from '../../core/writer/command.ts';
import { raisedAlertsChange, settledDeparturesChange } from '../alert/changes.ts';
import type { NewAlert } from '../alert/table.ts';
import { assignedGateOf } from '../gate/rules.ts';
import { roleKey } from '../load/shipment/rules.ts';
import { isAtRisk, isOnTime, type LoadingProgress, nextCheckOf, readyDateOf } from './rules.ts';
import {
  ALERTS_MAXIMUM,
  type DepartingShipment,
  dueQuery,
  LOADING_MAXIMUM,
  type LoadingShipment,
  lateQuery,
  loadingQuery,
  nextDepartureQuery,
  type Position,
  settledQuery,
  UNFINISHED,
  writeDue,
} from './store.ts';

/** The part of a check that is left: the shipments after a position, and when to check the other ones next. */
interface Rest extends Position {
  nextDate: number | null;
}

/** The answer of a check. */
export interface Checked {
  /** When to check next; null if nothing is left to check. */
  nextDate: number | null;
  /** Null if all shipments were checked. */
  rest: Rest | null;
}

/**
 * Check the departures of an organization, or the rest of them. It raises alerts for shipments that are late or at risk,
 * resolves alerts that no longer apply, and stores when to check next.
 */
export const checkDepartures = command('checkDepartures', {
  exclusive: true,
  ask({ scope, organization, now }, { rest = null }: { rest?: Rest | null }) {
    const key = departureKey(organization);
    return {
      due: dueQuery(scope),
      settled: settledQuery(scope, key, now),
      late: key === null ? undefined : lateQuery(scope, key, now),
      loading: key === null ? undefined : loadingQuery(scope, key, now, rest),
      next: key === null ? undefined : nextDepartureQuery(scope, key, now),
    };
  },
  decide(context, { rest: part = null }, { due: [due], settled, late, loading, next: [next] }) {
    if (!due) return unchanged<Checked>({ value: { nextDate: null, rest: null } });
    const { now } = context;
    const progress = loading.map((shipment) => ({ shipment, ...progressOf(shipment) }));
    // A shipment has one open alert of a type. So alerts that no longer apply are all resolved before others are raised.
    const isFull = settled.length > ALERTS_MAXIMUM;
    const isRest = isFull || late.length > ALERTS_MAXIMUM;
    const risky = progress.filter((one) => one.shipment.alertUuid === null && isAtRisk(one, now));
    const safe = progress.filter((one) => one.shipment.alertUuid !== null && isOnTime(one, now));
    const isChanged = part !== null && due.dueDate !== UNFINISHED;
    const dates = [
      ...progress.map((one) => nextCheckOf(one, now)),
      ...(next ? [next.plannedDate] : []),
      ...(part !== null && part.nextDate !== null ? [part.nextDate] : []),
    ];
    const nextDate = isRest || isChanged ? 0 : dates.length === 0 ? null : smallest(dates);
    const last = loading.length < LOADING_MAXIMUM ? undefined : loading.at(-1);
    const rest = last ? { plannedDate: last.plannedDate, uuid: last.uuid, nextDate } : null;
    const change = mergeChanges<Checked>({ value: { nextDate, rest } }, [
      settledDeparturesChange(context, [
        ...settled.slice(0, ALERTS_MAXIMUM),
        ...safe.map(({ shipment: { alertUuid } }) => ({ uuid: alertUuid! })),
      ]),
      raisedAlertsChange(
        context,
        isFull
          ? []
          : [
              ...late.slice(0, ALERTS_MAXIMUM).map(lateAlert),
              ...risky.map((one) => riskAlert(one.shipment, one, now)),
            ],
      ),
      checkedAgain(context, due.dueDate, rest ? UNFINISHED : nextDate),
    ]);
    // A repeat may check again, so its answer does not have to be stored.
    return { ...change, recordsItself: true };
  },
});

const departureKey = (organization: Context['organization']): string | null =>
  roleKey(organization?.shipmentCustomFields ?? [], 'PLANNED_DEPARTURE');

const checkedAgain = ({ scope }: Context, seen: number, next: number | null): ChangePart => ({
  writes: [],
  audit: [],
  unauditedWrites: seen === next ? [] : [writeDue(scope, seen, next)],
});

function progressOf({ pallets, plannedDate }: LoadingShipment): LoadingProgress {
  const { count, firstDate, lastDate, missing } = parseJson(pallets);
  const isLoaded = count && firstDate !== null && lastDate !== null;
  return { loaded: isLoaded ? { count, firstDate, lastDate } : null, missing, plannedDate };
}

const lateAlert = (shipment: DepartingShipment): NewAlert => ({
  ...alertAbout(shipment),
  alertType: 'DEPARTURE_LATE',
  params: { plannedDate: shipment.plannedDate },
});

const riskAlert = (shipment: LoadingShipment, progress: LoadingProgress, now: number): NewAlert => ({
  ...alertAbout(shipment),
  alertType: 'DEPARTURE_AT_RISK',
  params: {
    plannedDate: shipment.plannedDate,
    readyDate: Math.round(readyDateOf(progress, now)!),
  },
});

const alertAbout = (shipment: DepartingShipment) => ({
  gate: assignedGateOf(shipment),
  shipmentExternalId: shipment.externalIdentifier,
  recordUuid: shipment.uuid,
  plannedDate: shipment.plannedDate,
});
