import { Hono } from 'hono';
import { expect, it, vi } from 'vitest';
import { spendRequest } from '../../../../src/core/http/rate-limit.ts';
import type { AppContext, AppEnv } from '../../../../src/core/http/types.ts';
import { newUuid } from '../../../../src/core/lib/id.ts';
import { ProblemError } from '../../../../src/core/lib/problem.ts';
import { RateWindow } from '../../../../src/core/writer/rate-window.ts';
import type { OrganizationSettings } from '../../../../src/core/writer/settings.ts';

/** The binding of objects, with one organization whose object counts in this thread. */
function bindings() {
  const window = new RateWindow();
  const stub = {
    lease: async (limit: number, wanted: number) => window.lease(limit, wanted, Date.now()),
  };
  return { DB: {}, WRITER: { idFromName: (name: string) => name, get: () => stub } };
}

const settings = (requestsPerMinute: number) =>
  ({ uuid: newUuid(), requestsPerMinute }) as OrganizationSettings;

/** Requests of an organization. `send` answers 204 with the remaining quota, or 429. */
function requests(organization: OrganizationSettings) {
  const app = new Hono<AppEnv>();
  app.get('/', async (c) => {
    await spendRequest(c as AppContext, organization);
    return c.body(null, 204);
  });
  app.onError((error, c) => c.body(null, error instanceof ProblemError ? 429 : 500));
  const env = bindings();
  return {
    send: async (count: number) => {
      const answers = await Promise.all(Array.from({ length: count }, () => app.request('/', {}, env)));
      return answers.map(({ status }) => status);
    },
    remaining: async () => {
      const { headers } = await app.request('/', {}, env);
      return Number(/r=(\d+)/.exec(headers.get('RateLimit')!)![1]);
    },
  };
}

it.each([1, 32, 150])(
  '%i requests of one turn spend the quota one by one, over many leases',
  async (together) => {
    vi.useFakeTimers({ now: 1_700_000_000_000, toFake: ['Date'] });
    const limit = 1_000_000;
    const { send, remaining } = requests(settings(limit));
    const turns = Math.ceil(2_500 / together);
    for (let turn = 0; turn < turns; turn += 1)
      expect([turn, new Set(await send(together))]).toEqual([turn, new Set([204])]);
    expect(await remaining()).toBe(limit - turns * together - 1);
    vi.useRealTimers();
  },
);

it.each([1, 100, 149])(
  '%i of 150 requests of one turn are allowed if the quota has that many',
  async (limit) => {
    vi.useFakeTimers({ now: 1_700_000_000_000, toFake: ['Date'] });
    const statuses = await requests(settings(limit)).send(150);
    expect(statuses.filter((status) => status === 204).length).toBe(limit);
    expect(statuses.filter((status) => status === 429).length).toBe(150 - limit);
    vi.useRealTimers();
  },
);
