/** The check of webhook deliveries: from the queue, signed, to a receiver. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { received } from '../client/webhooks.ts';
import type { Site } from './check-day.ts';
import type { Outcome } from './check-platform.ts';
import { poll } from './check-probe.ts';
import { API } from './demo/provision.ts';

const DELIVERED_MAXIMUM_MS = 60_000;
const POLL_MS = 500;

/** A delivery in the log of the service. */
interface Delivery {
  sequenceNumber: number | null;
  status: string;
  createDate: string;
  error: string | null;
  attempts: { attemptDate: string; statusCode: number | null; error: string | null }[];
}

/** A webhook of the run, and how to end it. */
export interface Watched {
  uuid: string;
  /** Whether the receiver is expected to accept events. The service itself is no receiver, and refuses them. */
  accepts: boolean;
  url: string;
  stop: () => void;
}

/**
 * Register a webhook. The receiver is `url`. By default it is this program for a service on this machine, and the
 * service itself for any other. Then the log of deliveries shows that requests arrive.
 */
export async function watch({ wms }: Site, url: string | undefined): Promise<Watched> {
  const { hostname, origin } = new URL(wms.base);
  const isHere = url === undefined && isLoopback(hostname);
  let secret = '';
  const server = isHere ? await listen(() => secret) : undefined;
  const target = server
    ? `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    : (url ?? `${origin}/health`);
  const stop = (): void => {
    server?.closeAllConnections();
    server?.close();
  };
  try {
    const body = { name: 'Deployment check', url: target, eventTypes: [] };
    const webhook = await wms.call<{ uuid: string; secret: string }>(
      'create a webhook',
      'POST',
      `${API}/webhook`,
      body,
    );
    secret = webhook.secret;
    return { uuid: webhook.uuid, accepts: server !== undefined || url !== undefined, url: target, stop };
  } catch (error) {
    stop();
    throw error;
  }
}

/** Whether a host is this machine. */
export const isLoopback = (hostname: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/** A receiver that accepts only requests with a valid signature. */
async function listen(secret: () => string): Promise<Server> {
  const server = createServer(async (request, response) => {
    try {
      received(secret(), await buffer(request), request.headers as Record<string, string>);
      response.writeHead(204).end();
    } catch {
      response.writeHead(400).end();
    }
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return server;
}

/** Check the deliveries of the day, within a minute after it. */
export async function webhook(
  { wms }: Site,
  { uuid, accepts, url }: Watched,
  maximumMs = DELIVERED_MAXIMUM_MS,
): Promise<Outcome> {
  const path = `${API}/webhook/${uuid}/delivery?pageSize=100`;
  const isDone = ({ status, attempts }: Delivery): boolean =>
    status === 'SUCCEEDED' || (!accepts && attempts.some(({ statusCode }) => statusCode !== null));
  return poll({ maximumMs, pollMs: POLL_MS }, async () => {
    const { content } = await wms.call<{ content: Delivery[] }>('read deliveries', 'GET', path);
    const open = content.filter((delivery) => !isDone(delivery));
    if (content.length > 0 && open.length === 0) return { passed: summary(content, accepts, url) };
    const why =
      open.flatMap(({ attempts }) => attempts.flatMap(({ error }) => error ?? []))[0] ?? 'no attempt';
    return new Error(`${open.length} of ${content.length} events did not reach ${url}: ${why}`);
  });
}

function summary(deliveries: readonly Delivery[], accepts: boolean, url: string): string {
  const delays = deliveries.map(({ createDate, attempts }) => {
    return Date.parse(attempts[0]?.attemptDate ?? createDate) - Date.parse(createDate);
  });
  const delay = `${deliveries.length} events reached ${url}, at most ${Math.max(...delays)} ms after they happened`;
  return accepts ? delay : `${delay}. It is no receiver: check signatures with --webhook URL`;
}
