import { cpuMs } from '../../cpu-time.ts';

/** A usual CPU time of `referenceMs`. A fast machine needs less. A machine that other work slows down needs more. */
export const REFERENCE_MS = 16;

const REFERENCE_TEXT = JSON.stringify(
  Array.from({ length: 30_000 }, (_, at) => ({ key: `k${at % 50}`, value: `v${at}` })),
);

/** The CPU time of fixed work, in milliseconds. It makes as many objects and texts as readers do. */
export function referenceMs(): number {
  const started = cpuMs();
  const values: { value: string }[] = JSON.parse(REFERENCE_TEXT);
  const texts = new Set(values.map(({ value }) => value.replace(/[^\d]/g, '')));
  return texts.size === values.length ? cpuMs() - started : Number.NaN;
}
