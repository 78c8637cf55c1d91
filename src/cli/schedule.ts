/** Short, so that a developer does not wait a minute. */
const SCHEDULE_MS = 10_000;

/**
 * Run the schedule of every minute, now and again and again. Wrangler runs no schedules locally.
 * `whenRefused` is called when nothing listens at the origin any more.
 */
export function keepSchedule(origin: string, whenRefused?: () => void): void {
  // Anyone who reaches the port may run a schedule. It only does early what the service does by itself.
  const url = `${origin}/cdn-cgi/local/scheduled?cron=${encodeURIComponent('* * * * *')}`;
  const run = () => {
    fetch(url, { signal: AbortSignal.timeout(SCHEDULE_MS) })
      .then((answer) => answer.text())
      .catch(({ cause }) => {
        if (cause?.code === 'ECONNREFUSED') whenRefused?.();
      });
  };
  run();
  setInterval(run, SCHEDULE_MS);
}
