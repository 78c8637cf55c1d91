import chromium from '@sparticuz/chromium';
import type { TestProject } from 'vitest/node';

/** Unpack the browser where tests look for it, before two of them do that at once. */
export default async function unpack({ config }: TestProject): Promise<void> {
  const { env } = process;
  process.env = { ...env, ...config.env };
  await chromium.executablePath();
  process.env = env;
}
