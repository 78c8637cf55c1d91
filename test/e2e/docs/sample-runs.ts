import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { listens } from '../ports.ts';
import { ROOT } from '../service.ts';

const SAMPLES = join(ROOT, 'src/web/docs/samples');
const TIMEOUT_MS = 60_000;
const START_MAXIMUM_MS = 20_000;

/** How to run the samples of a language. curl and JavaScript run on every machine that runs the tests. */
export const LANGUAGES = [
  { language: 'curl', extension: '.sh', program: 'bash', optional: false },
  { language: 'JavaScript', extension: '.mjs', program: process.execPath, optional: false },
  { language: 'Python', extension: '.py', program: 'python3', optional: true },
  { language: 'Java', extension: '.java', program: 'javac', optional: true },
] as const;
export type Language = (typeof LANGUAGES)[number];

/** The languages that run on this machine. The output of the test names the other ones. */
export const present: Language[] = LANGUAGES.filter(({ language, program, optional }) => {
  const found =
    !optional ||
    spawnSync(program, ['-version']).status === 0 ||
    spawnSync(program, ['--version']).status === 0;
  if (!found) console.warn(`The samples in ${language} do not run here: the program ${program} is missing.`);
  return found;
});

/** The path of a sample's program. */
export const fileOf = (sample: string, { extension }: Language): string => {
  const folder = join(SAMPLES, sample);
  return join(folder, readdirSync(folder).find((file) => extname(file) === extension)!);
};

/** The folder of the compiled Java samples. All are compiled at once, because each start of the compiler takes seconds. */
let classes: string | undefined;
function compiled(java: Language): string {
  if (classes === undefined) {
    classes = mkdtempSync(join(tmpdir(), 'samples-'));
    const files = readdirSync(SAMPLES).map((sample) => fileOf(sample, java));
    const { status, stderr } = spawnSync(java.program, ['-d', classes, ...files], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`The Java samples do not compile: ${stderr}`);
  }
  return classes;
}

/** The command that runs a sample. Java runs with its fast compiler only, because a sample ends soon. */
function commandOf(sample: string, language: Language): [program: string, given: string[]] {
  const file = fileOf(sample, language);
  if (language.language !== 'Java') return [language.program, [file]];
  return ['java', ['-XX:TieredStopAtLevel=1', '-cp', compiled(language), basename(file, '.java')]];
}

/** The result of a sample. */
export interface Ran {
  code: number | null;
  output: string;
  errors: string;
}

/** Runs a sample to its end. */
export function run(
  sample: string,
  language: Language,
  environment: Record<string, string>,
  input: string | Buffer = '',
): Promise<Ran> {
  const child = launch(sample, language, environment);
  const ran = { code: null, output: '', errors: '' } as Ran;
  child.stdout!.on('data', (part) => {
    ran.output += part;
  });
  child.stderr!.on('data', (part) => {
    ran.errors += part;
  });
  child.stdin!.on('error', () => undefined);
  child.stdin!.end(input);
  return new Promise((ended) => child.on('close', (code) => ended({ ...ran, code })));
}

function launch(sample: string, language: Language, environment: Record<string, string>): ChildProcess {
  return spawn(...commandOf(sample, language), {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
    timeout: TIMEOUT_MS,
  });
}

/** A receiver of webhooks that runs. */
export class Receiver {
  output = '';
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.url = `http://127.0.0.1:${port}/`;
    child.stdout!.on('data', (part) => {
      this.output += part;
    });
  }

  static async start(language: Language, secret: string, port: number): Promise<Receiver> {
    const environment = { WEBHOOK_SECRET: secret, PORT: String(port) };
    const receiver = new Receiver(launch('verify-webhook', language, environment), port);
    const deadline = performance.now() + START_MAXIMUM_MS;
    while (!(await listens(port))) {
      if (performance.now() > deadline) throw new Error(`The receiver in ${language.language} did not start`);
      await new Promise((wait) => setTimeout(wait, 50));
    }
    return receiver;
  }

  /** Ends the process that `start` started. */
  stop(): void {
    this.#child.kill('SIGKILL');
  }
}

/** A proxy in front of the service, which can answer requests itself. */
export class Between {
  readonly requests: IncomingMessage[] = [];
  readonly #server: Server;
  readonly #target: string;
  /** Answers a request itself. It returns whether it did. `number` counts from 1. */
  intercept: (
    response: ServerResponse,
    number: number,
    forward: () => Promise<Response>,
  ) => Promise<boolean> = async () => false;

  private constructor(target: string) {
    this.#target = target;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async before(target: string): Promise<Between> {
    const proxy = new Between(target);
    await new Promise<void>((ready) => proxy.#server.listen(0, '127.0.0.1', ready));
    return proxy;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests.push(request);
    const number = this.requests.length;
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const forward = () => this.#forward(request, Buffer.concat(parts));
    if (await this.intercept(response, number, forward)) return;
    const answer = await forward();
    const { etag, link, 'retry-after': retry } = Object.fromEntries(answer.headers);
    const headers = Object.entries({ ETag: etag, Link: link, 'Retry-After': retry });
    response.writeHead(
      answer.status,
      Object.fromEntries(headers.filter(([, value]) => value !== undefined)) as Record<string, string>,
    );
    response.end(await answer.text());
  }

  #forward({ method, url, headers }: IncomingMessage, body: Buffer): Promise<Response> {
    const names = ['x-auth-key', 'idempotency-key', 'if-match', 'content-type'];
    const sent = names.flatMap((name) =>
      headers[name] === undefined ? [] : [[name, String(headers[name])]],
    );
    return fetch(`${this.#target}${url}`, {
      method: method!,
      headers: Object.fromEntries(sent),
      ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
    });
  }
}
