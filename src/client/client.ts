/** A small client of the HTTP API, as a WMS would write one. It retries safely and counts its requests. */
import { baseUrlOf } from './base-url.ts';

const ATTEMPTS = 8;
const TIMEOUT_MS = 30_000;
const BACKOFF_FIRST_MS = 250;
const BACKOFF_MAXIMUM_MS = 5_000;
/** The maximum wait for `Retry-After`. A rate limit names at most the rest of its minute. */
const RETRY_AFTER_MAXIMUM_MS = 60_000;

/** Counters shared by all clients of a run. */
export interface Traffic {
  requests: number;
  retries: number;
  replays: number;
}

/** A successful answer. */
export interface Answer<T> {
  /** The parsed JSON. Labels, proofs and photos are a `Uint8Array`. */
  body: T;
  /** Whether the service had already done this for the same Idempotency-Key. */
  replayed: boolean;
  /** Path and query of the next page, from the Link header. */
  next: string | undefined;
}

/** The options of a request. */
export interface RequestOptions {
  body?: unknown;
  /** A body that is not JSON, such as a photo, with its media type. */
  bytes?: Uint8Array<ArrayBuffer>;
  contentType?: string;
  /** The same key in every attempt and every run, so that the service does the thing once. */
  key?: string;
  attempts?: number;
}

/** An error answer that another attempt would not change. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(method: string, path: string, status: number, code: string, detail: string) {
    super(`${method} ${path} was answered ${status} ${code}: ${detail}`);
    this.status = status;
    this.code = code;
  }
}

type Attempt<T> = { answer: Answer<T> } | { error: Error; retryAfterMs: number | undefined };

/** Requests to one service with one credential. */
export class ApiClient {
  /** The base URL, without a slash at its end. */
  readonly base: string;
  readonly traffic: Traffic;
  readonly #headers: Record<string, string>;

  /** @throws Error if the base URL has no scheme */
  constructor(
    base: string | URL,
    headers: Record<string, string> = {},
    traffic: Traffic = { requests: 0, retries: 0, replays: 0 },
  ) {
    this.base = baseUrlOf(base);
    this.traffic = traffic;
    this.#headers = headers;
  }

  /** The same service with other credentials and shared counters. */
  as(headers: Record<string, string>): ApiClient {
    return new ApiClient(this.base, headers, this.traffic);
  }

  /**
   * Send a request, retrying until it has a final answer. Redirects are not followed, so that the credential is sent to
   * the service alone. @throws ApiError for a refusal or redirect, Error when no attempt was answered.
   */
  async request<T>(method: string, path: string, options: RequestOptions = {}): Promise<Answer<T>> {
    // Without the slash, a path could name another host.
    if (!path.startsWith('/')) throw new Error(`A path begins with /, and this does not: ${path}`);
    const attempts = options.attempts ?? ATTEMPTS;
    for (let attempt = 1; ; attempt += 1) {
      const result = await this.#attempt<T>(method, path, options);
      if ('answer' in result) {
        if (result.answer.replayed) this.traffic.replays += 1;
        return result.answer;
      }
      if (attempt >= attempts) throw result.error;
      this.traffic.retries += 1;
      await pause(result.retryAfterMs ?? backoffMs(attempt));
    }
  }

  /** Every item of a list, page by page along the cursor. */
  async *walk<T>(path: string): AsyncGenerator<T> {
    for (let next: string | undefined = path; next !== undefined; ) {
      const page: Answer<{ content: T[] }> = await this.request('GET', next);
      yield* page.body.content;
      next = page.next;
    }
  }

