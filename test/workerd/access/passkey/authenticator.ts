import { isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers';
import { newTenant, type Tenant } from '../../client.ts';
import { cookieOf, newPerson, type Person, page, type Shown } from '../session/person.ts';

/** The host of all organizations. It has passkeys. */
export const HERE = 'http://localhost:8787';
const HOST = 'localhost';

const base64url = (bytes: Uint8Array | ArrayBuffer): string => isoBase64URL.fromBuffer(new Uint8Array(bytes));
const sha256 = async (data: Uint8Array<ArrayBuffer>) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', data));
const joined = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));
const utf8 = (text: string) => Uint8Array.from(new TextEncoder().encode(text));

const [PRESENT, VERIFIED, ATTESTED] = [1, 4, 64];

/** Faults of an answer. Without any, the answer is correct. */
export interface Wrong {
  type?: string;
  origin?: string;
  host?: string;
  challenge?: string;
  flags?: number;
  counter?: number;
  id?: string;
  userHandle?: string;
  /** The format and the statement of an attestation that nobody asked for. */
  attestation?: [format: string, statement: Map<string, unknown>];
  /** Whether the answer comes from a frame of another site, and the origin of that site. */
  crossOrigin?: boolean;
  topOrigin?: string;
  /** Another authenticator that signs instead. */
  by?: Authenticator;
}

/** The options that a server sends. */
export interface Asked {
  challenge: string;
  user?: { id: string };
}

/** An authenticator with one passkey, Ed25519 (COSE algorithm -8). */
export class Authenticator {
  readonly id = base64url(crypto.getRandomValues(new Uint8Array(16)));
  counter: number;
  userHandle = '';
  readonly #keys: CryptoKeyPair;

  private constructor(keys: CryptoKeyPair, counter: number) {
    this.#keys = keys;
    this.counter = counter;
  }

  /** An authenticator whose counter of uses has a value. 0 means that it does not count. */
  static async new(counter = 0): Promise<Authenticator> {
    const keys = await crypto.subtle.generateKey({ name: 'Ed25519' }, true, ['sign', 'verify']);
    return new Authenticator(keys as CryptoKeyPair, counter);
  }

  /** Make a new passkey for the user in the options. */
  async make(asked: Asked, wrong: Wrong = {}): Promise<string> {
    this.userHandle = asked.user!.id;
    const raw = await crypto.subtle.exportKey('raw', this.#keys.publicKey);
    const key = new Map<number, number | Uint8Array>([
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, new Uint8Array(raw as ArrayBuffer)],
    ]);
    const id = isoBase64URL.toBuffer(this.id);
    const attested = joined(new Uint8Array(16), Uint8Array.of(0, id.length), id, isoCBOR.encode(key));
    const attestation = new Map<string, unknown>([
      ['fmt', wrong.attestation?.[0] ?? 'none'],
      ['attStmt', wrong.attestation?.[1] ?? new Map()],
      ['authData', joined(await this.#data(wrong, ATTESTED), attested)],
    ]);
    return this.#answer(wrong, {
      clientDataJSON: base64url(this.#client('webauthn.create', asked, wrong)),
      attestationObject: base64url(isoCBOR.encode(attestation as never)),
    });
  }

  /** Sign a challenge. */
  async sign(asked: Asked, wrong: Wrong = {}): Promise<string> {
    if (this.counter > 0) this.counter += 1;
    const data = await this.#data(wrong);
    const client = this.#client('webauthn.get', asked, wrong);
    const { privateKey } = (wrong.by ?? this).#keys;
    const signature = await crypto.subtle.sign('Ed25519', privateKey, joined(data, await sha256(client)));
    return this.#answer(wrong, {
      clientDataJSON: base64url(client),
      authenticatorData: base64url(data),
      signature: base64url(signature),
      userHandle: wrong.userHandle ?? this.userHandle,
    });
  }

  #answer({ id = this.id }: Wrong, response: object): string {
    return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response });
  }

  #client(type: string, { challenge }: Asked, wrong: Wrong) {
    return utf8(JSON.stringify({ type, challenge, origin: HERE, crossOrigin: false, ...clientOf(wrong) }));
  }

  async #data({ host = HOST, flags = PRESENT | VERIFIED, counter = this.counter }: Wrong, more = 0) {
    const count = new Uint8Array(4);
    new DataView(count.buffer).setUint32(0, counter);
    return joined(await sha256(utf8(host)), Uint8Array.of(flags | more), count);
  }
}

const clientOf = ({ type, origin, challenge, crossOrigin, topOrigin }: Wrong) =>
  Object.fromEntries(
    Object.entries({ type, origin, challenge, crossOrigin, topOrigin }).filter(
      ([, value]) => value !== undefined,
    ),
  );

