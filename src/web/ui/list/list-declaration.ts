import type { z } from '@hono/zod-openapi';
import type { SQL } from 'drizzle-orm';
import type { Child } from 'hono/jsx';
import type { List, PageSchema } from '../../../core/http/list.ts';
import type { Words } from '../../../messages/words.ts';
import type { Action, PageContext, PageRight } from '../confirm/action.ts';
import type { ActionName, NoActions } from '../parts/form-rules.ts';
import type { Text } from '../parts/language.ts';
import type { Right } from '../parts/rights.ts';
import type { Bulk } from './bulk.tsx';
import type { Filter, FilterChoice } from './filters.tsx';
import type { Column } from './rows.tsx';
import type { Tab } from './tabs.tsx';

/** A filter of a list. */
export type FilterOf<Z extends PageSchema> = Filter<keyof z.output<Z> & string>;

/** A column of a list, with the field that it sorts by. */
export type ListColumn<Z extends PageSchema, V> = Column<V, NonNullable<z.output<Z>['sort.sortBy']>>;

/** The actions of a list. Its path has no parameters. */
export type ListActions = Readonly<Record<string, Action<Record<string, never>>>>;

/** The page of a list of the organization: its place in the menu, its columns, and its search. */
export interface Listing<
  Z extends PageSchema,
  V,
  O extends unknown[] = [],
  M = never,
  A extends ListActions = NoActions,
> {
  path: string;
  title: Text;
  right: PageRight;
  feature?: 'SHIPMENT' | 'CLIENT';
  list: List<Z, V, O>;
  /** Label of the search. It says which fields are searched. A list without it has no search. */
  search?: 'q' extends keyof z.output<Z> ? Text : never;
  /** The choices of the filter that is `chosen`, from the data that `more` reads; undefined if they are too many. */
  choices?(more: readonly M[], words: Words): readonly FilterChoice[] | undefined;
  /** The filters of the list that the page offers. Only filters of the list compile. */
  filters: readonly FilterOf<Z>[];
  /** The number of filters that are always visible if there is room. The default is 2. */
  inSight?: number;
  columns(at: PageContext): readonly ListColumn<Z, V>[];
  /** The rows as the page shows them, if it folds or shortens them. Files have all rows. */
  shown?(at: PageContext, rows: readonly V[]): readonly V[];
  /** The views for all users, in order. */
  tabs?: readonly Pick<Tab, 'label' | 'query' | 'few'>[];
  /** Whether a row is shown as late. */
  isLate?(at: PageContext): (row: V) => boolean;
  /** The text if no row matches the filters or the search. */
  empty: Text;
  /** The text if the list is empty: how to create the first item. */
  first?: Text;
  /** The page that creates the first item, for users with its right. */
  next?: { path: string; label: Text; right: Right };
  /**
   * Reads the data for the part below the list. It is sent together with the list's own statements.
   */
  more?(at: PageContext): SQL<M>;
  /** Shown beside the heading, such as a link to create an item. */
  beside?(at: PageContext): Child;
  /** Shown below the list, such as a form that adds an item. */
  below?(at: PageContext, more: readonly M[]): Child;
  actions?: A;
  /** Which of these actions work on chosen rows. */
  bulk?: Bulk<NoInfer<V>, M, ActionName<NoInfer<A>>>;
}
