import { z } from '@hono/zod-openapi';
import type { SQL } from 'drizzle-orm';
import type { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import { deleteView, renameView, saveView } from '../../../access/saved-view/commands.ts';
import {
  type SavedView,
  VIEW_NAME_MAXIMUM,
  VIEW_QUERY_MAXIMUM,
  viewsQuery,
} from '../../../access/saved-view/store.ts';
import type { List, PageQuery, PageSchema, Total } from '../../../core/http/list.ts';
import { askPage, pageOf } from '../../../core/http/list-page.ts';
import { text } from '../../../core/http/schema.ts';
import type { AppEnv } from '../../../core/http/types.ts';
import { write } from '../../../core/http/write.ts';
import { useWords } from '../../../messages/context.ts';
import { action, type PageContext, type PageRight } from '../confirm/action.ts';
import { ActionButton, Field, Form, Hidden, Submit } from '../form/form.tsx';
import { page } from '../page/page.tsx';
import type { NoActions } from '../parts/form-rules.ts';
import { Icon } from '../parts/icons.tsx';
import { refuseInWords, type Text, textOf } from '../parts/language.ts';
import { BulkBar, pickingOf, rowsOf } from './bulk.tsx';
import { completeRows, onlyRows } from './bulk-rows.ts';
import { ColumnChooser, chosenColumns } from './columns.tsx';
import { FIND, type Filter, Filters, withFind } from './filters.tsx';
import type { ListActions, Listing } from './list-declaration.ts';
import { answerFile, FILE_FORMATS, type FileFormat, type FileQuery } from './list-file.ts';
import { FILE_ROWS, ListFiles, Rows, withFile } from './listing-parts.tsx';
import { chosenSize, Pager, PageSizes } from './pager.tsx';
import { isShown, type Tab, Tabs, useView, viewQuery } from './tabs.tsx';

const name = text(1, VIEW_NAME_MAXIMUM);
const named = z.object({ view: z.uuid(), name });

/** The actions on a user's own views of a list. `query` is the query schema of the list. */
const viewActions = (list: string, right: PageRight, query: z.ZodType) => ({
  saveView: action(
    right,
    z.object({ name, query: text(1, VIEW_QUERY_MAXIMUM) }),
    async ({ c, session, words: { t }, submission }, _, typed) => {
      const kept = viewQuery(new URLSearchParams(typed.query));
      if (!query.safeParse(Object.fromEntries(new URLSearchParams(kept))).success) {
        refuseInWords('validationFailed', t('view.unknown'));
      }
      await write(c, submission, saveView, {
        userUuid: session.user.uuid,
        list,
        name: typed.name,
        query: kept,
      });
      return { done: t('view.saved', { name: typed.name }), to: `${list}?${kept}` };
    },
  ),
  renameView: action(right, named, async ({ c, session, words: { t }, submission }, _, typed) => {
    const of = { userUuid: session.user.uuid, list };
    const { body } = await write(c, submission, renameView, { ...of, uuid: typed.view, name: typed.name });
    return { done: t('view.renamed', { name: typed.name }), to: `${list}?${body.query}` };
  }),
  deleteView: action(
    right,
    named.omit({ name: true }),
    async ({ c, session, words: { t }, submission }, _, { view }) => {
      await write(c, submission, deleteView, { userUuid: session.user.uuid, list, uuid: view });
      return { done: t('view.deleted') };
    },
  ),
});

/** A form that saves the current view under a name, or renames or deletes a view. */
const ViewForms: FC<{ views: readonly SavedView[]; standing: readonly string[] }> = ({ views, standing }) => {
  const here = useView();
  const { t } = useWords();
  const own = views.find(({ query }) => query === here);
  if (own) {
    return (
      <details class="own-view">
        <summary>{t('view.own', { name: own.name })}</summary>
        <div class="actions">
          <Form<ReturnType<typeof viewActions>> action="renameView" class="inline" label={t('view.renameIt')}>
            <Hidden name="view" value={own.uuid} />
            <Field name="name" label={t('view.name')} value={own.name} />
            <Submit quiet>{t('view.rename')}</Submit>
          </Form>
          <ActionButton<ReturnType<typeof viewActions>>
            action="deleteView"
            values={{ view: own.uuid }}
            danger
          >
            {t('view.delete')}
          </ActionButton>
        </div>
      </details>
    );
  }
  if (here === '' || standing.includes(here)) return null;
  return (
    <details class="own-view">
      <summary>
        <Icon name="plus" /> {t('view.save')}
      </summary>
      <Form<ReturnType<typeof viewActions>> action="saveView" class="inline" label={t('view.saveIt')}>
        <Hidden name="query" value={here} />
        <Field name="name" label={t('view.nameIt')} />
        <Submit>{t('view.saveButton')}</Submit>
      </Form>
    </details>
  );
};

/** The id of the part below a list. It has the form for the first item. */
const BELOW = 'below';

/** The text of a list without rows. It says how to create the first item, or that the view or the filters match no row. */
const NoRows: FC<{
  declared: { empty: Text; first?: Text; next?: { path: string; label: Text } };
  /** Whether a filter or a search is set. */
  isAsked: boolean;
  /** The views of the list. */
  views: readonly Pick<Tab, 'query'>[];
  hasForm: boolean;
  /** Whether the viewer may open the page that creates the first item. */
  mayCreate: boolean;
}> = ({ declared: { empty, first, next }, isAsked, views, hasForm, mayCreate }) => {
  const words = useWords();
  const here = useView();
  if (isAsked) {
    return (
      <>
        {views.some(({ query }) => isShown(query, here)) ? words.t('list.noneInView') : textOf(words, empty)}
      </>
    );
  }
  return (
    <>
      {first === undefined ? words.t('list.noneYet') : textOf(words, first)}{' '}
      {first === undefined && hasForm && <a href={`#${BELOW}`}>{words.t('list.createFirst')}</a>}
      {next && mayCreate && <a href={next.path}>{textOf(words, next.label)}</a>}
    </>
  );
};

/** The filters by creation date. */
export const CREATED = [
  { name: 'createDateAfter', label: ({ t }) => t('list.createdFrom'), day: true },
  { name: 'createDateBefore', label: ({ t }) => t('list.createdBefore'), day: true },
] as const satisfies readonly Filter<keyof PageQuery>[];

/** The filters by the day of completion or cancellation. */
export const CLOSED = [
  { name: 'closeDateAfter', label: ({ t }) => t('list.closedFrom'), day: true },
  { name: 'closeDateBefore', label: ({ t }) => t('list.closedBefore'), day: true },
] as const satisfies readonly Filter<string>[];

/** Serve the page of a list. */
export function listing<Z extends PageSchema, V, M = never, A extends ListActions = NoActions>(
  app: Hono<AppEnv>,
  declared: Listing<Z, V, [], M, A>,
): void {
  listingOf(app, declared, (): [] => []);
}

/**
 * Serve the page of a list, with one D1 round trip. `of` returns the further arguments of its
 * query, such as the owner of the rows.
 */
export function listingOf<
  Z extends PageSchema,
  V,
  O extends unknown[],
  M = never,
  A extends ListActions = NoActions,
>(app: Hono<AppEnv>, declared: Listing<Z, V, O, M, A>, of: (at: PageContext) => O): void {
  const { path, title, right, list, filters, tabs = [] } = declared;
  const search: Text | undefined = declared.search;
  const offered = new Set<string>([
    ...filters.map(({ name }) => name),
    ...(search === undefined ? [] : ['q']),
  ]);
  const known = ([name]: [string, unknown]): boolean =>
    offered.has(name) || !Object.hasOwn(list.filters, name);
  const query = withFind(
    z.preprocess(
      (asked: Record<string, unknown>) => Object.fromEntries(Object.entries(asked).filter(known)),
      list.query,
    ),
  );
  const common = {
    right,
    ...(declared.feature === undefined ? {} : { feature: declared.feature }),
  };
  const fileName = path.replace(/^.*\//, '');
  const isFiled = declared.bulk !== undefined;
  const fileOf = (at: PageContext, format: FileFormat, rows: typeof list, asked: FileQuery<Z, V, O>) =>
    answerFile(at, rows, asked, of(at), { format, name: fileName, columns: declared.columns(at) });
  for (const format of FILE_FORMATS) {
    page(app, {
      ...common,
      path: `${path}.${format}`,
      query,
      view: (at, _, asked) => fileOf(at, format, list, asked),
    });
  }
  page(app, {
    ...common,
    path,
    query,
    complete: async (at, typed, asked) =>
      declared.bulk ? completeRows(at, list, asked, of(at), typed) : typed,
    async view(at, _, asked) {
      const pageSize = chosenSize(at.c, path) ?? asked.pageSize;
      const wanted = askPage(list, at.database, { ...asked, pageSize }, ...of(at));
      const counted = tabs.map((tab) => countQuery(list, at, tab, of(at)));
      const { more, counts, tabCounts, rows, views } = await at.database.ask({
        ...wanted.asks,
        views: viewsQuery(at.database, { userUuid: at.session.user.uuid, list: path }),
        more: declared.more?.(at),
        tabCounts: counted.filter((count) => count !== undefined),
      });
      const listed = await pageOf(at.c, at.database, wanted, { rows, counts });
      const totals = tabCounts.map(({ total }) => total).reverse();
      const standing = tabs.map((tab, index) => ({ ...tab, count: counted[index] && totals.pop() }));
      const columns = declared.columns(at);
      const shown = chosenColumns(at.c, path, columns);
      const picking = pickingOf(at, declared.bulk, more);
      const below = declared.below?.(at, more);
      return {
        title: textOf(at.words, title),
        aside: (
          <div class="actions">
            {listed.total > 0 && columns.some(({ plain }) => plain) && <ListFiles path={path} />}
            {declared.beside?.(at)}
          </div>
        ),
        scripts: ['listing.js'],
        words: ['list'],
        body: (
          <>
            {(standing.length > 0 || views.length > 0) && (
              <Tabs total={listed.total} tabs={[...standing, ...views.map(ownTab)]} />
            )}
            <div class="tools">
              {offered.size > 0 && (
                <Filters
                  filters={[...filters.filter(({ day }) => !day), ...filters.filter(({ day }) => day)]}
                  search={search && textOf(at.words, search)}
                  sorting={list.sorting}
                  sort={listed.sort}
                  choices={declared.choices?.(more, at.words)}
                  inSight={declared.inSight}
                />
              )}
              <ColumnChooser columns={columns} shown={shown} />
              <ViewForms views={views} standing={tabs.map((tab) => tab.query)} />
            </div>
            <Rows
              listed={listed}
              rows={declared.shown?.(at, listed.rows) ?? listed.rows}
              columns={shown}
              empty={
                <NoRows
                  declared={declared}
                  isAsked={[...offered, FIND].some((name) => at.c.req.query(name))}
                  views={[...tabs, ...views]}
                  hasForm={Boolean(below)}
                  mayCreate={declared.next !== undefined && at.may(declared.next.right)}
                />
              }
              isLate={declared.isLate?.(at)}
              picking={picking}
            />
            <Pager page={listed} />
            <PageSizes page={listed} />
            {declared.bulk && picking && (
              <BulkBar
                at={at}
                bulk={withFile(declared.bulk)}
                more={more}
                total={listed.total}
                shown={listed.rows.length}
              />
            )}
            {below && <div id={BELOW}>{below}</div>}
          </>
        ),
      };
    },
    actions: {
      ...declared.actions,
      ...(isFiled &&
        Object.fromEntries(
          FILE_FORMATS.map((format) => [
            FILE_ROWS[format],
            action(right, z.object(rowsOf(z.uuid())), async (at, _, { row }) => {
              const order = Object.fromEntries(ORDER.map((name) => [name, at.c.req.query(name)]));
              return fileOf(at, format, onlyRows(list, row), list.query.parse(order));
            }),
          ]),
        )),
      ...viewActions(path, right, query),
    },
  });
}

/** The parameters with the order of a list. */
const ORDER = ['sort.sortBy', 'sort.direction'] as const;

const ownTab = ({ name, query }: SavedView): Tab => ({ label: name, query });

/** Counts the rows of a view, if they are few or the list keeps totals for it. */
function countQuery<Z extends PageSchema, V, O extends unknown[]>(
  list: List<Z, V, O>,
  { database }: PageContext,
  tab: Pick<Tab, 'query' | 'few'>,
  of: O,
): SQL<Total> | undefined {
  const asked = list.query.parse(Object.fromEntries(new URLSearchParams(tab.query)));
  if (tab.few) return askPage(list, database, asked, ...of).asks.counts;
  const { count, filtering = [] } = list.rows(database, asked, ...of);
  return filtering.every((filter) => filter === undefined) ? count : undefined;
}
