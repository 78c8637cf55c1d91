import type { Statement } from './store.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The organizations whose logs a batch adds to; records that are moved are written by way of the view. */
export const loggedBy = (statements: readonly Statement[]): Set<string> =>
  new Set(
    statements
      .filter(({ text }) => text.includes('INSERT INTO audit_record'))
      .map(({ params }) => params.find((param) => UUID.test(String(param))) as string),
  );

/** Whether something is accepted by it that is carried out later. */
export const accepts = (statements: readonly Statement[]): boolean =>
  statements.some(({ params }) => params.some((param) => String(param).includes('["OPERATION_ACCEPTED"')));

/** Whether somebody begins to carry on a move. */
export const claimsMove = (statements: readonly Statement[]): boolean =>
  statements.some(({ text }) => text.includes('UPDATE relocation SET claim'));
