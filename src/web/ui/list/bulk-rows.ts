import { type SQL, sql } from 'drizzle-orm';
import type { List, ListTable, PageSchema } from '../../../core/http/list.ts';
import { askKeys } from '../../../core/http/list-page.ts';
import type { PageKey } from '../../../core/http/list-statements.ts';
import { write } from '../../../core/http/write.ts';
import { ProblemError, type Refusal, refusal, refusalStatus } from '../../../core/lib/problem.ts';
import { inList } from '../../../core/lib/sql.ts';
import type { Command, ItemResult } from '../../../core/writer/command.ts';
import type { Words } from '../../../messages/words.ts';
import type { ActionContext, PageContext } from '../confirm/action.ts';
import { ROWS_MAXIMUM } from '../parts/form-rules.ts';
import { inWords, refuseInWords } from '../parts/language.ts';
import type { Typed } from '../parts/view.ts';
import { ALL, rowsInput } from './bulk.tsx';

/** The number of rows whose commands are sent at the same time. */
const ROWS_AT_ONCE = 8;

/**
 * Fill in the rows of a form in which all rows of a filter were chosen: the rows that the filter has now.
 * @throws 400 if the filter has more rows than a form accepts
 */
export async function completeRows<Z extends PageSchema, V, O extends unknown[]>(
  { database, words: { t } }: PageContext,
  list: List<Z, V, O>,
  query: Parameters<List<Z, V, O>['rows']>[1],
  of: O,
  typed: Typed,
): Promise<Typed> {
  const { [ALL]: seen, row: _, ...rest } = typed;
  if (typeof seen !== 'string') return typed;
  const asked = askKeys(list, database, { ...query, pageNumber: 1, pageSize: ROWS_MAXIMUM }, ...of);
  const { rows, counts } = await database.ask(asked.asks);
  const { total } = counts[0]!;
  if (total > ROWS_MAXIMUM) {
    refuseInWords('validationFailed', t('bulk.tooMany', { total, most: ROWS_MAXIMUM }));
  }
  return { ...rest, ...rowsInput(asked.keysOf(rows).map(String), seen) };
}

/** SQL: the key of a row of a list. */
export const keyOf = ({ table, columns }: Pick<ListTable, 'table' | 'columns'>): SQL =>
  columns?.key ?? sql`${sql.identifier(table)}.uuid`;

/** A list with these rows only. */
export function onlyRows<Z extends PageSchema, V, O extends unknown[]>(
  list: List<Z, V, O>,
  uuids: readonly PageKey[],
): List<Z, V, O> {
  return {
    ...list,
    rows(scope, query, ...of) {
      const { sections: _, ...rows } = list.rows(scope, query, ...of);
      const chosen = sql`${keyOf(list)} ${inList(uuids)}`;
      return { ...rows, filtering: [...(rows.filtering ?? []), chosen], narrow: true };
    },
  };
}

/** A chosen row with its name. */
interface NamedRow {
  uuid: string;
  name: string;
}

/** Read the names of chosen rows. A row that does not exist has its uuid as name. */
export async function namedRows(
  { database }: PageContext,
  kind: 'manifest' | 'shipment',
  uuids: readonly string[],
): Promise<NamedRow[]> {
  const found = await database.all(sql<NamedRow>`SELECT uuid, external_identifier AS name
    FROM ${sql.identifier(kind)} WHERE uuid ${inList(uuids)} AND +organization_uuid = ${database.organization}`);
  const names = new Map(found.map(({ uuid, name }) => [uuid, name]));
  return [...new Set(uuids)].map((uuid) => ({ uuid, name: names.get(uuid) ?? uuid }));
}

/** A refusal in the language of the page, without the name of the thing. The page shows it before the sentence. */
function withoutName(words: Words, { facts = {}, ...refused }: Refusal): string {
  const { name: _, ...more } = facts;
  return inWords(words, new ProblemError({ ...refused, facts: more })).detail;
}

/** The results of the items of one command, with refusals in the language of the page. */
export const itemsInWords = (words: Words, items: readonly ItemResult[]): ItemResult[] =>
  items.map(({ name, refused, code, facts }) =>
    refused === null || code === undefined
      ? { name, refused }
      : { name, refused: withoutName(words, refusal(code, refused, facts && { facts })) },
  );

/**
 * Send a command for each row. Each has its own idempotency key, derived from the form's key. So a form that is sent again
 * has one effect on each row. A refused row does not block the others.
 */
export async function writeEach<I>(
  { c, words, submission }: ActionContext,
  rows: readonly NamedRow[],
  command: Command<I, unknown>,
  input: (uuid: string) => I,
): Promise<ItemResult[]> {
  const results: ItemResult[] = [];
  for (let first = 0; first < rows.length; first += ROWS_AT_ONCE) {
    const sent = rows.slice(first, first + ROWS_AT_ONCE).map(async ({ uuid, name }): Promise<ItemResult> => {
      const { key, ...rest } = submission;
      const own = {
        ...rest,
        key: key && `${key} ${uuid}`,
        payload: { command: command.name, ...input(uuid) },
      };
      try {
        await write(c, own, command, input(uuid));
        return { name, refused: null };
      } catch (error) {
        if (!(error instanceof ProblemError) || refusalStatus(error.refusal) === 503) throw error;
        return { name, refused: withoutName(words, error.refusal) };
      }
    });
    const settled = await Promise.allSettled(sent);
    const failed = settled.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
    for (const result of await Promise.all(sent)) results.push(result);
  }
  return results;
}
