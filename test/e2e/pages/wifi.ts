import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, expect, onTestFinished } from 'vitest';
import { startWorld, worldOn } from './browser.ts';
import { type DockOf, docked, SOON } from './dock.ts';

/** A network between a browser and a service that fails as Wi-Fi does: nothing is refused, nothing arrives. */
export interface Wifi {
  origin: string;
  /** Passes nothing on from now on, without closing connections. */
  die(): void;
  /** Accepts new connections, as after walking back into reach. */
  comeBack(): void;
  /** Loses the answers to requests that contain this text once, after the service has handled them. */
  loseAnswerTo(text: string): void;
  /** Passes on a request that contains this text, then the network fails before its answer. */
  dieAfter(text: string): void;
  end(): Promise<void>;
}

/** Like `atDock`, with a browser behind a network that can fail. `direct` is a browser without that network. */
export async function overWifi(...of: DockOf) {
  const direct = await startWorld();
  const wifi = await wifiTo(direct.service.origin);
  afterAll(() => wifi.end());
  const world = await worldOn(wifi);
  afterAll(() => world.end());
  return { direct, wifi, world, ...(await docked(world, direct, of)) };
}

/** Starts such a network in front of a service. */
export async function wifiTo(origin: string): Promise<Wifi> {
  const { hostname, port } = new URL(origin);
  const sockets = new Set<Socket>();
  let dead = false;
  let losing: string | undefined;
  let last: string | undefined;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    let lost = false;
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        if (!dead) (socket === near ? far : near).destroy();
      });
    }
    near.on('data', (data) => {
      if (dead) return;
      if (losing !== undefined && data.toString('latin1').includes(losing)) {
        losing = undefined;
        lost = true;
      }
      far.write(data);
      if (last !== undefined && data.toString('latin1').includes(last)) {
        last = undefined;
        dead = true;
      }
    });
    far.on('data', (data) => {
      if (dead) return;
      if (lost) near.destroy();
      else near.write(data);
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const closeAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    die: () => {
      dead = true;
    },
    comeBack: () => {
      dead = false;
      closeAll();
    },
    loseAnswerTo: (text) => {
      losing = text;
    },
    dieAfter: (text) => {
      last = text;
    },
    end: () => {
      closeAll();
      return new Promise((done) => server.close(() => done()));
    },
  };
}

/** Waits until the browser has stored all files that the gate page needs without a connection. */
export async function isKept(page: Page): Promise<void> {
  const missing = () =>
    page.evaluate<string[]>(`(async () => {
      const cache = await caches.open('gate-1');
      const parts = performance.getEntriesByType('resource').map(({ name }) => name);
      const urls = [location.pathname, ...parts.filter((name) => name.includes('/assets/console/'))];
      const kept = await Promise.all(urls.map((url) => cache.match(url)));
      return urls.filter((_, index) => kept[index] === undefined);
    })()`);
  await expect.poll(missing, { timeout: 20_000 }).toEqual([]);
}

/** Takes a gate page out of reach. The device knows it, and open connections are dead. */
export async function disconnect(page: Page, wifi: Wifi): Promise<void> {
  await isKept(page);
  wifi.die();
  onTestFinished(() => wifi.comeBack());
  await page.context().setOffline(true);
  await page.locator('body[data-feed="lost"]').waitFor(SOON);
}

/** Brings the page back into reach. */
export async function reconnect(page: Page, wifi: Wifi): Promise<void> {
  wifi.comeBack();
  await page.context().setOffline(false);
}
