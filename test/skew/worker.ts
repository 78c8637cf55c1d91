/**
 * The service during a rollout: its edge is of one version, its Durable Objects are of another. The edge is the source of
 * the test's project, the objects are the script `#other`. After an answer of 503 with `Retry-After`, the older part is
 * replaced and the request is sent again, as a client would. So the tests of `test/contract` see no rollout, if it loses
 * nothing. The header `X-Skew` asks for the answer `during` the rollout, or `after` it.
 */

import { DurableObject } from 'cloudflare:workers';
import other, { OrganizationWriter as OtherObject } from '#other';
import type { Env } from '../../src/core/env.ts';
import own, { OrganizationWriter as OwnObject } from '../../src/worker.ts';
import { platformBindings } from '../platform/bindings.ts';
import { Invocation, within, withLimits } from '../platform/invocation.ts';
import { rollout } from './begun.ts';

type Skewed = Env & { OLD: 'edge' | 'objects' };
type Object = InstanceType<typeof OwnObject>;
type Incoming = Parameters<typeof own.fetch>[0];

const [Other, Own] = [withLimits(OtherObject), withLimits(OwnObject)];

export class OrganizationWriter extends DurableObject<Skewed> {
  #object: Object;

  constructor(context: DurableObjectState, env: Skewed) {
    super(context, env);
    this.#object = new (rollout.begun ? Other : Own)(context, platformBindings(env));
  }

  /** Continue with the version of the edge. */
  rollOut(): void {
    this.#object = new Own(this.ctx, platformBindings(this.env));
  }

  /** Call a method of the object as it is now. */
  reach(name: string, given: unknown[]): unknown {
    return (this.#object as unknown as Record<string, (...given: unknown[]) => unknown>)[name]!(...given);
  }
}

for (const name of [
  'execute',
  'lease',
  'scheduleJobs',
  'versionId',
  'topUp',
  'forget',
  'fetch',
  'alarm',
  'webSocketMessage',
])
  Object.defineProperty(OrganizationWriter.prototype, name, {
    value(this: OrganizationWriter, ...given: unknown[]) {
      return this.reach(name, given);
    },
  });

/** The objects that the edge has called since the last rollout. */
const called = new Map<string, DurableObjectId>();

const bindings = new WeakMap<Skewed, Skewed>();

/** The bindings of the edge. They note which objects are called. */
function edgeBindings(env: Skewed): Skewed {
  const known = bindings.get(env);
  if (known) return known;
  const platform = platformBindings(env);
  const WRITER = new Proxy(platform.WRITER, {
    get(target, name) {
      if (name !== 'get') return Reflect.get(target, name);
      return (id: DurableObjectId, ...more: [DurableObjectNamespaceGetDurableObjectOptions?]) => {
        called.set(String(id), id);
        return target.get(id, ...more);
      };
    },
  });
  const made = { ...platform, WRITER };
  bindings.set(env, made);
  return made;
}

/** Serve a request after the rollout. */
async function fetchAfter(request: Incoming, env: Skewed, context: ExecutionContext): Promise<Response> {
  if (env.OLD === 'edge')
    return within(new Invocation(), () => other.fetch(request, edgeBindings(env), context));
  const objects = [...called.values()].map((id) => env.WRITER.get(id) as unknown as OrganizationWriter);
  called.clear();
  await Promise.all(objects.map((object) => object.rollOut()));
  return within(new Invocation(), () => own.fetch(request, edgeBindings(env), context));
}

export default {
  async fetch(request, env, context) {
    const asked = request.headers.get('X-Skew');
    if (asked === 'after') return fetchAfter(request, env, context);
    const again = request.clone() as typeof request;
    const response = await within(new Invocation(), () => own.fetch(request, edgeBindings(env), context));
    const isSkewed = response.status === 503 && response.headers.has('Retry-After');
    return isSkewed && asked !== 'during' ? fetchAfter(again, env, context) : response;
  },
  queue: (batch, env, context) =>
    within(new Invocation(), () => own.queue(batch, platformBindings(env), context)),
  scheduled: (controller, env) =>
    within(new Invocation(), () => own.scheduled(controller, platformBindings(env))),
} satisfies ExportedHandler<Skewed>;
