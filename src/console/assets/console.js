import './dialog.js';

/** Show instants in the viewer's zone; without this script they stand there in UTC. */
export function showLocalTimes(root) {
  const form = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  for (const time of root.querySelectorAll('time[datetime]')) {
    time.title = time.dateTime;
    time.textContent = form.format(new Date(time.dateTime));
  }
}

showLocalTimes(document);
