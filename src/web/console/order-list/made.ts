import { z } from '@hono/zod-openapi';
import { enter, inTurn } from '../../../core/http/permit.ts';
import { text } from '../../../core/http/schema.ts';
import { parseJson } from '../../../core/lib/json.ts';
import { OverBudget } from '../../../core/lib/reader.ts';
import type { Scope } from '../../../core/lib/scope.ts';
import { eachFact, type ManifestFact } from '../../../dispatch/load/manifest/rules.ts';
import { givenFacts } from '../../../dispatch/load/manifest/schema.ts';
import { type HeldPallets, heldPalletsQuery } from '../../../dispatch/load/manifest/store.ts';
import { ORDERS_MAXIMUM } from '../../../dispatch/load/shipment/rules.ts';
import { takenNamesQuery } from '../../../dispatch/load/shipment/store.ts';
import type { PageContext } from '../../ui/confirm/action.ts';
import { chosenSheet, listFields, listRefusal, palletsOf } from '../pallet-list/preview.tsx';
import type { BadLine, PalletList } from '../pallet-list/read.ts';
import { fieldsOf, NO_COLUMN, type OrderColumns, orderColumns } from './columns.ts';
import { type ListedOrder, type OrderList, readOrders } from './read.ts';

/** A list of so many characters is read at once. */
const SHORT_LIST = 32 * 1024;
/** The memory that reading a longer list takes, in bytes. */
const LIST_BYTES = 16 * 1024 * 1024;

/** The statuses in which a manifest can take pallets. */
const OPEN: ReadonlySet<string> = new Set(['PLANNED', 'TO_DO', 'IN_PROGRESS']);

/** The prefix of the input for the column of a custom field. Its key follows. */
export const FIELD_COLUMN = 'fieldColumn.';

/** The prefix of the input for the column of a fact of manifests. Its name follows. */
export const FACT_COLUMN = 'factColumn.';

/** The form of a list: pallets of one manifest, or orders. */
export const madeForm = z
  .object({
    externalIdentifier: text(0, 255).default(''),
    gate: text(0, 255).default(''),
    ...givenFacts,
    ...listFields,
    orderColumn: z.string().max(10).default(''),
    shipmentColumn: z.string().max(10).default(''),
    grow: z.string().max(10).default(''),
    fill: z.string().max(10).default(''),
  })
  .catchall(z.unknown());
export type Made = z.output<typeof madeForm>;

/** A manifest that exists, and the pallets of the list that it does not have. */
export interface Grown {
  uuid: string;
  externalIdentifier: string;
  missing: string[];
  /** How many pallets the list has for it. */
  count: number;
  isOpen: boolean;
}

/** The open manifests that miss pallets. */
export const growable = (grown: readonly Grown[]): Grown[] =>
  grown.filter(({ isOpen, missing }) => isOpen && missing.length > 0);

/** The choice that an empty cell has the order of the line above. */
export const FILL = 'above';

/** The choice to add missing pallets to manifests that exist. */
export const GROW = 'add';

/** A list that is one manifest. */
export interface OneManifest {
  list: PalletList;
  orders: undefined;
  /** The column with several orders, if there seems to be one. */
  several: { column: number; count: number } | undefined;
  /** The manifest with this id, if it exists. */
  grown: Grown | undefined;
}

/** A list that is several manifests. */
export interface SeveralManifests {
  list: PalletList;
  columns: OrderColumns;
  /** The orders to create, and their shipments. */
  orders: ListedOrder[];
  shipments: OrderList['shipments'];
  /** The external ids of orders that have a manifest already. */
  existing: string[];
  /** The manifests that exist and miss pallets of the list. */
  grown: Grown[];
  bad: BadLine[];
}

/**
 * Read the list of a form. With the id of a manifest it is one manifest. Else, or if the user has chosen the column of
 * the orders, each order is a manifest.
 * @throws 400 for a list that cannot be read, or is too long
 */
export async function readMade(at: PageContext, made: Made): Promise<OneManifest | SeveralManifests> {
  if (made.pallets.length > SHORT_LIST) await enter(at.c, LIST_BYTES);
  return inTurn(at.c, () => madeOf(at, made));
}

