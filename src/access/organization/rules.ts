/** The maximum number of custom fields of an organization's shipments. */
export const FIELDS_MAXIMUM = 50;

/** Whether a text names a time zone of the IANA database, such as `Europe/Berlin` or `UTC`. Offsets are not allowed. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
