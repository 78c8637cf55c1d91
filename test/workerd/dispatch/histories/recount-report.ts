import { expect } from 'vitest';
import type { Model } from './model/state.ts';
import type { Real } from './real.ts';

interface Completed {
  uuid: string;
  status: string;
  closeDate: string;
  activateDate: string;
  arrivalDate: string | null;
  gate: { externalIdentifier: string };
  shortReason: string | null;
  customFields: { fieldKey: string; fieldValue: string }[];
}
type Row = Record<string, unknown> & { group: string | null };

const DAY_MS = 86_400_000;
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const minutesBetween = (one: string, other: string): number =>
  Math.floor((Date.parse(other) - Date.parse(one)) / 60_000);

/**
 * Counts the shown shipments and records, and compares the result with the reports. Times of loading are left out. The
 * model has the pallets that were taken off.
 */
export async function recountReport(model: Model, real: Real): Promise<void> {
  const caughtOf = (shipment: Completed) =>
    model.shipments.find(({ uuid }) => uuid.value === shipment.uuid)!.caught;
  const shipments = ((await real.list('/shipment')) as unknown as Completed[]).filter(
    ({ status }) => status === 'COMPLETED',
  );
  const manifests = await real.list('/manifest');
  const cancelled = new Set(
    manifests.filter((manifest) => manifest['manifestStatus'] === 'CANCELLED').map(({ uuid }) => uuid),
  );
  const counted = new Map<Completed, number[]>();
  for (const shipment of shipments) {
    const records = (
      (await real.get(`/shipment/${shipment.uuid}/asset-loading`)) as {
        loadingStatus: string;
        manifest: { manifestUuid: string };
      }[]
    ).filter(({ manifest }) => !cancelled.has(manifest.manifestUuid));
    const count = (...statuses: string[]) =>
      records.filter(({ loadingStatus }) => statuses.includes(loadingStatus)).length;
    counted.set(shipment, [
      count('LOADED'),
      count('WRONGLY_LOADED', 'UNKNOWN_LOADING'),
      Number(count('NOT_LOADED', 'UNLOADED') > 0),
      caughtOf(shipment),
    ]);
  }
  const dates = shipments.map(({ closeDate }) => Date.parse(closeDate));
  const [from, to] = [Math.min(Date.now(), ...dates) - DAY_MS, Math.max(Date.now(), ...dates) + DAY_MS];
  const names: Record<string, (shipment: Completed) => string | null> = {
    DAY: ({ closeDate }) => closeDate.slice(0, 10),
    CARRIER: ({ customFields }) =>
      customFields.find(({ fieldKey }) => fieldKey === 'haulier')?.fieldValue ?? null,
    GATE: ({ gate }) => gate.externalIdentifier,
  };
  for (const [groupBy, name] of Object.entries(names)) {
    const path = `/report?from=${dayOf(from)}&to=${dayOf(to)}&groupBy=${groupBy}`;
    const { content } = (await real.get(path)) as { content: Row[] };
    const shown = content.map(({ loadingMinutes: _, ...row }) => row);
    const groups = [...new Set(shipments.map(name))];
    const expected = groups.map((group) =>
      figuresOf(
        group,
        shipments.filter((one) => name(one) === group),
        counted,
      ),
    );
    const byGroup = (one: Row, other: Row) => (String(one.group) < String(other.group) ? -1 : 1);
    expect({ [groupBy]: shown.toSorted(byGroup) }).toEqual({ [groupBy]: expected.toSorted(byGroup) });
  }
}

function figuresOf(group: string | null, shipments: Completed[], counted: Map<Completed, number[]>): Row {
  const sum = (value: (shipment: Completed) => number) =>
    shipments.reduce((total, one) => total + value(one), 0);
  const reasons = new Map<string, number>();
  for (const shipment of shipments) {
    const [, , isShort] = counted.get(shipment)!;
    if (isShort && shipment.shortReason !== null)
      reasons.set(shipment.shortReason, (reasons.get(shipment.shortReason) ?? 0) + 1);
  }
  return {
    group,
    shipmentsCompleted: shipments.length,
    shipmentsPlanned: 0,
    shipmentsOnTime: 0,
    minutesLate: 0,
    dwellMinutes: sum(({ arrivalDate, closeDate }) =>
      arrivalDate === null ? 0 : minutesBetween(arrivalDate, closeDate),
    ),
    gateMinutes: sum(({ activateDate, closeDate }) => minutesBetween(activateDate, closeDate)),
    palletsLoaded: sum((one) => counted.get(one)![0]!),
    palletsWrong: sum((one) => counted.get(one)![1]!),
    palletsCaught: sum((one) => counted.get(one)![3]!),
    shipmentsShort: sum((one) => counted.get(one)![2]!),
    shortByReason: [...reasons].map(([reason, count]) => ({ reason, count })),
  };
}
