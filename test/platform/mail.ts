import type { Mail } from '../../src/delivery/webhook/mail.ts';
import { call } from './invocation.ts';

/** An e-mail that the Worker gave to the platform. */
export type Sent = Mail & { from: string; to: string; headers: Record<string, string> };

/** The platform's error codes by address, until the entry is deleted. The local runtime refuses no e-mail. */
export const refusing = new Map<string, string>();
/** How long the platform takes to accept an e-mail, in milliseconds by address. The local runtime takes no time. */
export const slow = new Map<string, number>();
/** The e-mails that the local runtime accepted. */
export const sent: Sent[] = [];

/** The binding for e-mails with the connections and errors of the deployed platform. */
export const platformMail = (real: SendEmail): Pick<SendEmail, 'send'> => ({
  async send(message: unknown) {
    const mail = message as Sent;
    const code = refusing.get(mail.to);
    if (code !== undefined) throw Object.assign(new Error(`${mail.to} refused`), { code });
    const result = await call(0, async () => {
      await new Promise((resolve) => setTimeout(resolve, slow.get(mail.to) ?? 0));
      return real.send(mail);
    });
    sent.push(mail);
    return result;
  },
});