/** A browser that has been asked to sign in with a passkey. */
export interface Visitor {
  asked: Asked;
  /** The cookie with the challenge. */
  kept: string;
  send(credential: string, with_?: { kept?: string; address?: string }): Promise<Shown>;
  /** The request with which the browser sends an answer. */
  request(credential: string): Request;
}

let addresses = 0;
/** An IP address without failures. */
export const anAddress = (): string => {
  addresses += 1;
  return `203.0.113.${addresses}`;
};

/** Start a sign-in with a passkey at a host. */
export async function visitor(origin = HERE): Promise<Visitor> {
  const form = await page('GET', `${origin}/app/login`);
  const guest = cookieOf(form, 'guest')!;
  const token = /name="token" value="([0-9a-f]{64})"/.exec(form.text)![1]!;
  const headers = { Origin: origin, 'Sec-Fetch-Site': 'same-origin' };
  const options = await page('POST', `${origin}/app/login`, {
    headers: { ...headers, Cookie: `guest=${guest}`, Accept: 'application/json' },
    fields: { token, action: 'passkeyOptions' },
  });
  const kept = cookieOf(options, 'passkey') ?? '';
  const cookies = (other: string) => `guest=${guest}; passkey=${other}`;
  return {
    request: (credential) =>
      new Request(`${origin}/app/login`, {
        method: 'POST',
        headers: { ...headers, Cookie: cookies(kept), 'CF-Connecting-IP': anAddress() },
        body: new URLSearchParams({ token, action: 'passkey', credential }),
      }),
    asked: JSON.parse(options.text).options,
    kept,
    send: (credential, { kept: other = kept, address = anAddress() } = {}) =>
      page('POST', `${origin}/app/login`, {
        headers: { ...headers, Cookie: cookies(other), 'CF-Connecting-IP': address },
        fields: { token, action: 'passkey', credential },
      }),
  };
}

/** Sign in with a passkey at a host, possibly with faults. */
export async function signIn(key: Authenticator, wrong: Wrong = {}, origin = HERE): Promise<Shown> {
  const { asked, send } = await visitor(origin);
  return send(await key.sign(asked, { origin, host: new URL(origin).hostname, ...wrong }));
}

/** Whether an answer has started a session. */
export const isIn = (answer: Shown): boolean => answer.status === 303 && !!cookieOf(answer, 'session');

/** The account page of a user at a host, as its script and forms use it. */
export function accountOf({ session, token }: Person, origin = HERE) {
  const headersWith = (kept: string) => ({ Origin: origin, Cookie: `session=${session}; passkey=${kept}` });
  const send = async (fields: Record<string, string>, more: Record<string, string> = {}, kept = '') =>
    page('POST', `${origin}/app/account`, {
      headers: { ...headersWith(kept), ...more },
      fields: { token: await token(), ...fields },
    });
  return {
    request: async (name: string, credential: string, kept: string): Promise<Request> =>
      new Request(`${origin}/app/account`, {
        method: 'POST',
        headers: headersWith(kept),
        body: new URLSearchParams({ token: await token(), action: 'addPasskey', name, credential }),
      }),
    async options(): Promise<{ asked: Asked; kept: string; shown: Shown }> {
      const shown = await send({ action: 'passkeyOptions' }, { Accept: 'application/json' });
      return { asked: JSON.parse(shown.text).options, kept: cookieOf(shown, 'passkey') ?? '', shown };
    },
    get: (): Promise<Shown> =>
      page('GET', `${origin}/app/account`, { headers: { Cookie: `session=${session}` } }),
    add: (name: string, credential: string, kept: string): Promise<Shown> =>
      send({ action: 'addPasskey', name, credential }, {}, kept),
  };
}

/** Add a passkey to a user. */
export async function add(
  person: Person,
  {
    key,
    name = 'A key',
    wrong = {},
    origin = HERE,
  }: { key: Authenticator; name?: string; wrong?: Wrong; origin?: string },
): Promise<Shown> {
  const account = accountOf(person, origin);
  const { asked, kept } = await account.options();
  const credential = await key.make(asked, { origin, host: new URL(origin).hostname, ...wrong });
  return account.add(name, credential, kept);
}

/** A user with a passkey. */
export async function withPasskey(
  counter = 0,
  tenant?: Tenant,
  authorityName?: string,
): Promise<{ tenant: Tenant; person: Person; key: Authenticator }> {
  const own = tenant ?? (await newTenant());
  const person = await newPerson(own, authorityName);
  const key = await Authenticator.new(counter);
  const added = await add(person, { key });
  if (added.status !== 303) throw new Error(`${added.status} ${added.text}`);
  return { tenant: own, person, key };
}
