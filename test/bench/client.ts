import { Agent, request } from 'node:http';

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

export interface Shot {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  json?: unknown;
  /** A body that is not JSON. Its media type is in the headers. */
  bytes?: Uint8Array;
  headers?: Record<string, string>;
}

/** Sends a request and reads the whole answer. */
export type Send = (shot: Shot) => Promise<Answer>;

/** A client that keeps its connections open. */
export function client(origin: string, common: Record<string, string> = {}): Send {
  const agent = new Agent({ keepAlive: true });
  return ({ method, path, json, bytes, headers }) =>
    new Promise((resolve, reject) => {
      const body = json === undefined ? bytes : Buffer.from(JSON.stringify(json));
      const sent = request(
        `${origin}${path}`,
        {
          method,
          agent,
          headers: {
            ...common,
            ...headers,
            ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
            ...(body ? { 'Content-Length': body.length } : {}),
          },
        },
        (received) => {
          const parts: Buffer[] = [];
          received.on('data', (part: Buffer) => parts.push(part));
          received.on('error', reject);
          received.on('end', () =>
            resolve({
              status: received.statusCode ?? 0,
              headers: received.headers,
              body: Buffer.concat(parts),
            }),
          );
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
}

/** Send a request and require success. Otherwise errors would count as fast answers. */
export async function succeed(send: Send, shot: Shot): Promise<Answer> {
  const answer = await send(shot);
  if (answer.status < 200 || answer.status > 299) {
    throw new Error(`${shot.method} ${shot.path}: ${answer.status} ${answer.body.subarray(0, 500)}`);
  }
  return answer;
}

/** Like `succeed`, but returns the answer's JSON. */
export async function json<T>(send: Send, shot: Shot): Promise<T> {
  return JSON.parse((await succeed(send, shot)).body.toString()) as T;
}
