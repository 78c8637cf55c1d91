/**
 * Wait for the end of a promise, but no longer than a time (milliseconds). Returns whether it ended. The promise must not
 * fail.
 */
export async function within(ended: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  const hasEnded = await Promise.race([ended.then(() => true), over]);
  clearTimeout(timer);
  return hasEnded;
}
