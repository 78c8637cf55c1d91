import type { Hono, MiddlewareHandler } from 'hono';
import { tryDecodeURIComponent } from 'hono/utils/url';
import type { AppContext, AppEnv } from './types.ts';

/** A declared route. */
interface Route {
  method: string;
  path: string;
  // biome-ignore lint/suspicious/noExplicitAny: as Hono keeps its handlers
  handler: MiddlewareHandler<any>;
}

/** A route with the segments of its registered path. */
interface SplitRoute {
  route: Route;
  segments: string[];
}

/**
 * Register routes so that Hono's RegExpRouter accepts them. It refuses a word, a different name or a pattern if another
 * path of the same method has a parameter in the same position (`/track/couple` beside `/track/:trackId/comments`).
 * There, all are registered as parameters. A request that does not match the declared path continues to the next route.
 */
export function register(app: Hono<AppEnv>, routes: readonly Route[]): void {
  const split = routes.map((route) => ({ route, segments: segmentsOf(route.path) }));
  for (const alike of Map.groupBy(split, ({ route }) => route.method).values()) checkOrder(alike, 0);
  for (const { route, segments } of split) {
    const path = segments.join('/');
    app.on(route.method, path, path === route.path ? named(route) : fitting(route));
  }
}

/** The path parameters of a request. */
export const pathParams = (c: AppContext): Record<string, string> => c.get('params') ?? c.req.param();

/** The segments of a path. A slash within the pattern of a parameter does not separate segments. */
const segmentsOf = (path: string): string[] => path.split(/\/(?![^{]*\})/);

/** Decide how to register the next segment, for routes with the same segments before it. */
function checkOrder(routes: SplitRoute[], at: number): void {
  const going = routes.filter(({ segments }) => segments.length > at && segments[at] !== '*');
  if (going.length === 0) return;
  const names = new Set(going.map(({ segments }) => segments[at]!));
  if (names.size > 1 && [...names].some((name) => name.startsWith(':'))) {
    for (const { segments } of going) segments[at] = `:segment${at}`;
  }
  for (const alike of Map.groupBy(going, ({ segments }) => segments[at]).values()) checkOrder(alike, at + 1);
}

/** Run the handler, and store the declared path for the log. */
function named({ path, handler }: Route): MiddlewareHandler<AppEnv> {
  return (c, next) => {
    c.set('route', path);
    return handler(c, next);
  };
}

/** Run the handler only if the request matches the declared path, with its parameters. */
function fitting({ path, handler }: Route): MiddlewareHandler<AppEnv> {
  const parts = segmentsOf(path).map((segment) => {
    const [, name, pattern = '[^/]+'] = /^:(\w+)(?:\{(.+)\})?$/.exec(segment) ?? [];
    return name === undefined ? segment.replace(/\W/g, '\\$&') : `(?<${name}>${pattern})`;
  });
  const form = new RegExp(`^${parts.join('/')}$`);
  return (c, next) => {
    const found = form.exec(c.req.path);
    if (!found) return next();
    const params = Object.entries(found.groups ?? {}).map(([name, value]) => [
      name,
      tryDecodeURIComponent(value),
    ]);
    c.set('params', Object.fromEntries(params));
    c.set('route', path);
    return handler(c, next);
  };
}
