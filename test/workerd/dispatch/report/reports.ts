import { dayAfter } from '../../../../src/core/lib/zone.ts';
import type { Tenant } from '../../client.ts';

/** The current day in UTC. */
export const today = (): string => new Date().toISOString().slice(0, 10);

export interface ReportRow {
  group: string | null;
  shipmentsCompleted: number;
  [figure: string]: unknown;
}

/** The rows of a report; by default of today, also if the day ends now. */
export async function report(
  tenant: Tenant,
  groupBy: string,
  from = today(),
  to = dayAfter(from, 1),
): Promise<ReportRow[]> {
  const { status, body } = await tenant.call('GET', `/report?from=${from}&to=${to}&groupBy=${groupBy}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.content;
}
