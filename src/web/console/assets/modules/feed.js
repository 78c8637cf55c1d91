/** Ping interval, and how long the page waits for the answer. So a dead connection is detected within 5 s. */
const PING_MS = 2_000;
const PONG_MS = 2_500;
/** Timeout for connecting. */
const OPEN_MS = 4_000;
/** Retry interval after the server has closed the connection in favour of another page (`REPLACED`). */
const RETURN_MS = 20_000;
/** Backoff between attempts to connect. Jitter is added, so that not all tablets reconnect at once. */
const RETRY_MS = [500, 1_000, 2_000, 4_000, 8_000];
/** If the clock jumps by more than this between two ticks, the tablet was asleep. */
const ASLEEP_MS = 15_000;
/** WebSocket close code: the session has ended. */
const SESSION_ENDED = 4401;
/** WebSocket close code: the server needed the place for another page. See `RETURN_MS`. */
const REPLACED = 4409;

/**
 * The connection for live updates. Callbacks:
 * - `after()`: returns the log sequence number that the page shows.
 * - `received({sequenceNumber, changed})`: a message arrived.
 * - `stateChanged(live, dead)`: the connection changed. `dead`: the server does not answer.
 * - `ponged()`: the server answered a ping.
 * - `ended()`: the session has ended.
 */
export class Feed {
  #socket = null;
  #attempts = 0;
  #retry = 0;
  #pong = 0;
  #tickedAt = Date.now();
  #connectedAt = Date.now();
  #on;

  constructor(on) {
    this.#on = on;
    setInterval(() => this.#tick(), PING_MS);
    // The device woke up, the page is visible again, or the network is back. Check the connection at once.
    for (const name of ['online', 'pageshow']) addEventListener(name, () => this.check());
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.check();
    });
    addEventListener('pagehide', () => this.#drop());
    this.#connect();
  }

  get live() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Ping the server, or connect if there is no connection. */
  check() {
    this.#attempts = 0;
    if (this.live) this.#ping();
    else if (this.#socket?.readyState !== WebSocket.CONNECTING) this.#connect();
  }

  #tick() {
    const slept = Date.now() - this.#tickedAt > ASLEEP_MS;
    this.#tickedAt = Date.now();
    if (slept) this.#drop();
    if (this.live) this.#ping();
    else if (!this.#socket && !this.#retry && Date.now() - this.#connectedAt >= RETURN_MS) this.#connect();
  }

  #ping() {
    const socket = this.#socket;
    socket.send('ping');
    // Do not extend the time limit of an earlier ping.
    if (!this.#pong) this.#dropAfter(socket, PONG_MS);
  }

  /** Close the connection if it does not answer within `ms` milliseconds, and reconnect. */
  #dropAfter(socket, ms) {
    this.#pong = setTimeout(() => {
      this.#pong = 0;
      if (this.#socket !== socket) return;
      this.#drop(true);
      this.#retryLater();
    }, ms);
  }

  #connect() {
    clearTimeout(this.#retry);
    this.#retry = 0;
    this.#connectedAt = Date.now();
    this.#drop();
    const url = new URL('/app/feed', location.href);
    url.protocol = url.protocol.replace('http', 'ws');
    url.searchParams.set('after', this.#on.after());
    const socket = new WebSocket(url);
    this.#socket = socket;
    this.#dropAfter(socket, OPEN_MS);
    socket.onmessage = ({ data }) => {
      if (this.#socket !== socket) return;
      clearTimeout(this.#pong);
      this.#pong = 0;
      if (data === 'pong') return this.#on.ponged();
      this.#attempts = 0;
      this.#on.stateChanged(true);
      this.#on.received(JSON.parse(data));
    };
    socket.onclose = ({ code }) => {
      if (this.#socket !== socket) return;
      clearTimeout(this.#pong);
      this.#pong = 0;
      this.#socket = null;
      this.#on.stateChanged(false, false);
      if (code === SESSION_ENDED) this.#on.ended();
      if (code !== REPLACED) this.#retryLater();
    };
  }

  #retryLater() {
    const wait = RETRY_MS[Math.min(this.#attempts, RETRY_MS.length - 1)];
    this.#attempts += 1;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#connect(), wait * (0.75 + Math.random() / 2));
  }

  #drop(isDead = false) {
    clearTimeout(this.#pong);
    this.#pong = 0;
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    socket.close();
    this.#on.stateChanged(false, isDead);
  }
}
