/** A value that the service makes: the model has a name for it until an answer shows it, and holds it to that. */
export class Unknown {
  value: string | undefined;
}

/** The instant of a step. Dates of one step are equal, those of later steps are not earlier. */
export class Instant extends Unknown {
  readonly order: number;
  constructor(order: number) {
    super();
    this.order = order;
  }
}

/** A date that is not before an instant: what moves an updateDate further is not told by the contract. */
export class Since {
  readonly instant: Instant;
  constructor(instant: Instant) {
    this.instant = instant;
  }
}

/** A text that says this among other things. */
export class Containing {
  readonly part: string;
  constructor(part: string) {
    this.part = part;
  }
}

/** What the contract leaves open. */
export const ANY = Symbol('any');

/** An instant of the service, or one that a request named. */
export type Moment = Instant | string;

/** Dates that requests name lie before every step. */
export function compareMoments(one: Moment, two: Moment): number {
  if (typeof one === 'string') return typeof two === 'string' ? (one < two ? -1 : Number(one > two)) : -1;
  return typeof two === 'string' ? 1 : one.order - two.order;
}

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const DATE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
/** What a value becomes that was not seen, or contradicts what was. */
const NOTHING_SUCH = 'a value that fits what was seen before';

/** What answers have shown so far of the values that only the service knows. */
export class Known {
  readonly #uuids = new Set<string>();
  readonly #instants: Instant[] = [];

  instant(): Instant {
    const instant = new Instant(this.#instants.length);
    this.#instants.push(instant);
    return instant;
  }

  /** An expectation with every value filled in that it may have at its place in an answer. */
  fill(expected: unknown, actual: unknown): unknown {
    if (expected === ANY) return actual;
    if (expected instanceof Instant) return expected.value ?? this.#learnInstant(expected, actual);
    if (expected instanceof Since) return this.#since(expected.instant, actual);
    if (expected instanceof Containing)
      return String(actual).includes(expected.part) ? actual : expected.part;
    if (expected instanceof Unknown) return expected.value ?? this.#learnUuid(expected, actual);
    if (Array.isArray(expected)) return expected.map((item, index) => this.fill(item, at(actual, index)));
    if (expected === null || typeof expected !== 'object') return expected;
    return Object.fromEntries(
      Object.entries(expected).map(([key, item]) => [key, this.fill(item, at(actual, key))]),
    );
  }

  #learnUuid(unknown: Unknown, actual: unknown): string {
    if (typeof actual !== 'string' || !UUID_V7.test(actual) || this.#uuids.has(actual)) return NOTHING_SUCH;
    this.#uuids.add(actual);
    unknown.value = actual;
    return actual;
  }

  #learnInstant(instant: Instant, actual: unknown): string {
    if (typeof actual !== 'string' || !DATE.test(actual)) return NOTHING_SUCH;
    const later = this.#instants.slice(instant.order + 1).find(({ value }) => value !== undefined)?.value;
    if (actual < this.#earliest(instant) || (later !== undefined && actual > later)) return NOTHING_SUCH;
    instant.value = actual;
    return actual;
  }

  #since(instant: Instant, actual: unknown): string {
    const is = typeof actual === 'string' && DATE.test(actual) && actual >= this.#earliest(instant);
    return is ? actual : NOTHING_SUCH;
  }

  /** The earliest that an instant can be. */
  #earliest({ order }: Instant): string {
    const seen = this.#instants.slice(0, order + 1).findLast(({ value }) => value !== undefined);
    return seen?.value ?? '';
  }
}

const at = (value: unknown, key: string | number): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[key] : undefined;
