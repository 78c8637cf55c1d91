import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { AFTER_ATTEMPTS } from '../../../access/session/rules.ts';
import type { AppEnv } from '../../../core/http/types.ts';
import { refuse } from '../../../core/http/write.ts';
import { ProblemError, refusal } from '../../../core/lib/problem.ts';
import { visible } from '../../../pallet/identifier.ts';
import { action, type SignOutActions } from '../../ui/confirm/action.ts';
import { Field, Form, Submit } from '../../ui/form/form.tsx';
import { redirect } from '../../ui/page/answer.tsx';
import { signedInOperator, signInOperator, signOutOperator } from '../../ui/page/operator.ts';
import { OPERATOR_HOME } from '../../ui/page/operator-menu.tsx';
import { page } from '../../ui/page/page.tsx';

/** The maximum length of a secret. */
const SECRET_MAXIMUM = 1_000;
const FAILED = 'No operator has this secret.';

const actions = {
  default: action(
    'guest',
    z.object({ secret: z.string().max(SECRET_MAXIMUM).default('') }),
    async ({ c }, _, { secret }) => {
      const came = await signInOperator(c, visible(secret));
      if (came === 'failed') return refuse('signInFailed', FAILED);
      if (came === 'limited') {
        throw new ProblemError(refusal('signInFailed', FAILED, { status: 429 }), AFTER_ATTEMPTS);
      }
      return redirect(c, OPERATOR_HOME);
    },
  ),
};

/** The pages where operators sign in with their credential, for an hour, and sign out. */
export function operatorSignInPages(app: Hono<AppEnv>): void {
  page(app, {
    path: `${OPERATOR_HOME}/login`,
    right: 'guest',
    async view({ c }) {
      if (await signedInOperator(c)) return redirect(c, OPERATOR_HOME);
      return {
        title: 'Sign in as an operator',
        body: (
          <Form<typeof actions> action="default" class="card">
            <Field
              name="secret"
              label="Secret of the operator"
              type="password"
              autocomplete="off"
              hint="The credential wdo_…, or OPERATOR_KEY. The session ends when you sign out, after an hour, or with the credential."
              required
            />
            <Submit>Sign in</Submit>
          </Form>
        ),
      };
    },
    actions,
  });

  page(app, {
    path: `${OPERATOR_HOME}/logout`,
    right: 'operator:READ',
    view: ({ c }) => redirect(c, OPERATOR_HOME),
    actions: {
      'sign-out': action('operator:READ', z.object({}), async ({ c }) => {
        await signOutOperator(c);
        return redirect(c, `${OPERATOR_HOME}/login`);
      }),
    } satisfies SignOutActions,
  });
}
