import { sql } from 'drizzle-orm';
import { newUuid } from '../../core/lib/id.ts';
import { doesNotExist, quoted } from '../../core/lib/missing.ts';
import { type Refusal, refusal } from '../../core/lib/problem.ts';
import type { AuditAction } from '../../core/writer/audit-actions.ts';
import { auditing } from '../../core/writer/audited.ts';
import { type Context, command, unchanged } from '../../core/writer/command.ts';
import { type SavedView, VIEWS_MAXIMUM, type ViewsOf, viewsQuery } from './store.ts';
import { savedView } from './table.ts';

const ask = ({ scope }: Context, of: ViewsOf) => ({ views: viewsQuery(scope, of) });

/** An audit entry about a user's views. It leaves out the user's name, because the user is its actor. */
const audited = (
  action: AuditAction,
  { userUuid, list }: ViewsOf,
  before: SavedView | null,
  after: string | null,
) =>
  auditing<{ uuid: string }>('USER', () => null)(action, { uuid: userUuid }, [
    { field: `savedViews ${list}`, oldValue: before?.name ?? null, newValue: after },
  ]);

/** The refusal if another view of the list has the name. */
const taken = (views: readonly SavedView[], name: string, own?: string): Refusal | undefined =>
  views.some((view) => view.name === name && view.uuid !== own)
    ? refusal(
        'validationFailed',
        `You already have a view with the name ${quoted(name)}. Choose another name.`,
        {
          errors: [{ field: 'name', code: 'validationFailed', message: 'Another view has this name.' }],
        },
      )
    : undefined;

const noView = (uuid: string): Refusal => refusal('notFound', doesNotExist('View', uuid));

/** Save a query of a list under a name. */
export const saveView = command('saveView', {
  ask: (context, of: ViewsOf & Pick<SavedView, 'name' | 'query'>) => ask(context, of),
  decide({ scope, now }, { name, query, ...of }, { views }) {
    const refused = taken(views, name);
    if (refused) return refused;
    if (views.length >= VIEWS_MAXIMUM) {
      return refusal('validationFailed', `You have ${VIEWS_MAXIMUM} views of this list. Delete one first.`);
    }
    const uuid = newUuid();
    return {
      writes: scope.insert(savedView, [{ uuid, ...of, name, query, createDate: now, updateDate: now }]),
      audit: [audited('VIEW_SAVED', of, null, name)],
      answer: { value: { uuid } },
    };
  },
});

export const renameView = command('renameView', {
  ask: (context, of: ViewsOf & Pick<SavedView, 'uuid' | 'name'>) => ask(context, of),
  decide({ scope, now }, { uuid, name, ...of }, { views }) {
    const found = views.find((view) => view.uuid === uuid);
    if (!found) return noView(uuid);
    const answer = { value: { query: found.query } };
    if (found.name === name) return unchanged(answer);
    const refused = taken(views, name, uuid);
    if (refused) return refused;
    return {
      writes: [scope.update(savedView, { name, updateDate: now }, sql`uuid = ${uuid}`)],
      audit: [audited('VIEW_RENAMED', of, found, name)],
      answer,
    };
  },
});

export const deleteView = command('deleteView', {
  ask: (context, of: ViewsOf & Pick<SavedView, 'uuid'>) => ask(context, of),
  decide({ scope }, { uuid, ...of }, { views }) {
    const found = views.find((view) => view.uuid === uuid);
    if (!found) return noView(uuid);
    return {
      writes: [scope.remove(savedView, sql`uuid = ${uuid}`)],
      audit: [audited('VIEW_DELETED', of, found, null)],
      answer: { value: {} },
    };
  },
});
