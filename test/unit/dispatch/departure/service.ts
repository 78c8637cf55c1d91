import type { DatabaseSync } from 'node:sqlite';
import type { Env } from '../../../../src/core/env.ts';
import { Database } from '../../../../src/core/lib/database.ts';
import { Databases } from '../../../../src/core/lib/databases.ts';
import { NO_ORGANIZATION, newUuid } from '../../../../src/core/lib/id.ts';
import { commandsOf } from '../../../../src/core/writer/command.ts';
import { NO_HOOKS } from '../../../../src/core/writer/memory.ts';
import { type SentRequest, versions } from '../../../../src/core/writer/versions.ts';
import { Writer } from '../../../../src/core/writer/writer.ts';
import { watchDepartures } from '../../../../src/dispatch/departure/job.ts';
import { commands } from '../../../../src/features.ts';
import { declareRewind } from '../../../../src/log/event/rewind.ts';
import { migratedDatabase } from '../../../migrations.ts';
import { organizationOf } from '../../../simulation/inputs-beginning.ts';

export const DEPARTURE = { fieldKey: 'etd', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' };

/** D1 over a database of `node:sqlite`. */
function d1Of(sqlite: DatabaseSync): D1Database {
  const statement = (text: string, params: unknown[] = []) => {
    const run = () => ({
      results: sqlite.prepare(text).all(...(params as never[])),
      success: true,
      meta: { rows_read: 0, rows_written: 0, changes: 0 },
    });
    return { bind: (...given: unknown[]) => statement(text, given), run, all: async () => run() };
  };
  const d1 = {
    prepare: (text: string) => statement(text),
    withSession: () => ({ ...d1, getBookmark: () => null }),
    async batch(all: ReturnType<typeof statement>[]) {
      sqlite.exec('BEGIN');
      try {
        const results = all.map((one) => one.run());
        sqlite.exec('COMMIT');
        return results;
      } catch (error) {
        sqlite.exec('ROLLBACK');
        throw new Error(`D1_ERROR: ${String(error)}`);
      }
    },
  };
  return d1 as unknown as D1Database;
}

/** The commands, writers and the job of departures over one database. Objects have no alarms. */
export class Service {
  readonly sqlite = migratedDatabase();
  readonly #databases = new Databases({ DB: d1Of(this.sqlite) });
  readonly #writers = new Map<string, Writer>();
  /** The number of commits that requested a run of the jobs. */
  jobRequests = 0;

  /** The bindings. The schedule runs the job of the organizations that it wakes. */
  readonly env = {
    DB: d1Of(this.sqlite),
    WRITER: {
      idFromName: (organization: string) => organization,
      get: (organization: string) => ({
        execute: async (request: SentRequest) => ({
          ...(await this.#writer(organization).execute(request)),
          version: versions.ofOutcome(request.name),
        }),
        scheduleJobs: () => this.job(organization, null),
      }),
    },
  } as unknown as Env;

  #writer(organization: string): Writer {
    const known = this.#writers.get(organization);
    if (known) return known;
    const options = {
      databases: this.#databases,
      organization,
      commands: commandsOf(commands),
      declareRewind,
      hooks: {
        ...NO_HOOKS,
        aroundCommit: <T>(commit: () => Promise<T>, requestsJobs: boolean) => {
          if (requestsJobs) this.jobRequests += 1;
          return commit();
        },
      },
    };
    const made = new Writer(options);
    this.#writers.set(organization, made);
    return made;
  }

  /** Runs a command that must succeed. */
  async run<T>(organization: string, name: keyof typeof commands, input: object): Promise<T> {
    const outcome = await this.#writer(organization).execute({
      name,
      input,
      commandId: newUuid(),
      idempotencyKey: null,
      fingerprint: '',
      actor: { actorType: 'SYSTEM', uuid: null, displayName: 'Test' },
      requestId: 'test',
      ipAddress: null,
    });
    if (outcome.kind !== 'done') throw new Error(`${name}: ${JSON.stringify(outcome)}`);
    return JSON.parse(outcome.body) as T;
  }

  /** Runs the job of departures. */
  job(organization: string, lastRun: number | null) {
    const database = new Database(organization, this.#databases);
    return watchDepartures({ env: this.env, database, now: Date.now(), lastRun });
  }

  /** Creates an organization with gate G. By default it plans departures. */
  async organization(shipmentCustomFields: object[] = [DEPARTURE]): Promise<string> {
    const settings = { ...organizationOf(0), shipmentCustomFields };
    const { uuid } = await this.run<{ uuid: string }>(NO_ORGANIZATION, 'createOrganization', settings);
    await this.run(uuid, 'putGate', { externalIdentifier: 'G', name: 'G', localManagerUuid: undefined });
    return uuid;
  }

  /** Creates a shipment at G of one manifest. */
  async shipment(organization: string, identifier: string, assets: string[] = []): Promise<void> {
    const manifestExternalId = `M-${identifier}`;
    await this.run(organization, 'createManifest', {
      externalIdentifier: manifestExternalId,
      manifestStatus: 'PLANNED',
      gateExternalId: null,
      customFields: [],
      assets,
    });
    await this.run(organization, 'createShipment', {
      identifier,
      gateIdentifier: 'G',
      notes: null,
      manifests: [{ manifestExternalId, manifestUuid: null }],
      customFields: [],
    });
  }

  /** The alerts as `TYPE STATUS shipment`, sorted. */
  alerts(): string[] {
    const rows = this.sqlite
      .prepare("SELECT alert_type || ' ' || status || ' ' || shipment_external_id AS text FROM alert")
      .all();
    return rows.map(({ text }) => String(text)).sort();
  }
}
