import type { Hono } from 'hono';
import { isSameOrigin } from '../../../access/session/rules.ts';
import { problemResponse } from '../../../core/http/problem.ts';
import { type AppContext, type AppEnv, origin } from '../../../core/http/types.ts';
import { refusal } from '../../../core/lib/problem.ts';
import { isUnavailable } from '../../../core/lib/store.ts';
import { writerOf } from '../../../core/writer/client.ts';
import { LISTENER_HEADER, type Listener } from '../../../core/writer/listeners.ts';
import { callerOf } from '../../../dispatch/tablet/request.ts';
import { may } from '../../ui/parts/rights.ts';

/**
 * The WebSocket endpoint (RFC 6455) that notifies pages of changes. It needs the same rights as the pages.
 * Pages of other sites are refused, although browsers send the cookie with their requests (section 10.2).
 */
export function feedPages(app: Hono<AppEnv>): void {
  app.get('/app/feed', async (context) => {
    const c = context as unknown as AppContext;
    if (c.req.header('Upgrade')?.toLowerCase() !== 'websocket') {
      return problemResponse(c, refusal('upgradeRequired', 'Open this path as a WebSocket.'), {
        Upgrade: 'websocket',
      });
    }
    // Browsers always send the origin of the page that opens a WebSocket.
    if (c.req.header('Origin') !== origin(c) || !isSameOrigin(origin(c), c.req.raw.headers)) {
      return problemResponse(c, refusal('crossOriginRefused', 'The request comes from another site.'));
    }
    const session = await callerOf(c);
    if (!session) return problemResponse(c, refusal('unauthorized', 'You are not signed in.'));
    if (!may(session.user.permissions, 'see') || session.user.passwordChangeRequired) {
      return problemResponse(c, refusal('permissionRequired', 'Your authority does not allow this.'));
    }
    const listener: Listener = { session: session.uuid, user: session.user.uuid };
    const after = Number(c.req.query('after'));
    const { organization } = session;
    const request = new Request(`https://writer/?after=${Number.isSafeInteger(after) ? after : -1}`, {
      headers: { Upgrade: 'websocket', [LISTENER_HEADER]: JSON.stringify(listener) },
    });
    const answer = await writerOf(c.env, organization.uuid)
      .fetch(request)
      .catch((error) => {
        if (!isUnavailable(error)) throw error;
        console.warn(JSON.stringify({ requestId: c.get('requestId'), feed: String(error) }));
        return undefined;
      });
    if (answer?.status !== 101) {
      const detail = 'Too many pages receive live updates already, or the store does not answer.';
      return problemResponse(c, refusal('temporarilyUnavailable', detail), { 'Retry-After': '30' });
    }
    // The object's response is immutable, and the middleware adds headers.
    return new Response(null, { status: 101, webSocket: answer.webSocket });
  });
}
