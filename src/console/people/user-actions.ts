import { z } from '@hono/zod-openapi';
import { origin, principalOf } from '../../http/types.ts';
import { write } from '../../http/write.ts';
import { createUser, deleteUser, resetPassword, updateUser } from '../../user/commands.ts';
import { eraseUser } from '../../user/erase-commands.ts';
import { makeInvite } from '../../user/invite.ts';
import { generatePassword, hashPassword } from '../../user/password.ts';
import { userCreateSchema, userUpdateSchema } from '../../user/schema.ts';
import { refuseWeak } from '../../user/weak-password.ts';
import { askToDelete, type ByUuid } from '../kit/detail.tsx';
import { type Action, action, asTyped } from '../kit/page.tsx';
import { inEnglish } from '../kit/question.tsx';
import type { Secret } from '../kit/view.ts';

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

/** What the form of a new user does. */
export function createAction(): Action {
  const form = asTyped(userCreateSchema, ({ passwordPolicyMode, password, ...person }) => ({
    ...personOf(person),
    passwordPolicyMode,
    password: password || null,
  }));
  return action('changeUsers', form, async ({ c, session }, _, { password: given, phoneNumber, ...body }) => {
    if (given != null) {
      const { name, slug } = session.organization;
      await refuseWeak(c, given, [`${body.firstName} ${body.lastName}`, body.email, name, slug]);
    }
    const byLink = body.passwordPolicyMode === 'INVITE_LINK';
    const password = byLink ? null : (given ?? generatePassword());
    const invite = byLink ? makeInvite(origin(c), principalOf(c).organization.uuid, Date.now()) : null;
    const { replayed } = await write(c, createUser, {
      ...body,
      phoneNumber,
      passwordHash: password === null ? null : await hashPassword(password),
      invite: invite?.stored ?? null,
      heldPermissions: session.user.permissions,
    });
    const done = `${body.firstName} ${body.lastName} is a user now.`;
    if (replayed) return { done };
    const secret: Secret = invite
      ? { label: 'Link that sets the password, for 7 days', value: invite.link }
      : { label: 'First password', value: password! };
    return { done, secrets: [secret] };
  });
}

/** What the forms on the page of a user do. */
export function userActions(): Record<string, Action> {
  return {
    update: action(
      'changeUsers',
      asTyped(userUpdateSchema, personOf),
      async ({ c, session }, { uuid }: ByUuid, { phoneNumber, ...body }) => {
        const heldPermissions = session.user.permissions;
        await write(c, updateUser, { ...body, phoneNumber, uuid, ifMatch: null, heldPermissions });
        return { done: 'The user is changed.' };
      },
    ),
    reset: action(
      'changeUsers',
      z.object({}),
      async ({ c, session }, { uuid }: ByUuid) => {
        const { link, stored } = makeInvite(origin(c), principalOf(c).organization.uuid, Date.now());
        const heldPermissions = session.user.permissions;
        const { replayed } = await write(c, resetPassword, { uuid, invite: stored, heldPermissions });
        const done = 'Password and sessions of the user have ended.';
        if (replayed) return { done };
        return { done, secrets: [{ label: 'Link that sets the password, for 7 days', value: link }] };
      },
      () => ({
        title: 'Reset the password?',
        text: 'Password and sessions end at once; a link sets a new password.',
        yes: 'Reset',
        no: 'Keep it',
        note: false,
      }),
    ),
    delete: action(
      'changeUsers',
      z.object({}),
      async ({ c, session }, { uuid }: ByUuid) => {
        const heldPermissions = session.user.permissions;
        await write(c, deleteUser, { uuid, ifMatch: null, heldPermissions });
        return { done: 'The user is deleted.', to: '/app/user' };
      },
      askToDelete(
        'user',
        'The user is signed out at once and signs in no more; what was done stays, by name.',
        {
          // A record of a person says nothing that could name one, lest it outlives an erasure.
          note: false,
          reasons: inEnglish(['Left', 'Not needed any more', 'Misused']),
        },
      ),
    ),
    erase: action(
      'changeUsers',
      z.object({}),
      async ({ c, session }, { uuid }: ByUuid) => {
        const heldPermissions = session.user.permissions;
        await write(c, eraseUser, { uuid, ifMatch: null, heldPermissions });
        return { done: 'The user is erased.', to: '/app/user' };
      },
      () => ({
        title: 'Erase this person?',
        text:
          'Name, e-mail address, phone number and IP address go from everywhere, the audit log included. ' +
          'What the user did stays, by an “Erased user”. Nobody can undo that.',
        yes: 'Erase',
        no: 'Keep it',
        note: false,
        reasons: inEnglish(['The person asked for it', 'Kept long enough']),
      }),
    ),
  };
}
