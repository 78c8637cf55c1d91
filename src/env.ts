import { z } from 'zod';
import type { OrganizationWriter } from './worker.ts';

/** Bindings and variables of the Worker as wrangler.toml and its secrets give them. */
export interface Env {
  /** The one store of facts. */
  DB: D1Database;
  /** One object per organization; its name is the organization's uuid. */
  WRITER: DurableObjectNamespace<OrganizationWriter>;
  /** Bytes of calibration files; what they are and whose stands in `DB`. */
  CALIBRATION: R2Bucket;
  ENVIRONMENT?: string;
  /** `{slug}.{BASE_DOMAIN}` is an organization's own host. */
  BASE_DOMAIN?: string;
  /** Secret of the operator API. */
  OPERATOR_KEY?: string;
}

/** Values that are for a developer's machine only start with this. */
const DEVELOPMENT_MARK = 'local-';

const settingsSchema = z
  .object({
    ENVIRONMENT: z.enum(['development', 'staging', 'production']),
    BASE_DOMAIN: z.string().min(1).toLowerCase(),
    OPERATOR_KEY: z.string().min(16),
  })
  .superRefine(({ ENVIRONMENT, OPERATOR_KEY }, context) => {
    if (ENVIRONMENT === 'development') return;
    if (OPERATOR_KEY.startsWith(DEVELOPMENT_MARK) || OPERATOR_KEY.length < 32) {
      context.addIssue({
        code: 'custom',
        path: ['OPERATOR_KEY'],
        message: 'a deployed environment needs a secret of its own of at least 32 characters',
      });
    }
  });

/** The parsed variables. */
export type Settings = z.infer<typeof settingsSchema> & {
  /** What credentials are marked with: `wdk_<mark>_…`. */
  credentialMark: 'live' | 'test';
};

const parsed = new WeakMap<object, Settings>();

/**
 * The variables, checked once an isolate. Throws with the names of what is wrong (never a value): a service
 * that is not configured answers 503 instead of running with a development key.
 */
export function settingsOf(env: Env): Settings {
  const known = parsed.get(env);
  if (known) return known;
  const result = settingsSchema.safeParse(env);
  if (!result.success) {
    const wrong = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`not configured: ${wrong.join('; ')}`);
  }
  const settings: Settings = {
    ...result.data,
    credentialMark: result.data.ENVIRONMENT === 'production' ? 'live' : 'test',
  };
  parsed.set(env, settings);
  return settings;
}
