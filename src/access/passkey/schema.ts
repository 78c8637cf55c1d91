import { z } from 'zod';

/** Maximum length of one part of an authenticator's response. */
const PART_MAXIMUM = 20_000;
const part = z.string().max(PART_MAXIMUM);

/** An authenticator's response as a form sends it: JSON (WebAuthn level 3, section 5.1). */
const inForm = <S extends z.ZodType>(schema: S) =>
  z
    .string()
    .max(4 * PART_MAXIMUM)
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: 'custom', message: 'This is not a response of an authenticator.' });
        return z.NEVER;
      }
    })
    .pipe(schema);

const shape = { id: part, rawId: part, type: z.literal('public-key') };

/** The response after a passkey was created. */
export const madeSchema = inForm(
  z.object({ ...shape, response: z.object({ clientDataJSON: part, attestationObject: part }) }),
);
export type Made = z.output<typeof madeSchema>;

/** The response after a passkey has signed. */
export const signedSchema = inForm(
  z.object({
    ...shape,
    response: z.object({
      clientDataJSON: part,
      authenticatorData: part,
      signature: part,
      // The user handle. Authenticators send it if the page did not name the user who signs in.
      userHandle: part,
    }),
  }),
);
export type Signed = z.output<typeof signedSchema>;
