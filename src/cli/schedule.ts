/** Short, so that nobody waits a minute on their own machine. */
const SCHEDULE_MS = 10_000;

/**
 * Run the schedule of every minute, which raises alerts for silent devices: wrangler runs no schedules locally. Calls back
 * where nobody listens at the origin any more.
 */
export function keepSchedule(origin: string, whenRefused?: () => void): void {
  // Anyone who reaches the port may run a schedule: it only does early what the service does by itself.
  const url = `${origin}/cdn-cgi/local/scheduled?cron=${encodeURIComponent('* * * * *')}`;
  setInterval(() => {
    fetch(url, { signal: AbortSignal.timeout(SCHEDULE_MS) })
      .then((answer) => answer.text())
      .catch(({ cause }) => {
        if (cause?.code === 'ECONNREFUSED') whenRefused?.();
      });
  }, SCHEDULE_MS);
}
