import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, listens } from './ports.ts';
import { isRuntime, listensAt, living, type Process, signalGroup } from './processes.ts';

export const ROOT = resolve(import.meta.dirname, '../..');
const BINARIES = join(ROOT, 'node_modules/.bin');
/** The command of `npm start` in package.json. */
const START: string = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts.start;

const READY_MAXIMUM_MS = 100_000;
const DEATH_MAXIMUM_MS = 10_000;
const POLL_MS = 25;

/** How to start a service. */
export interface Start {
  /** A command line for the shell, with the project's programs on the path. The default is `npm start`. */
  command?: (port: number, stateDir: string) => string;
  environment?: Record<string, string>;
  /** The status of /health that means ready. */
  readyStatus?: number;
  /** A state directory to copy. The default is an empty one. */
  state?: string;
}

/** Serves the bundle that `bundle.ts` wrote into a directory. */
export const bundled = (directory: string): Start => ({
  command: () => `exec node --no-warnings test/e2e/serve.ts '${directory}'`,
});

/** The service with its own process tree. Its port and its state directory outlive the processes. */
export class Service {
  readonly port: number;
  readonly home: string;
  readonly stateDir: string;
  /** Number of starts. */
  starts = 0;
  /** Whether the service answers. False from the instant a signal is sent. */
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

  /** Creates a service with a free port and its own state directory, without starting it. */
  static async prepare(start: Start = {}): Promise<Service> {
    return new Service(await freePort(), start);
  }

  /** Creates and starts a service. */
  static async start(start: Start = {}): Promise<Service> {
    const service = await Service.prepare(start);
    try {
      await service.start();
      return service;
    } catch (error) {
      // The caller never gets the service, so it is disposed here.
      await service.dispose();
      throw error;
    }
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The output since the last start, for the message of a failing test. */
  get output(): string {
    return this.#output;
  }

  /** Starts the service and waits until it is healthy. */
  async start(environment: Record<string, string> = {}): Promise<void> {
    this.launch(environment);
    await this.#ready();
    this.running = true;
  }

  /** Starts the service without waiting. */
  launch(environment: Record<string, string> = {}): void {
    this.starts += 1;
    this.#output = '';
    const child = spawn(this.#start.command?.(this.port, this.stateDir) ?? START, {
      cwd: ROOT,
      shell: true,
      // In its own process group, one signal reaches wrangler, workerd and esbuild at the same instant.
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

  /** The exit code, null if a signal ended the process, undefined while it runs. */
  get exitCode(): number | null | undefined {
    const { exitCode, signalCode } = this.#process!;
    return signalCode === null ? (exitCode ?? undefined) : null;
  }

  /** Returns all living processes of the service. Earlier calls help to find processes whose parents have ended. */
  processes(): Process[] {
    const all = living();
    for (let size = 0; size !== this.#groups.size; ) {
      size = this.#groups.size;
      const own = new Set(all.filter(({ group }) => this.#groups.has(group)).map(({ pid }) => pid));
      for (const { parent, group } of all) if (own.has(parent)) this.#groups.add(group);
    }
    return all.filter(({ group }) => this.#groups.has(group));
  }

  /** Kills all processes of the service at once, as a power cut would, and waits until they are gone. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /**
   * Kills the process that runs the Worker and holds its stores, and waits until it is gone. The processes around it
   * start another one within about a second. A full start takes several seconds. See `recovered`.
   */
  async crash(): Promise<void> {
    this.running = false;
    const runtimes = this.processes().filter(isRuntime);
    // Under `npm start`, a second runtime listens on the port and forwards to the Worker's runtime.
    const behind = runtimes.filter((process) => !listensAt(process, this.port));
    const [worker, ...others] = behind.length > 0 ? behind : runtimes;
    if (!worker || others.length > 0)
      throw new Error(`no process or several run the Worker\n${this.#output}`);
    process.kill(worker.pid, 'SIGKILL');
    while (this.processes().some(({ pid }) => pid === worker.pid)) await sleep(POLL_MS);
  }

  /** Waits until the service is healthy after a crash. */
  async recovered(): Promise<void> {
    await this.#ready();
    this.starts += 1;
    this.running = true;
  }

  /**
   * Sends a signal to the process group, as a terminal does. SIGKILL goes to every process. Waits until all are gone.
   */
  async end(signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT'): Promise<void> {
    this.running = false;
    const group = this.#process?.pid;
    if (group === undefined) return;
    // Record the groups now, because `npm start` starts its children in a group of their own.
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

  /** Kills the service and deletes its state. */
  async dispose(): Promise<void> {
    await this.kill();
    rmSync(this.home, { recursive: true, force: true });
  }

  #keep(chunk: Buffer): void {
    this.#output = `${this.#output}${chunk}`.slice(-100_000);
  }

  #environment(further: Record<string, string>): NodeJS.ProcessEnv {
    return {
      ...process.env,
      // The service must not see the environment variables of the test runner.
      NODE_ENV: 'development',
      VITEST: '',
      NODE_OPTIONS: '',
      MINIFLARE_WORKERD_V8_FLAGS: '',
      PATH: `${BINARIES}${delimiter}${process.env['PATH']}`,
      PORT: String(this.port),
      STATE_DIR: this.stateDir,
      // Wrangler registers running services here. An entry of a killed service would disturb other tests.
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
 * Kills the process group when the test process ends in any way, because this closes the pipe. Without this, an
 * interrupted run would leave the service behind: the group is not the terminal's process group.
 */
function watch(group: number): ChildProcess {
  const script = `read -r _; kill -s KILL -- -${group}`;
  const watchdog = spawn('sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  watchdog.unref();
  return watchdog;
}
