import { cookieOf, page, type Shown } from '../../access/session/person.ts';
import { OPERATOR_KEY, ORIGIN, operator } from '../../client.ts';

/** The browser of an operator who is signed in. */
export interface OperatorPages {
  uuid: string;
  secret: string;
  cookie: string;
  get(path: string): Promise<Shown>;
  post(path: string, action: string, fields?: Record<string, string>): Promise<Shown>;
  /** Agree to what the page says of an action first. */
  agree(path: string, action: string, fields?: Record<string, string>): Promise<Shown>;
  token(): Promise<string>;
}

/** Sign in by a secret, as a program. */
export const trySecret = (secret: string, address = '198.51.100.7', origin = ORIGIN): Promise<Shown> =>
  page('POST', `${origin}/operator/login`, {
    fields: { secret },
    headers: { 'CF-Connecting-IP': address },
  });

/** The browser that has a session of an operator. */
export function pagesWith(cookie: string, of: { uuid: string; secret: string }): OperatorPages {
  const headers = { Cookie: `operator=${cookie}`, Origin: ORIGIN, 'Sec-Fetch-Site': 'same-origin' };
  const pages: OperatorPages = {
    ...of,
    cookie,
    get: (path) => page('GET', path, { headers }),
    async token() {
      return /name="token" value="([0-9a-f]{64})"/.exec((await pages.get('/operator')).text)![1]!;
    },
    async post(path, action, fields = {}) {
      const key = crypto.randomUUID();
      return page('POST', path, { headers, fields: { action, key, token: await pages.token(), ...fields } });
    },
    async agree(path, action, fields = {}) {
      const { text } = await pages.get(`${path}?${new URLSearchParams({ confirm: action, ...fields })}`);
      const confirmed = /name="confirmed" value="([^"]+)"/.exec(text)?.[1] ?? '';
      return pages.post(path, action, { ...fields, confirmed });
    },
  };
  return pages;
}

/** A new operator with scopes, signed in. */
export async function newOperator(...scopes: string[]): Promise<OperatorPages> {
  const { body } = await operator('POST', '/operator', { name: 'Anna of Operations', scopes });
  const { uuid, secret } = body;
  return pagesWith(cookieOf(await trySecret(secret), 'operator')!, { uuid, secret });
}

/** Who has the bootstrap key, signed in. */
export const bootstrap = async (): Promise<OperatorPages> =>
  pagesWith(cookieOf(await trySecret(OPERATOR_KEY), 'operator')!, { uuid: '', secret: OPERATOR_KEY });
