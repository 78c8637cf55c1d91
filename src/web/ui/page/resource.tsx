import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import type { FC, PropsWithChildren } from 'hono/jsx';
import { uuid } from '../../../core/http/schema.ts';
import type { AppEnv } from '../../../core/http/types.ts';
import { refuseMissing } from '../../../core/http/write.ts';
import type { Database } from '../../../core/lib/database.ts';
import { parseJson } from '../../../core/lib/json.ts';
import type { MissingCode } from '../../../core/lib/missing.ts';
import type { ViewRow } from '../../../core/lib/view.ts';
import { useWords } from '../../../messages/context.ts';
import type { PageContext } from '../confirm/action.ts';
import { page } from './page.tsx';
import type { Nothing, Page } from './page-request.ts';

/** The path parameters of a resource's page: its uuid. */
export const byUuid = z.object({ uuid });
export type ByUuid = z.output<typeof byUuid>;

/**
 * Reads the JSON of one row of the organization, as one statement of a D1 batch. Deleted rows are included, because
 * links to them exist.
 */
export const rowQuery = <T,>(
  { organization }: Database,
  table: string,
  view: SQL<T>,
  named: string,
): SQL<ViewRow<SQL<T>>> => sql`
  SELECT ${view} AS view FROM ${sql.identifier(table)} WHERE ${sql.identifier(table)}.uuid = ${named}
    AND ${sql.identifier(table)}.organization_uuid = ${organization}`;

/** The resource in the row of `rowQuery`. @throws 404 without a row */
export function requireRow<T>([row]: readonly ViewRow<SQL<T>>[], code: MissingCode, identifier: string): T {
  return row ? parseJson(row.view) : refuseMissing(code, identifier);
}

/** A link to the page of a resource. */
export const ResourceLink: FC<PropsWithChildren<{ resource: string; uuid: string }>> = ({
  resource,
  uuid: named,
  children,
}) => <a href={`/app/${resource}/${named}`}>{children}</a>;

/** A link to the audit log about a resource, for users who may see it. */
export const History: FC<{ at: PageContext; uuid: string; query?: string | undefined }> = ({
  at,
  uuid: named,
  query = `entityUuid=${named}`,
}) =>
  at.may('seeOffice') ? (
    <p>
      <a href={`/app/audit-log?${query}`}>{useWords().t('desk.history')}</a>
    </p>
  ) : null;

/** Serve the page of a resource, with a link to its history at the end. */
export function resourcePage<Q extends z.ZodType = Nothing>(
  app: Hono<AppEnv>,
  { view, ...declared }: Omit<Page<typeof byUuid, Q>, 'params'>,
): void {
  page(app, {
    ...declared,
    params: byUuid,
    async view(at, named, query) {
      const shown = await view(at, named, query);
      if (shown instanceof Response) return shown;
      return {
        ...shown,
        body: (
          <>
            {shown.body}
            <History at={at} uuid={named.uuid} query={shown.history} />
          </>
        ),
      };
    },
  });
}
