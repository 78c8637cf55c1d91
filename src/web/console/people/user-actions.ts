import { z } from '@hono/zod-openapi';
import { createUser, deleteUser, resetPassword, updateUser } from '../../../access/user/commands.ts';
import { eraseUser } from '../../../access/user/erase-commands.ts';
import { makeInvite } from '../../../access/user/invite.ts';
import { generatePassword, hashPassword } from '../../../access/user/password.ts';
import { userCreateSchema, userUpdateSchema } from '../../../access/user/schema.ts';
import { origin, principalOf } from '../../../core/http/types.ts';
import { write } from '../../../core/http/write.ts';
import { action, asTyped } from '../../ui/confirm/action.ts';
import { confirmDeletion } from '../../ui/confirm/deletion.tsx';
import type { ByUuid } from '../../ui/page/resource.tsx';
import { inviteSecret } from '../../ui/parts/invite.ts';
import type { Secret } from '../../ui/parts/view.ts';

const personOf = ({
  firstName,
  lastName,
  email,
  phoneNumber,
  authorityName,
}: Record<string, string | undefined>) => ({
  firstName,
  lastName,
  email,
  phoneNumber: phoneNumber || null,
  authority: { authorityName },
});

/** The action on the page of all users. */
export function createUserActions() {
  const form = asTyped(userCreateSchema, ({ passwordPolicyMode, password, ...person }) => ({
    ...personOf(person),
    passwordPolicyMode,
    password: password || null,
  }));
  return {
    create: action(
      'changeUsers',
      form,
      async ({ c, session, words, submission }, _, { password: given, phoneNumber, ...body }) => {
        const byLink = body.passwordPolicyMode === 'INVITE_LINK';
        const password = byLink ? null : (given ?? generatePassword());
        const invite = byLink ? makeInvite(origin(c), principalOf(c).organization.uuid, Date.now()) : null;
        const { replayed } = await write(c, submission, createUser, {
          ...body,
          phoneNumber,
          passwordHash: password === null ? null : await hashPassword(password),
          invite: invite?.stored ?? null,
          heldPermissions: session.user.permissions,
        });
        const { t } = words;
        const done = t('user.isNow', { name: `${body.firstName} ${body.lastName}` });
        if (replayed) return { done };
        const secret: Secret = invite
          ? inviteSecret(words, {
              link: invite.link,
              email: body.email,
              name: `${body.firstName} ${body.lastName}`,
              organization: session.organization.name,
            })
          : { label: t('user.firstPassword'), value: password! };
        return { done, secrets: [secret] };
      },
    ),
  };
}

/** The actions on the page of a user. */
export function userActions() {
  return {
    update: action(
      'changeUsers',
      asTyped(userUpdateSchema, personOf),
      async ({ c, session, words, submission }, { uuid }: ByUuid, { phoneNumber, ...body }) => {
        const heldPermissions = session.user.permissions;
        await write(c, submission, updateUser, {
          ...body,
          phoneNumber,
          uuid,
          ifMatch: null,
          heldPermissions,
        });
        return { done: words.t('user.changed') };
      },
    ),
    reset: action(
      'changeUsers',
      z.object({}),
      async ({ c, session, words, submission }, { uuid }: ByUuid) => {
        const { link, stored } = makeInvite(origin(c), principalOf(c).organization.uuid, Date.now());
        const heldPermissions = session.user.permissions;
        const { replayed } = await write(c, submission, resetPassword, {
          uuid,
          invite: stored,
          heldPermissions,
        });
        const done = words.t('user.resetDone');
        if (replayed) return { done };
        return { done, secrets: [{ label: words.t('user.link'), value: link }] };
      },
      ({ words: { t } }) => ({
        title: t('user.resetTitle'),
        text: t('user.resetText'),
        yes: t('user.resetYes'),
        no: t('ask.keep'),
        note: false,
      }),
    ),
    delete: action(
      'changeUsers',
      z.object({}),
      async ({ c, session, words, submission }, { uuid }: ByUuid) => {
        const heldPermissions = session.user.permissions;
        await write(c, submission, deleteUser, { uuid, ifMatch: null, heldPermissions });
        return { done: words.t('user.deleted'), to: '/app/user' };
      },
      (at) => {
        const { t } = at.words;
        const asked = confirmDeletion('user', t('user.deleteText'), {
          // Records about a person contain no typed text: it could name the person and would remain after an erasure.
          note: false,
          reasons: [
            { value: 'Left', label: t('user.left') },
            { value: 'Not needed any more', label: t('user.notNeeded') },
            { value: 'Misused', label: t('user.misused') },
          ],
        });
        return asked(at);
      },
    ),
    erase: action(
      'changeUsers',
      z.object({}),
      async ({ c, session, words, submission }, { uuid }: ByUuid) => {
        const heldPermissions = session.user.permissions;
        await write(c, submission, eraseUser, { uuid, ifMatch: null, heldPermissions });
        return { done: words.t('user.erased'), to: '/app/user' };
      },
      ({ words: { t } }) => ({
        title: t('user.eraseTitle'),
        text: t('user.eraseText'),
        yes: t('user.eraseYes'),
        no: t('ask.keep'),
        note: false,
        reasons: [
          { value: 'The person asked for it', label: t('user.askedFor') },
          { value: 'Kept long enough', label: t('user.keptLong') },
        ],
      }),
    ),
  };
}

export type CreateUserActions = ReturnType<typeof createUserActions>;
export type UserActions = ReturnType<typeof userActions>;
