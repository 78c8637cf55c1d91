import { sql } from 'drizzle-orm';
import { changedFields } from '../../core/lib/changes.ts';
import { newUuid } from '../../core/lib/id.ts';
import { missing } from '../../core/lib/missing.ts';
import { refusal } from '../../core/lib/problem.ts';
import { auditing } from '../../core/writer/audited.ts';
import { command, unchanged } from '../../core/writer/command.ts';
import { type OrganizationSettings, SUSPENDED } from '../../core/writer/settings.ts';
import { type NewSession, sessionWrites } from '../session/commands.ts';
import { userAudit as auditedUser } from '../user/changes.ts';
import { identity, user } from '../user/table.ts';
import { type ClaimedIdentity, claimedBy, identityQuery, type Provider, providerQuery } from './store.ts';
import { identityProvider } from './table.ts';

export interface ProviderInput {
  uuid: string;
  issuer: string;
  clientId: string;
  /** Sealed; null keeps the current secret. */
  clientSecret: string | null;
  passwordSignIn: boolean;
}

const audited = auditing<OrganizationSettings>('ORGANIZATION', ({ slug }) => slug);
const shown = ({
  issuer,
  clientId,
  passwordSignIn,
}: Pick<Provider, 'issuer' | 'clientId' | 'passwordSignIn'>) => ({
  issuer,
  clientId,
  passwordSignIn: passwordSignIn === 1,
});

/**
 * Set the organization's identity provider. Passwords cannot be disabled until a user has signed in with these
 * settings, so that a mistake locks no user out. After a change of client, users are found by their verified e-mail
 * again.
 */
export const putProvider = command('putProvider', {
  ask: ({ scope }, _: ProviderInput) => ({ providers: providerQuery(scope) }),
  decide(
    { scope, organization, now },
    { uuid, issuer, clientId, clientSecret, passwordSignIn },
    { providers: [found] },
  ) {
    if (!organization) return missing('organizationNotFound', scope.organization);
    if (found && found.uuid !== uuid)
      return refusal('preconditionFailed', 'Another user has changed the provider. Reload the settings.');
    // A secret may only be sent to the provider that issued it.
    const sealed = clientSecret ?? (found?.issuer === issuer ? found.clientSecret : undefined);
    if (sealed === undefined) {
      return refusal('validationFailed', 'A new provider needs the client secret.', {
        errors: [
          {
            field: 'clientSecret',
            code: 'validationFailed',
            message: 'Enter the client secret of the new provider.',
          },
        ],
      });
    }
    const isSame = found?.issuer === issuer && found.clientId === clientId && clientSecret === null;
    const provenDate = isSame ? found.provenDate : null;
    if (!passwordSignIn && provenDate === null) {
      return refusal(
        'validationFailed',
        'Sign in with the company account once. Then you can disable passwords.',
        {
          errors: [
            {
              field: 'onlyCompany',
              code: 'validationFailed',
              message: 'No user has signed in with the company account yet.',
            },
          ],
        },
      );
    }
    const next = { issuer, clientId, passwordSignIn: passwordSignIn ? (1 as const) : (0 as const) };
    const changes = [
      ...changedFields<object>(found ? shown(found) : null, shown(next)),
      ...(clientSecret === null ? [] : [{ field: 'clientSecret', oldValue: null, newValue: 'changed' }]),
    ];
    if (changes.length === 0) return unchanged({ value: {} });
    // Providers may use different subjects for different clients.
    const isOtherClient = found && (found.issuer !== issuer || found.clientId !== clientId);
    const row = { ...next, clientSecret: sealed, provenDate, updateDate: now };
    return {
      writes: [
        ...(found
          ? [scope.update(identityProvider, row, sql`uuid = ${uuid}`)]
          : scope.insert(identityProvider, [{ uuid, ...row, createDate: now }])),
        ...(isOtherClient ? [scope.remove(identity, sql`issuer = ${found.issuer}`)] : []),
      ],
      audit: [audited('ORGANIZATION_SIGN_IN_CHANGED', organization, changes)],
      answer: { value: {} },
    };
  },
});

/** Remove the provider. Passwords are valid again, and the stored identities of its users are deleted. */
export const removeProvider = command('removeProvider', {
  ask: ({ scope }, _: Record<never, never>) => ({ providers: providerQuery(scope) }),
  decide({ scope, organization }, _, { providers: [found] }) {
    if (!organization) return missing('organizationNotFound', scope.organization);
    if (!found) return unchanged({ value: {} });
    return {
      writes: [
        scope.remove(identityProvider, { uuids: [found.uuid] }),
        scope.remove(identity, sql`issuer = ${found.issuer}`),
      ],
      audit: [
        audited('ORGANIZATION_SIGN_IN_CHANGED', organization, [
          { field: 'issuer', oldValue: found.issuer, newValue: null },
        ]),
      ],
      answer: { value: {} },
    };
  },
});

/**
 * Sign in the user that the provider has authenticated. The user is found by subject or, the first time, by verified
 * e-mail address. `userUuid` and `sessionEpoch` come from the earlier check of the user's permission to sign in.
 */
export const beginIdentitySession = command('beginIdentitySession', {
  ask: (
    { scope },
    {
      claimed,
    }: {
      userUuid: string;
      sessionEpoch: number;
      providerUuid: string;
      claimed: ClaimedIdentity;
      begun: NewSession;
    },
  ) => ({ providers: providerQuery(scope), users: identityQuery(scope, claimed) }),
  decide(
    context,
    { userUuid, sessionEpoch, providerUuid, claimed, begun },
    { providers: [provider], users },
  ) {
    const { scope, now } = context;
    if (context.organization?.suspendedDate) return SUSPENDED;
    const found = claimedBy(users, claimed);
    const isSame = provider?.uuid === providerUuid && provider.issuer === claimed.issuer;
    if (!isSame || found?.uuid !== userUuid || found.sessionEpoch !== sessionEpoch)
      return refusal(
        'signInFailed',
        'The user or the provider was changed during the sign-in. Sign in again.',
      );
    const { issuer, subject } = claimed;
    const known = { uuid: newUuid(), userUuid, issuer, subject, createDate: now };
    return {
      writes: [
        ...(found.subject === null ? scope.insert(identity, [known]) : []),
        ...(provider.provenDate === null
          ? [scope.update(identityProvider, { provenDate: now }, sql`uuid = ${providerUuid}`)]
          : []),
        // An initial password that was never changed becomes invalid.
        scope.update(
          user,
          { passwordHash: null, passwordChangeRequired: 0 },
          sql`uuid = ${userUuid} AND password_change_required = 1`,
        ),
        ...sessionWrites(context, userUuid, sessionEpoch, begun),
      ],
      audit: [
        auditedUser('USER_SIGNED_IN', { uuid: userUuid, email: found.email }, [
          { field: 'session', oldValue: null, newValue: begun.uuid },
          { field: 'issuer', oldValue: null, newValue: issuer },
        ]),
      ],
      answer: { value: {} },
    };
  },
});
