import { Database } from '../lib/database.ts';
import type { Databases } from '../lib/databases.ts';
import { isUnavailable } from '../lib/store.ts';
import { MINUTE_MS, SECOND_MS } from '../lib/time.ts';
import type { AuditEntry } from './chain.ts';
import { headQuery } from './commit.ts';
import { givesWay } from './places.ts';

/** The session and user of a page that listens. */
export interface Listener {
  session: string;
  user: string;
}

/** What pages that listen are notified of, and until when. */
export interface Topics {
  /** The topics that audit entries concern, for pages to compare with what they show; none: nobody is notified. */
  topicsOf(entries: readonly AuditEntry[]): string[];
  /** Which of these sessions have not ended. */
  lasting(database: Database, sessions: readonly string[]): Promise<ReadonlySet<string>>;
}

/** What a page is sent: that the log has come to a number, and the topics that changed by then; null for it might be any. */
export interface Notice {
  sequenceNumber: number;
  changed: string[] | null;
}

/** Header of the request to the object in which the edge says who listens. Nobody else can send one. */
export const LISTENER_HEADER = 'X-Listener';

/** Pages of an organization that may listen, which users share; and of one session, of which the oldest has to go. */
const LISTENERS_MAXIMUM = 250;
const OF_SESSION_MAXIMUM = 8;
/** How long commits are collected before pages are notified of them. */
const COLLECTED_MS = 150;
/** Topics in a notice; of more it says that it might be any. */
const TOPICS_MAXIMUM = 100;
/** How long a session that was found to last is taken to last. */
const TRUSTED_MS = 5 * SECOND_MS;
/** A page sends `ping` every 20 seconds; one that has not for so long is gone, though its connection may not be. */
const SILENCE_MAXIMUM_MS = 2 * MINUTE_MS;

/** Codes of closing that pages know (RFC 6455 section 7.4.2). */
const CLOSED = {
  sessionEnded: 4401,
  replaced: 4409,
  silent: 4408,
  unavailable: 1013,
  unasked: 1008,
} as const;

/**
 * The pages that listen to an organization: notifies them after commits that something changed, never what. Its sockets
 * hibernate, so that a page that waits costs nothing; whatever else it remembers is lost with its instance, and is
 * no more than the next notice. A page that missed something sees that by the number when it connects again.
 */
export class Listeners {
  readonly #context: DurableObjectState;
  readonly #databases: Databases;
  readonly #topics: Topics;
  #sequenceNumber = 0;
  /** Topics of the next notice; null for any. */
  #changed: Set<string> | null = new Set();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Until when sessions are taken to last. */
  readonly #trusted = new Map<string, number>();

  constructor(context: DurableObjectState, databases: Databases, topics: Topics) {
    this.#context = context;
    this.#databases = databases;
    this.#topics = topics;
    context.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'));
  }

  /** Collect the topics of a commit. Costs nothing where nobody listens. */
  afterCommit(entries: readonly AuditEntry[], sequenceNumber: number): void {
    if (this.#context.getWebSockets().length === 0) return;
    const topics = this.#topics.topicsOf(entries);
    if (topics.length === 0) return;
    this.#sequenceNumber = Math.max(this.#sequenceNumber, sequenceNumber);
    for (const topic of topics) this.#changed?.add(topic);
    if (this.#changed && this.#changed.size > TOPICS_MAXIMUM) this.#changed = null;
    this.#soon();
  }

  /** Notify of any topic: it is not known what was committed. */
  afterUnknown(): void {
    if (this.#context.getWebSockets().length === 0) return;
    this.#changed = null;
    this.#soon();
  }

  /**
   * Take a page that wants to listen from a number of the log on (`after` of the query). It is notified at once how far the
   * log is, and that it missed something if it is further.
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
      // Read once it listens: it is notified of what is committed from here on.
      const sequenceNumber = await this.#head();
      send(server, { sequenceNumber, changed: after === sequenceNumber ? [] : null });
    } catch (error) {
      server.close(CLOSED.unavailable, 'the log could not be read');
      if (!isUnavailable(error)) throw error;
      return new Response(null, { status: 503 });
    }
    return new Response(null, { status: 101, webSocket: client });
  }

  /** See that there is a place for one more page of a user; whether there is one. */
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

  /** A page said something other than `ping`, which is answered without waking anybody. */
  refuse(socket: WebSocket): void {
    socket.close(CLOSED.unasked, 'pages only listen');
  }

  async #head(): Promise<number> {
    const database = this.#database();
    return (await database.first(headQuery(database)))?.sequenceNumber ?? 0;
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

  /** Which sessions last; null where that cannot be found out: pages connect again, and then the edge asks. */
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

  /** Let go of pages that are not there any more. */
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

/** What is kept with a socket while the object hibernates. */
interface Attachment extends Listener {
  /** Epoch milliseconds. */
  since: number;
}

const attached = (socket: WebSocket): Attachment => {
  const kept = socket.deserializeAttachment() as Omit<Attachment, 'user'> & Partial<Attachment>;
  // One that listens since before users shared the places: its session stands for its user.
  return { ...kept, user: kept.user ?? kept.session };
};

const isOpen = (socket: WebSocket): boolean => socket.readyState === WebSocket.OPEN;

/** A page that has just gone need not be notified. */
function send(socket: WebSocket, notice: Notice): void {
  try {
    socket.send(JSON.stringify(notice));
  } catch {
    // It connects again, and sees by the number what it missed.
  }
}
