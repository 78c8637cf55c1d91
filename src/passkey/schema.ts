import { z } from 'zod';

/** Characters of a part of what an authenticator answers. */
const PART_MAXIMUM = 20_000;
const part = z.string().max(PART_MAXIMUM);

/** What an authenticator answers, as a form sends it: JSON (WebAuthn level 3, section 5.1). */
const inForm = <S extends z.ZodType>(schema: S) =>
  z
    .string()
    .max(4 * PART_MAXIMUM)
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: 'custom', message: 'This is no answer of an authenticator.' });
        return z.NEVER;
      }
    })
    .pipe(schema);

const shape = { id: part, rawId: part, type: z.literal('public-key') };

/** A passkey that was made. */
export const madeSchema = inForm(
  z.object({ ...shape, response: z.object({ clientDataJSON: part, attestationObject: part }) }),
);
export type Made = z.output<typeof madeSchema>;

/** A passkey that has signed. */
export const signedSchema = inForm(
  z.object({
    ...shape,
    response: z.object({
      clientDataJSON: part,
      authenticatorData: part,
      signature: part,
      // Whose it is: authenticators give it where nobody has said who signs in.
      userHandle: part,
    }),
  }),
);
export type Signed = z.output<typeof signedSchema>;
