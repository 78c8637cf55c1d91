/** A page pings the service this often, and waits this long for the answer: a dead connection is known in 5 s. */
const PING_MS = 2_000;
const PONG_MS = 2_500;
/** How long connecting may take. */
const OPEN_MS = 4_000;
/** A page whose connection was closed for another page (`REPLACED`) tries again this often. */
const RETURN_MS = 20_000;
/** Between attempts to connect; with jitter, so that not all tablets come at once. */
const RETRY_MS = [500, 1_000, 2_000, 4_000, 8_000];
/** A clock that jumps by more than this between two ticks: the tablet was asleep. */
const ASLEEP_MS = 15_000;
/** Code of closing by which the service says that the session has ended. */
const SESSION_ENDED = 4401;
/** Code of closing where the service needed the place for another page: see `RETURN_MS`. */
const REPLACED = 4409;

/**
 * Listens to what changes. `after()` is the number of the log that the page is of; `told({sequenceNumber, changed})` is
 * called with what the service says; `state(live, dead)` whenever that changes, where `dead` means that nobody answers; `ended()` when the session has.
 */
export class Feed {
  #socket = null;
  #attempts = 0;
  #retry = 0;
  #pong = 0;
  #ticked = Date.now();
  #asked = Date.now();
  #on;

  constructor(on) {
    this.#on = on;
    setInterval(() => this.#tick(), PING_MS);
    // The device wakes up, the page is shown again, or the network is back: find out at once whether the connection
    // lives.
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

  /** Ping the service, or connect where there is no connection. */
  check() {
    this.#attempts = 0;
    if (this.live) this.#ping();
    else if (this.#socket?.readyState !== WebSocket.CONNECTING) this.#connect();
  }

  #tick() {
    const slept = Date.now() - this.#ticked > ASLEEP_MS;
    this.#ticked = Date.now();
    if (slept) this.#drop();
    if (this.live) this.#ping();
    else if (!this.#socket && !this.#retry && Date.now() - this.#asked >= RETURN_MS) this.#connect();
  }

  #ping() {
    const socket = this.#socket;
    socket.send('ping');
    // A pong that is awaited already keeps its time limit.
    if (!this.#pong) this.#await(socket, PONG_MS);
  }

  /** Give the connection up if it has not answered after so many milliseconds. */
  #await(socket, ms) {
    this.#pong = setTimeout(() => {
      this.#pong = 0;
      if (this.#socket !== socket) return;
      this.#drop(true);
      this.#again();
    }, ms);
  }

  #connect() {
    clearTimeout(this.#retry);
    this.#retry = 0;
    this.#asked = Date.now();
    this.#drop();
    const url = new URL('/app/feed', location.href);
    url.protocol = url.protocol.replace('http', 'ws');
    url.searchParams.set('after', this.#on.after());
    const socket = new WebSocket(url);
    this.#socket = socket;
    this.#await(socket, OPEN_MS);
    socket.onmessage = ({ data }) => {
      if (this.#socket !== socket) return;
      clearTimeout(this.#pong);
      this.#pong = 0;
      if (data === 'pong') return;
      this.#attempts = 0;
      this.#on.state(true);
      this.#on.told(JSON.parse(data));
    };
    socket.onclose = ({ code }) => {
      if (this.#socket !== socket) return;
      clearTimeout(this.#pong);
      this.#pong = 0;
      this.#socket = null;
      this.#on.state(false, false);
      if (code === SESSION_ENDED) this.#on.ended();
      if (code !== REPLACED) this.#again();
    };
  }

  #again() {
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
    this.#on.state(false, isDead);
  }
}
