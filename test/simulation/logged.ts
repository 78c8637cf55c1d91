interface Change {
  field: string;
  oldValue: unknown;
  newValue: unknown;
}

/** A record of the audit log. */
export interface Logged {
  sequenceNumber: number;
  hash: string;
  previousHash: string;
  action: string;
  entityType: string;
  entityUuid: string;
  entityExternalId: string | null;
  requestId: string;
  changes: Change[];
}

/** The wish of a record. A request of the service itself has no attempt number, and keeps its id. */
export const wishOf = ({ requestId }: Pick<Logged, 'requestId'>): string => requestId.replace(/\.\d+$/, '');
