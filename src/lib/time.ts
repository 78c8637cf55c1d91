/** Epoch milliseconds as ISO 8601 in UTC with milliseconds. */
export function isoDate(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** The same for a date that may be absent. */
export function isoDateOrNull(milliseconds: number | null | undefined): string | null {
  return milliseconds === null || milliseconds === undefined ? null : isoDate(milliseconds);
}

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
