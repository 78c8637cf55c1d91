import { exports } from 'cloudflare:workers';
import { vi } from 'vitest';
import type { Notice } from '../../../../src/core/writer/listeners.ts';
import { ORIGIN, type Tenant } from '../../client.ts';

const PASSWORD = 'correct horse battery';
const worker = (exports as unknown as { default: { fetch: typeof fetch } }).default;

/** Send a form, as a program that is no browser or with the cookie of one. */
export const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  worker.fetch(
    new Request(new URL(path, ORIGIN), {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers,
      redirect: 'manual',
    }),
  );

/** Look at a page. */
export const look = (path: string, cookie: string): Promise<Response> =>
  worker.fetch(new Request(new URL(path, ORIGIN), { headers: { Cookie: cookie }, redirect: 'manual' }));

let people = 0;

/** A user who is signed in. */
export interface SignedIn {
  uuid: string;
  email: string;
  cookie: string;
}

/** A new user of an authority, whom the first password signs in. */
export async function signIn(tenant: Tenant, authorityName = 'ADMINISTRATOR'): Promise<SignedIn> {
  people += 1;
  const email = `listener${people}@example.com`;
  const { body } = await tenant.call('POST', '/user', {
    firstName: 'Robin',
    lastName: 'Field',
    email,
    authority: { authorityName },
    passwordPolicyMode: 'INVITE_LINK',
  });
  const set = await post(body.inviteLink, { password: PASSWORD, passwordAgain: PASSWORD });
  return { uuid: body.uuid, email, cookie: sessionOf(set) };
}

/** A session more of a user. */
export async function cookieOf({ slug }: Tenant, email: string): Promise<string> {
  return sessionOf(await post('/app/login', { organization: slug, email, password: PASSWORD }));
}

function sessionOf(answer: Response): string {
  const cookie = /\bsession=[^;]+/.exec(answer.headers.getSetCookie().join('\n'))?.[0];
  if (!cookie) throw new Error(`not signed in: ${answer.status}`);
  return cookie;
}

/** Ask to listen. */
export function upgrade(after: number | string, headers: Record<string, string> = {}): Promise<Response> {
  return worker.fetch(
    new Request(`${ORIGIN}/app/feed?after=${after}`, {
      headers: { Upgrade: 'websocket', Origin: ORIGIN, ...headers },
    }),
  );
}

/** A page that listens. */
export interface Listening {
  socket: WebSocket;
  /** What it was told, in order. */
  told: Notice[];
  /** What came that is no message of the feed. */
  texts: string[];
  /** Code of closing; undefined while it is open. */
  closed: number | undefined;
  /** Wait until it was told so many times; the last of it. */
  until(count: number): Promise<Notice>;
}

/** Listen from a number of the log on. */
export async function listen({ cookie }: Pick<SignedIn, 'cookie'>, after: number): Promise<Listening> {
  const { status, webSocket } = await upgrade(after, { Cookie: cookie });
  if (!webSocket) throw new Error(`not listening: ${status}`);
  const listening: Listening = {
    socket: webSocket,
    told: [],
    texts: [],
    closed: undefined,
    until: async (count) => {
      await vi.waitFor(
        () => {
          if (listening.told.length < count)
            throw new Error(`told ${listening.told.length} times of ${count}`);
        },
        { timeout: 5_000, interval: 10 },
      );
      return listening.told.at(-1)!;
    },
  };
  webSocket.addEventListener('message', ({ data }) => {
    if (String(data).startsWith('{')) listening.told.push(JSON.parse(String(data)));
    else listening.texts.push(String(data));
  });
  webSocket.addEventListener('close', ({ code }) => {
    listening.closed = code;
  });
  webSocket.accept();
  return listening;
}

/** The number that the log of a tenant has come to. */
export async function headOf(tenant: Tenant): Promise<number> {
  const { body } = await tenant.call(
    'GET',
    '/audit-log?pageSize=1&sort.sortBy=sequenceNumber&sort.direction=DESC',
  );
  return body.content[0].sequenceNumber;
}
