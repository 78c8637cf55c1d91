import type { ApiClient } from '../../client/client.ts';
import type { Manifest, Shipment } from './answers.ts';
import { say } from './output.ts';
import { API, type Provisioned } from './provision.ts';

/** The user who looks at the day in the operations application. */
const PERSON = {
  firstName: 'Demo',
  lastName: 'Dispatcher',
  email: 'demo@example.com',
  authority: { authorityName: 'ADMINISTRATOR' },
  passwordPolicyMode: 'INVITE_LINK',
};

/** The results of a run that are worth a look. */
export interface Sights {
  /** Shipments and manifests that have left, with their public pages. */
  left: readonly (Shipment | Manifest)[];
  /** Paths below the API's base, for requests with the key. */
  paths: readonly string[];
}

/** A link with which the demo's user chooses a password. It ends an earlier link. */
async function inviteLink(client: ApiClient): Promise<string> {
  const found = await client.request<{ content: { uuid: string; email: string }[] }>(
    'GET',
    `${API}/user?q=${encodeURIComponent(PERSON.email)}`,
  );
  const person = found.body.content.find(({ email }) => email === PERSON.email);
  // Without idempotency keys, because a replayed answer shows no link.
  const made = person
    ? client.request<{ inviteLink: string }>('DELETE', `${API}/user/${person.uuid}/reset-password`)
    : client.request<{ inviteLink: string }>('POST', `${API}/user`, { body: PERSON });
  return (await made).body.inviteLink;
}

/** Print what a person can open and request now: public pages, a sign-in, and requests with the key of the run. */
export async function tellLinks(
  { organization, secret, wms }: Provisioned,
  { left, paths }: Sights,
): Promise<void> {
  const { base } = wms;
  if (left.length > 0) say('\nPages that anyone with the link can open');
  for (const { externalIdentifier, shipmentSummaryUrl, proofOfShipmentUrl } of left) {
    say(`  ${shipmentSummaryUrl}   summary of ${externalIdentifier}`);
    say(`  ${proofOfShipmentUrl}   proof of shipment of ${externalIdentifier}`);
  }
  say(`\nIn the operations application (the link works once; then sign in at ${base}/app/login)`);
  say(
    `  ${await inviteLink(wms)}   choose a password for ${PERSON.email} of organization ${organization.slug}`,
  );
  say(`  ${base}/app/board   the gate board`);
  for (const { deepLink, externalIdentifier } of left) say(`  ${deepLink}   ${externalIdentifier}`);
  say('\nWith the key of this run');
  for (const path of paths) say(`  curl -s -H 'X-AUTH-KEY: ${secret}' '${base}${API}${path}'`);
  say(`\nThe contract of the API\n  ${base}/docs\n  ${base}/openapi.json\n`);
}
