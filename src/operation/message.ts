/** A message of the operation queue: which operation is to be carried out. */
export interface OperationMessage {
  organization: string;
  operation: string;
}
