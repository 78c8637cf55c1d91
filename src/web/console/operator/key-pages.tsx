import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import {
  type Issued,
  issueCredential,
  type OwnKind,
  operatorFor,
  renewSecret,
  revoke,
} from '../../../access/credential/issue-credential.ts';
import { credentialList } from '../../../access/credential/list.ts';
import {
  accessTokenCreateSchema,
  apiKeyCreateSchema,
  rotateSchema,
  type SCOPES,
} from '../../../access/credential/schema.ts';
import { credentialQuery, type StoredCredential } from '../../../access/credential/store.ts';
import { readsOf } from '../../../core/http/read.ts';
import type { AppEnv } from '../../../core/http/types.ts';
import { refuseMissing } from '../../../core/http/write.ts';
import { parseJson } from '../../../core/lib/json.ts';
import { type ActionResult, action, asTyped, type PageContext } from '../../ui/confirm/action.ts';
import { Ask } from '../../ui/confirm/confirmation.tsx';
import { ActionButton, Checkboxes, Field, Form, Submit } from '../../ui/form/form.tsx';
import type { Column } from '../../ui/list/rows.tsx';
import { page } from '../../ui/page/page.tsx';
import { type ByUuid, byUuid } from '../../ui/page/resource.tsx';
import { Card, statusWords } from '../../ui/parts/components.tsx';
import { Time } from '../../ui/parts/time.tsx';
import { operatorList } from './listed.tsx';
import { organizationOf } from './organization.ts';

interface KeyPages {
  kind: OwnKind;
  segment: 'api-key' | 'access-token';
  title: string;
  what: string;
}

const KINDS: readonly KeyPages[] = [
  { kind: 'API_KEY', segment: 'api-key', title: 'API keys', what: 'API key' },
  { kind: 'ACCESS_TOKEN', segment: 'access-token', title: 'Access tokens', what: 'access token' },
];

const columns = (at: PageContext, kind: OwnKind): readonly Column<StoredCredential>[] => [
  { label: 'Name', sort: 'name', value: ({ name }) => name },
  {
    label: 'Begins with',
    value: ({ prefix }) => <code>{prefix}</code>,
  },
  ...(kind === 'API_KEY'
    ? []
    : [
        {
          label: 'Scopes',
          value: ({ scopes }: StoredCredential) => scopes.map(statusWords).join(', '),
          narrow: 'wide' as const,
        },
      ]),
  { label: 'Created', sort: 'createDate', value: ({ createDate }) => <Time at={createDate} /> },
  { label: 'Last used', sort: 'lastUsedDate', value: ({ lastUsedDate }) => <Time at={lastUsedDate} /> },
  { label: 'Expires', value: ({ expiresDate }) => <Time at={expiresDate} /> },
  ...(at.may('operator:PROVISION')
    ? [
        {
          label: 'Change',
          acts: true as const,
          value: ({ uuid, name }: StoredCredential) => (
            <div class="actions">
              <ActionButton<KeyActions>
                action="rotate"
                values={{ credential: uuid }}
                quiet
                label={`New secret for ${name}`}
              >
                New secret
              </ActionButton>
              <Ask<KeyActions> action="revoke" values={{ credential: uuid }} quiet label={`Revoke ${name}`}>
                Revoke
              </Ask>
            </div>
          ),
        },
      ]
    : []),
];

/** The notice with a new secret. A repeated form has no secret to show. */
const issuedResult = (done: string, { written, secret }: Issued): ActionResult =>
  written.replayed
    ? { done: `${done} Its secret was shown once and cannot be shown again.` }
    : { done, secrets: [{ label: written.body.name, value: secret }] };

const bodyOf = (kind: OwnKind) =>
  kind === 'API_KEY'
    ? asTyped(apiKeyCreateSchema, ({ name }) => ({ name }))
    : asTyped(accessTokenCreateSchema, ({ name }, { scopes }) => ({ name, scopes }), ['scopes']);

const ofCredential = z.object({ credential: z.uuid() });

/**
 * The stored name of a credential, because the name in the link may be outdated.
 * @throws 404
 */
async function nameOf(
  { c }: PageContext,
  organization: string,
  kind: OwnKind,
  credential: string,
): Promise<string> {
  const reads = readsOf(c, organization);
  const row = await reads.first(credentialQuery(reads, kind, credential));
  if (row) return parseJson(row.view).name;
  return refuseMissing(kind === 'API_KEY' ? 'apiKeyNotFound' : 'accessTokenNotFound', credential);
}

type KeyActions = ReturnType<typeof actionsOf>;

/** The actions on credentials of an organization. */
const actionsOf = ({ kind, what }: KeyPages) => ({
  issue: action('operator:PROVISION', bodyOf(kind), async ({ c, submission }, { uuid }: ByUuid, input) =>
    issuedResult(
      `The ${what} is issued.`,
      await issueCredential(c, submission, operatorFor(c, uuid), kind, input),
    ),
  ),
  rotate: action(
    'operator:PROVISION',
    ofCredential,
    async ({ c, submission }, { uuid }: ByUuid, { credential }) => {
      const { overlapSeconds } = rotateSchema.parse({});
      const issued = await renewSecret(c, submission, operatorFor(c, uuid), kind, credential, overlapSeconds);
      return issuedResult('It has a new secret. The old one is valid for another 24 hours.', issued);
    },
  ),
  revoke: action(
    'operator:PROVISION',
    ofCredential,
    async ({ c, submission }, { uuid }: ByUuid, { credential }) => {
      await revoke(c, submission, operatorFor(c, uuid), kind, credential);
      return { done: `The ${what} is revoked.` };
    },
    async (at, { uuid }, { credential }) => ({
      title: `Revoke the ${what} ${await nameOf(at, uuid, kind, credential)}?`,
      text: <p>It stops working everywhere within 10 seconds. This cannot be undone.</p>,
      yes: 'Revoke',
      no: 'Cancel',
    }),
  ),
});

/** The pages about API keys and access tokens of an organization. */
export function operatorKeyPages(app: Hono<AppEnv>): void {
  for (const pages of KINDS) {
    const { kind, segment, title, what } = pages;
    const list = credentialList(kind);
    page(app, {
      path: `/operator/organization/:uuid/${segment}`,
      right: 'operator:READ',
      params: byUuid,
      query: list.query,
      async view(at, { uuid }, query) {
        const { name } = await organizationOf(at, uuid);
        const of = {
          list,
          columns: columns(at, kind),
          organization: uuid,
          empty: `There is no ${what} yet. Issue one below: its secret is shown once.`,
        };
        return {
          title,
          aside: <a href={`/operator/organization/${uuid}`}>of {name}</a>,
          body: (
            <>
              {await operatorList(at, of, query)}
              {at.may('operator:PROVISION') && (
                <Card title={`Issue an ${what}`}>
                  <Form<KeyActions> action="issue">
                    <Field name="name" label="Name" />
                    {kind === 'ACCESS_TOKEN' && (
                      <Checkboxes
                        name="scopes"
                        label="Scopes"
                        word={(value: (typeof SCOPES)[number]) => statusWords(value)}
                        values={[]}
                      />
                    )}
                    <Submit>Issue</Submit>
                  </Form>
                </Card>
              )}
            </>
          ),
        };
      },
      actions: actionsOf(pages),
    });
  }
}
