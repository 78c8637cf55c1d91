import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import { withinLimit } from '../../../access/session/attempts.ts';
import { organizationsOf, slugMeant } from '../../../access/session/meant-organization.ts';
import { offerLink } from '../../../access/session/password-commands.ts';
import { AFTER_ATTEMPTS, ATTEMPT_WINDOW_MS, addressOf } from '../../../access/session/rules.ts';
import { findAccount } from '../../../access/session/store.ts';
import { emailKey } from '../../../access/user/email-rules.ts';
import { makeInvite } from '../../../access/user/invite.ts';
import { ownSlug } from '../../../core/http/hosts.ts';
import { type AppContext, type AppEnv, callerAddress, origin } from '../../../core/http/types.ts';
import { databasesOf } from '../../../core/lib/databases.ts';
import { sha256Hex } from '../../../core/lib/hash.ts';
import { refusal } from '../../../core/lib/problem.ts';
import { HOUR_MS, MINUTE_MS } from '../../../core/lib/time.ts';
import { execute, ofService } from '../../../core/writer/client.ts';
import { senderOf } from '../../../delivery/webhook/mail.ts';
import { useWords } from '../../../messages/context.ts';
import { LANGUAGES } from '../../../messages/languages.ts';
import type { Words } from '../../../messages/words.ts';
import { type ActionContext, type ActionResult, action } from '../../ui/confirm/action.ts';
import { Field, Form, Hidden, Submit } from '../../ui/form/form.tsx';
import { lastOrganization } from '../../ui/page/last-organization.ts';
import { page } from '../../ui/page/page.tsx';
import { Card } from '../../ui/parts/components.tsx';
import { TranslatedError } from '../../ui/parts/language.ts';
import { RECOVER_PATH } from './sign-in-links.tsx';

/** How long a link is valid. */
const LINK_LIFE_MS = HOUR_MS;
/** The e-mails of a mailbox, and the requests of an IP address, in the window of failed attempts. */
const MAILBOX_MAXIMUM = 3;
const ADDRESS_MAXIMUM = 30;

const typed = z.string().max(1_000).default('');

/**
 * Count a request, also for an unknown mailbox, and do `work` after the response. So the response is the same for known and
 * unknown addresses, also in its time.
 * @throws 429 after too many requests
 */
async function later(
  { c, words }: ActionContext,
  email: string,
  work: (from: string) => Promise<unknown>,
): Promise<ActionResult> {
  const from = senderOf(c.env);
  if (from !== undefined) {
    const limits = [
      [`recover at ${sha256Hex(addressOf(callerAddress(c)))}`, ADDRESS_MAXIMUM],
      [`recover ${sha256Hex(emailKey(email.trim()))}`, MAILBOX_MAXIMUM],
    ] as const;
    for (const [key, maximum] of limits) {
      if (await withinLimit(databasesOf(c.env), key, { maximum, windowMs: ATTEMPT_WINDOW_MS })) continue;
      throw new TranslatedError(refusal('rateLimited', words.t('password.tooMany')), AFTER_ATTEMPTS);
    }
    const requestId = c.get('requestId');
    const failed = (error: unknown) => console.error(JSON.stringify({ requestId, recover: String(error) }));
    c.executionCtx.waitUntil(work(from).catch(failed));
  }
  return { done: words.t('recover.sent'), to: '/app/login' };
}

/** An e-mail that no person has written. */
const send = (c: AppContext, mail: { from: string; to: string; subject: string; text: string }) =>
  c.env.EMAIL!.send({ ...mail, headers: { 'Auto-Submitted': 'auto-generated' } });

/** Send a user with a password a link that sets a new one, to the address that the service has stored. */
async function sendLink(
  c: AppContext,
  { t }: Words,
  asked: { organization: string; email: string; from: string },
) {
  const databases = databasesOf(c.env);
  const slug = ownSlug(c) ?? (await slugMeant(databases, asked.organization));
  const account = await findAccount(databases, slug, asked.email.trim());
  if (!account?.passwordHash) return;
  const { organization, uuid: userUuid, displayName: name } = account;
  const { link, stored: invite } = makeInvite(origin(c), organization, Date.now(), LINK_LIFE_MS);
  const outcome = await execute(c.env, organization, {
    ...ofService(offerLink.name, { userUuid, invite }),
    requestId: c.get('requestId'),
    ipAddress: callerAddress(c),
  });
  if (outcome.kind !== 'done') return;
  const { email } = JSON.parse(outcome.body) as { email: string };
  await send(c, {
    from: asked.from,
    to: email,
    subject: t('recover.linkSubject', { organization: slug }),
    text: t('recover.linkText', { name, link, minutes: LINK_LIFE_MS / MINUTE_MS }),
  });
}

/** Send the names of the organizations in which an address has a user. */
async function sendNames(c: AppContext, { t, labelled }: Words, asked: { email: string; from: string }) {
  const found = await organizationsOf(databasesOf(c.env), asked.email);
  for (const [to, organizations] of Map.groupBy(found, ({ email }) => email)) {
    const names = organizations.map(({ name, slug }) => labelled(name, slug)).join('\n');
    const text = t('recover.names', { names, link: `${origin(c)}/app/login` });
    await send(c, { from: asked.from, to, subject: t('recover.find'), text });
  }
}

const actions = {
  forgot: action('guest', z.object({ organization: typed, email: typed }), (at, _: unknown, form) =>
    later(at, form.email, (from) => sendLink(at.c, at.words, { ...form, from })),
  ),
  find: action('guest', z.object({ email: typed }), (at, _: unknown, { email }) =>
    later(at, email, (from) => sendNames(at.c, at.words, { email, from })),
  ),
};

const EmailField: FC = () => (
  <Field
    name="email"
    label={useWords().t('signIn.email')}
    type="text"
    inputmode="email"
    autocomplete="username"
    required
  />
);

/** The page for people who have forgotten their password or organization. Without e-mails it says who can help. */
export function recoverPages(app: Hono<AppEnv>): void {
  page(app, {
    path: RECOVER_PATH,
    right: 'guest',
    languages: LANGUAGES,
    view({ c, words: { t } }) {
      const slug = ownSlug(c);
      return {
        title: t('recover.title'),
        body: (
          <>
            {senderOf(c.env) === undefined ? (
              <p class="card">{t('recover.ask')}</p>
            ) : (
              <>
                <Card title={t('recover.forgot')}>
                  <p>{t('recover.forgotText', { minutes: LINK_LIFE_MS / MINUTE_MS })}</p>
                  <Form<typeof actions> action="forgot" label={t('recover.forgot')}>
                    {slug === undefined ? (
                      <Field
                        name="organization"
                        value={lastOrganization(c)?.slug}
                        label={t('signIn.organization')}
                        hint={t('signIn.organizationHint')}
                        autocomplete="organization"
                        required
                      />
                    ) : (
                      <Hidden name="organization" value={slug} />
                    )}
                    <EmailField />
                    <Submit>{t('recover.sendLink')}</Submit>
                  </Form>
                </Card>
                <div id="organization">
                  <Card title={t('recover.find')}>
                    <p>{t('recover.findText')}</p>
                    <Form<typeof actions> action="find" label={t('recover.find')}>
                      <EmailField />
                      <Submit quiet>{t('recover.sendNames')}</Submit>
                    </Form>
                  </Card>
                </div>
              </>
            )}
            <p>
              <a href="/app/login">{t('recover.back')}</a>
            </p>
          </>
        ),
      };
    },
    actions,
  });
}
