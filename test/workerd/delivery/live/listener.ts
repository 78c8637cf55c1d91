import { exports } from 'cloudflare:workers';
import { vi } from 'vitest';
import type { Notice } from '../../../../src/core/writer/listeners.ts';
import { ORIGIN, type Tenant } from '../../client.ts';

const PASSWORD = 'correct horse battery';
const worker = (exports as unknown as { default: { fetch: typeof fetch } }).default;

/** Send a form, as a program without cookies or with a browser's cookie. */
export const post = (
  path: string,
  fields: Record<string, string> | FormData,
  headers: Record<string, string> = {},
) =>
  worker.fetch(
    new Request(new URL(path, ORIGIN), {
      method: 'POST',
      body: fields instanceof FormData ? fields : new URLSearchParams(fields),
      headers,
      redirect: 'manual',
    }),
  );

/** Request a page. */
export const look = (path: string, cookie: string, headers: Record<string, string> = {}): Promise<Response> =>
  worker.fetch(
    new Request(new URL(path, ORIGIN), { headers: { ...headers, Cookie: cookie }, redirect: 'manual' }),
  );

let people = 0;

/** A signed-in user. */
export interface SignedIn {
  uuid: string;
  email: string;
  cookie: string;
}

/** Create a user with an authority and sign in with its first password. */
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

/** The cookie of another session of a user. */
export async function cookieOf({ slug }: Tenant, email: string): Promise<string> {
  return sessionOf(await post('/app/login', { organization: slug, email, password: PASSWORD }));
}

function sessionOf(answer: Response): string {
  const cookie = /\bsession=[^;]+/.exec(answer.headers.getSetCookie().join('\n'))?.[0];
  if (!cookie) throw new Error(`not signed in: ${answer.status}`);
  return cookie;
}

/** Request to listen. */
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
  /** The notices that it received, in order. */
  notices: Notice[];
  /** Messages that are no notices. */
  texts: string[];
  /** The close code; undefined while it is open. */
  closed: number | undefined;
  /** Wait for a number of notices. @returns the last one. */
  until(count: number): Promise<Notice>;
}

/** Listen from a sequence number of the log on. */
export async function listen({ cookie }: Pick<SignedIn, 'cookie'>, after: number): Promise<Listening> {
  const { status, webSocket } = await upgrade(after, { Cookie: cookie });
  if (!webSocket) throw new Error(`not listening: ${status}`);
  const listening: Listening = {
    socket: webSocket,
    notices: [],
    texts: [],
    closed: undefined,
    until: async (count) => {
      await vi.waitFor(
        () => {
          if (listening.notices.length < count)
            throw new Error(`received ${listening.notices.length} of ${count} notices`);
        },
        { timeout: 5_000, interval: 10 },
      );
      return listening.notices.at(-1)!;
    },
  };
  webSocket.addEventListener('message', ({ data }) => {
    if (String(data).startsWith('{')) listening.notices.push(JSON.parse(String(data)));
    else listening.texts.push(String(data));
  });
  webSocket.addEventListener('close', ({ code }) => {
    listening.closed = code;
  });
  webSocket.accept();
  return listening;
}

/** The last sequence number of a tenant's log. */
export async function headOf(tenant: Tenant): Promise<number> {
  const { body } = await tenant.call(
    'GET',
    '/audit-log?pageSize=1&sort.sortBy=sequenceNumber&sort.direction=DESC',
  );
  return body.content[0].sequenceNumber;
}
