/** How often the schedule of every minute is run, so that nobody has to wait for it on their own machine. */
const SCHEDULE_MS = 10_000;

/** The local runtime runs no schedules: this runs the one of every minute, which raises alerts of devices that fell silent. */
export function keepSchedule(origin: string): void {
  // Whoever reaches this port may run a schedule too: it does no more than the service does by itself, at its own time.
  const url = `${origin}/cdn-cgi/local/scheduled?cron=${encodeURIComponent('* * * * *')}`;
  setInterval(() => {
    fetch(url, { signal: AbortSignal.timeout(SCHEDULE_MS) })
      .then((answer) => answer.text())
      .catch(() => undefined);
  }, SCHEDULE_MS);
}
