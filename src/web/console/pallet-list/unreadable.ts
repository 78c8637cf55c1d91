/** Why a workbook cannot be read. `locked`: it has a password. */
export class UnreadableError extends Error {
  readonly reason: 'broken' | 'large' | 'locked';
  constructor(reason: 'broken' | 'large' | 'locked') {
    super(`The workbook is ${reason}.`);
    this.reason = reason;
  }
}
