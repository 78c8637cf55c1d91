import type { Statement } from './store.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The organizations that get new log records from a batch. Moved records do not count, because they are
 * inserted through the view.
 */
export const loggedBy = (statements: readonly Statement[]): Set<string> =>
  new Set(
    statements
      .filter(({ text }) => text.includes('INSERT INTO log '))
      .map(({ params }) => params.find((param) => UUID.test(String(param))) as string),
  );

/** Whether a batch accepts an operation that is carried out later. */
export const accepts = (statements: readonly Statement[]): boolean =>
  statements.some(({ params }) => params.some((param) => String(param).includes('["OPERATION_ACCEPTED"')));

/** Whether a batch claims a move. */
export const claimsMove = (statements: readonly Statement[]): boolean =>
  statements.some(({ text }) => text.includes('UPDATE long_job SET claim'));
