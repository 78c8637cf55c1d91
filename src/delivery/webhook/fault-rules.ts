import { URL_FAULTS, type UrlFault } from '../../core/lib/outgoing-url.ts';

/** Why an attempt failed. The log of deliveries stores the codes. Pages show them in their language, the API in English. */
const FAULTS = {
  LATE: 'No answer within 15 seconds.',
  UNREACHABLE: 'The receiver could not be reached.',
  MAIL: 'The platform did not send the e-mail.',
  NO_MAILS: 'Not sent: e-mails are not configured.',
  ADDRESS: 'Not sent: the address is not valid.',
  STOPPED: 'Not sent: the recipient has stopped the e-mails.',
  UNCONFIRMED: 'Not sent: the recipient has not confirmed the address.',
  OFTEN: 'Not sent: the recipient has got the maximum number of such e-mails. Send it again later.',
  LOST: 'Not sent: the event is no longer in the log.',
  SECRETS: 'Not sent: the encrypted secrets cannot be read.',
} as const;

/** The fault of an attempt. ANSWERED: the status code of the receiver is not 2xx. */
export type Fault = keyof typeof FAULTS | UrlFault | 'ANSWERED';
export const FAULT_CODES = [...Object.keys(FAULTS), ...Object.keys(URL_FAULTS), 'ANSWERED'] as Fault[];

/** The fault of an attempt in English. `status` is the status code of the receiver. */
export function faultText(fault: Fault, status: number | null): string {
  if (fault !== 'ANSWERED')
    return fault in FAULTS ? FAULTS[fault as 'LATE'] : `Not sent: ${URL_FAULTS[fault as UrlFault]}`;
  const isRedirect = status !== null && status >= 300 && status < 400;
  return `The receiver answered ${status}${isRedirect ? '; redirects are not followed' : ''}.`;
}
