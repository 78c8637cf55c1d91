import { createHash } from 'node:crypto';
import { vi } from 'vitest';

export const CLIENT = { id: 'dispatch', secret: 'a client secret/with: signs' };

const base64url = (value: string | ArrayBuffer): string => Buffer.from(value as string).toString('base64url');

/** The parameters with which a browser was sent to the provider. */
export interface Asked {
  state: string;
  nonce: string;
  challenge: string;
  redirectUri: string;
}

/** The address to which a browser returns with an answer. */
export function backAt({ redirectUri }: Asked, answer: Record<string, string>): URL {
  const url = new URL(redirectUri);
  url.search = new URLSearchParams(answer).toString();
  return url;
}

const RS256 = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
const newKey = () =>
  crypto.subtle.generateKey(
    { ...RS256, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ['sign', 'verify'],
  ) as Promise<CryptoKeyPair>;

const real = globalThis.fetch;
let providers: Provider[] = [];

/** End all providers, so that requests go to the network again. */
export function endProviders(): void {
  providers = [];
  vi.restoreAllMocks();
}

/** A fake OpenID provider that replaces the network and can return false data. Each has its own issuer. */
export class Provider {
  readonly issuer = `https://id-${crypto.randomUUID()}.example.com`;
  /** Changes the claims of the next tokens. */
  claims: Record<string, unknown> = {};
  /** The claims at the userinfo endpoint. Undefined without such an endpoint. */
  userInfo: Record<string, unknown> | undefined;
  /** Whether tokens are signed with a key that the provider does not publish. */
  forges = false;
  /** The path of the issuer. */
  path = '/';
  /** Values that replace the values of the discovery document. */
  metadata: Record<string, unknown> = {};
  /** A function that answers all requests instead of the provider. */
  answer: (() => Response | Promise<Response>) | undefined;
  readonly asked: { url: string; redirect: string }[] = [];
  readonly #codes = new Map<string, Asked>();
  readonly #keys = Promise.all([newKey(), newKey()]);

  constructor() {
    providers.push(this);
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      const request = new Request(input as RequestInfo, init);
      const { origin, hostname } = new URL(request.url);
      const provider = providers.find(({ issuer }) => issuer === origin);
      if (provider) return provider.#take(request);
      // False addresses of a provider lead nowhere.
      if (hostname.endsWith('example.com')) throw new TypeError('no such host');
      return real(input, init);
    });
  }

  /** The address to which the provider sends a browser after a sign-in. */
  agree(asked: Asked): URL {
    const code = crypto.randomUUID();
    this.#codes.set(code, asked);
    const promises = this.metadata['authorization_response_iss_parameter_supported'] === true;
    return backAt(asked, { code, state: asked.state, ...(promises ? { iss: this.issuer } : {}) });
  }

  /** Number of codes that were sent to the provider. */
  get codesTaken(): number {
    return this.asked.filter(({ url }) => url === `${this.issuer}/token`).length;
  }

  async #take(request: Request): Promise<Response> {
    this.asked.push({ url: request.url, redirect: request.redirect });
    return this.answer ? this.answer() : this.#answer(request);
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === `${this.path}.well-known/openid-configuration`) {
      return Response.json({
        issuer: this.path === '/' ? this.issuer : this.issuer + this.path,
        authorization_endpoint: `${this.issuer}/authorize`,
        token_endpoint: `${this.issuer}/token`,
        jwks_uri: `${this.issuer}/jwks`,
        ...(this.userInfo ? { userinfo_endpoint: `${this.issuer}/userinfo` } : {}),
        ...this.metadata,
      });
    }
    const [own, other] = await this.#keys;
    if (pathname === '/jwks') {
      const key = (await crypto.subtle.exportKey('jwk', own.publicKey)) as JsonWebKey;
      return Response.json({
        keys: [{ kty: key.kty, n: key.n, e: key.e, kid: '1', alg: 'RS256', use: 'sig' }],
      });
    }
    if (pathname === '/userinfo' && request.headers.get('Authorization') === 'Bearer x')
      return Response.json(this.userInfo);
    if (pathname !== '/token') return new Response('nothing', { status: 404 });
    const typed = await request.formData();
    const asked = this.#codes.get(String(typed.get('code')));
    this.#codes.delete(String(typed.get('code')));
    const form = (text: string) => encodeURIComponent(text).replace(/%20/g, '+');
    const basic = `Basic ${btoa(`${form(CLIENT.id)}:${form(CLIENT.secret)}`)}`;
    const proven = createHash('sha256')
      .update(String(typed.get('code_verifier')))
      .digest('base64url');
    const isRight =
      asked?.challenge === proven &&
      asked.redirectUri === typed.get('redirect_uri') &&
      request.headers.get('Authorization') === basic;
    if (!isRight) return Response.json({ error: 'invalid_grant' }, { status: 400 });
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: this.issuer,
      aud: CLIENT.id,
      iat: now,
      exp: now + 300,
      nonce: asked.nonce,
      ...this.claims,
    };
    const text = `${base64url(JSON.stringify({ alg: 'RS256', kid: '1' }))}.${base64url(JSON.stringify(claims))}`;
    const key = (this.forges ? other : own).privateKey;
    const signature = await crypto.subtle.sign(RS256, key, new TextEncoder().encode(text));
    const idToken = `${text}.${base64url(signature)}`;
    return Response.json({ access_token: 'x', token_type: 'Bearer', id_token: idToken });
  }
}
