import { OverBudget } from '../../../src/core/lib/reader.ts';
import type { ShipmentCustomField } from '../../../src/core/writer/settings.ts';
import { ASSETS_MAXIMUM } from '../../../src/dispatch/load/manifest/rules.ts';
import { FIELDS_MAXIMUM, orderColumns } from '../../../src/web/console/order-list/columns.ts';
import { readOrders } from '../../../src/web/console/order-list/read.ts';
import type { PalletList } from '../../../src/web/console/pallet-list/read.ts';
import { wordsIn } from '../../messages.ts';
import { casesOf } from './case.ts';

const FIELDS: ShipmentCustomField[] = Array.from({ length: FIELDS_MAXIMUM }, (_, index) => ({
  fieldKey: `d${index}`,
  fieldType: 'DATE_TIME',
  role: null,
}));

/** A list of as many pallets as a manifest holds, which the reader of lists has read. `cell`: of a column from 1. */
function listOf(width: number, cell: (line: number, column: number) => string): PalletList {
  const good = Array.from({ length: ASSETS_MAXIMUM }, (_, line) => ({
    line,
    pallet: `P-${line}`,
    cells: [`P-${line}`, ...Array.from({ length: width - 1 }, (_, column) => cell(line, column + 2))],
  }));
  const columns = Array.from({ length: width }, (_, index) => ({
    number: index + 1,
    heading: ['SSCC', 'Order', 'Shipment', ...FIELDS.map(({ fieldKey }) => fieldKey)][index] ?? '',
    sample: '',
  }));
  return {
    pallets: [],
    good,
    first: [],
    better: undefined,
    bad: [],
    hidden: { lines: [], isLeft: false },
    columns,
    taken: '1',
    heading: undefined,
  };
}
/** Lines with an order, a shipment and dates. */
const datesOf = (date: (line: number, field: number) => string, of = (line: number) => String(line % 100)) =>
  listOf(3 + FIELDS_MAXIMUM, (line, column) =>
    column === 2 ? `O-${of(line)}` : column === 3 ? `S-${of(line)}` : date(line, column),
  );

export default casesOf<PalletList>({
  reader: 'order-list',
  needed: { dates: 'dates of distinct shipments' },
  read(list) {
    const settings = {
      dispatchStrategy: 'SHIPMENT' as const,
      shipmentCustomFields: FIELDS,
      timeZone: 'Europe/Berlin',
    };
    const columns = orderColumns(list, settings, {
      orderColumn: '2',
      shipmentColumn: '3',
      facts: {},
      fields: {},
    });
    try {
      return readOrders(list, columns, { timeZone: settings.timeZone, now: 0 }, wordsIn('en'));
    } catch (error) {
      if (error instanceof OverBudget) return error;
      throw error;
    }
  },
  inputs: {
    'dates of distinct shipments': () =>
      datesOf(
        (line, field) =>
          `${1 + (line % 28)}.${1 + (field % 12)}.${1_970 + (line % 97)} 14:${10 + (line % 49)}`,
        String,
      ),
    'as many dates as the maximum': () =>
      datesOf(
        (line, field) =>
          `${1 + (line % 25)}.${1 + (field % 12)}.20${20 + Math.floor((line % 100) / 25)} 14:10`,
      ),
    'faulty dates': () => datesOf((line, field) => `26. Brumaire 2026 at ${line}:${field}`),
    'faulty times with blanks': () => datesOf((line, field) => `1.1.26 1${' '.repeat(70)}${line}!${field}`),
    'faulty dates with blanks': () => datesOf((line, field) => `1.${' '.repeat(70)}${line}.26 1${field}`),
    'months of no language': () =>
      datesOf((line, field) => `26-${'abcdefghij'.slice(line % 9)}x-26 ${line}:${field}`),
    'cells that are too long for a date': () =>
      datesOf((line, field) => `1.1.26 1${' '.repeat(200)}${line}!${field}`),
    'dates with the month and the day in any order': () =>
      datesOf((line, field) => `1/2/26 ${line}:${field}`),
    'columns without a heading': () => listOf(80, (line, column) => `A${Math.floor(line / 2)}${column}`),
  },
});
