import { describe, expect, it } from 'vitest';
import { OPERATOR_SCOPES, type OperatorScope } from '../../src/access/credential/schema.ts';
import { operator } from '../workerd/client.ts';
import { isOperator, operations } from './document.ts';
import { exampleOf } from './operations.ts';
import { refusals } from './problem.ts';
import { send } from './request.ts';
import { restoredWorld } from './restored-world.ts';
import { storedState } from './state.ts';

const each = <S>(scope: S, ...operationIds: string[]): Record<string, S> =>
  Object.fromEntries(operationIds.map((operationId) => [operationId, scope]));

/**
 * Operator operations and the scope that each needs; null: only the bootstrap key. Add new operations here.
 */
const SCOPE_OF: Record<string, OperatorScope | null> = {
  ...each(null, 'createOperator', 'listOperators', 'rotateOperator', 'revokeOperator'),
  ...each(
    'READ',
    'listOrganizations',
    'getOrganization',
    'getOrganizationVersion',
    'listApiKeys',
    'listAccessTokens',
    'listDatabases',
  ),
  ...each('READ', 'listOperatorAuditLog', 'listDeadLetters', 'getOperatorOperation', 'getMetrics'),
  ...each('PROVISION', 'createOrganization', 'updateOrganization', 'suspendOrganization'),
  ...each('PROVISION', 'resumeOrganization', 'createApiKey', 'rotateApiKey', 'revokeApiKey'),
  ...each(
    'PROVISION',
    'createAccessToken',
    'rotateAccessToken',
    'revokeAccessToken',
    'putGate',
    'deleteGate',
  ),
  ...each('PROVISION', 'putAuthority', 'createScanner', 'createLocalManager', 'createAgent', 'deleteScanner'),
  ...each('PROVISION', 'deleteLocalManager', 'deleteAgent'),
  ...each('OPERATE', 'updateDatabase', 'moveOrganization', 'resendDeadLetter'),
  ...each('TRANSFER', 'exportOrganization', 'importOrganization', 'restoreOrganization'),
  ...each('ERASE', 'eraseOrganization'),
};
const operated = operations.filter(isOperator);

async function newOperator(scopes: readonly OperatorScope[]): Promise<Record<string, string>> {
  const { body } = await operator('POST', '/operator', { name: `With ${scopes}`, scopes });
  return { 'X-OPERATOR-KEY': body.secret };
}

it('SCOPE_OF names the scope of every operator operation', () => {
  expect(Object.keys(SCOPE_OF).sort()).toEqual(operated.map(({ operationId }) => operationId).sort());
});

describe('an operation of operators', () => {
  it('an operator operation refuses an operator without its scope, and any operator where it needs the bootstrap key', async () => {
    const world = await restoredWorld();
    const before = await storedState(world.tenant);
    for (const lacking of [null, ...OPERATOR_SCOPES]) {
      const headers = await newOperator(OPERATOR_SCOPES.filter((scope) => scope !== lacking));
      const asked = operated.filter(({ operationId }) => SCOPE_OF[operationId] === lacking);
      expect(asked.length).toBeGreaterThan(0);
      const change = () => ({ anonymous: true, headers });
      expect(await refusals(asked, world, change, 403, 'scopeRequired')).toEqual([]);
    }
    expect(await storedState(world.tenant)).toEqual(before);
  });

  it.each(OPERATOR_SCOPES)(
    'an operator operation accepts an operator that has only the scope %s',
    async (scope) => {
      const headers = await newOperator([scope]);
      for (const one of operated.filter(({ operationId }) => SCOPE_OF[operationId] === scope)) {
        const world = await restoredWorld();
        const answer = await send(one, world, { anonymous: true, headers });
        expect([one.operationId, answer.status]).toEqual([
          one.operationId,
          exampleOf(one, world.names).status,
        ]);
      }
    },
  );
});
