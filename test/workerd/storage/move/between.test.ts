import { beforeEach, describe, expect, it } from 'vitest';
import { forgetCredentials } from '../../../../src/access/credential/trusted.ts';
import { setOpen } from '../../access/database/places.ts';
import { moving } from './moves.ts';

/** The move of an organization that has left its database and has not arrived in the other one. */
async function between(from: 'DB' | 'DB_1') {
  const { tenant, mover } = await moving(from, 'LEFT');
  const arrive = async () => {
    while (!(await mover.step()));
  };
  return { tenant, arrive };
}

beforeEach(() => setOpen('DB_1', true));

describe.each(['DB', 'DB_1'] as const)('an organization that has left %s', (from) => {
  it('a valid key gets 503 and not 401 while its organization is between two databases', async () => {
    const { tenant, arrive } = await between(from);
    forgetCredentials();
    const during = await tenant.call('GET', '/track');
    expect([during.status, during.headers.get('Retry-After')]).toEqual([503, expect.any(String)]);
    await arrive();
    expect((await tenant.call('GET', '/track')).status).toBe(200);
  });

  it('a request waits for an organization that arrives soon', async () => {
    const { tenant, arrive } = await between(from);
    forgetCredentials();
    const [answer] = await Promise.all([tenant.call('GET', '/track'), arrive()]);
    expect(answer.status).toBe(200);
  });

  it('a wrong key of an organization that has moved gets 401', async () => {
    const { tenant, arrive } = await between(from);
    await arrive();
    forgetCredentials();
    const answer = await tenant.call('GET', '/track', undefined, {
      'X-AUTH-KEY': tenant.key.replace(/.$/, tenant.key.endsWith('0') ? '1' : '0'),
    });
    expect(answer.status).toBe(401);
  });
});
