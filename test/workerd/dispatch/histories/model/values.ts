/**
 * A value that the service chooses. The first answer that shows it sets the value, and later answers must show the
 * same.
 */
export class Unknown {
  value: string | undefined;
}

/** The instant of a step. All dates of a step are equal, and later steps have no earlier dates. */
export class Instant extends Unknown {
  readonly order: number;
  constructor(order: number) {
    super();
    this.order = order;
  }
}

/** A date that must not be before an instant. The API does not define what else changes an updateDate. */
export class Since {
  readonly instant: Instant;
  constructor(instant: Instant) {
    this.instant = instant;
  }
}

/** A text that must contain this part. */
export class Containing {
  readonly part: string;
  constructor(part: string) {
    this.part = part;
  }
}

/** A value that the API does not define. */
export const ANY = Symbol('any');

/** An instant of the service, or a date from a request. */
export type Moment = Instant | string;

/** Compares two dates. Dates from requests are before every step. */
export function compareMoments(one: Moment, two: Moment): number {
  if (typeof one === 'string') return typeof two === 'string' ? (one < two ? -1 : Number(one > two)) : -1;
  return typeof two === 'string' ? 1 : one.order - two.order;
}

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const DATE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
/** The expected value when an answer contradicts earlier answers. */
const IMPOSSIBLE = 'a value that fits earlier answers';

/** The values chosen by the service, as far as answers have shown them. */
export class Known {
  readonly #uuids = new Set<string>();
  readonly #instants: Instant[] = [];

  instant(): Instant {
    const instant = new Instant(this.#instants.length);
    this.#instants.push(instant);
    return instant;
  }

  /** Replaces each placeholder of an expectation by the actual value, if this value is possible. */
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
    if (typeof actual !== 'string' || !UUID_V7.test(actual) || this.#uuids.has(actual)) return IMPOSSIBLE;
    this.#uuids.add(actual);
    unknown.value = actual;
    return actual;
  }

  #learnInstant(instant: Instant, actual: unknown): string {
    if (typeof actual !== 'string' || !DATE.test(actual)) return IMPOSSIBLE;
    const later = this.#instants.slice(instant.order + 1).find(({ value }) => value !== undefined)?.value;
    if (actual < this.#earliest(instant) || (later !== undefined && actual > later)) return IMPOSSIBLE;
    instant.value = actual;
    return actual;
  }

  #since(instant: Instant, actual: unknown): string {
    const is = typeof actual === 'string' && DATE.test(actual) && actual >= this.#earliest(instant);
    return is ? actual : IMPOSSIBLE;
  }

  /** The earliest possible date of an instant. */
  #earliest({ order }: Instant): string {
    const seen = this.#instants.slice(0, order + 1).findLast(({ value }) => value !== undefined);
    return seen?.value ?? '';
  }
}

const at = (value: unknown, key: string | number): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[key] : undefined;
