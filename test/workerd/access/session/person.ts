import { exports } from 'cloudflare:workers';
import { ORIGIN, type Tenant } from '../../client.ts';
import { invited, newUser } from '../user/users.ts';

export const PASSWORD = 'correct horse battery staple';

/** An answer of a page. */
export interface Shown {
  status: number;
  headers: Headers;
  text: string;
}

/** Request a page like a browser that follows no redirect. */
export async function page(
  method: 'GET' | 'POST',
  path: string,
  {
    fields,
    headers = {},
  }: { fields?: Record<string, string> | URLSearchParams; headers?: Record<string, string> } = {},
): Promise<Shown & { bytes: Uint8Array }> {
  const worker = (exports as unknown as { default: { fetch: typeof fetch } }).default;
  const response = await worker.fetch(
    new Request(path.startsWith('http') ? path : `${ORIGIN}${path}`, {
      method,
      headers,
      redirect: 'manual',
      ...(fields ? { body: new URLSearchParams(fields) } : {}),
    }),
  );
  const bytes = new Uint8Array(await response.arrayBuffer());
  const text = new TextDecoder().decode(bytes);
  return { status: response.status, headers: response.headers, text, bytes };
}

/** The value of a cookie that an answer sets. */
export function cookieOf(answer: Shown, name: string): string | undefined {
  return answer.headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.slice(name.length + 1)
    .split(';')[0];
}

/** Sign in like a program that is not a browser. */
export const trySignIn = (
  fields: { organization: string; email: string; password: string },
  address = '198.51.100.1',
  origin = ORIGIN,
): Promise<Shown> =>
  page('POST', `${origin}/app/login`, { fields, headers: { 'CF-Connecting-IP': address } });

/** A signed-in user. */
export interface Person {
  uuid: string;
  email: string;
  organization: string;
  session: string;
  get(path: string): Promise<Shown>;
  /** Post a form with its token, as the page itself would. */
  post(path: string, action: string, fields?: Record<string, string>): Promise<Shown>;
  /** Post an action that cannot be undone, after the confirmation page. */
  agree(path: string, action: string): Promise<Shown>;
  /** The token in the forms of this session. */
  token(): Promise<string>;
}

/** A user with an existing session. */
export function withSession(
  user: { uuid: string; email: string },
  organization: string,
  session: string,
): Person {
  const headers = { Cookie: `session=${session}`, Origin: ORIGIN, 'Sec-Fetch-Site': 'same-origin' };
  let known: string | undefined;
  const person: Person = {
    ...user,
    organization,
    session,
    get: (path) => page('GET', path, { headers }),
    async token() {
      known ??= /name="token" value="([0-9a-f]{64})"/.exec((await person.get('/app/password')).text)?.[1];
      return known!;
    },
    async agree(path, action) {
      const { text } = await person.get(`${path}?confirm=${action}`);
      const confirmed = /name="confirmed" value="([0-9a-f]+)"/.exec(text)?.[1] ?? '';
      return person.post(path, action, { confirmed });
    },
    async post(path, action, fields = {}) {
      const token = await person.token();
      return page('POST', path, { headers, fields: { token, action, ...fields } });
    },
  };
  return person;
}

/** Create a user with `PASSWORD` who signs in through the link. */
export async function newPerson(tenant: Tenant, authorityName = 'ADMINISTRATOR'): Promise<Person> {
  const user = await newUser(tenant, invited({ authority: { authorityName } }));
  const fields = { password: PASSWORD, passwordAgain: PASSWORD };
  const set = await page('POST', user.inviteLink, { fields });
  const session = cookieOf(set, 'session');
  if (!session) throw new Error(`${set.status} ${set.text}`);
  return withSession({ uuid: user.uuid, email: user.email }, tenant.slug, session);
}

/** Sign a user in again. */
export async function signInAgain(person: Person): Promise<Person> {
  const { organization, email } = person;
  const answer = await trySignIn({ organization, email, password: PASSWORD });
  return withSession(person, organization, cookieOf(answer, 'session')!);
}

/** Whether a session is still valid. */
export const isSignedIn = async (person: Person): Promise<boolean> =>
  (await person.get('/app/account')).status === 200;
