import type { Recipient } from '../../../../src/delivery/webhook/mail-rules.ts';

/** A recipient who has confirmed and got no e-mails. */
export const recipient = (more: Partial<Recipient> = {}): Recipient => ({
  mailbox: 'a@example.com',
  isConfirmed: 1,
  isStopped: 0,
  askDate: null,
  askCount: 0,
  hour: null,
  sent: 0,
  sentByOrganization: 0,
  testsByOrganization: 0,
  ...more,
});
