const UNITS = ['kB', 'MB', 'GB', 'TB'] as const;

/** A size in the unit that needs at most three digits. */
export function bytes(size: number): string {
  let [rest, unit]: [number, string] = [size, 'B'];
  for (const next of UNITS) {
    if (rest < 1_000) break;
    [rest, unit] = [rest / 1_000, next];
  }
  return `${rest.toLocaleString('en', { maximumFractionDigits: rest < 10 ? 1 : 0 })} ${unit}`;
}
