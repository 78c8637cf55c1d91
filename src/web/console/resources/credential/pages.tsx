import type { Hono } from 'hono';
import type { OwnKind } from '../../../../access/credential/issue-credential.ts';
import { credentialList } from '../../../../access/credential/list.ts';
import { credentialView, type StoredCredential } from '../../../../access/credential/store.ts';
import type { AppEnv } from '../../../../core/http/types.ts';
import { refuseMissing } from '../../../../core/http/write.ts';
import type { Words } from '../../../../messages/words.ts';
import type { PageContext } from '../../../ui/confirm/action.ts';
import type { ListColumn } from '../../../ui/list/list-declaration.ts';
import { listing } from '../../../ui/list/listing.tsx';
import { instant } from '../../../ui/list/rows.tsx';
import { ResourceLink, requireRow, resourcePage, rowQuery } from '../../../ui/page/resource.tsx';
import { Badge, Card, Facts, OptionalText } from '../../../ui/parts/components.tsx';
import { Time } from '../../../ui/parts/time.tsx';
import {
  type CreateCredentialActions,
  createCredentialAction,
  credentialActions,
  RIGHTS,
} from './actions.tsx';
import { Ending, NewCredential, scopeIn } from './forms.tsx';

const SEGMENTS = { API_KEY: 'api-key', ACCESS_TOKEN: 'access-token' } as const;

/** The pages about API keys of programs and access tokens of devices. They never show a secret. */
export function credentialPages(app: Hono<AppEnv>): void {
  for (const kind of ['API_KEY', 'ACCESS_TOKEN'] as const) {
    listPage(app, kind);
    credentialPage(app, kind);
  }
}

function listPage(app: Hono<AppEnv>, kind: OwnKind): void {
  listing(app, {
    path: `/app/${SEGMENTS[kind]}`,
    title: ({ t }) => t('key.titles', { kind }),
    right: 'seeOffice',
    list: credentialList(kind),
    filters: [
      {
        name: 'includeDeleted',
        label: ({ t }) => t('key.also'),
        options: ['true'],
        say: ({ t }) => t('key.shown'),
        none: ({ t }) => t('key.notShown'),
      },
    ],
    columns: (at) => columnsOf(at, kind),
    empty: ({ t }) => t('key.empty', { kind }),
    below: (at) =>
      at.may(RIGHTS[kind]) && (
        <Card title={at.words.t('key.new', { kind })}>
          <p class="hint">{at.words.t('key.what', { kind })}</p>
          <NewCredential<CreateCredentialActions> kind={kind} action="create" />
        </Card>
      ),
    actions: { create: createCredentialAction(kind) } satisfies CreateCredentialActions,
  });
}

type Columns = ListColumn<ReturnType<typeof credentialList>['query'], StoredCredential>[];

function columnsOf({ words }: PageContext, kind: OwnKind): Columns {
  const { t } = words;
  return [
    {
      label: t('key.name'),
      sort: 'name',
      plain: ({ name }) => name,
      value: ({ uuid, name }) => (
        <ResourceLink resource={SEGMENTS[kind]} uuid={uuid}>
          {name}
        </ResourceLink>
      ),
    },
    {
      label: t('made.state'),
      value: (credential) => <Standing of={credential} words={words} />,
      plain: (credential) => stateOf(words, credential).label,
      narrow: 'evident',
    },
    { label: t('key.prefix'), plain: ({ prefix }) => prefix, value: ({ prefix }) => <code>{prefix}</code> },
    ...(kind === 'API_KEY'
      ? []
      : [
          {
            label: t('key.scopes'),
            plain: ({ scopes }: StoredCredential) => scopes.map((scope) => scopeIn(words, scope)).join(', '),
          },
        ]),
    { label: t('key.used'), sort: 'lastUsedDate', plain: ({ lastUsedDate }) => instant(lastUsedDate) },
    { label: t('key.expires'), plain: ({ expiresDate }) => instant(expiresDate) },
    { label: t('made.created'), sort: 'createDate', plain: ({ createDate }) => instant(createDate) },
  ];
}

/** Whether it is valid now. */
function stateOf({ t }: Words, { revokedDate, expiresDate }: StoredCredential) {
  if (revokedDate !== null) return { status: 'DELETED', label: t('key.revoked') };
  if (expiresDate !== null && expiresDate <= Date.now()) return { status: 'FAILED', label: t('key.expired') };
  return { status: 'ACTIVE', label: t('key.valid') };
}

const Standing = ({ of, words }: { of: StoredCredential; words: Words }) => <Badge {...stateOf(words, of)} />;

function credentialPage(app: Hono<AppEnv>, kind: OwnKind): void {
  const view = credentialView(kind);
  resourcePage(app, {
    path: `/app/${SEGMENTS[kind]}/:uuid`,
    right: 'seeOffice',
    async view(at, { uuid }) {
      const { t } = at.words;
      const rows = await at.database.all(rowQuery(at.database, 'credential', view, uuid));
      const code = kind === 'API_KEY' ? 'apiKeyNotFound' : 'accessTokenNotFound';
      const credential = requireRow(rows, code, uuid);
      if (credential.kind !== kind) refuseMissing(code, uuid);
      const scopes = credential.scopes.map((scope) => scopeIn(at.words, scope)).join(', ');
      return {
        title: credential.name,
        aside: <Standing of={credential} words={at.words} />,
        body: (
          <Card title={t('key.one', { kind })}>
            <Facts
              facts={[
                [t('key.prefix'), <code>{credential.prefix}</code>],
                ...(kind === 'API_KEY' ? [] : ([[t('key.scopes'), <OptionalText of={scopes} />]] as const)),
                [t('key.used'), <Time at={credential.lastUsedDate} />],
                [t('key.expires'), <Time at={credential.expiresDate} />],
                [t('key.revokedDate'), <Time at={credential.revokedDate} />],
                [t('made.created'), <Time at={credential.createDate} />],
              ]}
            />
            {at.may(RIGHTS[kind]) && credential.revokedDate === null && <Ending />}
          </Card>
        ),
      };
    },
    actions: credentialActions(kind),
  });
}
