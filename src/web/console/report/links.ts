import { dayAfter } from '../../../core/lib/zone.ts';
import { isByTime, type ReportGroup } from '../../../dispatch/report/rules.ts';
import { single } from '../../ui/list/filters.tsx';
import type { Range } from './range-rules.ts';

/** The shipments that a figure counts: completed on these days, and of this carrier or gate. */
export interface Of extends Range {
  grouping: ReportGroup;
  /** The carrier or gate; null for shipments without one. Undefined for all. */
  group?: string | null | undefined;
  /** All spellings of the carrier. */
  spellings?: readonly string[] | undefined;
}

/** The shipments that a number counts. */
export type Outcome = 'PLANNED' | 'ON_TIME' | 'LATE' | 'SHORT';

function queryOf({ grouping, group, spellings, from, to }: Of): [string, string][] {
  const dates: [string, string][] = [
    ['closeDateAfter', from],
    // Filters exclude their end.
    ['closeDateBefore', dayAfter(to, 1)],
  ];
  if (group === undefined || isByTime(grouping)) return dates;
  if (group === null) return [...dates, ['without', grouping]];
  const [only = group, ...others] = spellings ?? [];
  const name = grouping.toLowerCase();
  return [...dates, ...single(name, only), ...others.map((spelling): [string, string] => [name, spelling])];
}

/** The list of the completed shipments that a number counts. */
export const shipmentsOf = (of: Of, outcome?: Outcome, more: [string, string][] = []): string =>
  `/app/shipment?${new URLSearchParams([
    ['status', 'COMPLETED'],
    ...queryOf(of),
    ...(outcome === undefined ? [] : [['outcome', outcome]]),
    ...more,
  ])}`;

/** The list of short shipments with a reason; null for shipments without one. */
export const shortOf = (of: Of, reason: string | null): string =>
  shipmentsOf(of, 'SHORT', reason === null ? [['without', 'SHORT_REASON']] : single('shortReason', reason));

/** The list of wrong pallets on the completed shipments. */
export const wrongOf = (of: Of): string => `/app/report/wrong-pallets?${new URLSearchParams(queryOf(of))}`;
