/** Epoch milliseconds as ISO 8601 in UTC with milliseconds. */
export function isoDate(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** The same for a date that may be absent. */
export function isoDateOrNull(milliseconds: number | null | undefined): string | null {
  return milliseconds === null || milliseconds === undefined ? null : isoDate(milliseconds);
}

const FIRST_DATE_MS = Date.parse('0000-01-01T00:00:00.000Z');
const LAST_DATE_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Whether a value is a date in epoch milliseconds within the years 0000 to 9999, as `isoDate` needs. */
export const isDateNumber = (value: unknown): boolean =>
  Number.isSafeInteger(value) && Number(value) >= FIRST_DATE_MS && Number(value) <= LAST_DATE_MS;

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
