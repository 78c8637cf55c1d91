import type { z } from '@hono/zod-openapi';
import type { FC } from 'hono/jsx';
import { operatorOf } from '../../../access/credential/operator.ts';
import { makeInvite } from '../../../access/user/invite.ts';
import { inviteAdministrator } from '../../../access/user/invite-commands.ts';
import { invitationSchema } from '../../../access/user/schema.ts';
import { origin } from '../../../core/http/types.ts';
import { writeAs } from '../../../core/http/write.ts';
import { type ActionContext, type ActionResult, asTyped } from '../../ui/confirm/action.ts';
import { Field } from '../../ui/form/form.tsx';
import { inviteSecret } from '../../ui/parts/invite.ts';

/** The form that invites an administrator of an organization. */
export const inviteForm = asTyped(invitationSchema, ({ firstName, lastName, email }) => ({
  firstName,
  lastName,
  email,
}));

/** Invite an administrator, and show the link once. */
export async function invite(
  { c, words, submission }: ActionContext,
  { uuid, name }: { uuid: string; name: string },
  person: z.output<typeof invitationSchema>,
): Promise<ActionResult> {
  const { link, stored } = makeInvite(origin(c), uuid, Date.now());
  const input = { ...person, invite: stored };
  const { replayed } = await writeAs(c, submission, uuid, operatorOf(c), inviteAdministrator, input);
  const display = `${person.firstName} ${person.lastName}`;
  const done = `${display} is invited as an administrator of ${name}.`;
  if (replayed) {
    const again = 'The link was shown once. Invite the person again for a new link.';
    return { done: `${done} ${again}`, to: `/operator/organization/${uuid}` };
  }
  return {
    done,
    secrets: [inviteSecret(words, { link, email: person.email, name: display, organization: name })],
  };
}

/** Name and e-mail address of an administrator. */
export const AdministratorFields: FC = () => (
  <>
    <Field name="firstName" label="First name" />
    <Field name="lastName" label="Last name" />
    <Field name="email" label="E-mail address" inputmode="email" />
  </>
);
