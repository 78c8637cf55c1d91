import type { SQL } from 'drizzle-orm';
import { forD1 } from '../../src/core/lib/sql.ts';
import type { Row, Store } from './store.ts';

/** Rows of a statement made by the service's own builders. */
export function ask(store: Store, statement: SQL): Promise<Row[]> {
  const { text, params } = forD1(statement);
  return store.read(text, ...params);
}
