import { env, runInDurableObject } from 'cloudflare:test';
import { describe, expect, it, vi } from 'vitest';
import { Databases } from '../../../../src/core/lib/databases.ts';
import { LISTENER_HEADER, Listeners } from '../../../../src/core/writer/listeners.ts';
import { topics } from '../../../../src/delivery/live/topics.ts';
import { operator } from '../../client.ts';
import { later } from '../../dispatch/device/devices.ts';
import { type Dock, loadingDock, newDock } from '../../dispatch/load/shipment/dock.ts';
import { FAILURES, failingD1 } from '../../failing.ts';
import { recorded } from '../../statements.ts';
import { cookieOf, headOf, listen, look, post, signIn, upgrade } from './listener.ts';

const stubOf = ({ uuid }: Dock) => {
  const { WRITER } = env as unknown as { WRITER: DurableObjectNamespace };
  return WRITER.get(WRITER.idFromName(uuid));
};
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
/** Longer than the time for which commits are collected. */
const SETTLED_MS = 400;

describe('a page that listens', () => {
  it('a listening page learns at once the end of the log and whether it missed something', async () => {
    const dock = await newDock();
    const user = await signIn(dock);
    const head = await headOf(dock);
    expect(await (await listen(user, head)).until(1)).toEqual({ sequenceNumber: head, changed: [] });
    expect(await (await listen(user, head - 1)).until(1)).toEqual({ sequenceNumber: head, changed: null });
    expect(await (await listen(user, head + 1)).until(1)).toEqual({ sequenceNumber: head, changed: null });
  });

  it('a listening page learns which gates and resources changed, with the commit number and no content', async () => {
    const dock = await loadingDock();
    const page = await listen(await signIn(dock), await headOf(dock));
    await page.until(1);
    await dock.scan('X');
    const notice = await page.until(2);
    expect(notice.sequenceNumber).toBe(await headOf(dock));
    expect(notice.changed!.map((name) => name.replace(/[0-9a-f-]{36}/, 'uuid'))).toEqual([
      'gate:G',
      'manifest:N',
      'alert:uuid',
      'track:X',
      'shipment:S',
    ]);
  });

  it('a listening page is notified once per batch of scans and per burst of commits', async () => {
    const dock = await loadingDock();
    const page = await listen(await signIn(dock), await headOf(dock));
    await page.until(1);
    const scans = Array.from({ length: 100 }, (_, index) => ({
      scanId: `batch-${index}`,
      markerCode: 5_000 + index,
      direction: 'LOAD',
    }));
    await dock.device('POST', '/gate/G/scans', { scans });
    await page.until(2);
    await pause(SETTLED_MS);
    expect(page.notices).toHaveLength(2);
    // So many alerts and records changed that any topic may have changed.
    expect(page.notices[1]!.changed).toBeNull();
    await Promise.all([dock.scan('A'), dock.scan('B'), dock.scan('C')]);
    await page.until(3);
    await pause(SETTLED_MS);
    expect(page.notices.length).toBeLessThanOrEqual(4);
    expect(page.notices.at(-1)!.sequenceNumber).toBe(await headOf(dock));
  });

  it('a listening page is not notified of changes that no gate shows', async () => {
    const dock = await newDock();
    const page = await listen(await signIn(dock), await headOf(dock));
    await page.until(1);
    await dock.must('POST', '/client', { displayName: 'Acme', externalId: 'A' });
    await pause(SETTLED_MS);
    expect(page.notices).toHaveLength(1);
  });

  it('a listening page gets an answer to its ping and is disconnected for anything else', async () => {
    const dock = await newDock();
    const page = await listen(await signIn(dock), 0);
    page.socket.send('ping');
    await vi.waitFor(() => expect(page.texts).toEqual(['pong']));
    page.socket.send('tell me more');
    await vi.waitFor(() => expect(page.closed).toBe(1008));
  });
});

