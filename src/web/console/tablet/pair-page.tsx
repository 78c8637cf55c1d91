import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { sessionOf } from '../../../access/session/request.ts';
import { ownSlug } from '../../../core/http/hosts.ts';
import type { AppContext, AppEnv } from '../../../core/http/types.ts';
import { writeAs } from '../../../core/http/write.ts';
import { databasesOf } from '../../../core/lib/databases.ts';
import { sha256Hex } from '../../../core/lib/hash.ts';
import { taggedToken } from '../../../core/lib/id.ts';
import { ProblemError } from '../../../core/lib/problem.ts';
import { pairTablet, refuseLink } from '../../../dispatch/tablet/commands.ts';
import { setTabletCookie } from '../../../dispatch/tablet/request.ts';
import { type FoundLink, findLink } from '../../../dispatch/tablet/store.ts';
import { LANGUAGES } from '../../../messages/languages.ts';
import { action } from '../../ui/confirm/action.ts';
import { Form, Submit } from '../../ui/form/form.tsx';
import { redirect } from '../../ui/page/answer.tsx';
import { page } from '../../ui/page/page.tsx';
import { Facts } from '../../ui/parts/components.tsx';
import { refuseInWords } from '../../ui/parts/language.ts';

const actions = {
  default: action('guest', z.object({}), async ({ c, submission, words }, { token }: { token: string }) => {
    const link = await linkOf(c, token);
    const session = await sessionOf(c);
    if (session) {
      const { firstName, lastName } = session.user;
      refuseInWords('permissionRequired', words.t('pair.signedIn', { name: `${firstName} ${lastName}` }));
    }
    const secret = taggedToken(link.organization.uuid);
    await writeAs(
      c,
      submission,
      link.organization.uuid,
      { actorType: 'TABLET', uuid: link.uuid, displayName: link.name },
      pairTablet,
      { linkHash: sha256Hex(token), tokenHash: sha256Hex(secret) },
    );
    setTabletCookie(c, secret);
    return redirect(c, `/app/gate/${link.gateUuid}`);
  }),
};

/** The page that a pairing link opens. Only the button uses up the link, because link previews open the page, too. */
export function pairPage(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/pair/:token',
    right: 'guest',
    languages: LANGUAGES,
    params: z.object({ token: z.string() }),
    async view({ c, words: { t } }, { token }) {
      const link = await linkOf(c, token);
      const session = await sessionOf(c);
      return {
        title: t('pair.title', { gate: link.gateName }),
        body: (
          <section class="card">
            <Facts
              facts={[
                [t('pair.gate'), link.gateName],
                [t('pair.device'), link.name],
                [t('signIn.organization'), link.organization.name],
              ]}
            />
            {session ? (
              <p class="notice warn" role="alert">
                {t('pair.signedIn', { name: `${session.user.firstName} ${session.user.lastName}` })}
              </p>
            ) : (
              <Form<typeof actions> action="default">
                <p>{t('pair.text')}</p>
                <Submit>{t('pair.button')}</Submit>
              </Form>
            )}
          </section>
        ),
      };
    },
    actions,
  });
}

/**
 * The pairing of a link.
 * @throws 404 or 409 if the link is not valid (any more)
 */
async function linkOf(c: AppContext, token: string): Promise<FoundLink> {
  const link = await findLink(databasesOf(c.env), token);
  const slug = ownSlug(c);
  const own = slug === undefined || slug === link?.organization.slug ? link : undefined;
  const refused = refuseLink(own, Date.now());
  if (refused) throw new ProblemError(refused);
  return own!;
}
