import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { ownSlug } from '../../http/hosts.ts';
import type { AppEnv } from '../../http/types.ts';
import { databasesOf } from '../../lib/databases.ts';
import { beginAtProvider, CALLBACK_PATH, finishAtProvider } from '../../oidc/sign-in.ts';
import { findProvided } from '../../oidc/store.ts';
import { giveSession } from '../../session/request.ts';
import { nextPath } from '../../session/rules.ts';
import { redirect } from '../kit/answer.tsx';
import { Submit } from '../kit/form.tsx';
import { page } from '../kit/page.tsx';
import { may } from '../kit/rights.ts';
import { BEGIN_PATH, CompanyLink } from './company-link.tsx';

const typed = z.string().max(1_000).optional().catch(undefined);

/** Signing in by the organization's OpenID provider. */
export function companySignInPages(app: Hono<AppEnv>): void {
  page(app, {
    path: BEGIN_PATH,
    right: 'guest',
    query: z.object({ organization: typed, next: typed, go: typed }),
    async view({ c }, _, { organization, next: asked, go }) {
      const own = ownSlug(c);
      const slug = own ?? organization?.trim().toLowerCase();
      const next = nextPath(asked);
      const provided = slug === undefined ? undefined : await findProvided(databasesOf(c.env), slug);
      // A form cannot lead to another host (`form-action`), so that a link does.
      if (provided && (own !== undefined || go !== undefined)) {
        return redirect(c, await beginAtProvider(c, provided.uuid, next));
      }
      if (provided) {
        return {
          title: `Sign in to ${provided.name}`,
          body: (
            <div class="card">
              <CompanyLink next={next} organization={slug!} />
            </div>
          ),
        };
      }
      return {
        title: 'Sign in with your company account',
        body: (
          <form method="get" action={BEGIN_PATH} class="card">
            {slug !== undefined && <p role="alert">This organization has no company account here.</p>}
            <input type="hidden" name="next" value={next} />
            <div class="field">
              <label for="organization">Organization</label>
              <input
                id="organization"
                name="organization"
                value={slug}
                autocomplete="organization"
                required
              />
            </div>
            <Submit>Continue</Submit>
            <p>
              <a href="/app/login">Sign in with a password</a>
            </p>
          </form>
        ),
      };
    },
  });

  page(app, {
    path: CALLBACK_PATH,
    right: 'guest',
    async view({ c }) {
      const { token, next } = await finishAtProvider(c, (permissions) => may(permissions, 'signIn'));
      giveSession(c, token);
      return redirect(c, nextPath(next));
    },
  });
}
