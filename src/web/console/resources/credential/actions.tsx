import { z } from '@hono/zod-openapi';
import {
  type Issued,
  issueCredential,
  type OwnKind,
  renewSecret,
  revoke,
} from '../../../../access/credential/issue-credential.ts';
import {
  accessTokenCreateSchema,
  apiKeyCreateSchema,
  rotateSchema,
} from '../../../../access/credential/schema.ts';
import { credentialQuery, type StoredCredential } from '../../../../access/credential/store.ts';
import { principalOf } from '../../../../core/http/types.ts';
import { refuseMissing } from '../../../../core/http/write.ts';
import { parseJson } from '../../../../core/lib/json.ts';
import { DAY_MS } from '../../../../core/lib/time.ts';
import {
  type ActionContext,
  type ActionResult,
  action,
  asTyped,
  type PageContext,
} from '../../../ui/confirm/action.ts';
import { type Confirmation, NOT_ASKED } from '../../../ui/confirm/confirmation.tsx';
import type { ByUuid } from '../../../ui/page/resource.tsx';
import type { Right } from '../../../ui/parts/rights.ts';

/** The right to create and revoke each kind. */
export const RIGHTS = { API_KEY: 'changeKeys', ACCESS_TOKEN: 'changeSite' } as const satisfies Record<
  OwnKind,
  Right
>;

/** The date after the given number of days; null without a number. */
const lifeOf = (days: string | undefined) => (days ? Date.now() + Number(days) * DAY_MS : null);
const keyForm = asTyped(apiKeyCreateSchema, ({ name, days }) => ({ name, expiresDate: lifeOf(days) }));
const tokenForm = asTyped(
  accessTokenCreateSchema,
  ({ name, days }, { scopes }) => ({ name, scopes, expiresDate: lifeOf(days) }),
  ['scopes'],
);

/**
 * The notice with the secret, shown once. For a repeat of the form it has no secret: a repeat
 * generates another secret, which is not valid.
 */
const shownOnce = ({ words: { t } }: PageContext, { written, secret }: Issued, done: string): ActionResult =>
  written.replayed ? { done } : { done, secrets: [{ label: t('key.secret'), value: secret }] };

export const createCredentialAction = (kind: OwnKind) =>
  kind === 'API_KEY'
    ? action(RIGHTS[kind], keyForm, (at, _, body) => create(at, kind, body))
    : action(RIGHTS[kind], tokenForm, (at, _, body) => create(at, kind, body));

async function create(
  at: ActionContext,
  kind: OwnKind,
  body: Parameters<typeof issueCredential>[4],
): Promise<ActionResult> {
  const issued = await issueCredential(at.c, at.submission, principalOf(at.c), kind, body);
  return shownOnce(at, issued, at.words.t('key.made', { name: body.name }));
}

const rotateForm = asTyped(rotateSchema, ({ overlapSeconds }) => ({
  overlapSeconds: Number(overlapSeconds),
}));

export const credentialActions = (kind: OwnKind) => ({
  rotate: action(
    RIGHTS[kind],
    rotateForm,
    async (at, { uuid }: ByUuid, { overlapSeconds }) => {
      const issued = await renewSecret(at.c, at.submission, principalOf(at.c), kind, uuid, overlapSeconds);
      return shownOnce(at, issued, at.words.t('key.rotated', { name: issued.written.body.name }));
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
      await revoke(at.c, at.submission, principalOf(at.c), kind, uuid);
      return { done: at.words.t('key.done', { name }) };
    },
    (at, { uuid }: ByUuid) => confirmRevocation(at, kind, uuid),
  ),
});

async function confirmRevocation(at: PageContext, kind: OwnKind, uuid: string): Promise<Confirmation> {
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

async function readCredential(
  { database }: PageContext,
  kind: OwnKind,
  uuid: string,
): Promise<StoredCredential> {
  const row = await database.first(credentialQuery(database, kind, uuid));
  if (row) return parseJson(row.view);
  return refuseMissing(kind === 'API_KEY' ? 'apiKeyNotFound' : 'accessTokenNotFound', uuid);
}

export type CreateCredentialActions = Record<'create', ReturnType<typeof createCredentialAction>>;
export type CredentialActions = ReturnType<typeof credentialActions>;
