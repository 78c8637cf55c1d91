/** Why a workbook cannot be read. `locked`: it has a password. `other`: another program's kind of workbook. */
export class UnreadableError extends Error {
  readonly reason: 'broken' | 'large' | 'locked' | 'other';
  constructor(reason: 'broken' | 'large' | 'locked' | 'other') {
    super(`The workbook is ${reason}.`);
    this.reason = reason;
  }
}
