import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, listens } from './ports.ts';
import { isRuntime, listensAt, living, type Process, signalGroup } from './processes.ts';

export const ROOT = resolve(import.meta.dirname, '../..');
const BINARIES = join(ROOT, 'node_modules/.bin');
/** What `npm start` runs, taken from where npm takes it. */
const START: string = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts.start;

const READY_MAXIMUM_MS = 60_000;
const DEATH_MAXIMUM_MS = 10_000;
const POLL_MS = 25;

/** How a service is started. */
export interface Start {
  /** A command line for the shell, with the project's binaries on the path; default is that of `npm start`. */
  command?: (port: number, stateDir: string) => string;
  environment?: Record<string, string>;
  /** Which answer of /health means that it is ready. */
  readyStatus?: number;
  /** A state directory to begin with a copy of; default is an empty one. */
  state?: string;
}

/** How the bundle is served that `bundle.ts` wrote into a directory. */
export const bundled = (directory: string): Start => ({
  command: () =>
    `NODE_COMPILE_CACHE=node_modules/.cache/node exec node --no-warnings test/e2e/serve.ts '${directory}'`,
});

/** The service as a tree of processes of its own, on a port and a state directory that outlive it. */
export class Service {
  readonly port: number;
  readonly home: string;
  readonly stateDir: string;
  /** How often it was started. */
  starts = 0;
  /** Whether it answers. False from the instant a signal is sent. */
  running = false;
  readonly #start: Start;
  #process: ChildProcess | undefined;
  #watchdog: ChildProcess | undefined;
  #groups = new Set<number>();
  #output = '';

  private constructor(port: number, start: Start) {
    this.port = port;
    this.#start = start;
    this.home = mkdtempSync(join(tmpdir(), 'dispatch-e2e-'));
    this.stateDir = join(this.home, 'state');
    if (start.state !== undefined) cpSync(start.state, this.stateDir, { recursive: true });
  }

  /** A service on a free port, with a state directory of its own; not started. */
  static async prepare(start: Start = {}): Promise<Service> {
    return new Service(await freePort(), start);
  }

