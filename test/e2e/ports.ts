import { connect, createServer } from 'node:net';

/** Ports for services: each worker has its own, below those that the system gives to whoever asks for any. */
const PORTS_FROM = 12_000;
const PORTS_OF_WORKER = 1_000;

/** Whether anybody listens at a port. */
export function listens(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => answer(true));
    socket.on('error', () => answer(false));
    socket.on('close', () => socket.destroy());
    socket.on('connect', () => socket.destroy());
  });
}

/** A port that nobody listens at, of this worker. */
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
