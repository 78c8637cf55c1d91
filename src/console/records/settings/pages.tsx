import type { Hono } from 'hono';
import { credentialView } from '../../../credential/store.ts';
import type { CredentialKind } from '../../../credential/table.ts';
import { deadLetterView } from '../../../dead-letter/store.ts';
import type { AppEnv } from '../../../http/types.ts';
import { refuse } from '../../../http/write.ts';
import { Card, Facts, Value } from '../../kit/components.tsx';
import { byUuid, found, History, rowQuery } from '../../kit/detail.tsx';
import { page } from '../../kit/page.tsx';
import { Time } from '../../kit/time.tsx';

/** What the operator of the service keeps of an organization, for it to look at: its links lead here. */
export function settingsPages(app: Hono<AppEnv>): void {
  organizationPage(app);
  credentialPage(app, 'API_KEY', 'api-key', 'API key');
  credentialPage(app, 'ACCESS_TOKEN', 'access-token', 'Access token');
  deadLetterPage(app);
}

const ASKED = { NONE: 'Nobody', BADGE: 'A badge', PIN: 'A PIN' } as const;

function organizationPage(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/organization/:uuid',
    right: 'see',
    params: byUuid,
    view({ session: { organization } }, { uuid }) {
      if (organization.uuid !== uuid) refuse('organizationNotFound', 'There is no such organization.');
      return {
        title: organization.name,
        body: (
          <Card title="Organization">
            <Facts
              facts={[
                ['Name at sign-in', organization.slug],
                ['Dispatches by', organization.dispatchStrategy === 'SHIPMENT' ? 'shipment' : 'manifest'],
                ['Clients', organization.clientFeatureEnabled ? 'Yes' : 'No'],
                ['Sandbox', organization.sandbox ? 'Yes' : 'No'],
                ['First marker code', organization.markerCodeStart],
                ['Codes an allocation may take', organization.markerAllocationMaximum],
                ['Tablets of gates ask for', ASKED[organization.gateWorkerIdentification]],
                ['Requests a minute', organization.requestsPerMinute],
                ['A device is offline after', `${organization.deviceOfflineAfterSeconds} s`],
                [
                  'What is closed goes to the archive',
                  organization.retentionDays === null ? 'Never' : `After ${organization.retentionDays} days`,
                ],
                [
                  'Custom fields of shipments',
                  <Value of={organization.shipmentCustomFields.map(({ fieldKey }) => fieldKey).join(', ')} />,
                ],
              ]}
            />
          </Card>
        ),
      };
    },
  });
}

function credentialPage(app: Hono<AppEnv>, kind: CredentialKind, segment: string, label: string): void {
  page(app, {
    path: `/app/${segment}/:uuid`,
    right: 'seeOffice',
    params: byUuid,
    async view(at, { uuid }) {
      const rows = await at.database.all(rowQuery(at.database, 'credential', credentialView(kind), uuid));
      const code = kind === 'API_KEY' ? 'apiKeyNotFound' : 'accessTokenNotFound';
      const credential = found(rows, code, label);
      if (credential.kind !== kind) refuse(code, `There is no such ${label}.`);
      return {
        title: credential.name,
        body: (
          <>
            <Card title={label}>
              <Facts
                facts={[
                  ['Begins with', <code>{credential.prefix}</code>],
                  ['Scopes', <Value of={credential.scopes.join(', ')} />],
                  ['Last used', <Time at={credential.lastUsedDate} />],
                  ['Expires', <Time at={credential.expiresDate} />],
                  ['Revoked', <Time at={credential.revokedDate} />],
                  ['Created', <Time at={credential.createDate} />],
                ]}
              />
            </Card>
            <History at={at} uuid={uuid} />
          </>
        ),
      };
    },
  });
}

function deadLetterPage(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/dead-letter/:uuid',
    right: 'seeOffice',
    params: byUuid,
    async view(at, { uuid }) {
      const rows = await at.database.all(rowQuery(at.database, 'dead_letter', deadLetterView, uuid));
      const letter = found(rows, 'deadLetterNotFound', 'dead letter');
      return {
        title: 'Dead letter',
        body: (
          <Card title={`Of the queue ${letter.queue}`}>
            <p>{letter.reason}</p>
            <Facts
              facts={[
                ['Given up', <Time at={letter.createDate} />],
                ['Sent again', `${letter.resendCount} times`],
                ['Last sent again', <Time at={letter.resendDate} />],
              ]}
            />
            <p class="hint">The operator of the service can send it again.</p>
          </Card>
        ),
      };
    },
  });
}
