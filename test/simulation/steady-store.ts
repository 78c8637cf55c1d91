import type { Row, Statement, Store } from './store.ts';

/** Make the uuids of messages to webhooks from the webhook and the first event of each. The last digit is for deliveries. */
const withNumberedMessages = (text: string): string =>
  !/^WITH made AS/.test(text)
    ? text
    : text
        .replace(
          'lower(hex(randomblob(6)))',
          "substr(webhook_uuid, -4) || printf('%07x0', min(sequence_number))",
        )
        .replaceAll('lower(hex(randomblob(2)))', "'8000'")
        .replace('abs(random()) % 4', '0');

/**
 * A store without random UUIDs. UUIDs that SQL makes are replaced by numbered ones. So two databases that
 * run the same statements hold the same rows.
 */
export class SteadyStore implements Store {
  readonly #inner: Store;

  constructor(inner: Store) {
    this.#inner = inner;
  }

  async batch(statements: readonly Statement[]): Promise<Row[][]> {
    const sent: Statement[] = [];
    const own: number[] = [];
    for (const statement of statements) {
      own.push(sent.length);
      sent.push({
        ...statement,
        text: withNumberedMessages(statement.text.replace('ORDER BY random()', 'ORDER BY 1')),
      });
      const into = statement.text.includes('randomblob') && /INSERT INTO (\w+)/.exec(statement.text)?.[1];
      if (!into) continue;
      const [row] = await this.#inner.read(`SELECT coalesce(max(rowid), 0) AS last FROM ${into}`);
      const uuid = "substr(uuid, 1, 14) || '7000-8000-' || printf('%012x', rowid)";
      sent.push({ text: `UPDATE ${into} SET uuid = ${uuid} WHERE rowid > ?`, params: [row!['last']] });
    }
    const results = await this.#inner.batch(sent);
    return own.map((index) => results[index]!);
  }

  read(text: string, ...params: unknown[]): Promise<Row[]> {
    return this.#inner.read(text, ...params);
  }

  snapshot(): Promise<unknown> {
    return this.#inner.snapshot();
  }

  restore(snapshot: unknown): Promise<void> {
    return this.#inner.restore(snapshot);
  }
}
