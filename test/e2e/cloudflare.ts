import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { naiveStatements } from '../migrations.ts';

/** The answer of Cloudflare's API, or its error. */
const success = (result: unknown) => ({ success: true, errors: [], messages: [], result });
const failure = (message: string) => ({
  success: false,
  errors: [{ code: 7500, message }],
  messages: [],
  result: null,
});

/**
 * The D1 part of Cloudflare's API, as wrangler 4.155 calls it, with SQLite databases in memory. An import is atomic. The
 * query API splits statements without regard to comments and quotes.
 */
export class Cloudflare {
  readonly databases = new Map<string, DatabaseSync>();
  /** The actions of requests that can write, in order. */
  readonly writes: string[] = [];
  /** Answers an import that contains this text with an error, after the import was applied. */
  losesAnswerOf: string | undefined;
  /** Answers imports with success and does nothing. */
  ignoresImports = false;
  readonly #uploads = new Map<string, string>();
  readonly #server: Server;
  #origin = '';

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<Cloudflare> {
    const server = createServer();
    const cloudflare = new Cloudflare(server);
    server.on('request', async (request, response) => {
      const answer = await cloudflare.#answer(request).catch((error) => failure(String(error)));
      response.setHeader('Content-Type', 'application/json');
      if (typeof answer === 'string') response.setHeader('ETag', `"${answer}"`);
      response.statusCode = typeof answer === 'string' || answer.success ? 200 : 400;
      response.end(JSON.stringify(answer));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    cloudflare.#origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return cloudflare;
  }

  /** The environment variables that direct wrangler to this API. */
  get environment(): Record<string, string> {
    return {
      CLOUDFLARE_API_BASE_URL: `${this.#origin}/client/v4`,
      CLOUDFLARE_API_TOKEN: 'token-of-the-test',
      CLOUDFLARE_ACCOUNT_ID: 'account',
    };
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** The database with an id, which is created when it is first used. */
  database(id: string): DatabaseSync {
    const database = this.databases.get(id) ?? new DatabaseSync(':memory:');
    this.databases.set(id, database);
    return database;
  }

  async #answer(request: IncomingMessage): Promise<string | ReturnType<typeof success | typeof failure>> {
    const { pathname } = new URL(request.url!, this.#origin);
    const body = await text(request);
    if (request.method === 'PUT') {
      this.#uploads.set(pathname, body);
      return createHash('md5').update(body).digest('hex');
    }
    const [, id, action] = /\/accounts\/account\/d1\/database\/([^/]+)\/(\w+)$/.exec(pathname) ?? [];
    if (id === undefined) return failure(`no such path: ${pathname}`);
    const parameters = JSON.parse(body) as Record<string, string>;
    if (action === 'query') return success(this.#query(id, parameters['sql']!));
    if (parameters['action'] === 'init') {
      const filename = randomUUID();
      return success({ upload_url: `${this.#origin}/${filename}`, filename });
    }
    return this.#import(id, this.#uploads.get(`/${parameters['filename']}`)!);
  }

  #query(id: string, sql: string): unknown[] {
    if (!/^\s*SELECT/i.test(sql)) this.writes.push('query');
    return naiveStatements(sql).map((statement) => ({
      results: this.database(id).prepare(statement).all(),
      success: true,
      meta: { duration: 0 },
    }));
  }

  #import(id: string, sql: string): ReturnType<typeof success | typeof failure> {
    this.writes.push('import');
    const database = this.database(id);
    try {
      database.exec(`BEGIN;${this.ignoresImports ? '' : sql}`);
      database.exec('COMMIT');
    } catch (error) {
      database.exec('ROLLBACK');
      return failure(String(error));
    }
    if (this.losesAnswerOf !== undefined && sql.includes(this.losesAnswerOf)) return failure('D1 was reset');
    const meta = { duration: 1, rows_read: 0, rows_written: 0, size_after: 0 };
    const result = { num_queries: 1, final_bookmark: 'bookmark', meta };
    return success({ success: true, status: 'complete', type: 'import', messages: [], result });
  }
}
