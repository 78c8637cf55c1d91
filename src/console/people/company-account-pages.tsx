import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { settingsOf } from '../../env.ts';
import { text } from '../../http/schema.ts';
import { type AppEnv, origin } from '../../http/types.ts';
import { write } from '../../http/write.ts';
import { newUuid } from '../../lib/id.ts';
import { ProblemError, refusal } from '../../lib/problem.ts';
import { seal } from '../../lib/seal.ts';
import { putProvider, removeProvider } from '../../oidc/commands.ts';
import { providerFault } from '../../oidc/flow.ts';
import { CALLBACK_PATH } from '../../oidc/sign-in.ts';
import { clientSecretPlace, providerQuery } from '../../oidc/store.ts';
import { Card, Facts } from '../kit/components.tsx';
import { Checkboxes, Do, Field, Form, Submit } from '../kit/form.tsx';
import { action, page } from '../kit/page.tsx';
import { Time } from '../kit/time.tsx';

const form = z.object({
  issuer: text(1, 500),
  clientId: text(1, 500),
  clientSecret: text(0, 1_000),
  onlyCompany: z.literal('yes').optional(),
});

/** Where the users of the organization sign in, set by who may do everything. */
export function companyAccountPages(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/company-account',
    right: 'changeSignIn',
    async view({ c, database }) {
      const provider = await database.first(providerQuery(database));
      return {
        title: 'Company account',
        body: (
          <>
            <Card title="OpenID Connect">
              <p>
                Users sign in where your company does. Who has a verified e-mail address there that a user has
                here is that user; nobody is made a user by signing in.
              </p>
              <Facts
                facts={[
                  ['Redirect URI, for the provider', <code>{`${origin(c)}${CALLBACK_PATH}`}</code>],
                  ['First sign-in', <Time at={provider?.provenDate ?? null} />],
                ]}
              />
              <Form action="put">
                <Field name="issuer" label="Issuer" type="url" value={provider?.issuer ?? ''} required />
                <Field name="clientId" label="Client ID" value={provider?.clientId ?? ''} required />
                <Field
                  name="clientSecret"
                  label="Client secret"
                  type="password"
                  autocomplete="off"
                  hint={provider ? 'Empty: stays as it is. It is never shown.' : 'It is never shown again.'}
                />
                <Checkboxes
                  name="onlyCompany"
                  label="Passwords"
                  options={[{ value: 'yes', label: 'Nobody signs in with a password' }]}
                  values={provider?.passwordSignIn === 0 ? ['yes'] : []}
                />
                <Submit>Save</Submit>
              </Form>
            </Card>
            {provider && (
              <Do action="remove" danger>
                Remove the company account
              </Do>
            )}
          </>
        ),
      };
    },
    actions: {
      put: action(
        'changeSignIn',
        form,
        async ({ c, database }, _, { issuer, clientId, clientSecret, onlyCompany }) => {
          const message = providerFault(issuer, settingsOf(c.env));
          if (message !== undefined) {
            const errors = [{ field: 'issuer', code: 'validationFailed' as const, message }];
            throw new ProblemError(refusal('validationFailed', message, { errors }));
          }
          const uuid = (await database.first(providerQuery(database)))?.uuid ?? newUuid();
          const sealed = await seal(settingsOf(c.env).sealingKeys, clientSecretPlace(uuid), clientSecret);
          await write(c, putProvider, {
            uuid,
            issuer,
            clientId,
            clientSecret: clientSecret === '' ? null : sealed,
            passwordSignIn: onlyCompany === undefined,
          });
          return { done: 'The company account is saved.' };
        },
      ),
      remove: action(
        'changeSignIn',
        z.object({}),
        async ({ c }) => {
          await write(c, removeProvider, {});
          return { done: 'The company account is removed. Passwords sign in.' };
        },
        () => ({
          title: 'Remove the company account?',
          text: 'Nobody signs in by it any more; who has no password needs a link. Sessions go on.',
          yes: 'Remove',
          no: 'Keep it',
          note: false,
        }),
      ),
    },
  });
}
