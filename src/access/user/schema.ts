import { z } from '@hono/zod-openapi';
import { common, input, list, nameText, text, uuid } from '../../core/http/schema.ts';
import { isEmail } from './email-rules.ts';
import {
  EMAIL_MAXIMUM,
  GIVEN_PASSWORD_MINIMUM,
  isLongEnough,
  isPasswordText,
  PASSWORD_MAXIMUM,
  PASSWORD_MINIMUM,
} from './rules.ts';
import { PASSWORD_POLICY_MODES, PERMISSIONS } from './table.ts';

/** Name of an authority. */
export const authorityNameSchema = text(1, 100).openapi({ example: 'SHIFT_LEAD' });

/** An authority as the API shows it. */
export const authoritySchema = z
  .object({
    ...common,
    authorityName: z.string(),
    internal: z
      .boolean()
      .describe('Whether the authority is built in. Every organization has the built-in authorities'),
    permissions: z.array(z.enum(PERMISSIONS)),
  })
  .openapi('Authority');

/** Body of PUT …/authority/{authorityName}. */
export const authorityPutSchema = input(authoritySchema, {
  permissions: list(z.enum(PERMISSIONS), 0, PERMISSIONS.length).refine(
    (permissions) => new Set(permissions).size === permissions.length,
    'A permission is listed twice.',
  ),
}).openapi('AuthorityPut');

/** A user as the API shows it. */
export const userSchema = z
  .object({
    ...common,
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    phoneNumber: z.string().nullable(),
    authority: authoritySchema,
    deleted: z.boolean(),
  })
  .openapi('User');

const authorityReferenceSchema = input(authoritySchema, {
  uuid: uuid.nullable().optional(),
  authorityName: text(1, 100).nullable().optional(),
})
  .refine(
    ({ uuid: named, authorityName }) => named != null || authorityName != null,
    'Give the uuid or the authorityName of the authority.',
  )
  .describe('By UUID or name. If both are given, they must name the same authority')
  .openapi('AuthorityReference');

const person = {
  firstName: nameText(100, 2),
  lastName: nameText(100, 2),
  email: text(3, EMAIL_MAXIMUM)
    .refine(isEmail, 'This is not an e-mail address.')
    .describe('Unique in the organization, ignoring the case of the letters A to Z. May be international')
    .openapi({ example: 'jane.doe@example.com' }),
  phoneNumber: text(0, 50).nullable().optional(),
  authority: authorityReferenceSchema,
};

/** An administrator, invited by an operator. */
export const invitationSchema = z.strictObject({
  firstName: person.firstName,
  lastName: person.lastName,
  email: person.email,
});

const passwordText = (minimum: number) =>
  text(minimum, PASSWORD_MAXIMUM).refine(isPasswordText, 'A password has no control characters.');

/** A password that users may choose, unless it is weak. */
export const passwordSchema = passwordText(PASSWORD_MINIMUM).refine(isLongEnough);

/** Body of POST /user. */
export const userCreateSchema = input(userSchema, {
  ...person,
  passwordPolicyMode: z
    .enum(PASSWORD_POLICY_MODES)
    .describe(
      'TEMP_PASSWORD: a password that the user must change at the first sign-in. INVITE_LINK: a ' +
        'link that sets the password',
    ),
  password: passwordText(GIVEN_PASSWORD_MINIMUM)
    .openapi({ format: 'password' })
    .nullable()
    .optional()
    .describe(
      'Only with TEMP_PASSWORD. If omitted, the service generates one. Any text of this length is ' +
        'allowed, because it only opens the page that changes it. That page refuses common passwords',
    ),
})
  .refine(({ passwordPolicyMode, password }) => passwordPolicyMode === 'TEMP_PASSWORD' || password == null, {
    path: ['password'],
    message: 'With INVITE_LINK, leave out the password. The user sets it through the link.',
  })
  .openapi('UserCreate');

/** Body of PUT /user/{uuid}. */
export const userUpdateSchema = input(userSchema, {
  ...person,
  phoneNumber: person.phoneNumber.describe('Omitted: unchanged; null: removed'),
}).openapi('UserUpdate');

const inviteLink = z
  .url()
  .nullable()
  .describe(
    'Sets a password, once, within 7 days, while the user keeps the e-mail address and authority. ' +
      'Shown once; null in a replayed response',
  );

/** A new user with a password or link for the first sign-in. Both are shown only once. */
export const createdUserSchema = userSchema
  .extend({
    password: z
      .string()
      .nullable()
      .describe(
        'Only for TEMP_PASSWORD; the user must change it at the first sign-in. Shown once; null in a ' +
          'replayed response',
      ),
    inviteLink,
  })
  .openapi('CreatedUser');

/** Response of DELETE /user/{uuid}/reset-password. */
export const passwordResetSchema = z.object({ inviteLink }).openapi('PasswordReset');
