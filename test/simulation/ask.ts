import type { SQL } from 'drizzle-orm';
import { forD1 } from '../../src/core/lib/sql.ts';
import type { Row, Store } from './store.ts';

/** Rows of a statement that the service's own builders made. */
export function ask(store: Store, statement: SQL): Promise<Row[]> {
  const { text, params } = forD1(statement);
  return store.read(text, ...params);
}
