import { OpenAPIHono } from '@hono/zod-openapi';
import type { AppContext, AppEnv } from '../../core/http/types.ts';
import { ProblemError, refusal } from '../../core/lib/problem.ts';
import { callerOf } from '../../dispatch/tablet/request.ts';
import { failure, redirect, toSignIn } from '../ui/page/answer.tsx';

/** The routes of `/app` and `/operator` with these pages. */
export function consoleRoutes(pages: readonly ((app: OpenAPIHono<AppEnv>) => void)[]): OpenAPIHono<AppEnv> {
  const app = new OpenAPIHono<AppEnv>();
  for (const declare of pages) declare(app);
  // Last route: answers every path without a page.
  app.get('/app/*', (c) => answerMissing(c as unknown as AppContext));
  return app;
}

async function answerMissing(c: AppContext): Promise<Response> {
  try {
    const session = await callerOf(c);
    if (!session) return toSignIn(c);
    if (session.tablet) return redirect(c, `/app/gate/${session.tablet.gateUuid}`);
    return failure(
      c,
      session,
      new ProblemError(refusal('notFound', 'This page does not exist. Check its address.')),
    );
  } catch (error) {
    return failure(c, null, error);
  }
}
