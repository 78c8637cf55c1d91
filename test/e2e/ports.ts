import { connect, createServer } from 'node:net';

/** Each test worker has its own ports. They are below the range from which the system assigns free ports. */
const PORTS_FROM = 12_000;
const PORTS_OF_WORKER = 1_000;

/** Whether a program listens on this port. */
export function listens(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => answer(true));
    socket.on('error', () => answer(false));
    socket.on('close', () => socket.destroy());
    socket.on('connect', () => socket.destroy());
  });
}

/** Returns a free port from the range of this test worker. */
export async function freePort(): Promise<number> {
  const first = PORTS_FROM + Number(process.env['VITEST_POOL_ID'] ?? 0) * PORTS_OF_WORKER;
  for (;;) {
    const port = first + Math.floor(Math.random() * PORTS_OF_WORKER);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const server = createServer();
    server.on('error', () => answer(false));
    server.listen(port, '127.0.0.1', () => server.close(() => answer(true)));
  });
}
