import type { Answer, Tenant } from '../../client.ts';

let users = 0;

/** A body of POST /user that creates a link. Each has another e-mail address. */
export function invited(more: Record<string, unknown> = {}) {
  users += 1;
  return {
    firstName: 'Jane',
    lastName: 'Doe',
    email: `jane.doe.${users}@example.com`,
    authority: { authorityName: 'OPERATOR' },
    passwordPolicyMode: 'INVITE_LINK',
    ...more,
  };
}

/** A body of POST /user with a password. */
export const withPassword = (more: Record<string, unknown> = {}) =>
  invited({ passwordPolicyMode: 'TEMP_PASSWORD', ...more });

/** Create a user. */
export async function newUser(tenant: Tenant, body = invited()): Promise<Answer['body']> {
  const created = await tenant.call('POST', '/user', body);
  if (created.status !== 201) throw new Error(JSON.stringify(created.body));
  return created.body;
}

/** A body of PUT /user/{uuid} that changes only the given fields. */
export function unchanged(user: Answer['body'], more: Record<string, unknown> = {}) {
  const { firstName, lastName, email, phoneNumber, authority } = user;
  return { firstName, lastName, email, phoneNumber, authority: { uuid: authority.uuid }, ...more };
}
