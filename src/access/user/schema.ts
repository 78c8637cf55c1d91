import { z } from '@hono/zod-openapi';
import { common, input, nameText, text, uuid } from '../../core/http/schema.ts';
import {
  EMAIL_MAXIMUM,
  EMAIL_PATTERN,
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
    internal: z.boolean().describe('Whether it is built in: every organization has it'),
    permissions: z.array(z.enum(PERMISSIONS)),
  })
  .openapi('Authority');

/** Body of PUT …/authority/{authorityName}. */
export const authorityPutSchema = input(authoritySchema, {
  permissions: z
    .array(z.enum(PERMISSIONS))
    .max(PERMISSIONS.length)
    .refine((permissions) => new Set(permissions).size === permissions.length, 'A permission stands twice.'),
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
    'An authority is named by its uuid or authorityName.',
  )
  .describe('By uuid or name; if both are given they have to mean the same one')
  .openapi('AuthorityReference');

const person = {
  firstName: nameText(100, 2),
  lastName: nameText(100, 2),
  email: text(3, EMAIL_MAXIMUM)
    .regex(EMAIL_PATTERN, 'An e-mail address is needed.')
    .describe('Unique in the organization, ignoring case')
    .openapi({ example: 'jane.doe@example.com' }),
  phoneNumber: text(0, 50).nullable().optional(),
  authority: authorityReferenceSchema,
};

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
      'TEMP_PASSWORD: a password that has to be changed at the first sign-in. INVITE_LINK: a link sets it',
    ),
  password: passwordText(GIVEN_PASSWORD_MINIMUM)
    .openapi({ format: 'password' })
    .nullable()
    .optional()
    .describe(
      'With TEMP_PASSWORD only; one is made where it is omitted. Any text of this length: it opens only the page that changes ' +
        'it, and that page does not take common passwords',
    ),
})
  .refine(({ passwordPolicyMode, password }) => passwordPolicyMode === 'TEMP_PASSWORD' || password == null, {
    path: ['password'],
    message: 'With INVITE_LINK the link sets the password.',
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
    'Sets a password, once, within 7 days, while the user keeps e-mail address and authority. Shown once; null in a ' +
      'replayed answer',
  );

/** A user with the means of the first sign-in: the only time it is shown. */
export const createdUserSchema = userSchema
  .extend({
    password: z
      .string()
      .nullable()
      .describe(
        'Of TEMP_PASSWORD, to be changed at the first sign-in. Shown once; null in a replayed answer',
      ),
    inviteLink,
  })
  .openapi('CreatedUser');

/** Answer of DELETE /user/{uuid}/reset-password. */
export const passwordResetSchema = z.object({ inviteLink }).openapi('PasswordReset');
