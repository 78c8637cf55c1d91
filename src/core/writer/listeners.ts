import { Database } from '../lib/database.ts';
import type { Databases } from '../lib/databases.ts';
import { isUnavailable } from '../lib/store.ts';
import { MINUTE_MS, SECOND_MS } from '../lib/time.ts';
import type { AuditEntry } from './chain.ts';
import { endQuery } from './log.ts';

/** The session and user of an open page that listens. */
export interface Listener {
  session: string;
  user: string;
}

/** Finds the topics that pages are notified of, and the sessions that are still valid. */
export interface Topics {
  /** The topics of these audit entries. Pages compare them with their own topics. Without topics no page is notified. */
  topicsOf(entries: readonly AuditEntry[]): string[];
  /** The given sessions that have not ended. */
  lasting(database: Database, sessions: readonly string[]): Promise<ReadonlySet<string>>;
}

/**
 * A notification for a page: the last number of the log, and the topics that changed up to it; null if any topic may
 * have changed.
 */
export interface Notice {
  sequenceNumber: number;
  changed: string[] | null;
}

/** The header in which the edge passes the listener to the object. Clients cannot send it. */
export const LISTENER_HEADER = 'X-Listener';

/** The maximum number of listening pages of an organization, shared by its users. */
const LISTENERS_MAXIMUM = 250;
/** The same for a session. One more page of the session closes its oldest one. */
const OF_SESSION_MAXIMUM = 8;
/** How long commits are collected before pages are notified. */
const COLLECTED_MS = 150;
/** The maximum number of topics in a notification. If there are more, it says that any topic may have changed. */
const TOPICS_MAXIMUM = 100;
/** How long a session counts as valid after it was checked. */
const TRUSTED_MS = 5 * SECOND_MS;
/**
 * A page sends `ping` every 2 seconds. After this long without one it counts as gone, even if its connection is open.
 */
const SILENCE_MAXIMUM_MS = 2 * MINUTE_MS;

/** Close codes that pages know (RFC 6455 section 7.4.2). */
const CLOSED = {
  sessionEnded: 4401,
  replaced: 4409,
  silent: 4408,
  unavailable: 1013,
  unasked: 1008,
} as const;

/**
 * The open pages of an organization. They are notified over WebSocket that something changed, but not what. The sockets
 * hibernate, so a waiting page costs nothing. State in memory may be lost with the instance at any time. A page
 * compares the number in the next notification, or after reconnecting, with its own. So it notices what it missed.
 */
export class Listeners {
  readonly #context: DurableObjectState;
  readonly #databases: Databases;
  readonly #topics: Topics;
  #sequenceNumber = 0;
  /** Topics of the next notification; null if any may have changed. */
  #changed: Set<string> | null = new Set();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Until when each session counts as valid. */
  readonly #trusted = new Map<string, number>();

  constructor(context: DurableObjectState, databases: Databases, topics: Topics) {
    this.#context = context;
    this.#databases = databases;
    this.#topics = topics;
    context.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'));
  }