describe('a request to listen', () => {
  it('listening needs a session here and a page of this site', async () => {
    const dock = await newDock();
    const { cookie } = await signIn(dock);
    const asked: Record<string, string>[] = [
      {},
      { Cookie: 'session=unknown' },
      { Cookie: cookie, Origin: 'https://elsewhere.example' },
      { Cookie: cookie, Origin: 'null' },
      { Cookie: cookie, 'Sec-Fetch-Site': 'cross-site' },
      { Cookie: cookie, Upgrade: 'h2c' },
    ];
    const statuses = await Promise.all(asked.map(async (headers) => (await upgrade(0, headers)).status));
    expect(statuses).toEqual([401, 401, 403, 403, 403, 426]);
    expect((await upgrade('x', { Cookie: cookie })).status).toBe(101);
  });

  it('listening shows changes of the own organization only', async () => {
    const [dock, other] = [await loadingDock(), await loadingDock()];
    const page = await listen(await signIn(other), await headOf(other));
    await page.until(1);
    await dock.scan('A');
    await pause(SETTLED_MS);
    expect(page.notices).toHaveLength(1);
    await other.scan('A');
    await page.until(2);
  });

  it('a view-only user may listen, and a user without sign-in may not', async () => {
    const dock = await newDock();
    for (const authority of ['VIEWER', 'FORKLIFT_OPERATOR']) await listen(await signIn(dock, authority), 0);
    const authority = `/organization/${dock.uuid}/authority/WATCHER`;
    await operator('PUT', authority, { permissions: ['OPERATIONAL_APP_LOGIN'] });
    const user = await signIn(dock, 'WATCHER');
    await operator('PUT', authority, { permissions: ['LOCAL_MANAGER_LOGIN'] });
    expect((await upgrade(0, { Cookie: user.cookie })).status).toBe(403);
  });

  it('a session has a limited number of listening pages, and the oldest goes', async () => {
    const dock = await newDock();
    const user = await signIn(dock);
    const pages: Awaited<ReturnType<typeof listen>>[] = [];
    for (let count = 0; count < 9; count += 1) pages.push(await listen(user, 0));
    const rest = Array.from({ length: 8 }, () => undefined);
    await vi.waitFor(() => expect(pages.map(({ closed }) => closed)).toEqual([4409, ...rest]));
  });

  it('an organization has a limited number of listening pages', async () => {
    const dock = await newDock();
    const { cookie } = await signIn(dock);
    // Keep references to the other ends, because a socket closes when its other end is garbage-collected.
    const clients: WebSocket[] = [];
    await runInDurableObject(stubOf(dock), async (_, state) => {
      for (let count = 0; count < 250; count += 1) {
        const { 0: client, 1: server } = new WebSocketPair();
        clients.push(client);
        state.acceptWebSocket(server, [`other-${count}`]);
        server.serializeAttachment({
          session: `other-${count}`,
          user: `other-${count}`,
          ends: Date.now() + 60_000,
          since: Date.now(),
        });
      }
    });
    const refused = await upgrade(0, { Cookie: cookie });
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '30']);
    // Pages that have been silent for long make room.
    await runInDurableObject(stubOf(dock), async (_, state) => {
      for (const socket of state.getWebSockets()) {
        socket.serializeAttachment({ session: 's', user: 's', since: Date.now() - 180_000 });
      }
    });
    expect((await upgrade(0, { Cookie: cookie })).status).toBe(101);
    expect(clients).toHaveLength(250);
  });
});

describe('where all places of an organization are taken', () => {
  const PLACES = 250;

  /** Other users who listen with one page each. The references to the other ends are kept. */
  async function others(dock: Dock, count: number): Promise<{ server: WebSocket; client: WebSocket }[]> {
    const pairs: { server: WebSocket; client: WebSocket }[] = [];
    await runInDurableObject(stubOf(dock), async (_, state) => {
      for (let index = 0; index < count; index += 1) {
        const { 0: client, 1: server } = new WebSocketPair();
        pairs.push({ client, server });
        state.acceptWebSocket(server, [`other-${index}`]);
        server.serializeAttachment({ session: `other-${index}`, user: `user-${index}`, since: Date.now() });
      }
    });
    return pairs;
  }
  const openOf = (dock: Dock) =>
    runInDurableObject(stubOf(dock), async (_, state) =>
      state
        .getWebSockets()
        .filter(({ readyState }) => readyState === WebSocket.OPEN)
        .map((socket) => (socket.deserializeAttachment() as { user: string }).user),
    );
  const heldBy = async (dock: Dock, user: string) =>
    (await openOf(dock)).filter((holder) => holder === user).length;

  it('a newcomer gets the oldest slot of the user who holds most when all are taken', async () => {
    const dock = await newDock();
    const many = await signIn(dock);
    const sessions = [many, { ...many, cookie: await cookieOf(dock, many.email) }];
    const pages: Awaited<ReturnType<typeof listen>>[] = [];
    for (let count = 0; count < 8; count += 1) {
      for (const session of sessions) pages.push(await listen(session, 0));
    }
    const kept = await others(dock, PLACES - pages.length);
    const newcomers = [];
    for (let count = 0; count < 3; count += 1) newcomers.push(await listen(await signIn(dock), 0));
    await vi.waitFor(() => expect(pages.slice(0, 3).map(({ closed }) => closed)).toEqual([4409, 4409, 4409]));
    expect(pages.slice(3).every(({ closed }) => closed === undefined)).toBe(true);
    expect(newcomers.map(({ closed }) => closed)).toEqual([undefined, undefined, undefined]);
    const open = await openOf(dock);
    expect([open.length, kept.length]).toEqual([PLACES, PLACES - 16]);
    expect(new Set(open).size).toBe(PLACES - 16 + 3 + 1);
    // The user with the most pages loses the oldest one to the own newest page.
    pages.push(await listen(sessions[0]!, 0));
    await vi.waitFor(() => expect(pages[3]!.closed).toBe(4409));
    expect([await heldBy(dock, many.uuid), (await openOf(dock)).length]).toEqual([13, PLACES]);
    expect(newcomers.map(({ closed }) => closed)).toEqual([undefined, undefined, undefined]);
  });

  it('a user who would hold more than others loses an own page when all slots are taken', async () => {
    const dock = await newDock();
    const [one, two] = [await signIn(dock), await signIn(dock)];
    const [ofOne, ofTwo] = [await listen(one, 0), await listen(two, 0)];
    const second = [await listen(one, 0), await listen(two, 0)];
    const kept = await others(dock, PLACES - 4);
    await listen(one, 0);
    await vi.waitFor(() => expect(ofOne.closed).toBe(4409));
    expect([ofTwo.closed, ...second.map(({ closed }) => closed)]).toEqual([undefined, undefined, undefined]);
    expect([(await openOf(dock)).length, kept.length]).toEqual([PLACES, PLACES - 4]);
  });
});

