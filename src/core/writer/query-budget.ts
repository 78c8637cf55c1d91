/** D1 queries that the platform allows between two events of an object. */
const QUERIES_MAXIMUM = 1_000;

/**
 * Keeps a busy object within the D1 queries of an invocation. All events of an object share one count. The platform
 * fills it up again with each event that reaches the object. During a burst, hundreds of commands arrive at the same
 * time, and no event follows while the object carries them out. Then the object calls itself (`topUp`), which is an event.
 * Not proven on the platform: the documentation names the limit but not how an object counts. The count here assumes
 * that each statement of a batch is a query.
 */
export class QueryBudget {
  readonly #topUp: () => Promise<void>;
  #made = 0;

  /** `topUp`: calls the object, so that it calls `renew`. */
  constructor(topUp: () => Promise<void>) {
    this.#topUp = topUp;
  }

  /** Start counting again, because an event has reached the object. */
  renew(): void {
    this.#made = 0;
  }

  /** Wait until the object may make this number of queries. If the call of itself fails, D1 decides. */
  async spend(queries: number): Promise<void> {
    if (this.#made + queries > QUERIES_MAXIMUM) {
      try {
        await this.#topUp();
      } catch (error) {
        console.warn(JSON.stringify({ topUp: String(error) }));
      }
    }
    this.#made += queries;
  }
}