  /** Collect the topics of a commit. Does nothing if no page listens. */
  afterCommit(entries: readonly AuditEntry[], sequenceNumber: number): void {
    if (this.#context.getWebSockets().length === 0) return;
    const topics = this.#topics.topicsOf(entries);
    if (topics.length === 0) return;
    this.#sequenceNumber = Math.max(this.#sequenceNumber, sequenceNumber);
    for (const topic of topics) this.#changed?.add(topic);
    if (this.#changed && this.#changed.size > TOPICS_MAXIMUM) this.#changed = null;
    this.#soon();
  }

  /** Notify that any topic may have changed, because it is unknown what was committed. */
  afterUnknown(): void {
    if (this.#context.getWebSockets().length === 0) return;
    this.#changed = null;
    this.#soon();
  }

  /**
   * Accept a page. `after` in the query is the number of the log that the page shows. The page gets the current number
   * at once. If the numbers differ, the message also says that any topic may have changed.
   */
  async take(request: Request): Promise<Response> {
    const listener = JSON.parse(request.headers.get(LISTENER_HEADER) ?? 'null') as Listener | null;
    if (!listener || request.headers.get('Upgrade') !== 'websocket')
      return new Response(null, { status: 426 });
    const now = Date.now();
    this.#sweep(now);
    const others = this.#context.getWebSockets(listener.session).filter(isOpen);
    others.sort((one, other) => attached(one).since - attached(other).since);
    for (const oldest of others.slice(0, Math.max(0, others.length + 1 - OF_SESSION_MAXIMUM))) {
      oldest.close(CLOSED.replaced, 'other pages of the session listen');
    }
    if (!this.#makeRoom(listener)) return new Response(null, { status: 503 });
    const { 0: client, 1: server } = new WebSocketPair();
    this.#context.acceptWebSocket(server, [listener.session]);
    server.serializeAttachment({ ...listener, since: now } satisfies Attachment);
    const after = Number(new URL(request.url).searchParams.get('after'));
    try {
      // Read after accepting, because the page is notified of every commit from then on.
      const sequenceNumber = await this.#head();
      send(server, { sequenceNumber, changed: after === sequenceNumber ? [] : null });
    } catch (error) {
      server.close(CLOSED.unavailable, 'the log could not be read');
      if (!isUnavailable(error)) throw error;
      return new Response(null, { status: 503 });
    }
    return new Response(null, { status: 101, webSocket: client });
  }

  /** Make room for one more page of a user. Returns whether there is room. */
  #makeRoom({ user }: Listener): boolean {
    const sockets = this.#context.getWebSockets().filter(isOpen);
    if (sockets.length < LISTENERS_MAXIMUM) return true;
    const given = givesWay(
      sockets.map((socket) => ({ socket, ...attached(socket) })),
      user,
    );
    given?.socket.close(
      CLOSED.replaced,
      'the place is needed by a user with fewer pages, or by another page',
    );
    return given !== undefined;
  }

  /** Close the connection of a page that sent anything but `ping`. A `ping` is answered without waking the object. */
  refuse(socket: WebSocket): void {
    socket.close(CLOSED.unasked, 'pages only listen');
  }

  async #head(): Promise<number> {
    const database = this.#database();
    return (await database.first(endQuery(database)))?.sequenceNumber ?? 0;
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => this.#context.waitUntil(this.#notify()), COLLECTED_MS);
  }

  async #notify(): Promise<void> {
    const notice: Notice = {
      sequenceNumber: this.#sequenceNumber,
      changed: this.#changed && [...this.#changed],
    };
    this.#timer = undefined;
    this.#changed = new Set();
    const now = Date.now();
    this.#sweep(now);
    const sockets = this.#context.getWebSockets().filter(isOpen);
    const lasting = await this.#lasting([...new Set(sockets.map((socket) => attached(socket).session))], now);
    for (const socket of sockets) {
      if (lasting === null) socket.close(CLOSED.unavailable, 'the sessions could not be read');
      else if (lasting.has(attached(socket).session)) send(socket, notice);
      else socket.close(CLOSED.sessionEnded, 'the session has ended');
    }
  }

  /**
   * The given sessions that are valid; null if that cannot be read. The pages are then closed and reconnect through the
   * edge, which checks.
   */
  async #lasting(sessions: readonly string[], now: number): Promise<ReadonlySet<string> | null> {
    const unknown = sessions.filter((session) => (this.#trusted.get(session) ?? 0) <= now);
    if (unknown.length > 0) {
      this.#trusted.clear();
      try {
        for (const session of await this.#topics.lasting(this.#database(), sessions)) {
          this.#trusted.set(session, now + TRUSTED_MS);
        }
      } catch (error) {
        console.error(JSON.stringify({ organization: this.#context.id.name, listeners: String(error) }));
        return null;
      }
    }
    return new Set(this.#trusted.keys());
  }

  /** Close the connections of pages that are gone. */
  #sweep(now: number): void {
    for (const socket of this.#context.getWebSockets()) {
      const heard =
        this.#context.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? attached(socket).since;
      if (now - heard > SILENCE_MAXIMUM_MS) socket.close(CLOSED.silent, 'not heard of');
    }
  }

  #database(): Database {
    return new Database(this.#context.id.name!, this.#databases);
  }
}

/** The data stored with a socket while the object hibernates. */
interface Attachment extends Listener {
  /** Epoch milliseconds. */
  since: number;
}

const attached = (socket: WebSocket): Attachment => socket.deserializeAttachment() as Attachment;

const isOpen = (socket: WebSocket): boolean => socket.readyState === WebSocket.OPEN;

/** Send a notification, ignoring a page that has just closed. */
function send(socket: WebSocket, notice: Notice): void {
  try {
    socket.send(JSON.stringify(notice));
  } catch {
    // After reconnecting, the page notices by the number what it missed.
  }
}

/** The slot of a listening page: its user, and since when (epoch milliseconds). */
export interface ListenerSlot {
  user: string;
  since: number;
}

/**
 * The page to close for a new page of `user` when all slots are taken. It is the oldest page of the user with the most
 * slots. That user must be left with at least as many slots as `user` then has. Otherwise it is the oldest page of
 * `user`. So a user displaces only pages of users with more slots, or own pages. Two users never displace each
 * other in turn. Undefined if `user` has no slot and no other user has more than one: the new page must then wait.
 */
export function givesWay<P extends ListenerSlot>(slots: readonly P[], user: string): P | undefined {
  const byUser = new Map<string, P[]>();
  for (const slot of [...slots].sort((one, other) => one.since - other.since)) {
    byUser.set(slot.user, [...(byUser.get(slot.user) ?? []), slot]);
  }
  const own = byUser.get(user) ?? [];
  const [most] = [...byUser.values()].sort((one, other) => other.length - one.length);
  return most !== undefined && most.length > own.length + 1 ? most[0] : own[0];
}
