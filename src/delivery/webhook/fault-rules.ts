/** Why an attempt got no answer. The log of deliveries stores these texts, and pages show them in their language. */
export const FAULTS = {
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

/** The kind of a stored text: `OTHER` for a text about an address. */
export const faultKind = (text: string): string =>
  Object.entries(FAULTS).find(([, fault]) => fault === text)?.[0] ?? 'OTHER';