async function madeOf(at: PageContext, typed: Made): Promise<OneManifest | SeveralManifests> {
  const made = chosenSheet(typed.sheetAt === typed.sheetWas ? typed : withoutColumns(typed));
  const list = await palletsOf(at, made);
  const settings = at.session.organization;
  const columns = orderColumns(list, settings, {
    orderColumn: made.orderColumn,
    shipmentColumn: made.shipmentColumn,
    facts: eachFact<Record<ManifestFact, string>>((_, name) => String(made[FACT_COLUMN + name] ?? '')),
    fields: Object.fromEntries(
      fieldsOf(settings).map(({ fieldKey }) => [fieldKey, String(made[FIELD_COLUMN + fieldKey] ?? '')]),
    ),
  });
  const isOne = made.orderColumn === NO_COLUMN || (made.orderColumn === '' && made.externalIdentifier !== '');
  if (isOne && made.externalIdentifier !== '') {
    const own = [{ externalIdentifier: made.externalIdentifier, assets: list.pallets }];
    const [grown] = grownIn(own, await at.database.all(heldQuery(at.database, own)));
    return { list, orders: undefined, several: severalIn(list, columns), grown };
  }
  if (isOne || columns.order === undefined) throw listRefusal(at.words.t('orders.idOrColumn'));
  const site = { timeZone: settings.timeZone, now: Date.now(), fillsOrders: made.fill === FILL };
  return { list, columns, ...(await withoutExisting(at, ordersIn(list, columns, site, at.words))) };
}

/** A form without the columns that were chosen. They belong to another sheet. */
const withoutColumns = (made: Made): Made => ({
  ...(Object.fromEntries(
    Object.entries(made).filter(([name]) => !(name.startsWith(FIELD_COLUMN) || name.startsWith(FACT_COLUMN))),
  ) as Made),
  column: '',
  orderColumn: '',
  shipmentColumn: '',
  hiddenRows: '',
  badLines: '',
});

/** @throws 400 for a list with too many dates */
function ordersIn(...of: Parameters<typeof readOrders>): OrderList {
  try {
    return readOrders(...of);
  } catch (error) {
    if (!(error instanceof OverBudget)) throw error;
    const words = of[3];
    throw listRefusal(words.t('orders.tooManyDates', { most: String(error.maximum) }));
  }
}

function severalIn(list: PalletList, { order }: OrderColumns): OneManifest['several'] {
  if (order === undefined) return undefined;
  const count = new Set(list.good.map(({ cells }) => cells[order - 1])).size;
  return count > 1 ? { column: order, count } : undefined;
}

type Order = Pick<ListedOrder, 'externalIdentifier' | 'assets'>;

const heldQuery = (scope: Scope, orders: readonly Order[]) =>
  heldPalletsQuery(
    scope,
    orders.map(({ externalIdentifier }) => externalIdentifier),
    orders.flatMap(({ assets }) => assets),
  );

/** What the manifests that exist miss of their orders, in the order of the list. */
function grownIn(orders: readonly Order[], found: readonly HeldPallets[]): Grown[] {
  const byName = new Map(found.map((one) => [one.externalIdentifier, one]));
  return orders.flatMap(({ externalIdentifier, assets }) => {
    const manifest = byName.get(externalIdentifier);
    if (!manifest) return [];
    const held = new Set(parseJson(manifest.held));
    const missing = assets.filter((wmsId) => !held.has(wmsId));
    const isOpen = OPEN.has(manifest.manifestStatus);
    return { uuid: manifest.uuid, externalIdentifier, missing, count: assets.length, isOpen };
  });
}

/** The orders that have no manifest yet. Lines of other orders are bad if their shipment exists already. */
async function withoutExisting(
  at: PageContext,
  read: OrderList,
): Promise<Omit<SeveralManifests, 'list' | 'columns'>> {
  const { database, words } = at;
  if (read.orders.length > ORDERS_MAXIMUM) {
    const [count, most] = [read.orders.length, ORDERS_MAXIMUM].map(String) as [string, string];
    throw listRefusal(words.t('orders.tooMany', { count, most }), words, read.bad);
  }
  const namesOf = (items: readonly { externalIdentifier: string }[]) =>
    items.map(({ externalIdentifier }) => externalIdentifier);
  const found = await database.ask({
    manifests: takenNamesQuery(database, 'manifest', namesOf(read.orders)),
    shipments: takenNamesQuery(database, 'shipment', namesOf(read.shipments)),
    held: heldQuery(database, read.orders),
  });
  const [manifests, shipments] = [new Set(namesOf(found.manifests)), new Set(namesOf(found.shipments))];
  const fresh = read.orders.filter(({ externalIdentifier }) => !manifests.has(externalIdentifier));
  const blocked = fresh.filter(({ shipment }) => shipment !== null && shipments.has(shipment));
  const orders = fresh.filter((order) => !blocked.includes(order));
  const bad = blocked.flatMap(({ shipment, lines }) =>
    lines.map(({ line }) => ({
      line,
      text: '',
      reason: () => words.t('line.shipmentExists', { shipment: shipment! }),
    })),
  );
  return {
    orders,
    shipments: read.shipments.filter(({ externalIdentifier }) =>
      orders.some(({ shipment }) => shipment === externalIdentifier),
    ),
    existing: [...manifests],
    grown: grownIn(read.orders, found.held).filter(({ missing }) => missing.length > 0),
    bad: [...read.bad, ...bad].toSorted((one, other) => one.line - other.line),
  };
}
