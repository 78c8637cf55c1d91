import { type SQL, sql } from 'drizzle-orm';
import type { Scope } from '../../core/lib/scope.ts';

/** The maximum number of a user's views per list. */
export const VIEWS_MAXIMUM = 20;
/** The maximum characters of a name, and of a query. */
export const VIEW_NAME_MAXIMUM = 40;
export const VIEW_QUERY_MAXIMUM = 1_000;

/** A view of a user. */
export interface SavedView {
  uuid: string;
  name: string;
  query: string;
}

/** The owner and the list of views. */
export interface ViewsOf {
  userUuid: string;
  list: string;
}

/** The user's views of a list, by name; for a batch. */
export const viewsQuery = ({ organization }: Scope, { userUuid, list }: ViewsOf): SQL<SavedView> => sql`SELECT
    uuid, name, query FROM saved_view
  WHERE organization_uuid = ${organization} AND user_uuid = ${userUuid} AND list = ${list} ORDER BY name`;
