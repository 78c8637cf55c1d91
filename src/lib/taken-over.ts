/** Somebody else carries on what brings or takes the rows of an organization: an object that was replaced has not heard of it. */
export class TakenOver extends Error {
  override name = 'TakenOver';
}
