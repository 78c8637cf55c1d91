import { z } from '@hono/zod-openapi';
import { createCredential, revokeCredential, rotateCredential } from '../../../credential/commands.ts';
import {
  accessTokenCreateSchema,
  apiKeyCreateSchema,
  rotateSchema,
  TOKEN_LIFE_DEFAULT_MS,
} from '../../../credential/schema.ts';
import { makeSecret, type NewSecret } from '../../../credential/secret.ts';
import { credentialQuery, type StoredCredential } from '../../../credential/store.ts';
import type { CredentialKind } from '../../../credential/table.ts';
import { forgetCredentials } from '../../../credential/trusted.ts';
import { settingsOf } from '../../../env.ts';
import { refuse, type Written, write } from '../../../http/write.ts';
import { parseJson } from '../../../lib/json.ts';
import { DAY_MS } from '../../../lib/time.ts';
import type { ByUuid } from '../../kit/detail.tsx';
import { type Action, type At, action, asTyped, type Done } from '../../kit/page.tsx';
import { NOT_ASKED, type Question } from '../../kit/question.tsx';
import type { Right } from '../../kit/rights.ts';

/** What an organization has; operators are not its own. */
export type OwnKind = Exclude<CredentialKind, 'OPERATOR'>;

/** Who may make them, and end them. */
export const RIGHTS = { API_KEY: 'changeKeys', ACCESS_TOKEN: 'changeSite' } as const satisfies Record<
  OwnKind,
  Right
>;

/** How a form says it: after how many days it ends, and which scopes are ticked. */
const lifeOf = (days: string | undefined) => (days ? Date.now() + Number(days) * DAY_MS : null);
const keyForm = asTyped(apiKeyCreateSchema, ({ name, days }) => ({ name, expiresDate: lifeOf(days) }));
const tokenForm = asTyped<typeof accessTokenCreateSchema, Record<string, string | string[] | undefined>>(
  accessTokenCreateSchema,
  ({ name, scopes, days }) => ({
    name,
    scopes: [scopes ?? []].flat(),
    expiresDate: typeof days === 'string' && days !== '' ? lifeOf(days) : Date.now() + TOKEN_LIFE_DEFAULT_MS,
  }),
);

/** A secret of the viewer's organization: that of a sandbox opens nothing that is real. */
function secretFor({ c, session: { organization } }: At, kind: OwnKind): NewSecret {
  return makeSecret(
    organization.uuid,
    kind,
    organization.sandbox ? 'test' : settingsOf(c.env).credentialMark,
  );
}

/** The secret, this once: a repeat of the form has made another one, which opens nothing. */
const shownOnce = (
  { words: { t } }: At,
  { replayed }: Written<StoredCredential>,
  secret: string,
  done: string,
): Done => (replayed ? { done } : { done, secrets: [{ label: t('key.secret'), value: secret }] });

/** What makes one of a kind. */
export const createAction = (kind: OwnKind): Action =>
  kind === 'API_KEY'
    ? action(RIGHTS[kind], keyForm, (at, _, body) => create(at, kind, { ...body, scopes: [] }))
    : action(RIGHTS[kind], tokenForm, (at, _, body) => create(at, kind, body));

async function create(
  at: At,
  kind: OwnKind,
  { name, scopes, expiresDate }: { name: string; scopes: string[]; expiresDate?: number | null | undefined },
): Promise<Done> {
  const { secret, ...stored } = secretFor(at, kind);
  const input = { kind, name, scopes, expiresDate: expiresDate ?? null, stored };
  const written = await write(at.c, createCredential, input);
  return shownOnce(at, written, secret, at.words.t('key.made', { name }));
}

const rotateForm = asTyped(rotateSchema, ({ overlapSeconds }) => ({
  overlapSeconds: Number(overlapSeconds),
}));

/** What the forms on the page of a credential do. */
export const credentialActions = (kind: OwnKind): Record<string, Action> => ({
  rotate: action(
    RIGHTS[kind],
    rotateForm,
    async (at, { uuid }: ByUuid, { overlapSeconds }) => {
      const { secret, ...stored } = secretFor(at, kind);
      const written = await write(at.c, rotateCredential, { kind, uuid, overlapSeconds, stored });
      forgetCredentials();
      return shownOnce(at, written, secret, at.words.t('key.rotated', { name: written.body.name }));
    },
    async (at, { uuid }: ByUuid, { overlapSeconds }) => {
      if (overlapSeconds > 0) return NOT_ASKED;
      const { t } = at.words;
      const { name } = await readCredential(at, kind, uuid);
      return {
        title: t('key.rotateTitle', { name }),
        text: <p>{t('key.rotateText')}</p>,
        yes: t('key.rotate'),
        no: t('ask.keep'),
      };
    },
  ),
  revoke: action(
    RIGHTS[kind],
    z.object({}),
    async (at, { uuid }: ByUuid) => {
      const { name } = await readCredential(at, kind, uuid);
      await write(at.c, revokeCredential, { kind, uuid });
      forgetCredentials();
      return { done: at.words.t('key.done', { name }) };
    },
    (at, { uuid }: ByUuid) => askToRevoke(at, kind, uuid),
  ),
});

async function askToRevoke(at: At, kind: OwnKind, uuid: string): Promise<Question> {
  const { t, time } = at.words;
  const { name, lastUsedDate } = await readCredential(at, kind, uuid);
  const used = lastUsedDate === null ? 'no' : time(at.session.organization.timeZone, lastUsedDate);
  return {
    title: t('key.revokeTitle', { name }),
    text: <p>{t('key.revokeText', { used })}</p>,
    yes: t('key.revoke'),
    no: t('ask.keep'),
  };
}

async function readCredential({ database }: At, kind: OwnKind, uuid: string): Promise<StoredCredential> {
  const row = await database.first(credentialQuery(database, kind, uuid));
  if (row) return parseJson(row.view);
  return refuse(
    kind === 'API_KEY' ? 'apiKeyNotFound' : 'accessTokenNotFound',
    'There is no such credential.',
    {
      status: 404,
    },
  );
}
