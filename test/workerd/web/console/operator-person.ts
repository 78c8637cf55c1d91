import { cookieOf, page, type Shown } from '../../access/session/person.ts';
import { OPERATOR_KEY, ORIGIN, operator } from '../../client.ts';

/** The browser of a signed-in operator. */
export interface OperatorPages {
  uuid: string;
  secret: string;
  cookie: string;
  get(path: string): Promise<Shown>;
  post(path: string, action: string, fields?: Record<string, string>): Promise<Shown>;
  /** Confirms the question of an action, then runs the action. */
  agree(path: string, action: string, fields?: Record<string, string>): Promise<Shown>;
  token(): Promise<string>;
}

/** Signs in with a secret, as a program does. */
export const trySecret = (secret: string, address = '198.51.100.7', origin = ORIGIN): Promise<Shown> =>
  page('POST', `${origin}/operator/login`, {
    fields: { secret },
    headers: { 'CF-Connecting-IP': address },
  });

/** The browser of an operator with this session. */
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

/** Creates an operator with these scopes and signs in. */
export async function newOperator(...scopes: string[]): Promise<OperatorPages> {
  const { body } = await operator('POST', '/operator', { name: 'Anna of Operations', scopes });
  const { uuid, secret } = body;
  return pagesWith(cookieOf(await trySecret(secret), 'operator')!, { uuid, secret });
}

/** Signs in with the bootstrap key. */
export const bootstrap = async (): Promise<OperatorPages> =>
  pagesWith(cookieOf(await trySecret(OPERATOR_KEY), 'operator')!, { uuid: '', secret: OPERATOR_KEY });
