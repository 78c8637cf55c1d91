import { createHash } from 'node:crypto';
import { vi } from 'vitest';

export const ISSUER = 'https://id.example.com';
export const CLIENT = { id: 'dispatch', secret: 'a client secret/with: signs' };

const base64url = (value: string | ArrayBuffer): string => Buffer.from(value as string).toString('base64url');

/** What a browser was sent to the provider with. */
export interface Asked {
  state: string;
  nonce: string;
  challenge: string;
  redirectUri: string;
}

const RS256 = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
const newKey = () =>
  crypto.subtle.generateKey(
    { ...RS256, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ['sign', 'verify'],
  ) as Promise<CryptoKeyPair>;

/** An OpenID provider in the place of the network, which can be made to lie. */
export class Provider {
  /** Changes the claims of the next tokens. */
  claims: Record<string, unknown> = {};
  /** Whether tokens are signed with a key that the provider does not publish. */
  forges = false;
  /** In the place of what the discovery document says. */
  metadata: Record<string, unknown> = {};
  /** Answers in the place of the whole provider. */
  answer: (() => Response | Promise<Response>) | undefined;
  readonly asked: { url: string; redirect: string }[] = [];
  readonly #codes = new Map<string, Asked>();
  readonly #keys = Promise.all([newKey(), newKey()]);

  constructor() {
    const real = globalThis.fetch;
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      const request = new Request(input as RequestInfo, init);
      if (new URL(request.url).hostname.endsWith('example.com') === false) return real(input, init);
      this.asked.push({ url: request.url, redirect: request.redirect });
      return this.answer ? this.answer() : this.#answer(request);
    });
  }

  /** What the provider leads a browser back with, after somebody has signed in there. */
  agree(asked: Asked): URLSearchParams {
    const code = crypto.randomUUID();
    this.#codes.set(code, asked);
    return new URLSearchParams({ code, state: asked.state });
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === '/.well-known/openid-configuration') {
      return Response.json({
        issuer: ISSUER,
        authorization_endpoint: `${ISSUER}/authorize`,
        token_endpoint: `${ISSUER}/token`,
        jwks_uri: `${ISSUER}/jwks`,
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
      iss: ISSUER,
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
