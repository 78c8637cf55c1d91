import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { findProvided } from '../../../access/oidc/store.ts';
import { signingOptions } from '../../../access/passkey/ceremony.ts';
import { passkeyHost } from '../../../access/passkey/rules.ts';
import { signedSchema } from '../../../access/passkey/schema.ts';
import { signInByPasskey } from '../../../access/passkey/sign-in.ts';
import { endSessions } from '../../../access/session/commands.ts';
import { clearSessionCookie, sessionOf, setSessionCookie } from '../../../access/session/request.ts';
import { AFTER_ATTEMPTS, safeNextPath } from '../../../access/session/rules.ts';
import { signIn } from '../../../access/session/sign-in.ts';
import type { Permission } from '../../../access/user/rules.ts';
import { ownSlug } from '../../../core/http/hosts.ts';
import { type AppContext, type AppEnv, hostname } from '../../../core/http/types.ts';
import { write } from '../../../core/http/write.ts';
import { databasesOf } from '../../../core/lib/databases.ts';
import { ProblemError, refusal } from '../../../core/lib/problem.ts';
import { tabletOf } from '../../../dispatch/tablet/request.ts';
import { LANGUAGES } from '../../../messages/languages.ts';
import { action, type SignOutActions } from '../../ui/confirm/action.ts';
import { Field, Form, Hidden, Submit } from '../../ui/form/form.tsx';
import { redirect } from '../../ui/page/answer.tsx';
import { lastOrganization } from '../../ui/page/last-organization.ts';
import { page } from '../../ui/page/page.tsx';
import { refuseInWords, TranslatedError } from '../../ui/parts/language.ts';
import { may } from '../../ui/parts/rights.ts';
import { PASSKEY_SCRIPT, PasskeySignIn } from './passkey-card.tsx';
import { CompanyLink, FIND_PATH, RECOVER_PATH } from './sign-in-links.tsx';

/** The maximum length of a credential. */
const TYPED_MAXIMUM = 1_000;
const typed = z.string().max(TYPED_MAXIMUM).default('');

const maySignIn = (permissions: readonly Permission[]): boolean => may(permissions, 'signIn');

/**
 * Continue after the sign-in.
 * @throws 401 if it failed, 429 after too many attempts
 */
function goOn(
  c: AppContext,
  signedIn: { token: string } | 'failed' | 'limited',
  failed: string,
  next: string | undefined,
): Response {
  if (signedIn === 'failed') return refuseInWords('signInFailed', failed);
  if (signedIn === 'limited') {
    throw new TranslatedError(refusal('signInFailed', failed, { status: 429 }), AFTER_ATTEMPTS);
  }
  setSessionCookie(c, signedIn.token);
  return redirect(c, safeNextPath(next));
}

const actions = {
  default: action(
    'guest',
    z.object({
      organization: typed,
      email: typed,
      password: typed,
      next: z.string().optional(),
    }),
    async ({ c, words, submission }, _, { next, ...credentials }) => {
      const signedIn = await signIn(c, submission, credentials, maySignIn);
      return goOn(c, signedIn, words.t('signIn.failed'), next);
    },
  ),
  passkeyOptions: action('guest', z.object({}), async ({ c }) => ({
    done: '',
    data: { options: await signingOptions(c) },
  })),
  passkey: action(
    'guest',
    z.object({ credential: signedSchema, next: z.string().optional() }),
    async ({ c, words, submission }, _, { credential, next }) => {
      const signedIn = await signInByPasskey(c, submission, credential, maySignIn);
      return goOn(c, signedIn, words.t('signIn.passkeyFailed'), next);
    },
  ),
};

/** The pages for signing in and out. */
export function signInPages(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/login',
    right: 'guest',
    languages: LANGUAGES,
    query: z.object({ next: z.string().optional().catch(undefined) }),
    async view({ c, words: { t } }, _, { next }) {
      // A user of a suspended organization may sign in to another organization.
      const isSuspended = (error: unknown) =>
        error instanceof ProblemError && error.refusal.code === 'organizationSuspended';
      const session = await sessionOf(c).catch((error) =>
        isSuspended(error) ? undefined : Promise.reject(error),
      );
      if (session) return redirect(c, safeNextPath(next));
      // A redirected tablet goes back to its gate. A person may still sign in on it.
      if (next !== undefined && (await tabletOf(c).catch(() => undefined))) return redirect(c, '/app');
      const slug = ownSlug(c);
      const last = lastOrganization(c);
      const site = slug === undefined || slug === last?.slug ? last?.name : undefined;
      const provided = slug === undefined ? undefined : await findProvided(databasesOf(c.env), slug);
      const company = (slug === undefined || provided) && <CompanyLink next={safeNextPath(next)} />;
      if (provided?.passwordSignIn === 0)
        return { title: t('signIn.title'), site, body: <div class="card">{company}</div> };
      // The company's account comes first only where it is known to exist.
      const companyCard = company && (
        <div class="card">
          {!provided && <p class="or">{t('signIn.or')}</p>}
          {company}
          {provided && <p class="or">{t('signIn.or')}</p>}
        </div>
      );
      const hasPasskeys = passkeyHost(hostname(c)) !== undefined;
      return {
        title: t('signIn.title'),
        site,
        scripts: ['signed-out.js', PASSKEY_SCRIPT],
        body: (
          <>
            {provided && companyCard}
            <Form<typeof actions> action="default" class="card">
              {next !== undefined && <Hidden name="next" value={safeNextPath(next)} />}
              {slug === undefined ? (
                <Field
                  name="organization"
                  value={last?.slug}
                  label={t('signIn.organization')}
                  hint={
                    <>
                      {t('signIn.organizationHint')} <a href={FIND_PATH}>{t('recover.find')}</a>
                    </>
                  }
                  autocomplete="organization"
                  required
                />
              ) : (
                <Hidden name="organization" value={slug} />
              )}
              <Field
                name="email"
                label={t('signIn.email')}
                type="text"
                inputmode="email"
                autocomplete={hasPasskeys ? 'username webauthn' : 'username'}
                required
              />
              <Field
                name="password"
                label={t('signIn.password')}
                type="password"
                autocomplete="current-password"
                hint={<a href={RECOVER_PATH}>{t('recover.forgot')}</a>}
                required
              />
              <Submit>{t('signIn.title')}</Submit>
            </Form>
            {hasPasskeys && <PasskeySignIn<typeof actions> next={next} />}
            {!provided && companyCard}
          </>
        ),
      };
    },
    actions,
  });

  page(app, {
    path: '/app/logout',
    right: 'signIn',
    beforePasswordChange: true,
    view: ({ c }) => redirect(c, '/app'),
    actions: {
      'sign-out': action('signIn', z.object({}), async ({ c, session, submission }) => {
        await write(c, submission, endSessions, {
          userUuid: session.user.uuid,
          sessionUuids: [session.uuid],
        });
        clearSessionCookie(c);
        return redirect(c, '/app/login');
      }),
    } satisfies SignOutActions,
  });
}
