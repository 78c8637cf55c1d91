import { z } from '@hono/zod-openapi';
import {
  changeOrganization,
  newOrganization,
  setSuspended,
} from '../../../access/organization/change-organization.ts';
import { identifier } from '../../../core/http/schema.ts';
import { beginMove } from '../../../storage/move/begin-move.ts';
import { beginErasure } from '../../../storage/transfer/operator-requests.ts';
import { action } from '../../ui/confirm/action.ts';
import type { ByUuid } from '../../ui/page/resource.tsx';
import { invite, inviteForm } from './administrator.tsx';
import { organizationOf } from './organization.ts';
import { createForm, updateForm } from './organization-form.tsx';

/** The action of the list of organizations. */
export const createActions = {
  create: action('operator:PROVISION', createForm, async (at, _, { organization, administrator }) => {
    const created = await newOrganization(at.c, at.submission, organization);
    if (administrator) return invite(at, created, administrator);
    return { done: `${created.name} is created.`, to: `/operator/organization/${created.uuid}` };
  }),
};
/** The actions on the page of an organization. */
export const actions = {
  change: action('operator:PROVISION', updateForm, async ({ c, submission }, { uuid }: ByUuid, body) => {
    const { name } = await changeOrganization(c, submission, uuid, body);
    return { done: `The settings of ${name} are saved.` };
  }),
  invite: action('operator:PROVISION', inviteForm, async (at, { uuid }: ByUuid, person) =>
    invite(at, await organizationOf(at, uuid), person),
  ),
  suspend: action(
    'operator:PROVISION',
    z.object({}),
    async ({ c, submission }, { uuid }: ByUuid) => {
      const { name } = await setSuspended(c, submission, uuid, true);
      return { done: `${name} is suspended.` };
    },
    async (at, { uuid }) => ({
      title: `Suspend ${(await organizationOf(at, uuid)).name}?`,
      text: (
        <p>
          Within 10 seconds all of its keys, sessions and devices stop working. Public pages stay online.
          Accepted work is completed.
        </p>
      ),
      yes: 'Suspend',
      no: 'Cancel',
    }),
  ),
  resume: action('operator:PROVISION', z.object({}), async ({ c, submission }, { uuid }: ByUuid) => {
    const { name } = await setSuspended(c, submission, uuid, false);
    return { done: `${name} works again.` };
  }),
  move: action(
    'operator:OPERATE',
    z.object({ databaseName: identifier }),
    async ({ c, submission }, { uuid }: ByUuid, { databaseName }) => {
      const operation = await beginMove(c, submission, uuid, databaseName);
      return { done: 'The organization is being moved.', to: `/operator/operation/${operation}` };
    },
    async (at, { uuid }, { databaseName }) => ({
      title: `Move ${(await organizationOf(at, uuid)).name} to ${databaseName}?`,
      text: <p>The organization works during the move. At the end its writes wait a few seconds at most.</p>,
      yes: 'Move',
      no: 'Cancel',
    }),
  ),
  erase: action(
    'operator:ERASE',
    z.object({ slug: z.string().max(63).default('') }),
    async ({ c, submission }, { uuid }: ByUuid, { slug }) => {
      const operation = await beginErasure(c, submission, uuid, slug);
      return { done: 'The organization is being erased.', to: `/operator/operation/${operation}` };
    },
    async (at, { uuid }) => ({
      title: `Erase ${(await organizationOf(at, uuid)).name} permanently?`,
      text: <p>This deletes all of its data, in all databases and the bucket. It cannot be undone.</p>,
      yes: 'Erase',
      no: 'Cancel',
    }),
  ),
};
