import type { SQL } from 'drizzle-orm';
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import type { Row, Store } from './store.ts';

const dialect = new SQLiteSyncDialect();

/** Rows of a statement made by the service's own builders. */
export function ask(store: Store, statement: SQL): Promise<Row[]> {
  const { sql: text, params } = dialect.sqlToQuery(statement);
  return store.read(text, ...params);
}
