/**
 * Another process has taken over the move, import or export of an organization. The current one was replaced and did
 * not know.
 */
export class TakenOver extends Error {
  override name = 'TakenOver';
}
