import type { World } from './world.ts';

/** The receivers of webhooks. The address of each webhook contains its uuid. */
export class Receivers {
  /** Events that were received, by webhook. */
  readonly taken = new Map<string, Set<string>>();
  /** Number of deliveries that arrived. */
  count = 0;
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  static url(webhook: string, version: number): string {
    return `http://127.0.0.1:9/${webhook}/${version}`;
  }

  /** Receive a delivery, or fail. */
  readonly fetch = (url: string, request: { body: string; signal: AbortSignal }): Promise<Response> =>
    new Promise((resolve, reject) => {
      const { faults } = this.#world;
      const stop = () => reject(request.signal.reason);
      request.signal.addEventListener('abort', stop);
      this.#world.later('delivery', () => {
        this.count += 1;
        if (request.signal.aborted || faults.draws('receiver hangs')) return;
        if (faults.draws('receiver fails')) return resolve(answer(500));
        if (faults.draws('receiver gone')) return resolve(answer(410));
        const [, webhook] = new URL(url).pathname.split('/');
        const taken = this.taken.get(webhook!) ?? new Set();
        this.taken.set(webhook!, taken.add(JSON.parse(request.body).eventIdentifier));
        if (faults.draws('receiver answer lost')) reject(new TypeError('fetch failed'));
        else resolve(answer(204));
      });
    });
}

const answer = (status: number): Response =>
  ({ status, ok: status < 300, headers: new Headers(), body: null }) as unknown as Response;
