/**
 * Another process has taken over the move, import or export of an organization. It replaced the current process, which
 * did not notice.
 */
export class TakenOver extends Error {
  override name = 'TakenOver';
}
