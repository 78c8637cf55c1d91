import { type AroundCall, wrappedD1 } from '../d1.ts';
import { checkParameters, checkRows, checkStatement } from './checks.ts';
import { call, invocation } from './invocation.ts';
import { platformMail } from './mail.ts';

/** How long calls travel, in milliseconds each way. */
export interface Distance {
  /** Between the code and D1. */
  d1Ms: number;
  /** Between the Worker and the Durable Object. */
  objectMs: number;
}

const travel = (ms: number): Promise<void> | undefined =>
  ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : undefined;

/** Call a function after the way there, and answer after the way back. */
async function far<T>(ms: number, made: () => Promise<T>): Promise<T> {
  await travel(ms);
  const answer = await made();
  await travel(ms);
  return answer;
}

/** A D1 database that behaves as deployed. */
function platformD1(real: D1Database, distance: Distance): D1Database {
  const around: AroundCall = async (texts, ask) => {
    texts.forEach(checkStatement);
    const answer = await call(texts.length, () => far(distance.d1Ms, ask));
    checkRows((Array.isArray(answer) ? answer : [answer ?? {}]) as { results?: unknown[] }[]);
    return answer;
  };
  return wrappedD1(real, around, checkParameters);
}

/** The methods of `real`, each in a connection of the invocation. `results` wraps their results. */
function connected<T extends object>(
  real: T,
  names: readonly string[],
  results: (result: never) => unknown = (x) => x,
): T {
  return new Proxy(real, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (!names.includes(String(name))) return value.bind(target);
      return (...args: unknown[]) => call(0, () => value.apply(target, args)).then(results as never);
    },
  });
}

/** Make the calls of the Cache API take connections. */
export function connectedCache(cache: Cache): void {
  for (const name of ['match', 'put', 'delete'] as const) {
    const real = cache[name] as (...args: never[]) => Promise<unknown>;
    const value = function (this: Cache, ...args: never[]) {
      return call(0, () => real.apply(this, args));
    };
    Object.defineProperty(cache, name, { value, configurable: true, writable: true });
  }
}

const UPLOAD = ['uploadPart', 'complete', 'abort'];

/** A bucket that behaves as deployed. */
function platformR2(real: R2Bucket): R2Bucket {
  const upload = (result: R2MultipartUpload) => connected(result, UPLOAD);
  const bucket = connected(real, ['head', 'get', 'put', 'delete', 'list']);
  return new Proxy(bucket, {
    get(target, name) {
      if (name === 'createMultipartUpload')
        return (...args: [string]) => call(0, () => real.createMultipartUpload(...args)).then(upload);
      if (name === 'resumeMultipartUpload')
        return (...args: [string, string]) => upload(real.resumeMultipartUpload(...args));
      return Reflect.get(target, name);
    },
  });
}

/** A namespace of Durable Objects, with calls that count as subrequests and travel to the object. */
function platformObjects(real: DurableObjectNamespace, { objectMs }: Distance): DurableObjectNamespace {
  const stub = (target: object) =>
    new Proxy(target, {
      get(made, name) {
        const value = Reflect.get(made, name);
        if (typeof value !== 'function' || name === 'then') return value;
        return (...args: unknown[]) => {
          invocation()?.countSubrequest();
          return far(objectMs, (): Promise<unknown> => Reflect.apply(value, made, args));
        };
      },
    });
  return new Proxy(real, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name === 'get' || name === 'getByName')
        return (...args: unknown[]) => stub(value.apply(target, args));
      if (name === 'jurisdiction')
        return (...args: unknown[]) => platformObjects(value.apply(target, args), { d1Ms: 0, objectMs });
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const known = new WeakMap<object, object>();

/** The bindings of the Worker or of a Durable Object, as deployed. The same for the same bindings. */
export function platformBindings<E extends object>(env: E): E {
  const before = known.get(env);
  if (before) return before as E;
  const made: Record<string, unknown> = {};
  const milliseconds = (name: string) => Number((env as Record<string, unknown>)[name] ?? 0);
  const distance = { d1Ms: milliseconds('PLATFORM_D1_MS'), objectMs: milliseconds('PLATFORM_OBJECT_MS') };
  for (const [name, value] of Object.entries(env))
    made[name] =
      name === 'EMAIL' && value ? platformMail(value as SendEmail) : platformBinding(value, distance);
  known.set(env, made);
  return made as E;
}

/** A binding by its class. An object without one, such as a variable, has no limits. */
function platformBinding(value: unknown, distance: Distance): unknown {
  switch ((value as object | null)?.constructor.name) {
    case 'D1Database':
      return platformD1(value as D1Database, distance);
    case 'R2Bucket':
      return platformR2(value as R2Bucket);
    case 'DurableObjectNamespace':
      return platformObjects(value as DurableObjectNamespace, distance);
    case 'Fetcher':
      return connected(value as Fetcher, ['fetch']);
    case 'WorkerQueue':
      return connected(value as Queue, ['send', 'sendBatch']);
    default:
      return value;
  }
}
