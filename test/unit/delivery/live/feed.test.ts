import { afterEach, beforeEach, expect, it, vi } from 'vitest';

/** A fake WebSocket with the parts that a page uses. */
class Socket {
  static readonly OPEN = 1;
  static readonly CONNECTING = 0;
  static readonly made: Socket[] = [];
  readyState = Socket.CONNECTING;
  onclose: ((event: { code: number }) => void) | undefined;
  constructor() {
    Socket.made.push(this);
  }
  close(): void {}
}

const ended = vi.fn();
const state = vi.fn();

beforeEach(async () => {
  vi.useFakeTimers();
  Socket.made.length = 0;
  ended.mockClear();
  state.mockClear();
  vi.stubGlobal('WebSocket', Socket);
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('document', { addEventListener: () => undefined });
  vi.stubGlobal('location', { href: 'https://dispatch.example.com/app/board' });
  const script = '../../../../src/web/console/assets/modules/feed.js';
  const { Feed } = await import(script);
  new Feed({ after: () => 1, received: () => undefined, stateChanged: state, ended });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('a page reconnects at once after a lost connection', () => {
  Socket.made[0]!.onclose!({ code: 1006 });
  vi.advanceTimersByTime(1_000);
  expect(Socket.made).toHaveLength(2);
});

it('a page that lost its connection to another page waits, so that pages do not displace each other in turn', () => {
  Socket.made[0]!.onclose!({ code: 4409 });
  vi.advanceTimersByTime(15_000);
  expect(Socket.made).toHaveLength(1);
  vi.advanceTimersByTime(6_000);
  expect(Socket.made).toHaveLength(2);
});

it('a page reports within five seconds that its connection does not open, and tries again', () => {
  vi.advanceTimersByTime(4_900);
  expect(state).toHaveBeenCalledWith(false, true);
  expect(Socket.made).toHaveLength(2);
});

it('a page reports that its session has ended', () => {
  Socket.made[0]!.onclose!({ code: 4401 });
  expect(ended).toHaveBeenCalledOnce();
});
