import { OpenAPIHono, z } from '@hono/zod-openapi';
import { BASE_PATH, endpoint, OPERATOR_PATH } from '../../core/http/endpoint.ts';
import { answerList, envelope } from '../../core/http/list-page.ts';
import { answerRecord, answerTagged, reads } from '../../core/http/read.ts';
import { emptySchema, flagOff, uuidName } from '../../core/http/schema.ts';
import { type AppEnv, origin, principalOf } from '../../core/http/types.ts';
import { ifMatch, maskSecret, refuseMissing, write, writeAs } from '../../core/http/write.ts';
import { parseJson } from '../../core/lib/json.ts';
import { apiKeyAccess } from '../credential/authenticate.ts';
import { operatorAccess, operatorOf } from '../credential/operator.ts';
import { putAuthority } from './authority-commands.ts';
import { createUser, deleteUser, resetPassword, updateUser } from './commands.ts';
import { eraseUser } from './erase-commands.ts';
import { makeInvite } from './invite.ts';
import { userList } from './list.ts';
import { generatePassword, hashPassword, stretchPassword } from './password.ts';
import {
  authorityNameSchema,
  authorityPutSchema,
  authoritySchema,
  createdUserSchema,
  passwordResetSchema,
  userCreateSchema,
  userSchema,
  userUpdateSchema,
} from './schema.ts';
import { authoritiesQuery, authorityViewQuery, presentAuthority, presentUser, userQuery } from './store.ts';

const app = new OpenAPIHono<AppEnv>();
const tag = 'User';
const path = `${BASE_PATH}/user`;
const params = z.object({ uuid: uuidName });
const access = apiKeyAccess;
const userAnswer = { 200: { description: 'The user', schema: userSchema } };
const matched = { 'If-Match': 'Only if the user still has this ETag' };

endpoint(app, {
  method: 'put',
  path: `${OPERATOR_PATH}/organization/{organizationUuid}/authority/{authorityName}`,
  operationId: 'putAuthority',
  tag: 'Operator',
  summary: 'Create or change an authority',
  description:
    'Built-in authorities can be changed too, to fit how the organization divides its work. Only ' +
    '`ADMINISTRATOR` keeps every permission, so that user management always stays possible. A ' +
    'change applies at once to all users of the authority. If it adds permissions, unused links ' +
    'of these users end. A name that differs from an existing name only in case is refused.',
  access: operatorAccess('PROVISION'),
  params: z.object({ organizationUuid: uuidName, authorityName: authorityNameSchema }),
  body: authorityPutSchema,
  responses: {
    200: { description: 'The changed authority', schema: authoritySchema },
    201: { description: 'The created authority', schema: authoritySchema },
  },
  errors: ['organizationNotFound', 'authorityNameInUse', 'authorityLimitReached'],
  async handler(c, { params: { organizationUuid, authorityName }, body: { permissions }, submission }) {
    const { body: answer } = await writeAs(c, submission, organizationUuid, operatorOf(c), putAuthority, {
      authorityName,
      permissions,
      heldPermissions: null,
    });
    return c.json(presentAuthority(origin(c), answer.authority), answer.created ? 201 : 200);
  },
});

endpoint(app, {
  method: 'get',
  path: `${BASE_PATH}/authority`,
  operationId: 'listAuthorities',
  tag,
  summary: 'List all authorities',
  description:
    'Returns the authorities sorted by name, each with its permissions. The list has the built-in ' +
    'authorities and those added by the operator.',
  access,
  responses: {
    200: { description: 'The authorities', schema: z.array(authoritySchema).openapi('Authorities') },
  },
  async handler(c) {
    const database = reads(c);
    const { authorities } = await database.ask({ authorities: authoritiesQuery(database) });
    const links = origin(c);
    return c.json(authorities.map(({ view }) => presentAuthority(links, parseJson(view))));
  },
});

endpoint(app, {
  method: 'get',
  path: `${BASE_PATH}/authority/{uuid}`,
  operationId: 'getAuthority',
  tag,
  summary: 'Get an authority',
  description: 'Returns the authority with its permissions, as in the list.',
  access,
  params,
  responses: { 200: { description: 'The authority', schema: authoritySchema } },
  errors: [['authorityNotFound', 404]],
  handler(c, { params: { uuid: wanted } }) {
    const database = reads(c);
    const query = authorityViewQuery(database, wanted);
    return answerRecord(c, database, query, { code: 'authorityNotFound', identifier: wanted }, (stored) =>
      presentAuthority(origin(c), stored),
    );
  },
});

endpoint(app, {
  method: 'get',
  path,
  operationId: 'listUsers',
  tag,
  summary: 'List users',
  description: 'Returns users, newest first. Deleted users are left out by default.',
  access,
  query: userList.query,
  responses: { 200: { description: 'A page', schema: envelope('UserPage', userSchema) } },
  handler: (c, { query }) => answerList(c, userList, query, presentUser),
});

