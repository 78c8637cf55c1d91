import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import { putProvider, removeProvider } from '../../../access/oidc/commands.ts';
import { checkIssuer } from '../../../access/oidc/issuer.ts';
import { callbackPath } from '../../../access/oidc/rules.ts';
import { providerShape } from '../../../access/oidc/schema.ts';
import { clientSecretContext, type Provider, providerQuery } from '../../../access/oidc/store.ts';
import { settingsOf } from '../../../core/env.ts';
import { type AppContext, type AppEnv, origin } from '../../../core/http/types.ts';
import { write } from '../../../core/http/write.ts';
import { newUuid } from '../../../core/lib/id.ts';
import { seal } from '../../../core/lib/seal.ts';
import { useWords } from '../../../messages/context.ts';
import type { Words } from '../../../messages/words.ts';
import { visible } from '../../../pallet/identifier.ts';
import { action } from '../../ui/confirm/action.ts';
import { ActionButton, Checkboxes, Field, Form, Submit } from '../../ui/form/form.tsx';
import { page } from '../../ui/page/page.tsx';
import { Card, Facts } from '../../ui/parts/components.tsx';
import { refuseInWords } from '../../ui/parts/language.ts';
import { Time } from '../../ui/parts/time.tsx';

const form = z.object({
  ...providerShape,
  onlyCompany: z.literal('yes').optional(),
});

/** The redirect URI to register with the provider. */
const RedirectUri: FC<{ issuer: string; organization: string; origin: string }> = ({
  issuer,
  organization,
  origin: at,
}) => {
  const { t } = useWords();
  return (
    <>
      <p>{t('provider.redirectUri')}</p>
      <p class="copied">
        <code>{`${at}${callbackPath(organization, issuer)}`}</code>
        <button type="button" class="button quiet" data-copy={t('key.copied')}>
          {t('key.copy')}
        </button>
      </p>
    </>
  );
};

/**
 * The issuer to store. It is checked at the provider. An issuer that has worked is not checked again, so that passwords
 * can be allowed while the provider is down. Nor is a new issuer without a secret, which the command refuses.
 */
async function issuerOf(
  c: AppContext,
  found: Provider | undefined,
  typed: string,
  clientSecret: string,
  words: Words,
): Promise<string> {
  const issuer = visible(typed);
  const hasWorked = found?.issuer === issuer && found.provenDate !== null;
  if (hasWorked || (clientSecret === '' && found?.issuer !== issuer)) return issuer;
  const checked = await checkIssuer(issuer, settingsOf(c.env), words);
  if ('issuer' in checked) return checked.issuer;
  const { message } = checked;
  const errors = [{ field: 'issuer', code: 'validationFailed' as const, message, rejectedValue: typed }];
  return refuseInWords('validationFailed', message, { errors });
}

const actions = {
  put: action(
    'changeSignIn',
    form,
    async ({ c, database, words, submission }, _, { issuer: typed, clientId, clientSecret, onlyCompany }) => {
      const found = await database.first(providerQuery(database));
      const issuer = await issuerOf(c, found, typed, clientSecret, words);
      const uuid = found?.uuid ?? newUuid();
      const sealed = await seal(settingsOf(c.env).sealingKeys, clientSecretContext(uuid), clientSecret);
      await write(c, submission, putProvider, {
        uuid,
        issuer,
        clientId: visible(clientId),
        clientSecret: clientSecret === '' ? null : sealed,
        passwordSignIn: onlyCompany === undefined,
      });
      return { done: words.t('provider.saved') };
    },
  ),
  remove: action(
    'changeSignIn',
    z.object({}),
    async ({ c, words, submission }) => {
      await write(c, submission, removeProvider, {});
      return { done: words.t('provider.removed') };
    },
    ({ words: { t } }) => ({
      title: t('provider.removeTitle'),
      text: t('provider.removeText'),
      yes: t('provider.removeYes'),
      no: t('ask.keep'),
      note: false,
    }),
  ),
};

/** The page where an administrator configures the sign-in of the organization's users. */
export function companyAccountPages(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/company-account',
    right: 'changeSignIn',
    async view({ c, database, session: { organization }, words: { t } }) {
      const provider = await database.first(providerQuery(database));
      return {
        title: t('provider.title'),
        scripts: ['copy.js'],
        styles: ['settings.css'],
        body: (
          <>
            <Card title="OpenID Connect">
              <p>{t('provider.what')}</p>
              {provider ? (
                <RedirectUri issuer={provider.issuer} organization={organization.uuid} origin={origin(c)} />
              ) : (
                <p>{t('provider.redirectUriLater')}</p>
              )}
              <Facts facts={[[t('provider.first'), <Time at={provider?.provenDate ?? null} />]]} />
              <Form<typeof actions> action="put">
                <Field
                  name="issuer"
                  label={t('provider.issuer')}
                  type="url"
                  value={provider?.issuer ?? ''}
                  hint={t('provider.issuerHint')}
                />
                <Field name="clientId" label={t('provider.clientId')} value={provider?.clientId ?? ''} />
                <Field
                  name="clientSecret"
                  label={t('provider.clientSecret')}
                  type="password"
                  autocomplete="off"
                  hint={t(provider ? 'provider.secretStays' : 'provider.secretNew')}
                />
                <Checkboxes
                  name="onlyCompany"
                  label={t('provider.passwords')}
                  options={[{ value: 'yes', label: t('provider.onlyCompany') }]}
                  values={provider?.passwordSignIn === 0 ? ['yes'] : []}
                />
                <Submit>{t('account.save')}</Submit>
              </Form>
            </Card>
            {provider && (
              <ActionButton<typeof actions> action="remove" danger>
                {t('provider.remove')}
              </ActionButton>
            )}
          </>
        ),
      };
    },
    actions,
  });
}