  /** The same, started. */
  static async start(start: Start = {}): Promise<Service> {
    const service = await Service.prepare(start);
    try {
      await service.start();
      return service;
    } catch (error) {
      // Nobody else knows of it, so nobody else could.
      await service.dispose();
      throw error;
    }
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** What it wrote since it was last started, for the message of a failing test. */
  get output(): string {
    return this.#output;
  }

  /** Start it and wait until it is healthy; milliseconds that took. */
  async start(environment: Record<string, string> = {}): Promise<number> {
    const begin = performance.now();
    this.launch(environment);
    await this.#ready();
    this.running = true;
    return performance.now() - begin;
  }

  /** Start it without waiting. */
  launch(environment: Record<string, string> = {}): void {
    this.starts += 1;
    this.#output = '';
    const child = spawn(this.#start.command?.(this.port, this.stateDir) ?? START, {
      cwd: ROOT,
      shell: true,
      // A group of its own, so that one signal reaches wrangler, workerd and esbuild at the same instant.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: this.#environment(environment),
    });
    child.stdout!.on('data', (chunk) => this.#keep(chunk));
    child.stderr!.on('data', (chunk) => this.#keep(chunk));
    this.#process = child;
    this.#groups = new Set([child.pid!]);
    this.#watchdog = watch(child.pid!);
  }

  /** Its exit code, null where a signal ended it; undefined while it runs. */
  get exitCode(): number | null | undefined {
    const { exitCode, signalCode } = this.#process!;
    return signalCode === null ? (exitCode ?? undefined) : null;
  }

  /** Every process of it that lives, also those whose parents are gone. Asked before, it knows them better. */
  processes(): Process[] {
    const all = living();
    for (let size = 0; size !== this.#groups.size; ) {
      size = this.#groups.size;
      const own = new Set(all.filter(({ group }) => this.#groups.has(group)).map(({ pid }) => pid));
      for (const { parent, group } of all) if (own.has(parent)) this.#groups.add(group);
    }
    return all.filter(({ group }) => this.#groups.has(group));
  }

  /** Kill every process of it at once, as a power cut would, and wait until the last one is gone. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /**
   * Kill the process that runs the Worker and holds its stores, and wait until it is gone. What serves around it starts
   * another one by itself, in a second or so where a start of everything takes several: see `recovered`.
   */
  async crash(): Promise<void> {
    this.running = false;
    const runtimes = this.processes().filter(isRuntime);
    // Under `npm start` another runtime listens on the port, before the one of the Worker.
    const behind = runtimes.filter((process) => !listensAt(process, this.port));
    const [worker, ...others] = behind.length > 0 ? behind : runtimes;
    if (!worker || others.length > 0)
      throw new Error(`no process or several run the Worker\n${this.#output}`);
    process.kill(worker.pid, 'SIGKILL');
    while (this.processes().some(({ pid }) => pid === worker.pid)) await sleep(POLL_MS);
  }

  /** Wait until it is healthy after a crash. */
  async recovered(): Promise<void> {
    await this.#ready();
    this.starts += 1;
    this.running = true;
  }

  /** Send a signal to its group, as a terminal does, SIGKILL to every process; wait until the last one is gone. */
  async end(signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT'): Promise<void> {
    this.running = false;
    const group = this.#process?.pid;
    if (group === undefined) return;
    // What `npm start` starts has a group of its own.
    this.processes();
    for (const one of signal === 'SIGKILL' ? this.#groups : [group]) signalGroup(one, signal);
    const deadline = performance.now() + DEATH_MAXIMUM_MS;
    while (this.processes().length > 0 || (await listens(this.port))) {
      if (performance.now() > deadline) {
        const left = this.processes().map(({ command }) => command);
        throw new Error(`${signal} left alive: ${left.join(', ')}\n${this.#output}`);
      }
      await sleep(POLL_MS);
    }
    this.#watchdog!.kill('SIGKILL');
    this.#process = undefined;
  }

  /** Kill it and delete its state. */
  async dispose(): Promise<void> {
    await this.kill();
    rmSync(this.home, { recursive: true, force: true });
  }

  #keep(chunk: Buffer): void {
    this.#output = `${this.#output}${chunk}`.slice(-20_000);
  }

  #environment(further: Record<string, string>): NodeJS.ProcessEnv {
    return {
      ...process.env,
      // The test runner marks its own environment; the service is not to see a test.
      NODE_ENV: 'development',
      VITEST: '',
      NODE_OPTIONS: '',
      MINIFLARE_WORKERD_V8_FLAGS: '',
      PATH: `${BINARIES}${delimiter}${process.env['PATH']}`,
      PORT: String(this.port),
      STATE_DIR: this.stateDir,
      // Wrangler's own registry of running services: a killed one would leave its entry to others.
      XDG_CONFIG_HOME: join(this.home, 'config'),
      WRANGLER_SEND_METRICS: 'false',
      ...this.#start.environment,
      ...further,
    };
  }

  async #ready(): Promise<void> {
    const { readyStatus = 200 } = this.#start;
    const child = this.#process!;
    const deadline = performance.now() + READY_MAXIMUM_MS;
    for (;;) {
      const answer = await fetch(`${this.origin}/health`).catch(() => undefined);
      const body = await answer?.text().catch(() => undefined);
      if (answer?.status === readyStatus && body !== undefined) return;
      if (child.exitCode !== null) throw new Error(`exited with ${child.exitCode}\n${this.#output}`);
      if (performance.now() > deadline) throw new Error(`not ready: ${answer?.status}\n${this.#output}`);
      await sleep(POLL_MS);
    }
  }
}

/**
 * End the group when the process of this test ends, however it ends: its end of the pipe closes then. A run
 * that is interrupted would otherwise leave the service behind, since its group is not that of the terminal.
 */
function watch(group: number): ChildProcess {
  const script = `read -r _; kill -s KILL -- -${group}`;
  const watchdog = spawn('sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  watchdog.unref();
  return watchdog;
}