describe('a store that fails', () => {
  it('a failing store ends no session: the page reconnects later', async () => {
    const dock = await newDock();
    const page = await listen(await signIn(dock), await headOf(dock));
    await page.until(1);
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const taken = await runInDurableObject(stubOf(dock), async (_, state) => {
      const { db } = failingD1({ message: FAILURES.full, from: 1 });
      const listeners = new Listeners(state, new Databases({ DB: db }), topics);
      listeners.afterUnknown();
      const headers = {
        Upgrade: 'websocket',
        [LISTENER_HEADER]: JSON.stringify({ session: 's', user: 'u' }),
      };
      return (await listeners.take(new Request('https://writer/?after=1', { headers }))).status;
    });
    expect(taken).toBe(503);
    await vi.waitFor(() => expect(page.closed).toBe(1013));
    vi.restoreAllMocks();
  });
});

describe('a session that ends', () => {
  const ends: Record<string, (dock: Dock, user: Awaited<ReturnType<typeof signIn>>) => Promise<unknown>> = {
    'by signing out': async (_, { cookie }) => {
      const token = /name="token" value="([^"]+)"/.exec(await (await look('/app/board', cookie)).text())![1]!;
      const answer = await post('/app/logout', { token, action: 'sign-out' }, { Cookie: cookie });
      expect(answer.status).toBe(303);
    },
    'by a reset of the password': (dock, { uuid }) => dock.must('DELETE', `/user/${uuid}/reset-password`),
    'with its user': (dock, { uuid }) => dock.must('DELETE', `/user/${uuid}`),
  };

  it.each(Object.entries(ends))('after the session ended, %s receives nothing more', async (_, end) => {
    const dock = await loadingDock();
    const [user, other] = [await signIn(dock), await signIn(dock)];
    const [page, kept] = [await listen(user, await headOf(dock)), await listen(other, await headOf(dock))];
    await page.until(1);
    await end(dock, user);
    await dock.scan('A');
    await vi.waitFor(() => expect(page.closed).toBe(4401), { timeout: 5_000 });
    expect(page.notices.every(({ changed }) => !changed?.includes('manifest:M'))).toBe(true);
    await vi.waitFor(() => expect(kept.notices.at(-1)!.changed).toContain('manifest:M'));
    expect(kept.closed).toBeUndefined();
  });

  it('a session that ends closes its own pages only', async () => {
    const dock = await loadingDock();
    const user = await signIn(dock);
    const second = { ...user, cookie: await cookieOf(dock, user.email) };
    const [page, kept] = [await listen(user, await headOf(dock)), await listen(second, await headOf(dock))];
    await ends['by signing out']!(dock, user);
    await dock.scan('A');
    await vi.waitFor(() => expect(page.closed).toBe(4401), { timeout: 5_000 });
    await vi.waitFor(() => expect(kept.notices.at(-1)!.changed).toContain('manifest:M'));
  });

  it('a session that expires closes its pages', async () => {
    const dock = await loadingDock();
    const page = await listen(await signIn(dock), await headOf(dock));
    await page.until(1);
    await later(17 * 3_600_000, async () => {
      await dock.scan('A');
      await pause(SETTLED_MS);
    });
    await vi.waitFor(() => expect(page.closed).toBeDefined(), { timeout: 5_000 });
    expect(page.notices).toHaveLength(1);
  });
});

describe('a commit', () => {
  it('a commit reads nothing for live pages if no page listens, and reads once otherwise', async () => {
    const dock = await loadingDock();
    const asked = async (pallet: string) => {
      const trips = await recorded(async () => {
        await dock.scan(pallet);
        await pause(SETTLED_MS);
      });
      return trips.flatMap(({ statements }) => statements).filter(({ text }) => /FROM session/.test(text))
        .length;
    };
    expect(await asked('A')).toBe(0);
    const page = await listen(await signIn(dock), await headOf(dock));
    await page.until(1);
    expect(await asked('B')).toBe(1);
  });
});
