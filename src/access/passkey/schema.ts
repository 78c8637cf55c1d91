import { z } from 'zod';

/** The most characters of a part of an authenticator's answer. */
const PART_MAXIMUM = 20_000;
const part = z.string().max(PART_MAXIMUM);

/** The answer of an authenticator as a form sends it: JSON (WebAuthn level 3, section 5.1). */
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

/** The answer when a passkey was created. */
export const madeSchema = inForm(
  z.object({ ...shape, response: z.object({ clientDataJSON: part, attestationObject: part }) }),
);
export type Made = z.output<typeof madeSchema>;

/** The answer when a passkey has signed. */
export const signedSchema = inForm(
  z.object({
    ...shape,
    response: z.object({
      clientDataJSON: part,
      authenticatorData: part,
      signature: part,
      // The user handle: given by authenticators where the page did not say who signs in.
      userHandle: part,
    }),
  }),
);
export type Signed = z.output<typeof signedSchema>;
