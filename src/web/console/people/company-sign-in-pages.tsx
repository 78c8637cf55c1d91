import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { CALLBACK_PATH } from '../../../access/oidc/rules.ts';
import { beginAtProvider, finishAtProvider } from '../../../access/oidc/sign-in.ts';
import { findProvided } from '../../../access/oidc/store.ts';
import { slugMeant } from '../../../access/session/meant-organization.ts';
import { setSessionCookie } from '../../../access/session/request.ts';
import { safeNextPath } from '../../../access/session/rules.ts';
import type { Permission } from '../../../access/user/rules.ts';
import { isOwnLink, ownSlug } from '../../../core/http/hosts.ts';
import type { AppEnv } from '../../../core/http/types.ts';
import { databasesOf } from '../../../core/lib/databases.ts';
import { LANGUAGES } from '../../../messages/languages.ts';
import { Submit } from '../../ui/form/form.tsx';
import { redirect } from '../../ui/page/answer.tsx';
import { page } from '../../ui/page/page.tsx';
import { refuseInWords } from '../../ui/parts/language.ts';
import { may } from '../../ui/parts/rights.ts';
import { BEGIN_PATH, CompanyLink } from './sign-in-links.tsx';

const typed = z.string().max(1_000).optional().catch(undefined);

/** The pages for signing in with the organization's OpenID provider. */
export function companySignInPages(app: Hono<AppEnv>): void {
  page(app, {
    path: BEGIN_PATH,
    right: 'guest',
    query: z.object({ organization: typed, next: typed, go: typed }),
    languages: LANGUAGES,
    async view({ c, words }, _, { organization, next: asked, go }) {
      const { t } = words;
      const own = ownSlug(c);
      const databases = databasesOf(c.env);
      const slug = own ?? (organization === undefined ? undefined : await slugMeant(databases, organization));
      const next = safeNextPath(asked);
      const provided = slug === undefined ? undefined : await findProvided(databases, slug);
      // The policy of pages (`form-action`) forbids forms that lead to another host. So a link with `go` does
      // this. If another site leads here, the user must confirm first: a provider could sign in any of its
      // users.
      if (provided && (own !== undefined || go !== undefined) && isOwnLink(c)) {
        const beginning = { organization: provided.uuid, next };
        return redirect(c, await beginAtProvider(c, beginning, { words, refuse: refuseInWords }));
      }
      if (provided) {
        return {
          title: t('company.to', { name: provided.name }),
          body: (
            <div class="card">
              <CompanyLink next={next} organization={slug!} />
            </div>
          ),
        };
      }
      return {
        title: t('company.title'),
        body: (
          <form method="get" action={BEGIN_PATH} class="card">
            {slug !== undefined && <p role="alert">{t('company.none')}</p>}
            <input type="hidden" name="next" value={next} />
            <div class="field">
              <label for="organization">{t('signIn.organization')}</label>
              <input
                id="organization"
                name="organization"
                value={slug}
                autocomplete="organization"
                required
              />
            </div>
            <Submit>{t('company.continue')}</Submit>
            <p>
              <a href="/app/login">{t('company.password')}</a>
            </p>
          </form>
        ),
      };
    },
  });

  page(app, {
    path: `${CALLBACK_PATH}/:provider`,
    right: 'guest',
    languages: LANGUAGES,
    async view({ c, words }) {
      const maySignIn = (permissions: readonly Permission[]) => may(permissions, 'signIn');
      const { token, next } = await finishAtProvider(c, maySignIn, { words, refuse: refuseInWords });
      setSessionCookie(c, token);
      return redirect(c, safeNextPath(next));
    },
  });
}