  /** A path of the service without the path of the base URL, if a proxy has added that. */
  #withoutBase(path: string | undefined): string | undefined {
    const prefix = new URL(this.base).pathname.replace(/\/$/, '');
    return path?.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
  }

  async #attempt<T>(method: string, path: string, options: RequestOptions): Promise<Attempt<T>> {
    const { key, contentType = 'application/json' } = options;
    const body = options.bytes ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    this.traffic.requests += 1;
    let response: Response;
    let bytes: Uint8Array;
    try {
      response = await fetch(this.base + path, {
        method,
        headers: {
          ...this.#headers,
          ...(key === undefined ? {} : { 'Idempotency-Key': key }),
          ...(body === undefined ? {} : { 'Content-Type': contentType }),
        },
        ...(body === undefined ? {} : { body }),
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      bytes = new Uint8Array(await response.arrayBuffer());
    } catch (error) {
      // It is unknown whether the request arrived. The idempotency key makes a retry safe.
      return {
        error: new Error(`${method} ${this.base}${path}: ${reasonOf(error)}`),
        retryAfterMs: undefined,
      };
    }
    if (response.ok) {
      return {
        answer: {
          body: bodyOf(response, bytes) as T,
          replayed: response.headers.get('Idempotent-Replayed') === 'true',
          next: this.#withoutBase(nextPath(response.headers.get('Link'))),
        },
      };
    }
    if (isRedirect(response)) {
      const place = response.headers.get('Location');
      throw new ApiError(method, path, response.status, 'redirected', redirectText(place));
    }
    const { code, detail } = problemOf(new TextDecoder().decode(bytes));
    const error = new ApiError(method, path, response.status, code, detail);
    if (!isTemporary(response.status, code)) throw error;
    return { error, retryAfterMs: retryAfterMs(response.headers.get('Retry-After')) };
  }
}

/** The body of an answer: JSON, or bytes of another type. */
function bodyOf({ headers }: Response, bytes: Uint8Array): unknown {
  const type = headers.get('Content-Type');
  if (type !== null && !/[/+]json(?:\s*;|$)/.test(type)) return bytes;
  return bytes.length === 0 ? undefined : JSON.parse(new TextDecoder().decode(bytes));
}

/** A call that an earlier run may already have made. Refusals that say so count as success. */
export async function unlessDone<T>(call: Promise<T>, ...codes: string[]): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ApiError && codes.includes(error.code)) return undefined;
    throw error;
  }
}

/**
 * The path and query of `rel="next"`. The link names the host that the service sees. Behind a proxy this may be another
 * host, so the host is ignored.
 * @throws Error if it is not the URL of a page
 */
export function nextPath(link: string | null): string | undefined {
  const target = /<([^<>]*)>\s*;\s*rel="next"/.exec(link ?? '')?.[1];
  if (target === undefined) return undefined;
  const { protocol, pathname, search } = new URL(target, 'http://localhost');
  if (/^https?:$/.test(protocol)) return pathname + search;
  throw new Error(`The Link header names no path of the service: ${target}`);
}

/** Whether an answer is a redirect. Browsers show it as status 0, and hide its target. */
export const isRedirect = ({ status }: Response): boolean => [0, 301, 302, 303, 307, 308].includes(status);

/** Why a redirect is not followed. */
export const redirectText = (place: string | null): string =>
  `The service redirects to ${place ?? 'another place'}. This is not followed, since the key would be sent there: ` +
  'name the address of the service itself.';

function isTemporary(status: number, code: string): boolean {
  return status === 429 || status >= 500 || (status === 409 && code === 'idempotencyInProgress');
}

function retryAfterMs(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header)
    ? Math.min(Number(header) * 1_000, RETRY_AFTER_MAXIMUM_MS)
    : undefined;
}

/** Doubles each time, with jitter, so that requests that failed together are not retried together. */
function backoffMs(attempt: number): number {
  return Math.min(BACKOFF_FIRST_MS * 2 ** (attempt - 1), BACKOFF_MAXIMUM_MS) * (0.5 + Math.random() / 2);
}

function problemOf(text: string): { code: string; detail: string } {
  try {
    const { code, detail } = JSON.parse(text) as { code?: unknown; detail?: unknown };
    return { code: String(code ?? ''), detail: String(detail ?? '') };
  } catch {
    return { code: '', detail: text.slice(0, 200) };
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  // For a refused connection only the error code is informative.
  return cause.message || String((cause as NodeJS.ErrnoException).code ?? cause.name);
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