endpoint(app, {
  method: 'post',
  path,
  operationId: 'createUser',
  tag,
  summary: 'Create a user',
  description: 'Only this response shows the password or link. The service stores only its hash.',
  access,
  body: userCreateSchema,
  responses: {
    201: { description: 'The user with its password or link', schema: createdUserSchema },
  },
  errors: ['authorityNotFound', 'emailInUse'],
  async handler(c, { body: { password: given, phoneNumber, ...body }, submission }) {
    const { organization } = principalOf(c);
    let masked = submission;
    if (given != null) {
      masked = await maskSecret(submission, 'password', (key) =>
        stretchPassword(given, `${organization.uuid} ${key}`),
      );
    }
    const byLink = body.passwordPolicyMode === 'INVITE_LINK';
    const password = byLink ? null : (given ?? generatePassword());
    const invite = byLink ? makeInvite(origin(c), principalOf(c).organization.uuid, Date.now()) : null;
    const written = await write(c, masked, createUser, {
      ...body,
      phoneNumber,
      passwordHash: password === null ? null : await hashPassword(password),
      invite: invite?.stored ?? null,
      heldPermissions: null,
    });
    c.header('Location', `${path}/${written.body.uuid}`);
    c.header('Cache-Control', 'no-store');
    const shown = written.replayed
      ? { password: null, inviteLink: null }
      : { password, inviteLink: invite?.link ?? null };
    return c.json({ ...presentUser(origin(c), written.body), ...shown }, 201);
  },
});

endpoint(app, {
  method: 'get',
  path: `${path}/{uuid}`,
  operationId: 'getUser',
  tag,
  summary: 'Get a user',
  description: 'Returns an `ETag` for `If-Match`. A password is never shown.',
  access,
  params,
  responses: { ...userAnswer, 304: { description: 'Not modified' } },
  errors: ['userNotFound'],
  async handler(c, { params: { uuid: wanted } }) {
    const database = reads(c);
    const row = await database.first(userQuery(database, wanted));
    if (!row) return refuseMissing('userNotFound', wanted);
    return answerTagged(c, row.view, (stored) => presentUser(origin(c), stored));
  },
});

endpoint(app, {
  method: 'put',
  path: `${path}/{uuid}`,
  operationId: 'updateUser',
  tag,
  summary: 'Change a user',
  description:
    'Does not change the password; reset it instead. A new e-mail address or authority ends the ' +
    'sessions of the user. It also ends an unused link, because the link was given to the old ' +
    'address, for the old authority. Reset the password to get a new link.',
  access,
  params,
  body: userUpdateSchema,
  requestHeaders: matched,
  responses: userAnswer,
  errors: ['authorityNotFound', 'userNotFound', 'emailInUse', 'preconditionFailed'],
  async handler(c, { params: { uuid: wanted }, body: { phoneNumber, ...body }, submission }) {
    const input = { ...body, phoneNumber, uuid: wanted, ifMatch: ifMatch(c), heldPermissions: null };
    const written = await write(c, submission, updateUser, input);
    return c.json(presentUser(origin(c), written.body));
  },
});

endpoint(app, {
  method: 'delete',
  path: `${path}/{uuid}`,
  operationId: 'deleteUser',
  tag,
  summary: 'Delete a user',
  description:
    'Frees the e-mail address and ends the password, passkeys, link and sessions. With ' +
    '`erase=true` the name, e-mail address, phone number and IP address are removed everywhere, ' +
    'including the audit log. This also works for a user that was deleted before. The actions of ' +
    'the user remain, by an `Erased user`. Erasure cannot be undone.',
  access,
  params,
  query: z.object({ erase: flagOff.describe('Also remove the personal data everywhere') }),
  requestHeaders: matched,
  responses: { 200: { description: 'Deleted', schema: emptySchema } },
  errors: ['userNotFound', 'preconditionFailed', 'moveUnderWay'],
  async handler(c, { params: { uuid: wanted }, query: { erase }, submission }) {
    await write(c, submission, erase ? eraseUser : deleteUser, {
      uuid: wanted,
      ifMatch: ifMatch(c),
      heldPermissions: null,
    });
    return c.json({});
  },
});

endpoint(app, {
  method: 'delete',
  path: `${path}/{uuid}/reset-password`,
  operationId: 'resetPassword',
  tag,
  summary: 'Reset the password of a user with a link',
  description: 'The old password, passkeys, an earlier link and all sessions of the user end at once.',
  access,
  params,
  responses: { 200: { description: 'The link', schema: passwordResetSchema } },
  errors: ['userNotFound'],
  async handler(c, { params: { uuid: wanted }, submission }) {
    const { link, stored } = makeInvite(origin(c), principalOf(c).organization.uuid, Date.now());
    const input = { uuid: wanted, invite: stored, heldPermissions: null };
    const { replayed } = await write(c, submission, resetPassword, input);
    c.header('Cache-Control', 'no-store');
    return c.json({ inviteLink: replayed ? null : link });
  },
});

export const userRoutes = app;
