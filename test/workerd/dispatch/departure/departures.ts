import { runInDurableObject } from 'cloudflare:test';
import { vi } from 'vitest';
import { forD1 } from '../../../../src/core/lib/sql.ts';
import { overdueQuery } from '../../../../src/core/writer/each.ts';
import { overdueDepartures } from '../../../../src/dispatch/departure/store.ts';
import type { Tenant } from '../../client.ts';
import { bodyOf, db, request, writerOf } from '../../core/writer/requests.ts';
import { bindings } from '../../failing.ts';
import { type Dock, newDock } from '../load/shipment/dock.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DEPARTURE = { fieldKey: 'etd', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' };

/** Sets the clock. */
export const clock = (date: number): void => {
  vi.useFakeTimers({ toFake: ['Date'], now: date });
};

/** A dock whose shipments have a departure. */
export const departingDock = (settings: object = {}): Promise<Dock> =>
  newDock({ shipmentCustomFields: [DEPARTURE], ...settings });

export const at = (date: number): string => new Date(date).toISOString();

/** The custom field of a departure. */
export const departs = (date: number) => ({ fieldKey: 'etd', fieldValue: at(date) });

/** The organizations that the schedule wakes for their departures at the time of the clock. */
export async function woken(): Promise<string[]> {
  const { text, params } = forD1(overdueQuery(overdueDepartures, Date.now()));
  const { results } = await db
    .prepare(text)
    .bind(...params)
    .all<{ uuid: string }>();
  return results.map(({ uuid }) => uuid);
}

/** Wakes the object of a tenant as the schedule does if a departure is due, and runs its jobs at once. */
export async function minute({ uuid }: Pick<Tenant, 'uuid'>): Promise<void> {
  if (!(await woken()).includes(uuid)) return;
  const stub = bindings.WRITER.get(bindings.WRITER.idFromName(uuid));
  await runInDurableObject(stub, (object) => (object as unknown as { alarm(): Promise<void> }).alarm());
}

/** Resolves the open alerts as a person does. */
export async function resolveByHand(tenant: Tenant): Promise<void> {
  const { body } = await tenant.call('GET', '/alert-event?status=OPEN');
  const uuids = body.content.map(({ uuid }: { uuid: string }) => uuid);
  bodyOf(await writerOf(tenant).execute(request('resolveAlerts', { uuids })));
}

/** When the departures of a tenant are checked next; undefined for never. */
export async function dueOf({ uuid }: Pick<Tenant, 'uuid'>): Promise<number | undefined> {
  const row = await db
    .prepare('SELECT due_date FROM departure_due WHERE organization_uuid = ?1')
    .bind(uuid)
    .first<{ due_date: number }>();
  return row?.due_date;
}

/** The alerts about loads, oldest first, as `TYPE STATUS shipment`. */
export async function told(tenant: Tenant): Promise<string[]> {
  const types = ['DEPARTURE_LATE', 'DEPARTURE_AT_RISK', 'COMPLETED_SHORT'].map((type) => `alertType=${type}`);
  const { body } = await tenant.call(
    'GET',
    `/alert-event?${types.join('&')}&sort.direction=ASC&sort.sortBy=createDate`,
  );
  return body.content.map(
    (alert: Record<string, string>) =>
      `${alert['alertType']} ${alert['status']} ${alert['shipmentExternalId'] ?? alert['manifestExternalId']}`,
  );
}
