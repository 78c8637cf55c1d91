import type { OperationStatus, StoredResult } from './store.ts';

/** An operation with one item, an organization. Dates in epoch milliseconds. */
export interface OneItemOperation<T extends string> {
  operationId: string;
  operationType: T;
  status: OperationStatus;
  totalCount: number;
  succeededCount: number;
  failedCount: number;
  results: StoredResult[];
  createDate: number;
  updateDate: number;
  finishDate: number | null;
}

interface Stored<T extends string> {
  organization: string;
  operationType: T;
  errorCode: string | null;
  errorMessage: string | null;
  createDate: number;
  updateDate: number;
  finishDate: number | null;
}

/** A background operation on an organization, in the form of the API. */
export function oneItemOperation<T extends string>(
  uuid: string,
  { organization, operationType, errorCode, errorMessage, ...dates }: Stored<T>,
): OneItemOperation<T> {
  const ended = dates.finishDate !== null;
  const failed = ended && errorCode !== null;
  const done = ended && !failed;
  const status = done ? 'SUCCEEDED' : failed ? 'FAILED' : 'PENDING';
  return {
    operationId: uuid,
    operationType,
    status: status === 'PENDING' ? 'RUNNING' : status,
    totalCount: 1,
    succeededCount: Number(done),
    failedCount: Number(failed),
    results: [
      {
        index: 0,
        identifier: organization,
        status,
        error: failed ? { code: errorCode, message: errorMessage! } : null,
      },
    ],
    ...dates,
  };
}
