import { z } from 'zod';
import type { SealingKeys } from './lib/seal.ts';
import type { WriterEnv } from './writer/binding.ts';
import { writerLocationsOf } from './writer/location.ts';

/** A message of the operation queue: an operation to run. */
export interface OperationMessage {
  organization: string;
  operation: string;
}

/** A message of the webhook queue: deliveries of one webhook, by reference. */
export interface DeliverMessage {
  organization: string;
  webhook: string;
  deliveries: string[];
  /** The claim under which the deliveries may be sent. */
  claim: string;
}

/** A message of the schedule queue: a turn of one database. */
export interface TurnMessage {
  database: string;
  schedule: 'minute' | 'day';
}

/** Bindings and variables of the Worker, from wrangler.toml and its secrets. */
export interface Env extends WriterEnv {
  /** Deliveries to webhooks, by reference. */
  WEBHOOK_QUEUE: Queue<DeliverMessage>;
  /** Starts accepted operations soon. The operations themselves are stored in D1. */
  OPERATION_QUEUE: Queue<OperationMessage>;
  /** Turns of the databases. Each message has an invocation of its own. */
  SCHEDULE_QUEUE: Queue<TurnMessage>;
  /** The bytes of calibration files; their metadata is in `DB`. */
  CALIBRATION: R2Bucket;
  /** Limits requests for public pages, by IP address and by link. */
  PUBLIC_BY_ADDRESS: RateLimit;
  PUBLIC_BY_LINK: RateLimit;
  /** Static assets: fonts of documents, messages, guides and common passwords. */
  ASSETS: Fetcher;
  /** The name of the environment in wrangler.toml, or `development` on a developer's machine. */
  ENVIRONMENT?: string;
  /** Whether secrets of the service begin with `wdk_live_` or `wdk_test_`. */
  CREDENTIAL_ENVIRONMENT?: string;
  /** `{slug}.{BASE_DOMAIN}` is an organization's own host. */
  BASE_DOMAIN?: string;
  /** Sends e-mails. Absent unless the operator has configured it. */
  EMAIL?: SendEmail;
  /** The sender of e-mails: an address of a domain that the account may send from. */
  EMAIL_FROM?: string;
  /** Secret of the operator API. */
  OPERATOR_KEY?: string;
  /** The secret that encrypts webhook secrets and headers. */
  SEALING_KEY?: string;
  /**
   * A second such secret during the rotation of `SEALING_KEY`. Some values are sealed with it, either still or already.
   */
  SEALING_KEY_PREVIOUS?: string;
  /** `true`: webhooks may also go to `http://127.0.0.1:*`. For development only. */
  WEBHOOK_ALLOW_LOOPBACK?: string;
  /** The size limit of a database in bytes, which depends on the plan of the account. */
  DATABASE_LIMIT_BYTES?: string;
  /** Divides the pauses between delivery attempts. For development only. */
  WEBHOOK_RETRY_DIVISOR?: string;
  /** Whether each request is logged. By default only in deployed environments. */
  REQUEST_LOG?: string;
}

/** The prefix of values for a developer's machine only. */
const DEVELOPMENT_PREFIX = 'local-';

/** The end of a host name, or of an address, that only a developer's machine has. */
const LOCAL_HOST = /(^|[.@])localhost$/i;

/** The limit of D1 on a paid plan: 10 GB. */
const DATABASE_LIMIT_BYTES = 10_000_000_000;

/** This turns the longest pause, a day, into a tenth of a second. */
const RETRY_DIVISOR_MAXIMUM = 1_000_000;

/**
 * The environments with test credentials, unless their variables say otherwise. Every other environment has live
 * credentials.
 */
const TEST_ENVIRONMENTS = ['development', 'staging'];

/** A name that starts with `dead` would make the names of its queues ambiguous (`src/queues.ts`). */
const ENVIRONMENT_NAME = /^(?!dead)[A-Za-z0-9_-]{1,40}$/;

