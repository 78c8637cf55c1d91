/**
 * `node test/e2e/startup/count.ts SCRIPT` prints as JSON how many slow objects a Worker's script makes while it loads:
 * objects of `Intl` by class, and contracts of routes.
 */
import { load } from './load.ts';

const made: Record<string, number> = {};
const count = (name: string): void => {
  made[name] = (made[name] ?? 0) + 1;
};

for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(Intl))) {
  if (typeof value !== 'function' || value.prototype === undefined) continue;
  const counted = new Proxy(value, {
    construct(target, given, newTarget) {
      count(name);
      return Reflect.construct(target, given, newTarget);
    },
    apply(target, self, given) {
      count(name);
      return Reflect.apply(target, self, given);
    },
  });
  Object.defineProperty(Intl, name, { value: counted });
}

/** `createRoute` of @hono/zod-openapi gives this property to each contract. */
const OF_CONTRACT = 'getRoutingPath';
const { defineProperty } = Object;
Object.defineProperty = (object, name, ...rest) => {
  if (name === OF_CONTRACT) count('contract');
  return defineProperty(object, name, ...rest);
};

await load(process.argv[2]!);
console.log(JSON.stringify(made));