const settingsSchema = z
  .object({
    ENVIRONMENT: z.string().regex(ENVIRONMENT_NAME, 'use 1 to 40 of A-Z a-z 0-9 _ -, not starting with dead'),
    CREDENTIAL_ENVIRONMENT: z.enum(['live', 'test']).optional(),
    BASE_DOMAIN: z.string().min(1).toLowerCase(),
    OPERATOR_KEY: z.string().min(16),
    SEALING_KEY: z.string().min(16),
    SEALING_KEY_PREVIOUS: z.string().min(16).optional(),
    WEBHOOK_ALLOW_LOOPBACK: z
      .enum(['true', 'false'])
      .default('false')
      .transform((value) => value === 'true'),
    EMAIL_FROM: z.email().max(254).optional(),
    DATABASE_LIMIT_BYTES: z.coerce.number().int().min(1).default(DATABASE_LIMIT_BYTES),
    WEBHOOK_RETRY_DIVISOR: z.coerce.number().min(1).max(RETRY_DIVISOR_MAXIMUM).default(1),
    REQUEST_LOG: z.enum(['true', 'false']).optional(),
  })
  .superRefine((settings, context) => {
    if (settings.ENVIRONMENT === 'development') return;
    const wrong = (name: string, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message });
    for (const name of ['OPERATOR_KEY', 'SEALING_KEY', 'SEALING_KEY_PREVIOUS'] as const) {
      const secret = settings[name];
      if (secret === undefined || (!secret.startsWith(DEVELOPMENT_PREFIX) && secret.length >= 32)) continue;
      wrong(name, 'a deployed environment needs a secret of its own of at least 32 characters');
    }
    if (settings.WEBHOOK_ALLOW_LOOPBACK) {
      wrong('WEBHOOK_ALLOW_LOOPBACK', 'webhooks to loopback are for a developer machine');
    }
    if (LOCAL_HOST.test(settings.BASE_DOMAIN)) {
      wrong('BASE_DOMAIN', 'the domain localhost is for a developer machine');
    }
    if (LOCAL_HOST.test(settings.EMAIL_FROM ?? '')) {
      wrong('EMAIL_FROM', 'a sender at localhost is for a developer machine');
    }
    if (settings.WEBHOOK_RETRY_DIVISOR !== 1) {
      wrong('WEBHOOK_RETRY_DIVISOR', 'a divisor other than 1 is for a developer machine');
    }
  });

/** The parsed variables. */
export type Settings = Omit<z.infer<typeof settingsSchema>, 'REQUEST_LOG' | 'CREDENTIAL_ENVIRONMENT'> & {
  REQUEST_LOG: boolean;
  /** The environment in credentials: `wdk_<environment>_…`. */
  credentialEnvironment: 'live' | 'test';
  sealingKeys: SealingKeys;
};

const parsed = new WeakMap<object, Settings>();

/**
 * The variables, validated once per isolate. Throws with the names of invalid variables, never with a value. A
 * misconfigured service answers 503 instead of running with a development key.
 */
export function settingsOf(env: Env): Settings {
  const known = parsed.get(env);
  if (known) return known;
  const result = settingsSchema.safeParse(env);
  if (!result.success) {
    const wrong = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`not configured: ${wrong.join('; ')}`);
  }
  const { ENVIRONMENT, CREDENTIAL_ENVIRONMENT, REQUEST_LOG, SEALING_KEY, SEALING_KEY_PREVIOUS } = result.data;
  checkLocations(env, ENVIRONMENT === 'development');
  const settings: Settings = {
    ...result.data,
    REQUEST_LOG: REQUEST_LOG === undefined ? ENVIRONMENT !== 'development' : REQUEST_LOG === 'true',
    sealingKeys: [SEALING_KEY, ...(SEALING_KEY_PREVIOUS === undefined ? [] : [SEALING_KEY_PREVIOUS])],
    credentialEnvironment:
      CREDENTIAL_ENVIRONMENT ?? (TEST_ENVIRONMENTS.includes(ENVIRONMENT) ? 'test' : 'live'),
  };
  parsed.set(env, settings);
  return settings;
}

/** @throws if the locations of objects are invalid, or need the platform on a developer machine */
function checkLocations(env: Env, isLocal: boolean): void {
  try {
    if (writerLocationsOf(env).jurisdiction === undefined || !isLocal) return;
  } catch (error) {
    throw new Error(`not configured: ${(error as Error).message}`);
  }
  throw new Error('not configured: WRITER_LOCATIONS: the local runtime has no jurisdictions');
}
